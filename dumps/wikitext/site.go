package wikitext

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// SiteInfo is what a dump says of its wiki, as read from the root element and <siteinfo>; absent parts are "".
type SiteInfo struct {
	SiteName, DBName, Base, Generator string
	Case                              string // "first-letter" or "case-sensitive"
	Lang                              string // xml:lang of the root
	Version                           string // of the export schema
	Namespaces                        []Namespace
	Aliases                           map[string]int // further names of namespaces; the dump itself lists none
	LinkTrail                         string         `json:",omitempty"` // a pattern of PCRE; the dump itself states none
}

// Namespace is one namespace of a site. Name is the local one, with blanks; Case "" means that of the site.
type Namespace struct {
	Key        int
	Name, Case string
}

// caseSensitive is the case rule that leaves first letters alone; any other value means first-letter.
const caseSensitive = "case-sensitive"

// Site holds the naming rules of one wiki. It is read-only after NewSite and safe for concurrent use.
type Site struct {
	info          SiteInfo
	keys          map[string]int    // namespace by name: as written, and lower-cased
	names         map[int]string    // local name by namespace, canonical English where the site has none
	sensitive     map[int]bool      // case rule by namespace, where it has one of its own
	prefixes      map[string]prefix // interwiki prefixes, lower case; shared between sites
	longest       int               // bytes of the longest namespace name
	dottedI       bool              // i is capitalised to U+0130
	keepsMainCase bool              // titles of namespace 0 may begin with a small letter
	fileStarts    byteSet           // bytes that a name of the file namespace may begin with
	categoryHints []string          // pieces of the names of disambiguation categories
	words         language
	trail         linkTrail // letters after a link that belong to its anchor
	knowsTrail    bool
}

// NewSite derives the rules from info, which it copies. Namespaces known by canonical English names, and the aliases of
// English Wikipedia, are added; siteinfo files of dumps lack them.
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
		words:     languages[info.Lang],
	}
	s.categoryHints = categoryHints(s.words.categories)
	s.addNames()
	s.noteFileNames()
	s.keepsMainCase = s.keepsCase(nsMain)
	s.trail, s.knowsTrail = trailOf(info)
	return s
}

// Info gives back what NewSite was given. The caller must not change its namespaces.
func (s *Site) Info() SiteInfo { return s.info }

// KnowsLinkTrail is false if the site states a link trail that we cannot read; that of its language is in its place.
func (s *Site) KnowsLinkTrail() bool { return s.knowsTrail }

// isEnglishWikipedia looks at the base address as well, because old dumps have no database name.
func isEnglishWikipedia(info SiteInfo) bool {
	base, err := url.Parse(info.Base)
	return info.DBName == "enwiki" || err == nil && strings.EqualFold(base.Hostname(), "en.wikipedia.org")
}
