package wikitext

import "strings"

// titleError says which rule a text breaks. The values are constants, because bad titles are common in links.
type titleError string

func (e titleError) Error() string { return string(e) }

// The reasons why a text is no title.
const (
	errURL         titleError = "title begins like an external link"
	errReplacement titleError = "title holds U+FFFD or invalid UTF-8"
	errEmpty       titleError = "title is empty"
	errCharacter   titleError = "title holds a character that titles cannot have"
	errEncoded     titleError = "title holds a percent code or a character reference"
	errRelative    titleError = "title is or holds a relative path"
	errTildes      titleError = "title holds ~~~"
	errLong        titleError = "title is too long"
	errColon       titleError = "title begins with a colon"
)

// Bytes of UTF-8 in a title, without its namespace prefix.
const (
	maxTitleBytes   = 255
	maxSpecialBytes = 512
)

// checkText is rule 10; t tells namespace and interwiki prefix of the text.
func checkText(text string, t Title) error {
	limit := maxTitleBytes
	if t.NS == nsSpecial {
		limit = maxSpecialBytes
	}
	switch {
	case text == "" && t.NS != nsMain:
		return errEmpty
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
		if isPercentCode(text[i:]) || text[i] == '&' && referenceLen(text[i:]) > 0 {
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
