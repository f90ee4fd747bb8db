package wikitext

import "strings"

// The namespaces that the rules name.
const (
	nsMain     = 0
	nsSpecial  = -1
	nsFile     = 6
	nsTemplate = 10
	nsCategory = 14
)

// canonicalNames are understood on every wiki beside the local names.
var canonicalNames = map[int]string{
	-2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Project", 5: "Project talk", 6: "File",
	7: "File talk", 8: "MediaWiki", 9: "MediaWiki talk", 10: "Template", 11: "Template talk", 12: "Help", 13: "Help talk",
	14: "Category", 15: "Category talk",
}

// canonicalAliases are the names that files had before 2008, still understood everywhere.
var canonicalAliases = map[string]int{"Image": nsFile, "Image talk": nsFile + 1}

// englishWikipediaAliases stand in for siteinfo-namespaces.json, the one file of a dump that lists aliases.
var englishWikipediaAliases = map[string]int{"WP": 4, "WT": 5, "TM": nsTemplate}

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
	if !isEnglishWikipedia(s.info) {
		return
	}
	for name, key := range englishWikipediaAliases {
		add(name, key)
	}
}

// namespace finds a namespace by any of its names, in any letter case; name has single blanks.
func (s *Site) namespace(name string) (key int, ok bool) {
	if key, ok = s.keys[name]; ok {
		return key, true
	}
	key, ok = s.keys[strings.ToLower(name)]
	return key, ok
}

// keepsCase tells whether titles of the namespace may begin with a small letter.
func (s *Site) keepsCase(ns int) bool {
	if own, ok := s.sensitive[ns]; ok {
		return own
	}
	return s.info.Case == caseSensitive
}

// opensFile tells whether the text after a `[[` begins with the name of the file namespace and a colon. It looks at a
// bounded number of bytes after leading blanks, which keeps the search for captions linear.
func (s *Site) opensFile(text string) bool {
	const roomForBlanks = 8
	text = strings.TrimLeft(text, " _")
	text = text[:min(len(text), s.longest+roomForBlanks)]
	name, _, found := strings.Cut(text, ":")
	if !found {
		return false
	}
	key, ok := s.namespace(collapseBlanks(name))
	return ok && key == nsFile
}
