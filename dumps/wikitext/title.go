package wikitext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Title is a normalised title: NFC, blanks for underscores, first letter by the rule of its namespace.
type Title struct {
	NS        int
	Text      string // without namespace prefix; "" only for a bare fragment or interwiki prefix
	Interwiki string // lower-case prefix; then NS is 0 and Text is left as the other wiki would read it
	Fragment  string // what follows the first #, without it
	Forced    bool   // written with a leading colon
}

// ParseTitle normalises the target of a link or redirect, or a name from a table (step D, specification 5.2). Text may
// share memory with raw. The error says which rule raw breaks; it holds no part of raw.
func (s *Site) ParseTitle(raw string) (Title, error) {
	if t, ok := s.plainTitle(raw); ok {
		return t, nil
	}
	text, err := targetText(raw)
	if err != nil {
		return Title{}, err
	}
	return s.parse(text, s.prefixes)
}

// ParsePageTitle is ParseTitle for the title of a page that exists. Such a title is never taken for an interwiki link
// nor for a URL: MediaWiki keeps both out of links, not out of titles.
func (s *Site) ParsePageTitle(raw string) (Title, error) {
	if t, ok := s.plainTitle(raw); ok {
		return t, nil
	}
	text, err := titleText(raw)
	if err != nil {
		return Title{}, err
	}
	t, err := s.parse(text, nil)
	if err == nil && t.Text == "" {
		return Title{}, errEmpty
	}
	return t, err
}

// LooksInterwiki tells whether a link that spells a page's title would leave the wiki, because the title begins
// with an interwiki prefix.
func (s *Site) LooksInterwiki(raw string) bool {
	text, err := titleText(raw)
	if err != nil {
		return false
	}
	t, _ := s.split(text, s.prefixes)
	return t.Interwiki != ""
}

// FullTitle gives the title as its wiki shows it, without fragment: "Local namespace:Text", Text alone in namespace 0,
// "prefix:Text" for another wiki. A namespace that the site does not have is written as MediaWiki writes it.
func (s *Site) FullTitle(t Title) string {
	if t.Interwiki != "" {
		return t.Interwiki + ":" + t.Text
	}
	name, known := s.names[t.NS]
	switch {
	case t.NS == nsMain:
		return t.Text
	case !known:
		return s.names[nsSpecial] + ":Badtitle/NS" + strconv.Itoa(t.NS) + ":" + t.Text
	}
	return name + ":" + t.Text
}

// plainTitle takes the titles that need no step but the last: about two links in three.
func (s *Site) plainTitle(raw string) (Title, bool) {
	if !isPlain(raw) {
		return Title{}, false
	}
	return Title{Text: s.capitalise(raw, nsMain)}, true
}

// isPlain recognises them; no other rule than that for the first letter changes or rejects such a text.
func isPlain(raw string) bool {
	if raw == "" || len(raw) > maxTitleBytes || !isAlphanumeric(raw[0]) || raw[len(raw)-1] == ' ' {
		return false
	}
	for i := range len(raw) {
		if !plainBytes[raw[i]] || raw[i] == ' ' && raw[i-1] == ' ' {
			return false
		}
	}
	return true
}

// parse is rules 8 to 11 on a text that rules 1 to 7 have been through.
func (s *Site) parse(text leadText, prefixes map[string]prefix) (Title, error) {
	t, rest := s.split(text, prefixes)
	if cut := strings.IndexByte(rest, '#'); cut >= 0 {
		t.Fragment = rest[cut+1:]
		rest = strings.TrimRight(rest[:cut], " ")
	}
	if err := checkText(rest, t); err != nil {
		return Title{}, err
	}
	t.Text = rest
	if t.Interwiki == "" {
		t.Text = s.capitalise(rest, t.NS)
	}
	return t, nil
}

// split is rule 8: it takes off one prefix at most. The title that it returns has no text yet.
func (s *Site) split(text leadText, prefixes map[string]prefix) (t Title, rest string) {
	t.Forced = text.forced
	name, after, found := strings.Cut(text.text, ":")
	if !found || name == "" {
		return t, text.text
	}
	name, after = strings.TrimRight(name, " "), strings.TrimLeft(after, " ")
	if ns, ok := s.namespace(name); ok {
		t.NS = ns
		return t, after
	}
	if name = strings.ToLower(name); prefixes[name] != 0 {
		t.Interwiki = name
		return t, after
	}
	return t, text.text
}

func (s *Site) capitalise(text string, ns int) string {
	if text == "" || text[0] < utf8.RuneSelf && upperByte(text[0]) == text[0] || s.keepsCase(ns) {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	if upper := s.upper(first); upper != first {
		return string(upper) + text[size:]
	}
	return text
}

// upper is the simple mapping of one code point. Georgian keeps its letters because MediaWiki does: the capitals that
// Unicode added in 2018 are not used in titles.
func (s *Site) upper(r rune) rune {
	switch {
	case r == 'i' && s.dottedI:
		return 'İ'
	case r >= 0x10D0 && r <= 0x10FF:
		return r
	}
	return unicode.ToUpper(r)
}
