package aar

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Bounds of navigation phrases.
const (
	maxPredicate  = 25 // words
	minContent    = 4  // different content words of a phrase
	maxAttributes = 3
)

var (
	parenthesis = regexp.MustCompile(`\s*\([^()]*\)`)
	nameTail    = regexp.MustCompile(`\s*\([^()]*\)\s*$`)
	sentenceEnd = regexp.MustCompile(`[.!?](?: |$)`)
	abbreviated = regexp.MustCompile(`(?:^|[ .(])(?:\p{Lu}|St|Dr|Mr|Mrs|Jr|Sr|No|c|ca|vs|e\.g|i\.e)$`)
	// what is left of a sentence whose end was a template
	dangling = regexp.MustCompile(`(?: (?:a|an|the|and|or|of|in|on|at|by|for|from|to|with))+$`)
)

// predicate returns what the first sentence of a paragraph says that its subject is, with the
// article and up to a semicolon, behind which another sentence begins; "" for a sentence of another
// form.
func predicate(lead string) string {
	words := strings.Fields(firstSentence(parenthesis.ReplaceAllString(lead, "")))
	for i := 1; i+1 < len(words); i++ {
		if !slices.Contains([]string{"is", "was", "are", "were"}, words[i]) ||
			!slices.Contains([]string{"a", "an", "the", "one"}, words[i+1]) {
			continue
		}
		text, _, _ := strings.Cut(strings.Join(words[i+1:], " "), ";")
		if words = strings.Fields(text); len(words) > maxPredicate {
			text = strings.Join(words[:maxPredicate], " ")
			if at := strings.LastIndexByte(text, ','); at > 0 {
				text = text[:at]
			}
		}
		return text
	}
	return ""
}

// firstSentence returns the first sentence without its point. A point after an initial or an
// abbreviation ends none.
func firstSentence(text string) string {
	for at := 0; ; {
		m := sentenceEnd.FindStringIndex(text[at:])
		if m == nil {
			return text
		}
		end := at + m[0]
		if text[end] != '.' || !abbreviated.MatchString(text[:end]) {
			return text[:end]
		}
		at += m[1]
	}
}

// description returns a short description as a phrase with an article.
func description(short, lead string) string {
	if short == "" {
		return ""
	}
	first, rest, _ := strings.Cut(short, " ")
	low := lowered(first)
	if slices.ContainsFunc(strings.Fields(lead), func(w string) bool {
		return strings.Trim(w,
			".,;:") == low
	}) {
		first = low
	}
	if slices.Contains([]string{"a", "an", "the", "one"}, low) {
		return strings.TrimSpace(low + " " + rest)
	}
	article := "a "
	if strings.ContainsAny(low[:1], "aeiou") {
		article = "an "
	}
	return article + strings.TrimSpace(first+" "+rest)
}

func lowered(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToLower(r)) + word[size:]
}

const masked = "…"

// mask replaces the words of a text that a name of the page begins like.
type mask []string

// maskOf returns the beginnings of the long tokens of names; tokens that many titles have are
// left, and so are kinds of states, which stand in the names of other states as well.
func (f *field) maskOf(names []string) (m mask) {
	for _, name := range names {
		for _, token := range aar.Tokens(nameTail.ReplaceAllString(name, "")) {
			r := []rune(token)
			if len(r) >= 4 && !f.common[token] && !kindOfState.MatchString(token) {
				m = append(m, string(r[:max(4, len(r)-2)]))
			}
		}
	}
	return m
}

// hides reports whether a word would name the page.
func (m mask) hides(word string) bool {
	if first, _ := utf8.DecodeRuneInString(word); unicode.IsLower(first) {
		return false
	}
	return slices.ContainsFunc(aar.Tokens(word), func(token string) bool {
		return slices.ContainsFunc(m, func(stem string) bool {
			return strings.HasPrefix(token,
				stem)
		})
	})
}

// apply masks the words of a text; neighbours are masked as one.
func (m mask) apply(text string) string {
	var out []string
	for _, word := range strings.Fields(text) {
		if m.hides(word) {
			word = masked + word[len(strings.TrimRight(word, ",;:")):]
			if len(out) > 0 && out[len(out)-1] == masked {
				out = out[:len(out)-1]
			}
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

// contentWords returns the different words of a text that say something.
func contentWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, t := range aar.Tokens(text) {
		if !stopWords[t] && (utf8.RuneCountInString(t) >= 3 || unicode.IsDigit(rune(t[0]))) {
			out[t] = true
		}
	}
	return out
}

// base returns what a phrase begins with: what the first sentence says of the page, or the short
// description, whichever says more, without the names of the page; "" for none.
func (f *field) base(page int, m mask) string {
	text := f.Text(page)
	lead := aar.Lead(text.Text)
	whole := func(s string) string {
		s = dangling.ReplaceAllString(m.apply(strings.ReplaceAll(s, " ,", ",")), "")
		words := strings.Fields(s)
		if strings.Count(s, masked) > 1 || len(words) < 2 || strings.HasPrefix(words[1], masked) {
			return ""
		}
		return s
	}
	said, short := whole(predicate(lead)), whole(description(text.ShortDescription, lead))
	n := len(contentWords(said))
	if said != "" && (n >= minContent || n >= len(contentWords(short))) {
		return said
	}
	return short
}

// attributes lists the facts that a phrase may name besides its base, in an order that is drawn.
func (f *field) attributes(page int, asked string, base string, m mask,
	r *rng.Stream,
) (list []aar.Fact) {
	words := aar.Tokens(base)
	for _, fact := range f.facts[page] {
		text := fact.Attribute()
		if fact.Kind == asked || fact.Full || fact.Value == "1" || text == "" ||
			m.apply(text) != text || stands(fact, base) || repeats(fact, base) {
			continue
		}
		known := func(t string) bool {
			return utf8.RuneCountInString(t) >= 4 &&
				slices.Contains(words, t)
		}
		if fact.Type == "text" && slices.ContainsFunc(aar.Tokens(fact.Value), known) {
			continue
		}
		list = append(list, fact)
	}
	rng.Shuffled(r, list)
	return list[:min(len(list), maxAttributes)]
}

// stands reports whether the value of a fact stands in a text.
func stands(f aar.Fact, text string) bool {
	if f.Type != "text" {
		return slices.Contains(aar.Tokens(text), strings.Join(aar.Tokens(f.Shown()), " "))
	}
	return strings.Contains(strings.ToLower(text), strings.ToLower(f.Value))
}

// repeats reports whether a text already has the words before the value of a fact, such as
// `found in`, at least two of them.
func repeats(f aar.Fact, text string) bool {
	lead, _, _ := strings.Cut(f.Attribute(), f.Shown())
	words := strings.Fields(lead)
	return len(words) > 1 &&
		strings.Contains(text, " "+strings.Join(words[len(words)-2:], " ")+" ")
}

// withAttributes joins a base and attributes: texts first, then dates, then numbers.
func (f *field) withAttributes(base string, facts []aar.Fact) string {
	facts = slices.Clone(facts)
	order := map[string]int{"text": 0, "date": 1, "number": 2}
	slices.SortStableFunc(facts, func(a, b aar.Fact) int {
		return cmp.Compare(order[a.Type],
			order[b.Type])
	})
	for i, fact := range facts {
		separator := ", "
		if i > 0 && i == len(facts)-1 {
			separator = " and "
		}
		base += separator + fact.Attribute()
	}
	return f.smooth(base)
}

// What a reader stumbles over in sentences of a wiki that were cut short: states and rivers
// without their article, what tells names apart, and a wrong article.
const kindsOfStates = `Republic|Kingdom|Duchy|Principality|Union|Federation|Isle`

var (
	bareName = regexp.MustCompile(`\b(above|across|along|and|around|at|beside|between|by|for|from|in|` +
		`into|near|of|on|over|past|throughout|to|under|with) ((?:` + kindsOfStates + `) of|River) `)
	bareInList  = regexp.MustCompile(`, ((?:` + kindsOfStates + `) of [^ ]+ and \p{Lu})`)
	kindOfState = regexp.MustCompile(`(?i)^(?:` + kindsOfStates + `)$`)
	wrongAn     = regexp.MustCompile(`^a ([aeioAEIO][a-z])`)
)

// smooth mends the wording of a phrase.
func (f *field) smooth(phrase string) string {
	phrase = strings.TrimRight(parenthesis.ReplaceAllString(phrase, ""), "!?")
	if f.kindBehind != nil {
		phrase = f.kindBehind.ReplaceAllString(phrase, "$1")
	}
	phrase = bareName.ReplaceAllString(phrase, "$1 the $2 ")
	phrase = bareInList.ReplaceAllString(phrase, ", the $1")
	phrase = strings.ReplaceAll(phrase, " the The ", " The ")
	phrase = spelledOnce(phrase)
	m := wrongAn.FindStringSubmatch(phrase)
	if m != nil && m[1] != "on" && strings.ToLower(m[1]) != "eu" {
		phrase = "an" + phrase[1:]
	}
	return phrase
}

var strokes = strings.NewReplacer("ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D")

// spelledOnce spells a name that a phrase has with and without its marks (`from Mekzusistan,
// honoured throughout Měkžusistan`) with them.
func spelledOnce(phrase string) string {
	plain := func(word string) string { return strings.Join(aar.Tokens(strokes.Replace(word)), " ") }
	words, marked := strings.Split(phrase, " "), map[string]string{}
	for _, word := range words {
		bare := strings.TrimRight(word, ",")
		if key := plain(bare); key != "" && len(bare) > len(cmp.Or(marked[key], key)) {
			marked[key] = bare
		}
	}
	for i, word := range words {
		bare := strings.TrimRight(word, ",")
		if spelling := marked[plain(bare)]; spelling != "" && bare != lowered(bare) {
			words[i] = spelling + word[len(bare):]
		}
	}
	return strings.Join(words, " ")
}

var nameAndKind = regexp.MustCompile(`^(.+), (\p{Ll}+)$`)

// kindsBehind returns what finds a kind that tells a name from others (`Zarkand, village`), as
// parentheses do: the words behind the comma in names of pages whose other part is a name, too. It
// is nil for a world without.
func kindsBehind(w *aar.World) *regexp.Regexp {
	kinds := map[string]bool{}
	for i := range w.Len() {
		for _, name := range w.Names(i) {
			m := nameAndKind.FindStringSubmatch(nameTail.ReplaceAllString(name, ""))
			if m == nil {
				continue
			}
			if _, code := w.Resolve(m[1]); code != aar.NotFound {
				kinds[m[2]] = true
			}
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	list := slices.Sorted(maps.Keys(kinds))
	return regexp.MustCompile(`(\p{Lu}[^ ,]*), (?:` + strings.Join(list, "|") + `)\b`)
}
