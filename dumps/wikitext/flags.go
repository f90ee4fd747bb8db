package wikitext

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
)

// Flags gives the set of schemas.FlagDisambiguation, FlagList and FlagDate that title and text of a page earn by the
// tables of the site's language (5.6); the latter two in namespace 0 only. It knows a disambiguation page by the word at
// the end of its title, by a category, or by a template of the language's list outside other templates. Templates that
// only the dump itself tells come later: see IsDisambiguation.
func (s *Site) Flags(own Title, text string) uint16 {
	flags := s.titleFlags(own)
	if flags&schemas.FlagDisambiguation == 0 && (s.hasDisambiguationTemplate(own, text) || s.inDisambiguationCategory(text)) {
		flags |= schemas.FlagDisambiguation
	}
	return flags
}

// titleFlags are those that the title alone earns.
func (s *Site) titleFlags(own Title) uint16 {
	var flags uint16
	if s.isDisambiguationTitle(own.Text) {
		flags |= schemas.FlagDisambiguation
	}
	if own.NS != nsMain {
		return flags
	}
	if slices.ContainsFunc(s.words.lists, func(start string) bool { return strings.HasPrefix(own.Text, start) }) {
		flags |= schemas.FlagList
	}
	if s.words.isDate != nil && s.words.isDate(own.Text) {
		flags |= schemas.FlagDate
	}
	return flags
}

// Flags is Site.Flags for the page last read by Links, from what Links has found: nearly for nothing.
func (x *Extractor) Flags() uint16 {
	flags := x.site.titleFlags(x.own)
	for name := range x.topNames(false) {
		x.marked = x.marked || x.site.words.templates[name]
	}
	if x.marked {
		flags |= schemas.FlagDisambiguation
	}
	return flags
}

func (s *Site) isDisambiguationTitle(title string) bool {
	word := s.words.disambiguation
	return word != "" && strings.HasSuffix(title, " ("+word+")")
}

// inDisambiguationCategory looks for a piece of the names first: hardly any page holds one.
func (s *Site) inDisambiguationCategory(text string) bool {
	if !slices.ContainsFunc(s.categoryHints, func(hint string) bool { return strings.Contains(text, hint) }) {
		return false
	}
	var l level
	flat := l.flatten(text)
	for piece := range strings.SplitSeq(flat, "[[") {
		raw, _, ok := linkTarget(piece)
		if !ok {
			continue
		}
		t, err := s.ParseTitle(raw)
		if err == nil && t.NS == nsCategory && !t.Forced && s.words.categories[t.Text] {
			return true
		}
	}
	return false
}

// categoryHints gives what every spelling of the names has: their longest words, without the first letter of the name.
// Two names with one such word share it.
func categoryHints(names map[string]bool) []string {
	var hints []string
	for name := range names {
		_, size := utf8.DecodeRuneInString(name)
		words := strings.Fields(name[size:])
		hints = append(hints, slices.MaxFunc(words, func(a, b string) int { return cmp.Compare(len(a), len(b)) }))
	}
	slices.Sort(hints)
	return slices.Compact(hints)
}

// hasDisambiguationTemplate reads the text properly only where a first look finds a candidate.
func (s *Site) hasDisambiguationTemplate(own Title, text string) bool {
	if len(s.words.templates) == 0 || !s.mayDisambiguate(text) {
		return false
	}
	var l level
	flat := l.flatten(expandMagic(text, own.Text, s.FullTitle(own)))
	l.find(flat, s)
	top := 0 // end of the templates begun so far
	for _, b := range l.braces {
		if b.end == 0 || b.start < top {
			continue
		}
		top = b.end
		if s.words.templates[s.templateName(flat[b.start+2:b.end])] {
			return true
		}
	}
	return false
}

// mayDisambiguate looks at raw text, so a name that holds markup counts as a candidate. Braces that a comment tears
// apart are not seen; MediaWiki sees no template in them either.
func (s *Site) mayDisambiguate(text string) bool {
	for {
		_, after, found := strings.Cut(text, "{{")
		if !found {
			return false
		}
		name := nameOnly(after)
		if strings.ContainsAny(name, "<{") || s.words.templates[s.templateName(name)] {
			return true
		}
		text = after
	}
}

// templateName gives the title in namespace 10 of the template that a call names, "" if it names another page. A
// name may stand on a line of its own.
func (s *Site) templateName(call string) string {
	t, err := s.ParseTitle(nameOnly(call))
	if err != nil || t.Interwiki != "" || t.Forced || t.NS != nsMain && t.NS != nsTemplate {
		return ""
	}
	return t.Text
}

// nameOnly cuts a call at the end of its name. No name is longer than the title it stands for, give or take blanks;
// the bound keeps a run of braces linear.
func nameOnly(call string) string {
	const longest = 2 * maxTitleBytes
	call = call[:min(len(call), longest)]
	call = strings.TrimSpace(call)
	if end := strings.IndexAny(call, "|}\n"); end >= 0 {
		call = call[:end]
	}
	return strings.TrimSpace(call)
}
