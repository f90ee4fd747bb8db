package markup

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// The bounds of what is read of a template (specification 7.1). What is beyond them is skipped and
// counted.
const (
	MaxTemplateDepth     = 40
	maxTemplateArguments = 2000
)

// Template is one call of a template, as {{Name|argument|key=argument}}.
type Template struct {
	Name string // title in namespace 10 without prefix; "" for parser functions and names that are no title
	Args []Argument
}

// Argument is one argument of a template. Key is "1", "2" and so on for those without one. Both
// texts are trimmed and hold U+007F where step A took out a tag with its body.
type Argument struct {
	Key, Value string
	At, To     int // of Value in the flat text
}

// Arg returns the value of the argument called key, "" if there is none.
func (t *Template) Arg(key string) string {
	for i := range t.Args {
		if t.Args[i].Key == key {
			return t.Args[i].Value
		}
	}
	return ""
}

// Positional returns the arguments "1", "2" and so on, up to the first that is missing; no rule
// looks at more than ten.
func (t *Template) Positional() []string {
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

// Templates reads the templates of one text after another and reuses its memory; use one per
// goroutine. Templates are not expanded, and redirects of templates not followed: that needs the
// pages of namespace 10.
type Templates struct {
	site  *titles.Site
	names NameTable
	seen  map[string]int
	t     Template
}

// TemplateLevel is the working memory for one fragment: its flat text and the calls in it.
type TemplateLevel struct {
	Flattener
	Braces
}

// Read finds the calls of raw text and returns its flat text.
func (l *TemplateLevel) Read(raw string) string {
	flat := l.Flatten(raw)
	l.Braces.Find(flat)
	return flat
}

// NewTemplates returns a reader for pages of s.
func NewTemplates(s *titles.Site) *Templates {
	return &Templates{site: s, names: NameTable{}, seen: map[string]int{}}
}

// Read reads c, with positions in the flat text; nil for a call that the bounds rule out. The
// result is valid until the next call.
func (x *Templates) Read(flat string, c *Call) *Template {
	if !c.Bounded() {
		return nil
	}
	x.t.Name = x.Title(flat, c)
	x.arguments(flat, c.Parts[1:])
	return &x.t
}

// Written is what stands for the name of c: of a parser function the name and its first argument.
func (c *Call) Written(flat string) string {
	return strings.TrimSpace(flat[c.Parts[0].Start:c.Parts[0].End])
}

// Title returns the title in namespace 10 of the template that c calls, "" if it calls another page
// or a parser function.
func (x *Templates) Title(flat string, c *Call) string { return x.names.Title(x.site, c.Written(flat)) }

// Bounded reports whether the bounds allow to read c.
func (c *Call) Bounded() bool {
	return c.Depth <= MaxTemplateDepth && len(c.Parts) <= maxTemplateArguments+1
}

// NameTable remembers what written names of templates come to: the same few come again and again.
type NameTable map[string]string

// Title is Site.TemplateName. The result shares no memory with written.
func (n NameTable) Title(s *titles.Site, written string) string {
	const most, longest = 4096, 80 // hostile text must not fill the memory
	if title, ok := n[written]; ok {
		return title
	}
	title := strings.Clone(s.TemplateName(written))
	if len(written) > longest {
		return title
	}
	if len(n) == most {
		clear(n)
	}
	n[strings.Clone(written)] = title
	return title
}

// arguments reads the parts after the name. Of several with the same key the last one stays.
func (x *Templates) arguments(flat string, parts []Part) {
	x.t.Args = x.t.Args[:0]
	positional := 0
	for _, p := range parts {
		var a Argument
		if p.Equals >= 0 {
			a.Key = strings.TrimSpace(flat[p.Start:p.Equals])
			p.Start = p.Equals + 1
		} else {
			positional++
			a.Key = strconv.Itoa(positional)
		}
		a.At, a.To = p.Trimmed(flat)
		a.Value = flat[a.At:a.To]
		x.t.Args = append(x.t.Args, a)
	}
	x.lastOfEachKey()
}

// Trimmed narrows flat[from:to] to what is left without white space at its ends.
func Trimmed(flat string, from, to int) (int, int) {
	for from < to && ascii.IsSpace(flat[from]) {
		from++
	}
	for from < to && ascii.IsSpace(flat[to-1]) {
		to--
	}
	return from, to
}

// Trimmed is what is left of p without white space at its ends.
func (p Part) Trimmed(flat string) (from, to int) { return Trimmed(flat, int(p.Start), int(p.End)) }

func (x *Templates) lastOfEachKey() {
	const small = 128
	if len(x.seen) > small { // clearing costs the capacity, and most templates have few arguments
		x.seen = map[string]int{}
	}
	clear(x.seen)
	args := x.t.Args
	for i := range args {
		x.seen[args[i].Key] = i
	}
	if len(x.seen) == len(args) {
		return
	}
	kept := args[:0]
	for i, a := range args {
		if x.seen[a.Key] == i {
			kept = append(kept, a)
		}
	}
	x.t.Args = kept
}

// infoboxNames are the infoboxes that are not called so (specification 7.1).
var infoboxNames = map[string]bool{
	"Taxobox": true, "Speciesbox": true, "Automatic taxobox": true, "Chembox": true, "Drugbox": true, "Geobox": true,
}

// IsInfobox reports whether a template of that title is an infobox.
func IsInfobox(name string) bool {
	_, ok := InfoboxKind(name)
	return ok
}

// InfoboxKind returns what the title of an infobox says besides the word, which stands at either
// end of it, and whether it is that of an infobox.
func InfoboxKind(name string) (kind string, ok bool) {
	const last = " infobox"
	if rest, found := strings.CutPrefix(name, "Infobox"); found && (rest == "" || rest[0] == ' ') {
		return strings.TrimSpace(rest), true
	}
	if n := len(name) - len(last); n > 0 && strings.EqualFold(name[n:], last) {
		return strings.TrimSpace(name[:n]), true
	}
	return name, infoboxNames[name]
}
