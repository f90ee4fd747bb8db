package aar

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Tokens splits a text into what search compares: runs of letters and digits in small letters,
// without accents. A number keeps its point and loses the commas between its groups.
func Tokens(text string) []string {
	var out []string
	runes := []rune(strings.ToLower(norm.NFKD.String(text)))
	runes = slices.DeleteFunc(runes, unicode.IsMark)
	for at := 0; at < len(runes); {
		if !isTokenRune(runes[at]) {
			at++
			continue
		}
		token, end := oneToken(runes, at)
		out, at = append(out, token), end
	}
	return out
}

func isTokenRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// oneToken returns the token that begins at a place, and where it ends.
func oneToken(runes []rune, at int) (token string, end int) {
	digits := func(from int) int {
		n := 0
		for from+n < len(runes) && unicode.IsDigit(runes[from+n]) {
			n++
		}
		return n
	}
	n := digits(at)
	out := slices.Clone(runes[at : at+n])
	end = at + n
	for 1 <= n && n <= 3 && end < len(runes) && runes[end] == ',' && digits(end+1) == 3 {
		out = append(out, runes[end+1:end+4]...)
		end += 4
	}
	if n > 0 && end < len(runes) && runes[end] == '.' && digits(end+1) > 0 {
		fraction := 1 + digits(end+1)
		out = append(out, runes[end:end+fraction]...)
		end += fraction
	}
	for end < len(runes) && isTokenRune(runes[end]) {
		out = append(out, runes[end])
		end++
	}
	return string(out), end
}

// Posting is a token with the documents that hold it, ascending, and how often.
type Posting struct {
	Token       string
	Docs, Count []uint32
}

// Indexer gathers the documents of a search index.
type Indexer struct {
	lengths  []uint32
	postings map[string]*Posting
}

// Add takes the next document, which is one page: its title, the other names that lead to it,
// and its short description. Neither its lead nor its text can be searched, because clues are
// made from them.
func (x *Indexer) Add(title string, aliases []string, description string) {
	if x.postings == nil {
		x.postings = map[string]*Posting{}
	}
	doc, n := uint32(len(x.lengths)), uint32(0)
	for _, field := range slices.Concat([]string{title, description}, aliases) {
		for _, token := range Tokens(field) {
			p := x.postings[token]
			if p == nil {
				p = &Posting{Token: token}
				x.postings[token] = p
			}
			if len(p.Docs) == 0 || p.Docs[len(p.Docs)-1] != doc {
				p.Docs, p.Count = append(p.Docs, doc), append(p.Count, 0)
			}
			p.Count[len(p.Count)-1]++
			n++
		}
	}
	x.lengths = append(x.lengths, n)
}

// Rows lists the rows of the index's table: first the length of every document, under the empty
// token, then the tokens in their order.
func (x *Indexer) Rows() []Posting {
	all := make([]uint32, len(x.lengths))
	for i := range all {
		all[i] = uint32(i)
	}
	rows := []Posting{{Docs: all, Count: x.lengths}}
	for _, token := range slices.Sorted(maps.Keys(x.postings)) {
		rows = append(rows, *x.postings[token])
	}
	return rows
}

// postings is some rows of an index, as columns.
type postings struct {
	tokens       arrowio.Strings
	docs, counts arrowio.Lists
}

// Index finds documents by their tokens.
type Index struct {
	rows    chunks[postings]
	lengths []uint32
	corpus  *Corpus // nil: its own documents
	mean    float64
}

// Corpus is what a search weighs tokens by: how many documents there are, how many tokens they
// have together, and how many of them have each token. A part of a world has the corpus of the
// whole, so that its pages rank as they do there.
type Corpus struct {
	Documents int            `json:"documents"`
	Tokens    int            `json:"tokens"`
	Having    map[string]int `json:"having"`
}

// weigh lets an index rank as one of a corpus does.
func (x *Index) weigh(c *Corpus) {
	x.corpus, x.mean = c, float64(c.Tokens)/float64(max(1, c.Documents))
}

// corpusOf returns the corpus of x, of the tokens that part has.
func (x *Index) corpusOf(part *Index) *Corpus {
	c := &Corpus{Documents: len(x.lengths), Having: map[string]int{}}
	if x.corpus != nil {
		c.Documents, c.Tokens = x.corpus.Documents, x.corpus.Tokens
	} else {
		for _, n := range x.lengths {
			c.Tokens += int(n)
		}
	}
	for i := 1; i < part.rows.len(); i++ { // after the lengths
		p, k := part.rows.at(i)
		token := p.tokens.At(k)
		docs, _ := x.find(token)
		c.Having[token] = x.having(token, len(docs))
	}
	return c
}

// having returns how many documents of the corpus have a token, which df of the index have.
func (x *Index) having(token string, df int) int {
	if x.corpus == nil {
		return df
	}
	return x.corpus.Having[token]
}

// check refuses a corpus that does not hold the documents of an index.
func (c *Corpus) check(x *Index) error {
	if c.Documents < len(x.lengths) || c.Tokens < 1 {
		return fmt.Errorf("corpus: %d documents with %d tokens, the store has %d pages",
			c.Documents, c.Tokens, len(x.lengths))
	}
	for i := 1; i < x.rows.len(); i++ {
		p, k := x.rows.at(i)
		token := p.tokens.At(k)
		if n := c.Having[token]; n < len(p.docs.At(k)) || n > c.Documents {
			return fmt.Errorf("corpus: %d of %d documents have the token %s, which %d pages have",
				n, c.Documents, fault.Quote(token), len(p.docs.At(k)))
		}
	}
	return nil
}

// memoryIndex returns an index of rows in memory.
func memoryIndex(rows []Posting) *Index {
	p := postings{docs: arrowio.Lists{Offsets: []int32{0}}, counts: arrowio.Lists{Offsets: []int32{0}}}
	tokens := []string{}
	for _, r := range rows {
		tokens = append(tokens, r.Token)
		p.docs.Values, p.counts.Values = append(p.docs.Values, r.Docs...), append(p.counts.Values, r.Count...)
		p.docs.Offsets = append(p.docs.Offsets, int32(len(p.docs.Values)))
		p.counts.Offsets = append(p.counts.Offsets, int32(len(p.counts.Values)))
	}
	p.tokens = arrowio.MakeStrings(tokens)
	return newIndex(chunked(p, len(rows)))
}

func newIndex(rows chunks[postings]) *Index {
	x := &Index{rows: rows}
	if p, i := rows.at(0); p != nil {
		x.lengths = p.counts.At(i)
	}
	total := 0
	for _, n := range x.lengths {
		total += int(n)
	}
	x.mean = float64(total) / float64(max(1, len(x.lengths)))
	return x
}

// find returns the documents of a token and how often each holds it.
func (x *Index) find(token string) (docs, counts []uint32) {
	n := x.rows.len()
	i := sort.Search(n, func(i int) bool {
		p, k := x.rows.at(i)
		return string(p.tokens.Bytes(k)) >= token
	})
	if i == n || token == "" {
		return nil, nil
	}
	p, k := x.rows.at(i)
	if string(p.tokens.Bytes(k)) != token {
		return nil, nil
	}
	return p.docs.At(k), p.counts.At(k)
}

// Hit is a document that a search found.
type Hit struct {
	Page  int
	Score int64 // in parts of 2^16
}

const (
	saturation = 1.2  // k1 of BM25
	shortening = 0.75 // b of BM25
	scoreUnit  = 1 << 16
)

// Search returns the best documents for a query, at most limit of them. Each distinct token
// counts once; the part of each is rounded before the sum, so that no order of addition shows.
func (x *Index) Search(query string, limit int) []Hit {
	score := map[uint32]int64{}
	x.eachToken(query, func(docs, counts []uint32, idf float64) {
		for i, doc := range docs {
			score[doc] += x.part(idf, counts[i], doc)
		}
	})
	hits := make([]Hit, 0, len(score))
	for doc, s := range score { // sorted below
		if s > 0 {
			hits = append(hits, Hit{int(doc), s})
		}
	}
	order.Sort(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Page, b.Page))
	})
	return hits[:min(limit, len(hits))]
}

// eachToken visits the distinct tokens of a query in their order: the documents that have one, how
// often, and its weight.
func (x *Index) eachToken(query string, visit func(docs, counts []uint32, idf float64)) {
	tokens := Tokens(query)
	slices.Sort(tokens)
	for _, token := range slices.Compact(tokens) {
		docs, counts := x.find(token)
		visit(docs, counts, x.rarity(x.having(token, len(docs))))
	}
}

// rarity is the weight of a token in df documents of the corpus.
func (x *Index) rarity(df int) float64 {
	n := float64(len(x.lengths))
	if x.corpus != nil {
		n = float64(x.corpus.Documents)
	}
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}

// part is what count times a token adds to the score of a document. Every product is converted,
// because a processor that fuses it with the sum that follows would round otherwise.
func (x *Index) part(idf float64, count, doc uint32) int64 {
	length := float64(shortening * (float64(x.lengths[doc]) / x.mean))
	norm := float64(saturation * (1 - shortening + length))
	tf := float64(count)
	return int64(math.Round(float64(float64(idf*float64(tf*(saturation+1))) / (tf + norm) * scoreUnit)))
}
