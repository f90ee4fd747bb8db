package titles

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/schemas/names"
)

// Title is a normalised title: NFC, blanks for underscores, first letter by the rule of its
// namespace.
type Title struct {
	NS        int
	Text      string // without namespace prefix; "" only for a bare fragment or interwiki prefix
	Interwiki string // lower-case prefix; then NS is 0 and Text is left as the other wiki would read it
	Fragment  string // what follows the first #, without it
	Forced    bool   // written with a leading colon
}

// ParseTitle normalises the target of a link or redirect, or a name from a table (step D,
// specification 5.2). Text may share memory with raw. The error says which rule raw breaks; it
// holds no part of raw.
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

// ParsePageTitle is ParseTitle for the title of a page that exists. Such a title is never taken for
// an interwiki link nor for a URL: MediaWiki keeps both out of links, not out of titles.
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
		return Title{}, names.ErrEmpty
	}
	return t, err
}

// LooksInterwiki reports whether a link that spells a page's title would leave the wiki, because the
// title begins with an interwiki prefix.
func (s *Site) LooksInterwiki(raw string) bool {
	text, err := titleText(raw)
	if err != nil {
		return false
	}
	t, _ := s.split(text, s.prefixes)
	return t.Interwiki != ""
}

// FullTitle returns the title as its wiki shows it, without fragment: "Local namespace:Text", Text
// alone in namespace 0, "prefix:Text" for another wiki. A namespace that the site does not have is
// written as MediaWiki writes it.
func (s *Site) FullTitle(t Title) string {
	if t.Interwiki != "" {
		return t.Interwiki + ":" + t.Text
	}
	name, known := s.names[t.NS]
	switch {
	case t.NS == NSMain:
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
	return Title{Text: s.capitalise(raw, NSMain)}, true
}

// isPlain recognises them; no other rule than that for the first letter changes or rejects such a
// text.
func isPlain(raw string) bool {
	if raw == "" || len(raw) > MaxTitleBytes || !ascii.IsAlphanumeric(raw[0]) || raw[len(raw)-1] == ' ' {
		return false
	}
	for i := range len(raw) {
		if !PlainBytes[raw[i]] || raw[i] == ' ' && raw[i-1] == ' ' {
			return false
		}
	}
	return true
}

// parse is rules 8 to 11 on a text that rules 1 to 7 have been through.
func (s *Site) parse(text leadText, prefixes map[string]bool) (Title, error) {
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
func (s *Site) split(text leadText, prefixes map[string]bool) (t Title, rest string) {
	t.Forced = text.forced
	name, after, found := strings.Cut(text.text, ":")
	if !found || name == "" {
		return t, text.text
	}
	name, after = strings.TrimRight(name, " "), strings.TrimLeft(after, " ")
	if ns, ok := s.Namespace(name); ok {
		t.NS = ns
		return t, after
	}
	name = strings.ToLower(name)
	if _, known := prefixes[name]; known {
		t.Interwiki = name
		return t, after
	}
	return t, text.text
}

func (s *Site) capitalise(text string, ns int) string {
	if text == "" || text[0] < utf8.RuneSelf && ascii.UpperByte(text[0]) == text[0] || s.keepsCase(ns) {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	if upper := s.upper(first); upper != first {
		return string(upper) + text[size:]
	}
	return text
}

// upper is the simple mapping of one code point. Georgian keeps its letters because MediaWiki does:
// the capitals that Unicode added in 2018 are not used in titles.
func (s *Site) upper(r rune) rune {
	switch {
	case r == 'i' && s.dottedI:
		return 'İ'
	case r >= 0x10D0 && r <= 0x10FF:
		return r
	}
	return unicode.ToUpper(r)
}

// leadText is a title after rules 1 to 7: blanks collapsed and trimmed, leading colon taken off.
type leadText struct {
	text   string
	forced bool // it had the colon
}

// urlSchemes begin external links, never titles of links.
var urlSchemes = []string{
	"bitcoin:", "ftp://", "ftps://", "geo:", "git://", "gopher://", "http://", "https://", "irc://", "ircs://", "magnet:",
	"mailto:", "mms://", "news:", "nntp://", "redis://", "sftp://", "sip:", "sips:", "sms:", "ssh://", "svn://", "tel:",
	"telnet://", "urn:", "worldwind://", "xmpp:", "//",
}

// targetText is rules 1 to 7 for what stands in a link.
func targetText(raw string) (leadText, error) {
	text := decoded(raw)
	if URLScheme(text) > 0 {
		return leadText{}, errURL
	}
	return cleaned(text)
}

// URLScheme returns the length of the scheme with which text begins, 0 if it begins with none.
func URLScheme(text string) int {
	for _, scheme := range urlSchemes {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return len(scheme)
		}
	}
	return 0
}

// titleText is rules 1 to 7 for the title of a page: without the look at schemes in rule 2.
func titleText(raw string) (leadText, error) { return cleaned(decoded(raw)) }

// decoded is rule 1 and the cut of rule 2.
func decoded(raw string) string {
	return strings.TrimLeft(names.DecodePercent(raw), " ")
}

// cleaned is rules 3 to 7. It writes blanks where the rules write underscores until rule 12:
// nothing between tells the two apart.
func cleaned(text string) (leadText, error) {
	if strings.IndexByte(text, '&') >= 0 {
		text = DecodeReferences(text)
	}
	text = norm.NFC.String(text)
	forced := strings.HasPrefix(text, ":")
	text = names.CollapseBlanks(text)
	if strings.ContainsRune(text, utf8.RuneError) { // finds invalid bytes as well
		return leadText{}, names.ErrReplacement
	}
	text = strings.Trim(strings.TrimPrefix(text, ":"), " ")
	if text == "" {
		return leadText{}, names.ErrEmpty
	}
	return leadText{text, forced}, nil
}

// The reasons why a text is no title, beside those of names.
const (
	errURL       names.Error = "title begins like an external link"
	errCharacter names.Error = "title holds a character that titles cannot have"
	errEncoded   names.Error = "title holds a percent code or a character reference"
	errRelative  names.Error = "title is or holds a relative path"
	errTildes    names.Error = "title holds ~~~"
	errLong      names.Error = "title is too long"
	errColon     names.Error = "title begins with a colon"
)

// Bytes of UTF-8 in a title, without its namespace prefix.
const (
	MaxTitleBytes   = 255
	maxSpecialBytes = 512
)

// checkText is rule 10; t tells namespace and interwiki prefix of the text.
func checkText(text string, t Title) error {
	limit := MaxTitleBytes
	if t.NS == nsSpecial {
		limit = maxSpecialBytes
	}
	switch {
	case text == "" && t.NS != NSMain:
		return names.ErrEmpty
	case len(text) > limit:
		return errLong
	case strings.HasPrefix(text, ":"):
		return errColon
	case strings.Contains(text, "~~~"):
		return errTildes
	case isRelative(text):
		return errRelative
	}
	return checkBytes(text)
}

func checkBytes(text string) error {
	for i := range len(text) {
		if !titleBytes[text[i]] {
			return errCharacter
		}
		if names.IsPercentCode(text[i:]) || text[i] == '&' && referenceLen(text[i:]) > 0 {
			return errEncoded
		}
	}
	return nil
}

func isRelative(text string) bool {
	if !strings.Contains(text, ".") {
		return false
	}
	path := "/" + text + "/"
	return text == "." || text == ".." ||
		strings.Contains(text, "/") && (strings.Contains(path, "/./") || strings.Contains(path, "/../"))
}

var (
	// titleBytes is T of the specification: what a title is made of. Every byte of a character from
	// U+0080 on is in it.
	titleBytes = ascii.NewByteSet(highBytes(), " %!\"$&'()*,-./:;=?@\\^_`~+"+ascii.Alphanumeric)
	// TargetBytes is what may stand before the | or the ]] of a link.
	TargetBytes = ascii.NewByteSet(*titleBytes, "#")
	// PlainBytes are those that no rule of normalisation changes or rejects inside a title.
	PlainBytes = ascii.NewByteSet(ascii.ByteSet{}, " !'(),-."+ascii.Alphanumeric)
)

func highBytes() (set ascii.ByteSet) {
	for b := 0x80; b <= 0xFF; b++ {
		set[b] = true
	}
	return set
}

// AppendPlain appends the title that a text is of which IsPlain is true: it applies the site's rule
// for the first letter.
func (s *Site) AppendPlain(b []byte, plain string) []byte {
	upper := ascii.UpperByte(plain[0])
	if upper == plain[0] || s.keepsMainCase || upper == 'I' && s.dottedI {
		return append(b, s.capitalise(plain, NSMain)...)
	}
	return append(append(b, upper), plain[1:]...)
}
