package mango

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/maze"
	"github.com/wikinav/wikinav/schemas"
)

const (
	exitsMark = "Exits: "
	noExits   = "none"
)

// fixedWords are what every observation may say beside the title of its page.
var fixedWords = append([]string{"exits", noExits}, directions[:]...)

// steps tells the walk: what was done, where that led, and what is seen there.
func (k *walk) observed(links []link) []schemas.MangoStep {
	out := []schemas.MangoStep{k.arrive(0, maze.Act0, "", k.pages[0], links)}
	for i, s := range k.steps {
		act := ""
		for _, l := range links {
			if l.from == s[0] && l.to == s[1] {
				act = directions[l.direction]
			}
		}
		out = append(out, k.arrive(i+1, act, k.Title(s[0]), s[1], links))
	}
	return out
}

func (k *walk) arrive(step int, act, src string, page uint32, links []link) schemas.MangoStep {
	exits := exitsOf(page, links)
	title := k.Title(page)
	return schemas.MangoStep{Step: step, Act: act, Src: src, Dst: title, Exits: exits, Observation: observation(title, exits)}
}

// exitsOf lists the directions of all edges of the maze out of a page, in order of the directions: also those never walked.
func exitsOf(page uint32, links []link) []string {
	var numbers []int
	for _, l := range links {
		if l.from == page {
			numbers = append(numbers, l.direction)
		}
	}
	slices.Sort(numbers)
	out := []string{}
	for _, d := range numbers {
		out = append(out, directions[d])
	}
	return out
}

// Brackets would look like the start of an answer.
var noBrackets = strings.NewReplacer("[", "(", "]", ")")

func observation(title string, exits []string) string {
	list := noExits
	if len(exits) > 0 {
		list = strings.Join(exits, ", ")
	}
	return noBrackets.Replace(title + "\n" + exitsMark + list)
}

// namesAnother finds an observation that names a location where it was not made.
func namesAnother(steps []schemas.MangoStep, locations []string) (step int, name string, found bool) {
	for _, s := range steps {
		text := strings.ToLower(s.Observation)
		for _, other := range locations {
			if other != s.Dst && holds(text, strings.ToLower(noBrackets.Replace(other))) {
				return s.Step, other, true
			}
		}
	}
	return 0, "", false
}

// holds tells whether name stands in text as a word or several: no letter or digit goes on beyond its ends. Both are in
// lower case.
func holds(text, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		start := from + i
		if bounded(text, start, start+len(name)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		from = start + size
	}
}

func bounded(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !isWord(before) && !isWord(after)
}

// isWord is false for the replacement character, which the decoder gives at the ends of a text.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
