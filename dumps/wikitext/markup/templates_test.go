package markup

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

var templateCases = []struct {
	text string
	want []string // "Name@start-end/depth: key=value; ..."
}{
	{"a {{b}} c", []string{"B@2-7/1:"}},
	{"{{b|c|d=e|f}}", []string{"B@0-13/1: 1=c; d=e; 2=f"}},
	{"{{b| c | d = e=f |=g}}", []string{"B@0-22/1: 1=c; d=e=f; =g"}},
	{"{{b|c=1|c=2|1=x|y}}", []string{"B@0-19/1: c=2; 1=y"}},
	{"{{b|y|1=x}}", []string{"B@0-11/1: 1=x"}},
	{"{{template: b_c\n|d}}", []string{"B c@0-20/1: 1=d"}},
	{"{{b|{{c|d=e}}|f}}", []string{"B@0-17/1: 1={{c|d=e}}; 2=f", "C@4-13/2: d=e"}},
	{"{{b|[[c|d=e]]|f}}", []string{"B@0-17/1: 1=[[c|d=e]]; 2=f"}},
	{"{{b|[[c|d}}|e", []string{"B@0-11/1: 1=[[c|d"}},
	{"{{b|[http://c d]|e]]}}", []string{"B@0-22/1: 1=[http://c d]; 2=e]]"}},
	{"{{b|<span title=\"c|d\">e</span>|f}}", []string{"B@0-34/1: 1=<span title=\"c|d\">e</span>; 2=f"}},
	{"{{b|c<d|e>f}}", []string{"B@0-13/1: 1=c<d; 2=e>f"}},
	{"{{b|<!-- | -->c<nowiki>|</nowiki>}}", []string{"B@0-35/1: 1=c\x7F"}},
	{"{{b|<ref>c|{{d}}</ref>}}", []string{"B@0-24/1: 1=\x7F", "D@11-16/1ref:"}},
	{"{{{b|c}}}", nil},
	{"{{{b|{{c}}}}}", []string{"C@5-10/1:"}},
	{"{{{{b}}}}", nil},
	{"{{{{{b}}}|c}}", []string{"@0-13/1: 1=c"}},
	{"{{{b}}", []string{"B@1-6/1:"}},
	{"{{b {{c}}", []string{"C@4-9/1:"}},
	{"{{b}} }} {{c", []string{"B@0-5/1:"}},
	{"{{#if:x|y}}{{|z}}", []string{"@0-11/1: 1=y", "@11-17/1: 1=z"}},
	{"{b} {{}", nil},
	{"<!-- x --> {{b|c}}", []string{"B@11-18/1: 1=c"}},
	{"a\n<!-- x -->\n{{b}}", []string{"B@13-18/1:"}},
}

func templateTexts() []string {
	var all []string
	for _, c := range templateCases {
		all = append(all, c.text)
	}
	return all
}

// walk reads all templates of a page: its own, and body by body those in the bodies of tags. It counts what becomes of the calls.
type walk struct {
	*Templates
	counts TemplateCounts
}

func newWalk() *walk { return &walk{Templates: NewTemplates(wikitest.EnglishWikipedia())} }

// TemplateCounts says what became of the calls: Found is the sum of the other fields.
type TemplateCounts struct {
	Found, Visited, TooDeep, TooManyArguments int64
}

// placedTemplate is a template with its place in the page's text, and the tag in whose body it stands.
type placedTemplate struct {
	Name              string
	Args              []placedArgument
	Start, End, Depth int
	Within            string
}

type placedArgument struct {
	Argument
	Start, End int
}

func (x *walk) Each(text string, visit func(*placedTemplate)) { x.fragment(text, 0, "", visit) }

func (x *walk) fragment(raw string, base int, within string, visit func(*placedTemplate)) {
	var l TemplateLevel
	flat := l.Read(raw)
	for i := range l.Calls {
		c := &l.Calls[i]
		x.counts.Found++
		t := x.Read(flat, c)
		switch {
		case t != nil:
			x.counts.Visited++
			p := placedTemplate{Name: t.Name, Depth: int(c.Depth), Within: within, Start: base + l.RawOffset(int(c.Start)), End: base + l.RawOffset(int(c.End)-1) + 1}
			for _, a := range t.Args {
				p.Args = append(p.Args, placedArgument{a, base + l.RawOffset(a.At), base + l.rawEnd(a.At, a.To)})
			}
			visit(&p)
		case c.Depth > MaxTemplateDepth:
			x.counts.TooDeep++
		default:
			x.counts.TooManyArguments++
		}
	}
	for _, b := range l.Subs {
		x.fragment(b.Body, base+int(b.raw), b.Tag.Name, visit)
	}
}

// rawEnd returns the offset in the raw text after the bytes from and to of the flat text.
func (f *Flattener) rawEnd(from, to int) int {
	switch {
	case to == from:
		return f.RawOffset(from)
	case f.copied > 0 && f.out[to-1] == Marker:
		return f.RawOffset(to)
	}
	return f.RawOffset(to-1) + 1
}

func describe(c *placedTemplate) string {
	var args []string
	for _, a := range c.Args {
		args = append(args, " "+a.Key+"="+a.Value)
	}
	return fmt.Sprintf("%s@%d-%d/%d%s:%s", c.Name, c.Start, c.End, c.Depth, c.Within, strings.Join(args, ";"))
}

func TestEachTemplate(t *testing.T) {
	x := newWalk()
	for _, c := range templateCases {
		var got []string
		x.Each(c.text, func(c *placedTemplate) { got = append(got, describe(c)) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestArgumentsPointIntoTheText(t *testing.T) {
	const text = "<!-- é -->{{b| c<!-- x -->d |e = <ref>f</ref>{{g}} |<ref>h</ref> <!-- x -->}}<ref>{{h|i}}</ref>"
	var got []string
	newWalk().Each(text, func(c *placedTemplate) {
		for _, a := range c.Args {
			got = append(got, text[a.Start:a.End])
		}
	})
	if want := []string{"c<!-- x -->d", "<ref>f</ref>{{g}}", "<ref>h</ref>", "i"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTemplatesBeyondTheBoundsAreCounted(t *testing.T) {
	for _, c := range []struct {
		text string
		want TemplateCounts
	}{
		{strings.Repeat("{{a|", 40) + strings.Repeat("}}", 40), TemplateCounts{Found: 40, Visited: 40}},
		{strings.Repeat("{{a|", 42) + strings.Repeat("}}", 42), TemplateCounts{Found: 42, Visited: 40, TooDeep: 2}},
		{"{{a" + strings.Repeat("|", 2000) + "}}", TemplateCounts{Found: 1, Visited: 1}},
		{"{{a" + strings.Repeat("|", 2001) + "}}{{b}}", TemplateCounts{Found: 2, Visited: 1, TooManyArguments: 1}},
		{strings.Repeat("{{", 100) + "a}}", TemplateCounts{Found: 1, Visited: 1}},
	} {
		x := newWalk()
		var visited int64
		x.Each(c.text, func(*placedTemplate) { visited++ })
		if got := x.counts; got != c.want || visited != c.want.Visited {
			t.Errorf("%.20q of %d bytes: got %+v, %d visited, want %+v", c.text, len(c.text), got, visited, c.want)
		}
	}
}

// TestCallsEqualOracleOnRandomText compares with a slow reader that knows nothing of stacks: again and again the first
// `}}` of the text closes the last `{{` before it. Runs of more than two braces are left to the tables.
func TestCallsEqualOracleOnRandomText(t *testing.T) {
	const seed = 7
	tokens := []string{"{{", "{{", "}}", "}}", "[[", "]]", "|", "|", "=", "a", "b", " ", "\n", "<i>", "<i a=b|c>"}
	r := rand.New(rand.NewPCG(seed, 0))
	var b Braces
	for n := range 5_000 {
		var text strings.Builder
		for range 1 + r.IntN(30) {
			text.WriteString(tokens[r.IntN(len(tokens))])
			text.WriteByte('.')
		}
		b.Find(text.String())
		var got []string
		for _, c := range b.Calls {
			var parts []string
			for _, p := range c.Parts {
				parts = append(parts, fmt.Sprintf("%d-%d-%d", p.Start, p.Equals, p.End))
			}
			got = append(got, strings.Join(parts, " "))
		}
		if want := oracleCalls(text.String()); !slices.Equal(got, want) {
			t.Fatalf("seed %d text %d %q: got %q, want %q", seed, n, text.String(), got, want)
		}
	}
}

func oracleCalls(text string) []string {
	byStart := map[int]string{}
	for {
		to := strings.Index(text, "}}")
		if to < 0 {
			break
		}
		from := strings.LastIndex(text[:to], "{{")
		if from < 0 {
			text = text[:to] + "##" + text[to+2:]
			continue
		}
		byStart[from] = oracleParts(text[from+2:to], from+2)
		text = text[:from] + strings.Repeat("#", to+2-from) + text[to+2:]
	}
	var all []string
	for at := range len(text) {
		if parts, ok := byStart[at]; ok {
			all = append(all, parts)
		}
	}
	return all
}

// oracleParts masks links and tags, then splits. An unclosed `[[` hides what follows it, as a link would.
func oracleParts(inside string, at int) string {
	inside = mask(strings.ReplaceAll(inside, "<i a=b|c>", "#########"))
	var parts []string
	for _, p := range strings.Split(inside, "|") {
		equals := strings.IndexByte(p, '=')
		if equals >= 0 {
			equals += at
		}
		parts = append(parts, fmt.Sprintf("%d-%d-%d", at, equals, at+len(p)))
		at += len(p) + 1
	}
	return strings.Join(parts, " ")
}

func mask(s string) string {
	for {
		to := strings.Index(s, "]]")
		if to < 0 {
			break
		}
		from := strings.LastIndex(s[:to], "[[")
		if from < 0 {
			from = to
		}
		s = s[:from] + strings.Repeat("#", to+2-from) + s[to+2:]
	}
	if from := strings.Index(s, "[["); from >= 0 {
		s = s[:from] + strings.Repeat("#", len(s)-from)
	}
	return s
}

func FuzzTemplates(f *testing.F) {
	for _, text := range append(templateTexts(), wikitest.Hostile...) {
		f.Add(text)
	}
	templates := NewTemplates(wikitest.EnglishWikipedia())
	f.Fuzz(func(t *testing.T, text string) {
		x := &walk{Templates: templates}
		within, last := "", -1
		x.Each(text, func(c *placedTemplate) {
			if within != c.Within {
				within, last = c.Within, -1
			}
			checkTemplate(t, text, c, last)
			if c.Within == "" {
				last = c.Start
			}
		})
		c := x.counts
		if c.Found != c.Visited+c.TooDeep+c.TooManyArguments {
			t.Errorf("%q: counts do not add up: %+v", text, c)
		}
	})
}

// checkTemplate checks that positions point to what they say, and that c begins after the template before it.
func checkTemplate(t *testing.T, text string, c *placedTemplate, last int) {
	t.Helper()
	if c.Start <= last || text[c.Start] != '{' || text[c.End-1] != '}' || c.Depth < 1 {
		t.Fatalf("%q: got template %+v after one at %d", text, *c, last)
	}
	for _, a := range c.Args {
		raw := text[a.Start:a.End]
		if a.Start < c.Start || a.End > c.End || !strings.Contains(raw, "<") && raw != a.Value {
			t.Fatalf("%q: argument %+v points to %q", text, a, raw)
		}
	}
}
