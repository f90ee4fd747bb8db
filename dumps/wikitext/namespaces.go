package wikitext

import (
	"maps"
	"slices"
	"strings"
)

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
	if isEnglishWikipedia(s.info) {
		for name, key := range englishWikipediaAliases {
			add(name, key)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.info.Aliases)) { // sorted, lest two that differ by case alone change places
		add(strings.ReplaceAll(name, "_", " "), s.info.Aliases[name])
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

// noteFileNames makes opensFile quick: hardly any link begins with a letter that a name of the file namespace begins
// with.
func (s *Site) noteFileNames() {
	for name, key := range s.keys {
		if key == nsFile {
			s.fileStarts[name[0]] = true
			s.fileStarts[upperByte(name[0])] = true
		}
	}
	for b := 0x80; b <= 0xFF; b++ { // a letter beyond ASCII may have its other case anywhere, and marks that count for nothing
		s.fileStarts[b] = true
	}
}

// opensFile tells whether the text after a `[[` begins with the name of the file namespace and a colon.
func (s *Site) opensFile(text string) bool {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '_') {
		i++
	}
	if i == len(text) || !s.fileStarts[text[i]] {
		return false
	}
	name, ok := s.linkPrefix(text[i:])
	if !ok {
		return false
	}
	key, ok := s.namespace(name)
	return ok && key == nsFile
}

// linkPrefix gives what stands before the first colon of the text after a `[[`. It looks at a bounded number of bytes
// after leading blanks, which keeps the search for captions linear.
func (s *Site) linkPrefix(text string) (name string, ok bool) {
	const roomForBlanks = 8
	text = strings.TrimLeft(text, " _")
	text = text[:min(len(text), s.longest+roomForBlanks)]
	end := strings.IndexByte(text, ':')
	if end < 0 {
		return "", false
	}
	return collapseBlanks(text[:end]), true
}
