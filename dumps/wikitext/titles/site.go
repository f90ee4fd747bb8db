// Package titles knows the names of one wiki: its namespaces, letter case, interwiki prefixes and
// the words of its language.
//
// It owns the rules of one site (Site), the normalisation of titles (ParseTitle), the target of a
// redirect (Redirect), and what a title alone says of its page (TitleFlags). It promises that any
// text is accepted, that results depend on the text, the site and the Unicode tables of the
// toolchain and of golang.org/x/text, and on nothing else. It never reads another page.
package titles

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/names"
)

// SiteInfo is what a dump says of its wiki, as read from the root element and <siteinfo>; absent
// parts are "".
type SiteInfo struct {
	SiteName   string         `xml:"sitename"`
	DBName     string         `xml:"dbname"`
	Base       string         `xml:"base"`
	Generator  string         `xml:"generator"`
	Case       string         `xml:"case"` // "first-letter" or "case-sensitive"
	Lang       string         `xml:"-"`    // xml:lang of the root
	Version    string         `xml:"-"`    // of the export schema
	Namespaces []Namespace    `xml:"namespaces>namespace"`
	Aliases    map[string]int `xml:"-"`                   // further names of namespaces; the dump itself lists none
	LinkTrail  string         `xml:"-" json:",omitempty"` // a pattern of PCRE; the dump itself states none
}

// Namespace is one namespace of a site. Name is the local one, with blanks; Case "" means that of
// the site.
type Namespace struct {
	Key  int    `xml:"key,attr"`
	Name string `xml:",chardata"`
	Case string `xml:"case,attr"`
}

// caseSensitive is the case rule that leaves first letters alone; any other value means
// first-letter.
const caseSensitive = "case-sensitive"

// Site holds the naming rules of one wiki. It is read-only after NewSite and safe for concurrent
// use.
type Site struct {
	info          SiteInfo
	keys          map[string]int  // namespace by name: as written, and lower-cased
	names         map[int]string  // local name by namespace, canonical English where the site has none
	sensitive     map[int]bool    // case rule by namespace, where it has one of its own
	prefixes      map[string]bool // interwiki prefixes, lower case; true for languages of the project; shared between sites
	longest       int             // bytes of the longest namespace name
	dottedI       bool            // i is capitalised to U+0130
	keepsMainCase bool            // titles of namespace 0 may begin with a small letter
	fileStarts    ascii.ByteSet   // bytes that a name of the file namespace may begin with
	words         *language
	templates     map[string]bool // disambiguation templates, as titles of namespace 10
	categories    map[string]bool // categories of disambiguation pages, as titles of namespace 14
	trail         linkTrail       // letters after a link that belong to its anchor
	knowsTrail    bool
}

// NewSite derives the rules from info, which it copies. Namespaces known by canonical English
// names, and the aliases of English Wikipedia, are added; siteinfo files of dumps lack them.
func NewSite(info SiteInfo) *Site {
	info.Namespaces = slices.Clone(info.Namespaces)
	info.Aliases = maps.Clone(info.Aliases)
	s := &Site{
		info:      info,
		keys:      map[string]int{},
		names:     maps.Clone(canonicalNames),
		sensitive: map[int]bool{},
		prefixes:  interwikiPrefixes(),
		dottedI:   slices.Contains([]string{"az", "tr", "kaa"}, info.Lang),
		words:     wordsOf(info.Lang),
	}
	s.templates, s.categories = Set(s.words.Templates...), Set(s.words.Categories...)
	s.addNames()
	s.noteFileNames()
	s.keepsMainCase = s.keepsCase(NSMain)
	s.trail, s.knowsTrail = trailOf(info)
	return s
}

// Info gives back what NewSite was given. The caller must not change its namespaces.
func (s *Site) Info() SiteInfo { return s.info }

// KnowsLinkTrail is false if the site states a link trail that we cannot read; that of its language
// is in its place.
func (s *Site) KnowsLinkTrail() bool { return s.knowsTrail }

// isEnglishWikipedia looks at the base address as well, because old dumps have no database name.
func isEnglishWikipedia(info SiteInfo) bool {
	base, err := url.Parse(info.Base)
	return info.DBName == "enwiki" || err == nil && strings.EqualFold(base.Hostname(), "en.wikipedia.org")
}

// TitleFlags are those that the title alone earns.
func (s *Site) TitleFlags(own Title) uint16 {
	var flags uint16
	if s.isDisambiguationTitle(own.Text) {
		flags |= schemas.FlagDisambiguation
	}
	if own.NS != NSMain {
		return flags
	}
	if slices.ContainsFunc(s.words.Lists, func(start string) bool { return strings.HasPrefix(own.Text, start) }) {
		flags |= schemas.FlagList
	}
	if s.words.isDate(own.Text) {
		flags |= schemas.FlagDate
	}
	return flags
}

func (s *Site) isDisambiguationTitle(title string) bool {
	word := s.words.Disambiguation
	return word != "" && strings.HasSuffix(title, " ("+word+")")
}

// TemplateName returns the title in namespace 10 of the template that a call names, "" if it names
// another page. A name may stand on a line of its own.
func (s *Site) TemplateName(call string) string {
	t, err := s.ParseTitle(NameOnly(call))
	if err != nil || t.Interwiki != "" || t.Forced || t.NS != NSMain && t.NS != NSTemplate {
		return ""
	}
	return t.Text
}

// NameOnly cuts a call at the end of its name. No name is longer than the title it stands for, give
// or take blanks; the bound keeps a run of braces linear.
func NameOnly(call string) string {
	const longest = 2 * MaxTitleBytes
	call = call[:min(len(call), longest)]
	call = strings.TrimSpace(call)
	if end := strings.IndexAny(call, "|}\n"); end >= 0 {
		call = call[:end]
	}
	return strings.TrimSpace(call)
}

// The namespaces that the rules name.
const (
	NSMain     = 0
	nsSpecial  = -1
	NSFile     = 6
	NSTemplate = 10
	NSCategory = 14
)

// canonicalNames are understood on every wiki beside the local names.
var canonicalNames = map[int]string{
	-2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Project", 5: "Project talk", 6: "File",
	7: "File talk", 8: "MediaWiki", 9: "MediaWiki talk", 10: "Template", 11: "Template talk", 12: "Help", 13: "Help talk",
	14: "Category", 15: "Category talk",
}

// canonicalAliases are the names that files had before 2008, still understood everywhere.
var canonicalAliases = map[string]int{"Image": NSFile, "Image talk": NSFile + 1}

// englishWikipediaAliases stand in for siteinfo-namespaces.json, the one file of a dump that lists
// aliases.
var englishWikipediaAliases = map[string]int{"WP": 4, "WT": 5, "TM": NSTemplate}

// addNames fills the table of names. Local names come last: they hide the others.
func (s *Site) addNames() {
	var spelled []string
	add := func(name string, key int) {
		if name != "" {
			s.keys[strings.ToLower(name)] = key
			spelled = append(spelled, name)
		}
	}
	for key, name := range canonicalNames {
		add(name, key)
	}
	s.eachAlias(add)
	for _, n := range s.info.Namespaces {
		name := strings.ReplaceAll(n.Name, "_", " ")
		add(name, n.Key)
		s.names[n.Key] = name
		if n.Case != "" {
			s.sensitive[n.Key] = n.Case == caseSensitive
		}
	}
	// With the usual spellings in the table, most look-ups need no lower-casing.
	for _, name := range spelled {
		s.keys[name] = s.keys[strings.ToLower(name)]
		s.longest = max(s.longest, len(name))
	}
}

func (s *Site) eachAlias(add func(name string, key int)) {
	for name, key := range canonicalAliases {
		add(name, key)
	}
	if isEnglishWikipedia(s.info) {
		for name, key := range englishWikipediaAliases {
			add(name, key)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.info.Aliases)) { // sorted, lest two that differ by case alone change places
		add(strings.ReplaceAll(name, "_", " "), s.info.Aliases[name])
	}
}

// Namespace finds a namespace by any of its names, in any letter case; name has single blanks.
func (s *Site) Namespace(name string) (key int, ok bool) {
	if key, ok = s.keys[name]; ok {
		return key, true
	}
	key, ok = s.keys[strings.ToLower(name)]
	return key, ok
}

// keepsCase reports whether titles of the namespace may begin with a small letter.
func (s *Site) keepsCase(ns int) bool {
	if own, ok := s.sensitive[ns]; ok {
		return own
	}
	return s.info.Case == caseSensitive
}

// noteFileNames makes opensFile quick: hardly any link begins with a letter that a name of the file
// namespace begins with.
func (s *Site) noteFileNames() {
	for name, key := range s.keys {
		if key == NSFile {
			s.fileStarts[name[0]] = true
			s.fileStarts[ascii.UpperByte(name[0])] = true
		}
	}
	for b := 0x80; b <= 0xFF; b++ { // a letter beyond ASCII may have its other case anywhere, and marks that count for nothing
		s.fileStarts[b] = true
	}
}

// OpensFile reports whether the text after a `[[` begins with the name of the file namespace and a
// colon.
func (s *Site) OpensFile(text string) bool {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '_') {
		i++
	}
	if i == len(text) || !s.fileStarts[text[i]] {
		return false
	}
	name, ok := s.LinkPrefix(text[i:])
	if !ok {
		return false
	}
	key, ok := s.Namespace(name)
	return ok && key == NSFile
}

// LinkPrefix returns what stands before the first colon of the text after a `[[`. It looks at a
// bounded number of bytes after leading blanks, which keeps the search for captions linear.
func (s *Site) LinkPrefix(text string) (name string, ok bool) {
	const roomForBlanks = 8
	text = strings.TrimLeft(text, " _")
	text = text[:min(len(text), s.longest+roomForBlanks)]
	end := strings.IndexByte(text, ':')
	if end < 0 {
		return "", false
	}
	return names.CollapseBlanks(text[:end]), true
}

// ListedTemplates returns the disambiguation templates that are known for the language, as titles
// of namespace 10. The caller must not change them.
func (s *Site) ListedTemplates() map[string]bool { return s.templates }

// SwitchesDisambiguation reports whether text holds the behaviour switch that makes its page a
// disambiguation page.
func (s *Site) SwitchesDisambiguation(text string) bool {
	return strings.Contains(text, switchDisambiguation) ||
		slices.ContainsFunc(s.words.Switches, func(word string) bool { return strings.Contains(text, word) })
}

// switchDisambiguation is understood on every wiki; languages may have words of their own besides
// it.
const switchDisambiguation = "__DISAMBIG__"

// IsDisambiguationCategory reports whether a link to t puts its page into a category of
// disambiguation pages.
func (s *Site) IsDisambiguationCategory(t Title) bool {
	return t.NS == NSCategory && !t.Forced && s.categories[t.Text]
}

// IsLanguage reports whether an interwiki prefix, in small letters, leads to the same project in
// another language.
func (s *Site) IsLanguage(prefix string) bool { return s.prefixes[prefix] }

// TrailLen returns how many bytes at the start of text, which follows a link, belong to the anchor
// of the link.
func (s *Site) TrailLen(text string) int { return s.trail.length(text) }
