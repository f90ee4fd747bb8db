package dbpedia

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas/names"
)

// triple is one statement of which all parts are IRIs.
type triple struct{ subject, predicate, object string }

// parseTriple reads `<s> <p> <o> .` with blanks or tabs between the parts. Nothing else is a triple
// here: no prefixes, blank nodes, literals or comments at the end.
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

// validIRI refuses the characters that N-Triples does. A backslash stands only before u or U, with
// its digits.
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

// escaper writes what a name in an IRI has as %XX; everything else but blanks stands as it is.
var escaper = func() *strings.Replacer {
	pairs := []string{" ", "_"}
	for _, r := range "\"#%<>?[\\]^`{|}" {
		pairs = append(pairs, string(r), fmt.Sprintf("%%%X", r))
	}
	return strings.NewReplacer(pairs...)
}()

// Name returns a page's title as the end of an IRI.
func Name(title string) string { return escaper.Replace(title) }

// Title returns the title that the end of an IRI names: numeric escapes, then percent signs, then the
// rules for blanks and NFC.
func Title(name string) (string, error) {
	name, err := unescape(name)
	if err != nil {
		return "", err
	}
	return names.Plain(names.DecodeAllPercent(name))
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
		if s = s[at:]; !strings.HasPrefix(s, `\u`) && !strings.HasPrefix(s, `\U`) {
			return "", errEscape
		}
		r, _, rest, err := strconv.UnquoteChar(s, 0)
		if err != nil {
			return "", errEscape
		}
		b.WriteRune(r)
		s = rest
	}
}
