package titles

import (
	_ "embed"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
)

// language holds the words of one content language; languages.toml says what they are. Where a part is empty, no rule is known: then
// nothing is flagged, and only #REDIRECT redirects.
type language struct {
	Redirects             []string
	Disambiguation        string
	Templates, Categories []string
	Switches, Lists       []string
	Months, Dates, Eras   []string
	Trail                 *string // nil for the usual one

	dates func() *dateForms
}

// dateForms are the forms of dates as one expression, and the bytes that a title may begin with that it matches: most others are
// known by that look.
type dateForms struct {
	whole  *regexp.Regexp
	begins ascii.ByteSet
}

// Set makes a list one that is asked whether it has a name.
func Set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}

//go:embed languages.toml
var languagesTOML []byte

// languages reads the file once. A mistake in it is a fault of the build, hence the panic.
var languages = sync.OnceValue(func() map[string]*language {
	all := map[string]*language{}
	if err := toml.Unmarshal(languagesTOML, &all); err != nil {
		panic(fmt.Sprintf("titles: languages.toml: %v", err))
	}
	for _, l := range all {
		l.dates = sync.OnceValue(l.newDateForms)
	}
	return all
})

func wordsOf(lang string) *language {
	if words := languages()[lang]; words != nil {
		return words
	}
	return &language{}
}

// slots are what {names} in a form of dates stand for, but for the month.
var slots = []string{
	"{day}", "(?:[1-9]|[12][0-9]|3[01])", "{year}", "[1-9][0-9]{0,3}", "{decade}", "[1-9][0-9]{0,2}0", "{century}", "[1-9][0-9]?", "{roman}", "[IVX]+",
}

// newDateForms makes one expression of the forms, capitalised or not, and of the eras that may follow any of them.
func (l *language) newDateForms() *dateForms {
	var months, forms, eras []string
	for _, month := range l.Months {
		months = append(months, month, capitalised(month))
	}
	for _, form := range l.Dates {
		forms = append(forms, form, capitalised(form))
	}
	for _, era := range l.Eras {
		eras = append(eras, "(?:"+regexp.QuoteMeta(era)+")?")
	}
	fill := strings.NewReplacer(append(slots, "{month}", "(?:"+strings.Join(months, "|")+")")...)
	expression := "^(?:" + fill.Replace(strings.Join(forms, "|")) + ")" + strings.Join(eras, "") + "$"
	f := &dateForms{whole: regexp.MustCompile(expression)}
	tree, _ := syntax.Parse(expression, syntax.Perl) // it was compiled a moment ago
	prog, _ := syntax.Compile(tree.Simplify())
	f.begin(prog, uint32(prog.Start))
	return f
}

// begin takes in the first bytes of what matches from an instruction on.
func (f *dateForms) begin(prog *syntax.Prog, at uint32) {
	switch in := &prog.Inst[at]; in.Op {
	case syntax.InstAlt:
		f.begin(prog, in.Out)
		f.begin(prog, in.Arg)
	case syntax.InstRune, syntax.InstRune1:
		for i := 0; i < len(in.Rune); i += 2 { // pairs of bounds, or a single one
			for r := in.Rune[i]; r <= in.Rune[min(i+1, len(in.Rune)-1)]; r++ {
				f.begins[string(r)[0]] = true
			}
		}
	default:
		f.begin(prog, in.Out)
	}
}

// isDate tells whether title is of a page about a time: one of the forms, era or not.
func (l *language) isDate(title string) bool {
	if len(l.Dates) == 0 || title == "" {
		return false
	}
	f := l.dates()
	return f.begins[title[0]] && strings.ContainsAny(title, "0123456789IVX") && f.whole.MatchString(title)
}

// capitalised gives s with a capital first letter. No name in the tables changes its length by that.
func capitalised(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(first)) + s[size:]
}
