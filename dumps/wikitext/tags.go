package wikitext

import "strings"

// tagKind says what happens to a tag and its body.
type tagKind uint8

const (
	tagRaw    tagKind = iota // the body is not wikitext: dropped
	tagSub                   // the body is wikitext on its own
	tagHidden                // the body is for other pages: dropped, and it needs no closing tag
	tagVanish                // only the tag itself goes
)

// tag is one of the tags that step A knows.
type tag struct {
	name  string // lower case
	kind  tagKind
	place place // tagSub: where links of the body are, at the least
	index int   // its own in tags
}

// tags is the list of the specification (5.1 A). For kinds other than tagSub the place means nothing.
var tags = []tag{
	{name: "nowiki"},
	{name: "pre"},
	{name: "math"},
	{name: "chem"},
	{name: "ce"},
	{name: "syntaxhighlight"},
	{name: "source"},
	{name: "score"},
	{name: "timeline"},
	{name: "hiero"},
	{name: "templatedata"},
	{name: "templatestyles"},
	{name: "graph"},
	{name: "mapframe"},
	{name: "maplink"},
	{name: "categorytree"},
	{name: "inputbox"},
	{name: "section"},
	{name: "charinsert"},
	{name: "rawhtml"},
	{name: "languages"},
	{name: "ref", kind: tagSub, place: inRefs},
	{name: "references", kind: tagSub, place: inRefs},
	{name: "gallery", kind: tagSub, place: inCaptions},
	{name: "imagemap", kind: tagSub, place: inCaptions},
	{name: "poem", kind: tagSub, place: inBody},
	{name: "indicator", kind: tagSub, place: inBody},
	{name: "langconvert", kind: tagSub, place: inBody},
	{name: "includeonly", kind: tagHidden},
	{name: "noinclude", kind: tagVanish},
	{name: "onlyinclude", kind: tagVanish},
}

const longestTagName = len("syntaxhighlight")

var tagsByName = func() map[string]*tag {
	table := map[string]*tag{}
	for i := range tags {
		tags[i].index = i
		table[tags[i].name] = &tags[i]
	}
	return table
}()

// tagAt recognises a tag that we know at the `<` at the start of text, and gives the offset of the end of its name.
func tagAt(text string) (t *tag, closing bool, end int) {
	start := 1
	if closing = strings.HasPrefix(text, "</"); closing {
		start = 2
	}
	var name [longestTagName]byte
	n := 0
	for n < len(name) && start+n < len(text) && isLetter(text[start+n]) {
		name[n] = text[start+n] | 0x20
		n++
	}
	end = start + n
	if end == len(text) || !isSpace(text[end]) && text[end] != '/' && text[end] != '>' {
		return nil, closing, end
	}
	return tagsByName[string(name[:n])], closing, end
}

// closingTag finds the first closing tag of that name, in any case, with blanks before the `>`. Start is negative if
// there is none.
func closingTag(text, name string) (start, end int) {
	for i := 0; ; i += len("</") {
		next := strings.Index(text[i:], "</")
		if next < 0 {
			return -1, -1
		}
		i += next
		rest := text[i+len("</"):]
		if len(rest) < len(name) || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		if rest = trimSpace(rest[len(name):]); strings.HasPrefix(rest, ">") {
			return i, len(text) - len(rest) + 1
		}
	}
}
