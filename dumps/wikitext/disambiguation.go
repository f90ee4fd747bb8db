package wikitext

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
)

// A page of namespace 0 is a disambiguation page if its title says so, if it stands in a category of such pages, or if
// it uses a template that marks them. Which templates do so is known for certain only after the whole dump: those whose
// own page holds the behaviour switch, and redirects to them. So detection has two halves. While pages are read,
// Flags looks at the page alone, TopTemplates keeps the names that might matter, and IsDisambiguationTemplate tells the
// templates; at the end DisambiguationTemplates closes the list over redirects, and IsDisambiguation decides.

// switchDisambiguation is understood on every wiki; languages may have words of their own beside it.
const switchDisambiguation = "__DISAMBIG__"

// IsDisambiguationTemplate tells whether text, of a page in namespace 10, marks the pages that use it as
// disambiguation pages. What only its own documentation page shows does not.
func (s *Site) IsDisambiguationTemplate(text string) bool {
	marks := func(text string) bool {
		return strings.Contains(text, switchDisambiguation) ||
			slices.ContainsFunc(s.words.switches, func(word string) bool { return strings.Contains(text, word) })
	}
	return marks(text) && marks(transcluded(text))
}

// documentary are the tags whose bodies are not read where a template is used.
var documentary = []string{"nowiki", "noinclude", "pre", "syntaxhighlight", "source", "templatedata"}

// transcluded gives what a page hands to those that use it as a template.
func transcluded(text string) string {
	var b strings.Builder
	f := flattener{raw: text}
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			b.WriteString(text[i:])
			return b.String()
		}
		b.WriteString(text[i : i+n])
		i += n
		end := f.elementEnd(i, documentary)
		if end == i {
			b.WriteByte('<')
			end++
		}
		i = end
	}
}

// DisambiguationTemplates gives the titles in namespace 10, without prefix, of all templates that mark disambiguation
// pages: those listed for the language, those marked in the dump, and the redirects that lead to either. Redirects maps
// titles to titles of that namespace; loops lead nowhere.
func (s *Site) DisambiguationTemplates(marked []string, redirects map[string]string) map[string]bool {
	all := maps.Clone(s.words.templates)
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

// IsDisambiguation decides for a page by what Flags said of it, the names that TopTemplates gave, and the list of
// DisambiguationTemplates. A stage that keeps hashes in the place of names does the same with the hashes of the list.
func IsDisambiguation(flags uint16, used []string, templates map[string]bool) bool {
	return flags&schemas.FlagDisambiguation != 0 ||
		slices.ContainsFunc(used, func(name string) bool { return templates[name] })
}

// TopTemplates gives the titles in namespace 10, each once and in order, of the templates of the page last read by
// Links that might mark it as a disambiguation page: those that stand in no other template and on a line of their own.
// Templates inside a line are left out, because they are ten times as many and a notice is none of them; so are
// infoboxes. The slice is valid until the next call; its strings may be kept.
func (x *Extractor) TopTemplates() []string {
	x.top = x.top[:0]
	seen := map[string]bool{}
	for name := range x.topNames(true) {
		if name != "" && !isInfobox(name) && !seen[name] {
			seen[name] = true
			x.top = append(x.top, name)
		}
	}
	return x.top
}

// topNames gives the titles of the templates of the page last read that stand in no other one; alone leaves out those
// inside a line.
func (x *Extractor) topNames(alone bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		if len(x.levels) == 0 {
			return
		}
		l, end := x.levels[0], 0
		for _, b := range l.braces {
			if b.start < end || b.end == 0 {
				continue
			}
			end = b.end
			if alone && !beginsLine(l.flat, b.start) {
				continue
			}
			if !yield(x.names.title(x.site, nameOnly(l.flat[b.start+2:b.end]))) {
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
