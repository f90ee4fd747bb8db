package aar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// The checks of leaks, by name: what a riddle must not say.
const (
	LeakTitle      = "title"      // a title or alias of a page of the leg
	LeakToken      = "token"      // all long tokens of a name of a page, in the clue of that page
	LeakValue      = "value"      // a golden value
	LeakExpression = "expression" // the finish, or its operands
	LeakNames      = "names"      // a tool, an identifier, a parameter
	LeakClues      = "clues"      // the numbers of the clues are not 1 to K
)

// Leak is a check that a riddle fails, the stop that it is about, -1 for the leg, and why.
type Leak struct {
	Check  string
	Stop   int
	Reason string
}

// Leaks lists what the riddle of a leg gives away, by stop.
func Leaks(w *World, l *schemas.AARLeg) (list []Leak) {
	add := func(bad bool, check string, stop int, format string, args ...any) {
		if bad {
			list = append(list, Leak{check, stop, fmt.Sprintf(format, args...)})
		}
	}
	clues := SplitRiddle(l.Riddle)
	numbers := clueNumbers(l.Riddle)
	add(!numbered(numbers, len(l.Stops)) || len(clues) != len(l.Stops), LeakClues, -1,
		"%d clues, want those from 1 to %d", len(numbers), len(l.Stops))
	for _, i := range titleIssues(l) {
		add(true, LeakTitle, i, "the riddle names the page")
	}
	for i := range l.Stops {
		s := &l.Stops[i]
		if page, ok := pageOfStop(w, s); ok {
			name, said := NameIn(w.Names(page), l.Riddle)
			add(said, LeakTitle, i, "the riddle holds %s", fault.Quote(name))
			if i > 0 && i < len(clues) {
				name, said = TokensIn(w.Names(page), clues[i])
				add(said, LeakToken, i, "the clue holds the words of %s", fault.Quote(name))
			}
		}
	}
	secret := secrets(l, clues)
	for i := range l.Stops {
		add(ValueIn(l.Stops[i].ExtractedValue, secret), LeakValue, i, "the riddle holds %s",
			fault.Quote(l.Stops[i].ExtractedValue))
	}
	what, said := expressionIn(l)
	add(said, LeakExpression, len(l.Stops)-1, "the riddle holds %s", fault.Quote(what))
	what, said = namesIn(l.Riddle)
	add(said, LeakNames, -1, "the riddle holds %s", fault.Quote(what))
	return list
}

// pageOfStop returns the page of a page stop.
func pageOfStop(w *World, s *schemas.AARStop) (int, bool) {
	if s.Type != schemas.AARPage || s.PageURL == nil {
		return 0, false
	}
	return w.Page(*s.PageURL)
}

// secrets joins what clues say besides their wordings: the phrases, and clues that are none of
// ours.
func secrets(l *schemas.AARLeg, clues []string) string {
	var out []string
	for i, text := range clues {
		read := ReadClue(text)
		if len(read) == 0 {
			if Reworded(l) && i < len(l.Stops) {
				text, _ = withoutNumbers(l, i, text)
			}
			out = append(out, text)
		}
		for _, c := range read {
			out = append(out, c.Phrase)
		}
	}
	return strings.Join(out, "\n")
}

// NameIn returns the first of the names of a page that a text holds as a part, whatever its case;
// names of 3 letters and less do not count, nor does a parenthesis at the end.
func NameIn(names []string, text string) (name string, found bool) {
	text = lower(text)
	for _, name := range names {
		bare := lower(tailParens.ReplaceAllString(name, ""))
		if utf8.RuneCountInString(bare) > 3 && strings.Contains(text, bare) {
			return name, true
		}
	}
	return "", false
}

// TokensIn returns the first of the names of a page all of whose tokens of 4 letters and more a
// text holds.
func TokensIn(names []string, text string) (name string, found bool) {
	have := Tokens(text)
	for _, name := range names {
		long := slices.DeleteFunc(Tokens(name),
			func(t string) bool { return utf8.RuneCountInString(t) < 4 })
		missing := func(t string) bool { return !slices.Contains(have, t) }
		if len(long) > 0 && !slices.ContainsFunc(long, missing) {
			return name, true
		}
	}
	return "", false
}

var numberInText = regexp.MustCompile(`\d+(?:,\d{3})*(?:\.\d+)?`)

// ValueIn reports whether a text holds a golden value: a number of 10 and more by itself, whatever
// its commas, or a text of 6 letters and more.
func ValueIn(v schemas.AARValue, text string) bool {
	if s, ok := TextOf(v); ok {
		return utf8.RuneCountInString(s) >= 6 && strings.Contains(lower(text), lower(s))
	}
	shown := string(v)
	if f, ok := Number(v); !ok || f < 10 && f > -10 {
		return false
	}
	for _, at := range numberInText.FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, _ := utf8.DecodeRuneInString(text[at[1]:])
		if !isTokenRune(before) && !isTokenRune(after) && sameNumber(text[at[0]:at[1]], shown) {
			return true
		}
	}
	return false
}

// expressionIn looks for the finish expression and for its operands between their operators,
// whatever the blanks.
func expressionIn(l *schemas.AARLeg) (what string, found bool) {
	n := len(l.Stops)
	if n == 0 || l.Stops[n-1].Bridge.Expression == nil {
		return "", false
	}
	expression := *l.Stops[n-1].Bridge.Expression
	bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	operands := strings.Trim(operandsForm.FindString(expression), "()")
	for _, what := range []string{expression, operands} {
		if what != "" && strings.Contains(bare(l.Riddle), bare(what)) {
			return what, true
		}
	}
	return "", false
}

var operandsForm = regexp.MustCompile(`\([^()]*\)`)

var identifier = regexp.MustCompile(`[\pL\pN]+_[\pL\pN_]*`)

// namesIn looks for the names of tools and for identifiers with a low line, those of parameters
// among them.
func namesIn(riddle string) (what string, found bool) {
	for _, s := range Specs() {
		for _, name := range append([]string{s.Name}, s.Aliases...) {
			if strings.Contains(lower(riddle), name) {
				return name, true
			}
		}
	}
	what = identifier.FindString(riddle)
	return what, what != ""
}

// InWordings reports whether a name of a page is a part of some wording, so that no leg may lead
// to the page: a clue would name it by chance.
func InWordings(names []string) bool {
	_, found := NameIn(names, allWordings())
	return found
}

// InProvidedWordings reports the same of the wordings of templates that only a provider answers.
func InProvidedWordings(names []string) bool {
	_, found := NameIn(names, providedWords())
	return found
}

// allWordings is every text that a clue may hold besides a phrase and numbers, and besides what the
// tools of providers find: nothing of these keeps a leg without them from a page.
var allWordings = sync.OnceValue(func() string {
	out := slices.Clone(clueWords().Tool["provider"])
	for _, slot := range Slots() {
		if slices.Contains(Provided(), strings.TrimPrefix(slot, "tool.")) && slot != slotRating {
			continue
		}
		extra, _ := note(slot)
		out = append(append(out, Wordings(slot)...), extra)
	}
	out = append(out, clueWords().Ask.Fact...)
	out = append(out, clueWords().CountryWords.Page, clueWords().CountryWords.Answer)
	for noun := range nouns() { // sorted below
		out = append(out, noun)
	}
	for _, word := range clueWords().PlaceWords { // sorted below
		out = append(out, word)
	}
	for _, f := range Conversions() {
		out = append(out, f.From, f.To)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
})
