package aar

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/schemas"
)

// linkPath begins the target of every link in a text, and the address of a page without its host.
const linkPath = "/wiki/"

// link is a link of a text: `[label](/wiki/Target)`.
type link struct {
	from, to      int // its place, in bytes
	label, target string
}

// nextLink finds the first link at or after a place.
func nextLink(text string, at int) (l link, ok bool) {
	const middle = "](" + linkPath
	for {
		i := strings.Index(text[at:], middle)
		if i < 0 {
			return link{}, false
		}
		bracket := at + i
		target := bracket + len(middle)
		end := strings.IndexAny(text[target:], ") \n")
		from := opening(text[at:bracket])
		if from >= 0 && end > 0 && text[target+end] == ')' {
			from += at
			return link{from, target + end + 1, text[from+1 : bracket], text[target : target+end]}, true
		}
		at = target
	}
}

// opening returns the place of the bracket that the end of s closes: that of a label whose own
// brackets are in pairs, else the last; -1 for none.
func opening(s string) int {
	depth, last := 1, -1
	for i := len(s) - 1; i >= 0 && s[i] != '\n'; i-- {
		switch s[i] {
		case ']':
			depth++
		case '[':
			if last < 0 {
				last = i
			}
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return last
}

// relink returns a text with those replaced by their labels that keep refuses.
func relink(text string, keep func(link) bool) (shown string, dropped int) {
	var b strings.Builder
	at := 0
	for {
		l, ok := nextLink(text, at)
		if !ok {
			break
		}
		if keep(l) {
			b.WriteString(text[at:l.to])
		} else {
			b.WriteString(text[at:l.from])
			b.WriteString(l.label)
			dropped++
		}
		at = l.to
	}
	if at == 0 {
		return text, 0
	}
	b.WriteString(text[at:])
	return b.String(), dropped
}

// unlink returns a text with its links replaced by their labels, and their number.
func unlink(text string) (shown string, links int) {
	return relink(text, func(link) bool { return false })
}

// Relink returns a text of which only those links are left whose target opens knows as a title,
// and how many others were replaced by their labels.
func (s Site) Relink(text string, opens func(title string) bool) (shown string, dropped int) {
	return relink(text, func(l link) bool { return s.finds(l.target, opens) })
}

// finds reports whether the tail of an address is a title that opens knows.
func (s Site) finds(tail string, opens func(title string) bool) bool {
	for _, title := range s.titles(tail) {
		if opens(title) {
			return true
		}
	}
	return false
}

// Site is what addresses and facts need to know of the wiki.
type Site struct {
	Base     string // what comes before the title in the address of a page
	Language string
	Year     int // of the snapshot
}

// SiteOf returns the site of a snapshot.
func SiteOf(s schemas.Snapshot) Site {
	year := 0
	for _, c := range s.Date[:min(4, len(s.Date))] {
		year = 10*year + int(c-'0')
	}
	base := s.Base[:strings.LastIndexByte(s.Base, '/')+1]
	return Site{Base: cmp.Or(base, linkPath), Language: s.Language, Year: year}
}

// address writes a title as the end of an address. Kept are the bytes that need no escape there.
func address(title string) string {
	const plain = "-_.~!$()*,/:;@0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	var b strings.Builder
	for i := range len(title) {
		switch c := title[i]; {
		case c == ' ':
			b.WriteByte('_')
		case strings.IndexByte(plain, c) >= 0:
			b.WriteByte(c)
		default:
			const hex = "0123456789ABCDEF"
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// URLOf returns the address of the page with a title.
func (s Site) URLOf(title string) string { return s.Base + address(title) }

// tail returns what stands for the title in the address of a page of the wiki: an absolute one,
// also with http for https or the label m of the mobile site, or one that begins with /wiki/.
func (s Site) tail(url string) (string, bool) {
	if t, ok := strings.CutPrefix(url, linkPath); ok {
		return t, true
	}
	prefix, ours := bare(s.Base), bare(url)
	if prefix == "" || !strings.HasPrefix(ours, prefix) {
		return "", false
	}
	return ours[len(prefix):], true
}

// bare returns an address without scheme and mobile label, its host in small letters; "" for
// one without a scheme of the web.
func bare(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return ""
	}
	host, path, _ := strings.Cut(rest, "/")
	host = strings.ToLower(host)
	return strings.Replace("."+host, ".m.", ".", 1) + "/" + path
}

// titles lists the titles that the end of an address may mean, the most literal first: as it
// stands, and with a capital letter.
func (s Site) titles(tail string) []string {
	if end := strings.IndexAny(tail, "?#"); end >= 0 {
		tail = tail[:end]
	}
	title := unescape(tail)
	if !utf8.ValidString(title) {
		return nil
	}
	title = strings.Join(strings.Fields(strings.ReplaceAll(title, "_", " ")), " ")
	return s.spellings(norm.NFC.String(title))
}

// spellings lists a name as it is given and with a capital letter, if that is another.
func (s Site) spellings(name string) []string {
	first, size := utf8.DecodeRuneInString(name)
	if upper := s.upper(first); upper != first {
		return []string{name, string(upper) + name[size:]}
	}
	return []string{name}
}

// upper is how titles begin: Georgian has no capitals there, and some languages dot theirs.
func (s Site) upper(r rune) rune {
	switch {
	case r == 'i' && (s.Language == "az" || s.Language == "tr" || s.Language == "kaa"):
		return 'İ'
	case r >= 0x10D0 && r <= 0x10FF || r == utf8.RuneError:
		return r
	}
	return unicode.ToUpper(r)
}

// unescape decodes percent signs; those that begin no code stand for themselves.
func unescape(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "%")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		s = after
		code, err := strconv.ParseUint(s[:min(2, len(s))], 16, 8)
		if err != nil || len(s) < 2 {
			b.WriteByte('%')
			continue
		}
		b.WriteByte(byte(code))
		s = s[2:]
	}
}
