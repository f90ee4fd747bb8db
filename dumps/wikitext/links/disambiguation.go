package links

import (
	"iter"
	"maps"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
)

// A page of namespace 0 is a disambiguation page if its title says so, if it stands in a category
// of such pages, or if it uses a template that marks them. Which templates do so is known for
// certain only after the whole dump: those whose own page holds the behaviour switch, and redirects
// to them. So detection has two halves. While pages are read, Flags looks at the page alone,
// TopTemplates keeps the names that might matter, and IsDisambiguationTemplate tells the templates;
// at the end DisambiguationTemplates closes the list over redirects, and who has it decides.

// IsDisambiguationTemplate reports whether text, of a page in namespace 10, marks the pages that use
// it as disambiguation pages. What only its own documentation page shows does not.
func IsDisambiguationTemplate(s *titles.Site, text string) bool {
	return s.SwitchesDisambiguation(text) && s.SwitchesDisambiguation(transcluded(text))
}

// documentary are the tags whose bodies are not read where a template is used.
var documentary = []string{"nowiki", "noinclude", "pre", "syntaxhighlight", "source", "templatedata"}

// transcluded returns what a page hands to those that use it as a template.
func transcluded(text string) string {
	var b strings.Builder
	f := markup.Flattener{Raw: text}
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			b.WriteString(text[i:])
			return b.String()
		}
		b.WriteString(text[i : i+n])
		i += n
		end := f.ElementEnd(i, documentary)
		if end == i {
			b.WriteByte('<')
			end++
		}
		i = end
	}
}

// DisambiguationTemplates returns the titles in namespace 10, without prefix, of all templates that
// mark disambiguation pages: those listed for the language, those marked in the dump, and the
// redirects that lead to either. Redirects maps titles to titles of that namespace; loops lead
// nowhere.
func DisambiguationTemplates(s *titles.Site, marked []string, redirects map[string]string) map[string]bool {
	all := maps.Clone(s.ListedTemplates())
	if all == nil {
		all = map[string]bool{}
	}
	for _, name := range marked {
		all[name] = true
	}
	targets := maps.Clone(all) // a verdict must not depend on the order in which redirects are followed
	for from := range redirects {
		if leadsTo(from, redirects, targets) {
			all[from] = true
		}
	}
	return all
}

// leadsTo follows at most as many redirects as MediaWiki and its robots ever leave in a row.
func leadsTo(name string, redirects map[string]string, targets map[string]bool) bool {
	const hops = 8
	for range hops {
		next, ok := redirects[name]
		if !ok {
			return false
		}
		if targets[next] {
			return true
		}
		name = next
	}
	return false
}

// TopTemplates returns the titles in namespace 10, each once and in order, of the templates of the
// page last read by Links that might mark it as a disambiguation page: those that stand in no other
// template and on a line of their own. Templates inside a line are left out, because they are ten
// times as many and a notice is none of them; so are infoboxes. The slice is valid until the next
// call; its strings may be kept.
func (x *Extractor) TopTemplates() []string {
	x.top = x.top[:0]
	seen := map[string]bool{}
	for name := range x.topNames(true) {
		if name != "" && !markup.IsInfobox(name) && !seen[name] {
			seen[name] = true
			x.top = append(x.top, name)
		}
	}
	return x.top
}

// topNames returns the titles of the templates of the page last read that stand in no other one;
// alone leaves out those inside a line.
func (x *Extractor) topNames(alone bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		if len(x.levels) == 0 {
			return
		}
		l, end := x.levels[0], int32(0)
		for _, b := range l.Braces {
			if b.Start < end || b.End == 0 {
				continue
			}
			end = b.End
			if alone && !beginsLine(l.flat, int(b.Start)) {
				continue
			}
			if !yield(x.names.Title(x.site, titles.NameOnly(l.flat[b.Start+2:b.End]))) {
				return
			}
		}
	}
}

func beginsLine(text string, i int) bool {
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	return i == 0 || text[i-1] == '\n'
}

// Flags returns the set of schemas.FlagDisambiguation, FlagList and FlagDate that title and text of
// the page last read by Links earn by the tables of the site's language; the latter two in
// namespace 0 only. It knows a disambiguation page by the word at the end of its title, by a
// category, or by a template of the language's list outside other templates. Templates that only
// the dump itself tells come later: see DisambiguationTemplates.
func (x *Extractor) Flags() uint16 {
	flags := x.site.TitleFlags(x.own)
	for name := range x.topNames(false) {
		x.marked = x.marked || x.site.ListedTemplates()[name]
	}
	if x.marked {
		flags |= schemas.FlagDisambiguation
	}
	return flags
}
