package wikitext

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/schemas"
)

// NameTitle gives the title of a name in an edge list: rules 1, 4 and 6 of 5.2, without namespaces and first-letter rule.
func NameTitle(name string) (string, error) {
	if strings.IndexByte(name, '%') >= 0 {
		name = decodePercent(name)
	}
	return PlainTitle(name)
}

// PlainTitle is NameTitle without percent codes: NFC, and rule 6 for blanks and underscores.
func PlainTitle(name string) (string, error) {
	title := collapseBlanks(norm.NFC.String(name))
	if strings.ContainsRune(title, utf8.RuneError) {
		return "", errReplacement
	}
	if title == "" {
		return "", errEmpty
	}
	return title, nil
}

// TitleFlags gives the set of schemas.FlagList and FlagDate that a title earns in a language, for pages without text.
func TitleFlags(s *Site, title string) uint16 {
	return s.Flags(Title{Text: title}, "") &^ schemas.FlagDisambiguation
}
