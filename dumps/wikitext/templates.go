package wikitext

import (
	"slices"
	"strconv"
	"strings"
)

// The bounds of what is read of a template (specification 7.1). What is beyond them is skipped and counted.
const (
	maxTemplateDepth     = 40
	maxTemplateArguments = 2000
)

// Template is one call of a template, as {{Name|argument|key=argument}}.
type Template struct {
	Name       string // title in namespace 10 without prefix; "" for parser functions and names that are no title
	Written    string // the first part of the call, trimmed: of a parser function the name and its first argument
	Args       []Argument
	Start, End int    // of the braces in the page's text, End after them
	Depth      int    // 1 for a template in no other
	Within     string // the tag in whose body it stands, "" for the page itself: "ref", "gallery", "poem" and so on
}

// Argument is one argument of a template. Key is "1", "2" and so on for those without one. Both texts are trimmed and
// hold U+007F where step A took out a tag with its body.
type Argument struct {
	Key, Value string
	Start, End int // of Value in the page's text

	at, to int // of Value in the flat text
}

// TemplateCounts says what became of the calls: Found is the sum of the other fields.
type TemplateCounts struct {
	Found, Visited, TooDeep, TooManyArguments int64
}

// Add adds d to c, field by field.
func (c *TemplateCounts) Add(d TemplateCounts) {
	c.Found += d.Found
	c.Visited += d.Visited
	c.TooDeep += d.TooDeep
	c.TooManyArguments += d.TooManyArguments
}

// Arg gives the value of the argument called key, "" if there is none.
func (t *Template) Arg(key string) string {
	for i := range t.Args {
		if t.Args[i].Key == key {
			return t.Args[i].Value
		}
	}
	return ""
}

// positional gives the arguments "1", "2" and so on, up to the first that is missing; no rule looks at more than ten.
func (t *Template) positional() []string {
	const most = 10
	var values []string
	for n := 1; n <= most; n++ {
		key := strconv.Itoa(n)
		i := slices.IndexFunc(t.Args, func(a Argument) bool { return a.Key == key })
		if i < 0 {
			break
		}
		values = append(values, t.Args[i].Value)
	}
	return values
}

// Templates reads the templates of one text after another and reuses its memory; use one per goroutine. Templates are
// not expanded, and redirects of templates not followed: that needs the pages of namespace 10.
type Templates struct {
	site   *Site
	levels []*templateLevel
	names  nameTable
	seen   map[string]int
	t      Template
	counts TemplateCounts
}

type templateLevel struct {
	flattener
	braces
}

// NewTemplates returns a reader for pages of s.
func NewTemplates(s *Site) *Templates {
	return &Templates{site: s, names: nameTable{}, seen: map[string]int{}}
}

// Counts gives what became of all calls since NewTemplates.
func (x *Templates) Counts() TemplateCounts { return x.counts }

// Each calls visit for the templates of text outside comments and nowiki: those of the page in order of position, an
// outer one before those in it; then, body by body, those in the bodies of tags. The template and its arguments are
// valid during the call only; its strings may share memory with text.
func (x *Templates) Each(text string, visit func(*Template)) {
	x.fragment(text, 0, "", 0, visit)
}

func (x *Templates) fragment(raw string, base int, within string, depth int, visit func(*Template)) {
	l := x.level(depth)
	flat := l.flatten(raw)
	l.braces.find(flat)
	x.t.Within = within
	for i := range l.calls {
		if x.admit(&l.calls[i]) && x.fill(flat, &l.calls[i]) {
			x.place(l, base)
			visit(&x.t)
		}
	}
	for _, b := range l.subs {
		x.fragment(b.body, base+b.raw, b.tag.name, depth+1, visit)
	}
}

func (x *Templates) level(depth int) *templateLevel {
	if depth == len(x.levels) {
		x.levels = append(x.levels, new(templateLevel))
	}
	return x.levels[depth]
}

// fill sets x.t to c, with positions in the flat text; it gives false for a call that the bounds rule out.
func (x *Templates) fill(flat string, c *call) bool {
	if !c.bounded() {
		return false
	}
	name := c.parts[0]
	x.t.Written = strings.TrimSpace(flat[name.start:name.end])
	x.t.Name = x.names.title(x.site, x.t.Written)
	x.t.Start, x.t.End, x.t.Depth = c.start, c.end, c.depth
	x.arguments(flat, c.parts[1:])
	return true
}

// admit books c, and tells whether the bounds allow it.
func (x *Templates) admit(c *call) bool {
	x.counts.Found++
	switch {
	case c.bounded():
		x.counts.Visited++
	case c.depth > maxTemplateDepth:
		x.counts.TooDeep++
	default:
		x.counts.TooManyArguments++
	}
	return c.bounded()
}

func (c *call) bounded() bool {
	return c.depth <= maxTemplateDepth && len(c.parts) <= maxTemplateArguments+1
}

// place turns positions in the flat text of a fragment into positions in the page's text.
func (x *Templates) place(l *templateLevel, base int) {
	t := &x.t
	t.Start, t.End = base+l.rawOffset(t.Start), base+l.rawOffset(t.End-1)+1
	for i := range t.Args {
		a := &t.Args[i]
		a.Start, a.End = base+l.rawOffset(a.at), base+l.rawEnd(a.at, a.to)
	}
}
