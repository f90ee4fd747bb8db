// Package prompt renders the questions of a maze as text: a prefix of the walkthrough, the allowed moves, the places, and what is
// asked (mango specification 7).
//
// It promises that a prompt follows from the maze, the prefix and the template alone, that names stand in it as JSON strings, so that
// a comma or a quote in a title cannot be misread, and that the digest of the template tells one wording from another.
package prompt

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Styles of the keys that an answer's objects have. The judge accepts both.
const (
	StyleLocations = "location" // location_before, action, location_after
	StylePaper     = "paper"    // prev_node, action, node
)

// Styles lists the styles, the default first.
var Styles = []string{StyleLocations, StylePaper}

//go:embed templates/*.txt
var templates embed.FS

type Options struct {
	Compass bool   // the moves are directions, and exits are shown
	Style   string // of the keys; "" for the first of Styles
}

// Maze is what all questions of one maze and prefix share.
type Maze struct {
	walkthrough, moves, locations string
	df, rf                        Template
}

// Template is a wording with its digest. The style of the keys is part of it.
type Template struct{ Text, SHA256 string }

// exitRule holds for mazes of ours: a direction is reserved for the way back even where there is none.
const exitRule = `After an action, the opposite direction leads back exactly when it is listed among the exits of the place where you are.
`

// New prepares the questions of a maze whose readers see these steps of the walkthrough.
func New(prefix []maze.WalkStep, moves, locations []string, o Options) *Maze {
	return &Maze{
		walkthrough: Prefix(prefix), moves: quotedSorted(moves), locations: quotedSorted(locations),
		df: load(schemas.MangoDF, o), rf: load(schemas.MangoRF, o),
	}
}

func load(task string, o Options) Template {
	data, err := templates.ReadFile("templates/" + task + ".txt")
	if err != nil {
		panic(err) // the folder is compiled in
	}
	before, after := "location_before", "location_after"
	if o.Style == StylePaper {
		before, after = "prev_node", "node"
	}
	rule := ""
	if o.Compass {
		rule = exitRule
	}
	text := strings.NewReplacer("{{before}}", before, "{{action}}", "action", "{{after}}", after, "{{rule}}\n", rule).Replace(string(data))
	return Template{text, digest.SHA256([]byte(text))}
}

// DF asks where a list of moves leads, and gives the digest of the template beside the prompt.
func (m *Maze) DF(src string, actions []string) (text, sha256 string) {
	return m.fill(m.df, "{{src}}", quote(src), "{{actions}}", list(actions))
}

// RF asks for a way.
func (m *Maze) RF(src, dst string) (text, sha256 string) {
	return m.fill(m.rf, "{{src}}", quote(src), "{{dst}}", quote(dst))
}

// fill replaces all markers at once, so that none inside a name is taken for one.
func (m *Maze) fill(t Template, pairs ...string) (text, sha256 string) {
	pairs = append(pairs, "{{walkthrough}}", m.walkthrough, "{{moves}}", m.moves, "{{locations}}", m.locations)
	return strings.NewReplacer(pairs...).Replace(t.Text), t.SHA256
}

// Prefix renders steps from 0 on, without separators.
func Prefix(steps []maze.WalkStep) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(stepText(i, s))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func stepText(i int, s maze.WalkStep) string {
	return "STEP NUM: " + strconv.Itoa(i) + "\nACT: " + s.Act + "\nOBSERVATION: " + s.Observation + "\n"
}

// Runes4 counts tokens as a quarter of the characters, rounded up.
func Runes4(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

// Longest gives the largest step N such that the prefix 0..N has at most max tokens under count; -1 if not even step 0 fits.
func Longest(steps []maze.WalkStep, most int, count func(string) int) int {
	// Counts need not grow with the text by the same amount, so that each prefix is counted whole.
	for n := len(steps) - 1; n >= 0; n-- {
		if count(Prefix(steps[:n+1])) <= most {
			return n
		}
	}
	return -1
}

func quote(name string) string { return string(canon.AppendString(nil, name)) }

func list(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func quotedSorted(names []string) string {
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	return list(slices.Compact(sorted))
}
