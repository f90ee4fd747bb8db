package dbpedia

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// triple is one statement of which all parts are IRIs.
type triple struct{ subject, predicate, object string }

// parseTriple reads `<s> <p> <o> .` with blanks or tabs between the parts. Nothing else is a triple here: no
// prefixes, blank nodes, literals or comments at the end.
func parseTriple(line string) (t triple, ok bool) {
	if !utf8.ValidString(line) {
		return t, false
	}
	rest := strings.TrimLeft(line, blanks)
	for _, part := range []*string{&t.subject, &t.predicate, &t.object} {
		if *part, rest, ok = cutIRI(rest); !ok {
			return t, false
		}
	}
	return t, strings.TrimRight(rest, blanks) == "."
}

const blanks = " \t"

// cutIRI takes <...> and the blanks after it from the start of s.
func cutIRI(s string) (iri, rest string, ok bool) {
	if s == "" || s[0] != '<' {
		return "", s, false
	}
	end := strings.IndexByte(s, '>')
	if end < 2 {
		return "", s, false
	}
	iri, rest = s[1:end], s[end+1:]
	if !validIRI(iri) {
		return "", s, false
	}
	return iri, strings.TrimLeft(rest, blanks), true
}

// validIRI refuses the characters that N-Triples does. A backslash stands only before u or U, with its digits.
func validIRI(iri string) bool {
	for i := range len(iri) {
		if c := iri[i]; c <= ' ' || strings.IndexByte("\"<>{}|^`", c) >= 0 {
			return false
		}
	}
	_, err := unescape(iri)
	return err == nil
}

// ResourcePrefix is what the names of pages begin with in the data of one language's wiki.
func ResourcePrefix(language string) string {
	if language == "en" || language == "" {
		return "http://dbpedia.org/resource/"
	}
	return "http://" + language + ".dbpedia.org/resource/"
}

// escaped are the bytes that a name in an IRI writes as %XX; everything else stands as it is.
const escaped = "\"#%<>?[\\]^`{|}"

// Name gives a page's title as the end of an IRI.
func Name(title string) string {
	var b strings.Builder
	for i := range len(title) {
		switch c := title[i]; {
		case c == ' ':
			b.WriteByte('_')
		case strings.IndexByte(escaped, c) >= 0:
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Title gives the title that the end of an IRI names: numeric escapes, then percent signs, then the rules for blanks
// and NFC.
func Title(name string) (string, error) {
	name, err := unescape(name)
	if err != nil {
		return "", err
	}
	return titles.PlainTitle(decodePercent(name))
}

// decodePercent undoes %XX where it is one. It decodes more than a link does, in which < and > never stand for themselves.
func decodePercent(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && len(s) > i+2 {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b = append(b, byte(v))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return strings.ToValidUTF8(string(b), string(utf8.RuneError))
}

var errEscape = errors.New("a \\u escape that is none")

// unescape undoes \uXXXX and \UXXXXXXXX, the only escapes that an IRI of N-Triples may hold.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, nil
	}
	var b strings.Builder
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 {
			b.WriteString(s)
			return b.String(), nil
		}
		b.WriteString(s[:at])
		size := escapeSize(s[at:])
		if size == 0 {
			return "", errEscape
		}
		v, err := strconv.ParseUint(s[at+2:at+size], 16, 32)
		if err != nil || !utf8.ValidRune(rune(v)) {
			return "", errEscape
		}
		b.WriteRune(rune(v))
		s = s[at+size:]
	}
}

// escapeSize is the length of the escape with which s begins, 0 if it begins with none.
func escapeSize(s string) int {
	size := 0
	switch {
	case strings.HasPrefix(s, `\u`):
		size = 6
	case strings.HasPrefix(s, `\U`):
		size = 10
	}
	if size > len(s) {
		return 0
	}
	return size
}
