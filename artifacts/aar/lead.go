package aar

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/wikinav/wikinav/schemas/order"
)

// Lead returns the first paragraph of a text, links replaced by their labels, its lines joined by
// blanks; "" for a text without one.
func Lead(text string) string {
	rest := readInfobox(text).rest
	for block := range strings.SplitSeq(rest, "\n\n") {
		block = strings.TrimSpace(block)
		if block != "" && !strings.ContainsAny(block[:1], "#|-") {
			shown, _ := unlink(strings.ReplaceAll(block, "\n", " "))
			return shown
		}
	}
	return ""
}

// Headings counts the headings of a text, its title left out.
func Headings(text string) int { return strings.Count(text, "\n##") }

// Names lists the names of page i: its title, then its aliases.
func (w *World) Names(i int) []string {
	w.named.Do(func() {
		w.byPage = make([]uint32, w.Aliases())
		for k := range w.byPage {
			w.byPage[k] = uint32(k)
		}
		order.Sort(w.byPage, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(w.Alias(int(a)).PageID, w.Alias(int(b)).PageID),
				cmp.Compare(a, b))
		})
	})
	names, id := []string{w.Title(i)}, w.ID(i)
	k := sort.Search(len(w.byPage),
		func(k int) bool { return w.Alias(int(w.byPage[k])).PageID >= id })
	for ; k < len(w.byPage) && w.Alias(int(w.byPage[k])).PageID == id; k++ {
		names = append(names, w.Alias(int(w.byPage[k])).Name)
	}
	return names
}

// Links lists the pages that the text of page i links to, ascending, itself left out: what an
// agent that reads the page can open.
func (w *World) Links(i int) (pages []int) {
	relink(w.Text(i).Text, func(l link) bool {
		if j, ok := w.Page(linkPath + l.target); ok && j != i {
			pages = append(pages, j)
		}
		return true
	})
	slices.Sort(pages)
	return slices.Compact(pages)
}

// ClueIndex makes the index by which navigation phrases are held to be unique: of every page its
// short description, its first paragraph and the values of its facts. Agents never see it. It
// takes about 8 bytes a token and page in memory.
func ClueIndex(w *World, facts func(i int) []Fact) *Index {
	x := &Indexer{}
	for i := range w.Len() {
		t := w.Text(i)
		fields := []string{Lead(t.Text)}
		for _, f := range facts(i) {
			fields = append(fields, f.Shown())
		}
		x.Add("", fields, t.ShortDescription)
	}
	return memoryIndex(x.Rows())
}

// Shown returns the value as the page shows it: of a number its digits with their commas.
func (f Fact) Shown() string {
	if m := numberCell.FindStringSubmatch(withoutParenthesis(f.Cell)); f.Type == "number" &&
		m != nil {
		return m[1] + m[2] + m[3]
	}
	return f.Value
}

// Attribute returns what a navigation phrase says of a page by this fact, "" for nothing.
func (f Fact) Attribute() string {
	return strings.NewReplacer("{value}", f.Shown(), "{unit}", factKinds().UnitWords[f.Unit]).
		Replace(kindOfFact(f.Kind).words[f.said].Attr)
}

// Ranking ranks the documents of an index for one query after another. It is not safe for
// concurrent use: each worker has one.
type Ranking struct {
	*Index
	score []int64
	seen  []bool
	found []uint32
}

// NewRanking returns a ranking over an index.
func NewRanking(x *Index) *Ranking {
	n := len(x.lengths)
	return &Ranking{Index: x, score: make([]int64, n), seen: make([]bool, n)}
}

// Rank computes the score of every document for a query, as Search does.
func (r *Ranking) Rank(query string) {
	for _, doc := range r.found {
		r.score[doc], r.seen[doc] = 0, false
	}
	r.found = r.found[:0]
	r.eachToken(query, func(docs, counts []uint32, idf float64) {
		for i, doc := range docs {
			r.add(doc, r.part(idf, counts[i], doc))
		}
	})
}

func (r *Ranking) add(doc uint32, part int64) {
	if !r.seen[doc] {
		r.seen[doc], r.found = true, append(r.found, doc)
	}
	r.score[doc] += part
}

// Score returns the score of a document.
func (r *Ranking) Score(doc int) int64 { return r.score[doc] }

// Best returns the best documents of those that among lists, of all for nil, at most n.
func (r *Ranking) Best(among []int, n int) (hits []Hit) {
	take := func(doc int) {
		h := Hit{doc, r.score[doc]}
		if h.Score <= 0 || len(hits) == n && !better(h, hits[n-1]) {
			return
		}
		at, _ := slices.BinarySearchFunc(hits, h, func(a, b Hit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Page, b.Page))
		})
		hits = slices.Insert(hits[:min(len(hits), n-1)], at, h)
	}
	if among == nil {
		for _, doc := range r.found {
			take(int(doc))
		}
	}
	for _, doc := range among {
		take(doc)
	}
	return hits
}

func better(a, b Hit) bool { return a.Score > b.Score || a.Score == b.Score && a.Page < b.Page }

// RankAmong computes the score of some documents alone, which ascend.
func (r *Ranking) RankAmong(query string, among []int) {
	r.Rank("")
	r.eachToken(query, func(docs, counts []uint32, idf float64) {
		for _, doc := range among {
			if at, found := slices.BinarySearch(docs, uint32(doc)); found {
				r.add(uint32(doc), r.part(idf, counts[at], uint32(doc)))
			}
		}
	})
}
