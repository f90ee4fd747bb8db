package dbpedia

import (
	"strings"
	"unicode/utf8"
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
