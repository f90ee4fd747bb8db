package mango

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
)

const (
	exitsMark = "Exits: "
	noExits   = "none"
)

// fixedWords are what every observation may say beside the title of its page.
var fixedWords = append([]string{"exits", noExits}, directions[:]...)

// observed tells the walk: what was done, where that led, and what is seen there.
func (k *walk) observed(links []link) []schemas.MangoStep {
	leads := k.leads()
	arrive := func(step int, act, src string, page uint32) schemas.MangoStep {
		title, exits := k.Title(page), exitsOf(page, links)
		return schemas.MangoStep{Step: step, Act: act, Src: src, Dst: title, Exits: exits, Observation: observation(title, leads[page], exits)}
	}
	out := []schemas.MangoStep{arrive(0, maze.Act0, "", k.pages[0])}
	for i, s := range k.steps {
		act := ""
		for _, l := range links {
			if l.from == s[0] && l.to == s[1] {
				act = directions[l.direction]
			}
		}
		out = append(out, arrive(i+1, act, k.Title(s[0]), s[1]))
	}
	return out
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

var noBrackets = strings.NewReplacer("[", "(", "]", ")")

// plain replaces brackets, which would look like the start of an answer.
func plain(text string) string { return noBrackets.Replace(text) }

// observation has a line each for the title, the lead if there is one, and the exits.
func observation(title, lead string, exits []string) string {
	list := noExits
	if len(exits) > 0 {
		list = strings.Join(exits, ", ")
	}
	lines := []string{plain(title), lead, exitsMark + list}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// namesAnother finds an observation that names a location where it was not made.
func namesAnother(steps []schemas.MangoStep, locations []string) (step int, name string, found bool) {
	for _, s := range steps {
		text := strings.ToLower(s.Observation)
		for _, other := range locations {
			if other != s.Dst && holds(text, strings.ToLower(plain(other))) {
				return s.Step, other, true
			}
		}
	}
	return 0, "", false
}
