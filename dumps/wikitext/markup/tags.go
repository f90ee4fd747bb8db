// Package markup takes wikitext apart: tags, comments, templates, brackets and tables, and what readers see of them.
//
// Flattener takes out what is not text and leaves the bodies of tags to be read on their own; Braces and Templates find the calls in a
// flat text, Marks its brackets, braces and tables; WithoutTemplates and its like write what shows. Positions in text are byte
// offsets. Work is linear in the text but for sorting the templates, whatever the text. It never expands a template and never reads
// another page.
package markup

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
)

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
	Name  string // lower case
	kind  tagKind
	index int // its own in tags
}

// tags is the list of the specification (5.1 A).
var tags = slices.Concat(
	tagsOf(tagRaw, `nowiki pre math chem ce syntaxhighlight source score timeline hiero templatedata templatestyles graph
		mapframe maplink categorytree inputbox section charinsert rawhtml languages`),
	tagsOf(tagSub, "ref references gallery imagemap poem indicator langconvert"),
	tagsOf(tagHidden, "includeonly"),
	tagsOf(tagVanish, "noinclude onlyinclude"),
)

func tagsOf(kind tagKind, names string) (list []tag) {
	for name := range strings.FieldsSeq(names) {
		list = append(list, tag{Name: name, kind: kind})
	}
	return list
}

const longestTagName = len("syntaxhighlight")

var tagsByName = func() map[string]*tag {
	table := map[string]*tag{}
	for i := range tags {
		tags[i].index = i
		table[tags[i].Name] = &tags[i]
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
	for n < len(name) && start+n < len(text) && ascii.IsLetter(text[start+n]) {
		name[n] = text[start+n] | 0x20
		n++
	}
	end = start + n
	if end == len(text) || !ascii.IsSpace(text[end]) && text[end] != '/' && text[end] != '>' {
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
		if rest = ascii.TrimSpace(rest[len(name):]); strings.HasPrefix(rest, ">") {
			return i, len(text) - len(rest) + 1
		}
	}
}
