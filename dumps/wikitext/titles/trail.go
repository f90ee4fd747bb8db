package titles

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
)

// linkTrail is the set of letters that belong to a link when they follow its `]]` directly.
type linkTrail struct {
	ascii      ascii.ByteSet
	beyond     unicode.RangeTable // letters beyond ASCII
	apostrophe bool               // an apostrophe belongs as well, unless another one follows: two are markup
}

// usualTrail is MediaWiki's own; wikis state others in the same form.
const usualTrail = "/^([a-z]+)(.*)$/sD"

// trailOf gives the trail of a site: as its siteinfo-namespaces.json states it, else that of its language, else the usual
// one. Understood is false if the stated pattern is of a form that we do not know; then the language decides.
func trailOf(info SiteInfo) (trail linkTrail, understood bool) {
	if info.LinkTrail != "" {
		if trail, understood = parseTrail(info.LinkTrail); understood {
			return trail, true
		}
	}
	trail, _ = parseTrail(wordsOf(strings.ToLower(info.Lang)).trailPattern())
	return trail, info.LinkTrail == ""
}

// length gives how many bytes at the start of text are trail.
func (t *linkTrail) length(text string) int {
	i := 0
	for i < len(text) {
		b := text[i]
		switch {
		case t.ascii[b]:
			i++
			continue
		case b == '\'' && t.apostrophe && !strings.HasPrefix(text[i+1:], "'"):
			i++
			continue
		case b < utf8.RuneSelf:
			return i
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if size == 1 || !unicode.Is(&t.beyond, r) {
			return i
		}
		i += size
	}
	return i
}

// lonelyApostrophe is how patterns write an apostrophe that no other follows. Go's expressions have no such condition, so
// that a code point which no text holds stands in for it.
const (
	lonelyApostrophe = "'(?!')"
	standIn          = '\uFDD0'
)

// parseTrail reads a pattern of PCRE such as /^([a-z]+)(.*)$/sD: repeated letters, as a class or as alternatives of
// classes and single letters. Without the flag u, letters beyond ASCII in a class would be bytes: no wiki has that.
func parseTrail(pattern string) (t linkTrail, ok bool) {
	end := strings.LastIndexByte(pattern, '/')
	if end < 1 || pattern[0] != '/' {
		return t, false
	}
	body, flags := pattern[1:end], pattern[end+1:]
	if strings.Trim(flags, "sDu") != "" || !strings.Contains(flags, "s") {
		return t, false
	}
	if !strings.Contains(flags, "u") && hasBytesInClass(body) {
		return t, false
	}
	body, begins := strings.CutPrefix(body, "^")
	body, ends := strings.CutSuffix(body, "(.*)$")
	if !begins || !ends || strings.ContainsRune(body, standIn) {
		return t, false
	}
	conditional := strings.ReplaceAll(body, lonelyApostrophe, string(standIn))
	tree, err := syntax.Parse(conditional, syntax.Perl)
	if err != nil {
		return t, false
	}
	letters, ok := repeated(tree)
	if !ok {
		return t, false
	}
	t.add(letters, conditional != body)
	return t, true
}

// hasBytesInClass tells whether a class of the pattern names anything beyond ASCII.
func hasBytesInClass(body string) bool {
	for {
		start := strings.IndexByte(body, '[')
		if start < 0 {
			return false
		}
		class, rest, _ := strings.Cut(body[start+1:], "]")
		if strings.ContainsFunc(class, func(r rune) bool { return r == '\\' || r == '^' || r >= utf8.RuneSelf }) {
			return true
		}
		body = rest
	}
}

// repeated gives the letters of which the match of an expression is any number, in pairs of bounds. The parser has made one
// class of alternatives that are one letter each.
func repeated(tree *syntax.Regexp) (letters []rune, ok bool) {
	for tree.Op == syntax.OpCapture {
		tree = tree.Sub[0]
	}
	if tree.Op == syntax.OpEmptyMatch {
		return nil, true
	}
	if tree.Op != syntax.OpPlus && tree.Op != syntax.OpStar {
		return nil, false
	}
	for tree = tree.Sub[0]; tree.Op == syntax.OpCapture; {
		tree = tree.Sub[0]
	}
	switch {
	case tree.Op == syntax.OpCharClass:
		return tree.Rune, true
	case tree.Op == syntax.OpLiteral && len(tree.Rune) == 1 && tree.Flags&syntax.FoldCase == 0:
		return []rune{tree.Rune[0], tree.Rune[0]}, true
	}
	return nil, false
}

// add takes in letters, given as pairs of bounds; conditional says what the stand-in means.
func (t *linkTrail) add(letters []rune, conditional bool) {
	for i := 0; i < len(letters); i += 2 {
		from, to := letters[i], letters[i+1]
		if conditional && from <= standIn && standIn <= to {
			t.apostrophe = true
			if from == to {
				continue
			}
		}
		for r := from; r <= min(to, unicode.MaxASCII); r++ {
			t.ascii[r] = true
		}
		if to > unicode.MaxASCII {
			t.beyond.R32 = append(t.beyond.R32, unicode.Range32{Lo: uint32(max(from, unicode.MaxASCII+1)), Hi: uint32(to), Stride: 1})
		}
	}
}

// trailPattern writes the trail of a language as wikis state it.
func (l *language) trailPattern() string {
	switch {
	case l.Trail == nil:
		return usualTrail
	case *l.Trail == "":
		return "/^()(.*)$/sD"
	}
	return "/^([" + *l.Trail + "]+)(.*)$/sDu"
}
