package wikitext

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

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
	for _, scheme := range urlSchemes {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return leadText{}, errURL
		}
	}
	return cleaned(text)
}

// titleText is rules 1 to 7 for the title of a page: without the look at schemes in rule 2.
func titleText(raw string) (leadText, error) { return cleaned(decoded(raw)) }

// decoded is rule 1 and the cut of rule 2.
func decoded(raw string) string {
	if strings.IndexByte(raw, '%') >= 0 {
		raw = decodePercent(raw)
	}
	return strings.TrimLeft(raw, " ")
}

// cleaned is rules 3 to 7. It writes blanks where the rules write underscores until rule 12: nothing between tells
// the two apart.
func cleaned(text string) (leadText, error) {
	if strings.IndexByte(text, '&') >= 0 {
		text = decodeReferences(text)
	}
	text = norm.NFC.String(text)
	forced := strings.HasPrefix(text, ":")
	text = collapseBlanks(text)
	if strings.ContainsRune(text, utf8.RuneError) { // finds invalid bytes as well
		return leadText{}, errReplacement
	}
	text = strings.Trim(strings.TrimPrefix(text, ":"), " ")
	if text == "" {
		return leadText{}, errEmpty
	}
	return leadText{text, forced}, nil
}

// decodePercent turns every valid %XX into its byte. Angle brackets become references, which later rules reject
// as characters: a decoded bracket must not pass for markup before.
func decodePercent(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if isPercentCode(s[i:]) {
			b, _ = hex.AppendDecode(b, []byte(s[i+1:i+3]))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return angles.Replace(strings.ToValidUTF8(string(b), string(utf8.RuneError)))
}

var angles = strings.NewReplacer("<", "&lt;", ">", "&gt;")

func isPercentCode(s string) bool {
	return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2])
}

// collapseBlanks is rule 6: direction marks go, each run of blanks becomes one U+0020, none stays at the ends.
func collapseBlanks(s string) string {
	if isCollapsed(s) {
		return s
	}
	b, blank := make([]byte, 0, len(s)), false
	for _, r := range s {
		switch {
		case isDirectionMark(r):
		case isBlank(r):
			blank = len(b) > 0
		default:
			if blank {
				b = append(b, ' ')
			}
			b, blank = utf8.AppendRune(b, r), false
		}
	}
	return string(b)
}

// isCollapsed spares most titles the copy.
func isCollapsed(s string) bool {
	afterBlank := true
	for _, r := range s {
		if r != ' ' && isBlank(r) || isDirectionMark(r) || r == ' ' && afterBlank {
			return false
		}
		afterBlank = r == ' '
	}
	return !afterBlank || s == ""
}

func isDirectionMark(r rune) bool {
	return r == 0x200E || r == 0x200F || r >= 0x202A && r <= 0x202E
}

func isBlank(r rune) bool {
	switch r {
	case ' ', '_', 0xA0, 0x1680, 0x180E, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}
