package demo

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// link writes a link to thing i in one of the forms that editors use; all of them lead to the same page.
func (a *article) link(i int) string {
	t := &a.w.things[i]
	if t.alias != "" && a.r.Below(3) == 0 {
		return "[[" + pick(a.r, t.otherTitles()) + "]]"
	}
	switch v := a.r.Below(100); {
	case v < 62:
		return "[[" + t.title + "]]"
	case v < 70 && t.kind == kindTopic:
		return several(t.title)
	case v < 76 && t.title != t.name:
		return "[[" + t.title + "|" + t.name + "]]"
	case v < 80:
		return "[[" + strings.ReplaceAll(t.title, " ", "_") + "|" + t.name + "]]"
	case v < 85:
		return "[[" + lowered(t.title) + "|" + t.name + "]]"
	case v < 88:
		return "[[" + url.PathEscape(t.title) + "|" + t.name + "]]"
	case v < 91:
		return "[[" + t.title + "#History|" + t.name + "]]"
	case v < 94:
		return "[[" + entities(t.title) + "|" + t.name + "]]"
	case v < 96:
		return "[[:" + t.title + "|" + t.name + "]]"
	case v < 98:
		return "[[ " + strings.ReplaceAll(t.title, " ", "  ") + " |''" + t.name + "'']]"
	}
	return "[[" + t.title + "]]"
}

// several links to a topic as to many of its kind.
func several(title string) string {
	one, many := lowered(title), many(title)
	if end, ok := strings.CutPrefix(many, one); ok {
		return "[[" + one + "]]" + end
	}
	return "[[" + title + "|" + many + "]]"
}

// many is the plural of a topic, if it has one.
func many(topic string) string {
	if word := text.Plurals[topic]; word != "" {
		return word
	}
	return plural(lowered(topic))
}

// inline links to thing i in the midst of a sentence, where topics stand in the plural.
func (a *article) inline(i int) string {
	link, name := a.link(i), a.w.things[i].name
	target, label, piped := strings.Cut(link, "|")
	switch {
	case a.w.things[i].kind != kindTopic:
		return link
	case piped:
		return target + "|" + strings.Replace(label, name, many(name), 1)
	case link == "[["+name+"]]":
		return several(name)
	}
	return link
}

// lowered is title with a small first letter, where first-letter wikis raise exactly that letter again.
func lowered(title string) string {
	r, n := utf8.DecodeRuneInString(title)
	if small := unicode.ToLower(r); unicode.ToUpper(small) == r {
		return string(small) + title[n:]
	}
	return title
}

// entities writes what is not ASCII, and the ampersand, as character references.
func entities(title string) string {
	var b strings.Builder
	for n, r := range []rune(title) {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == 'é':
			b.WriteString("&eacute;")
		case r >= utf8.RuneSelf && n%2 == 0:
			fmt.Fprintf(&b, "&#x%X;", r)
		case r >= utf8.RuneSelf:
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
