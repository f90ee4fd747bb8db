package maze

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Separator is the line between steps.
const Separator = "==========="

const (
	markStep        = "==>STEP NUM: "
	markAct         = "==>ACT: "
	markObservation = "==>OBSERVATION: "
)

// Act0 is the act of step 0.
const Act0 = "Init"

// WalkStep is a step of a walkthrough; its number is its place. Observation may span lines.
type WalkStep struct{ Act, Observation string }

// Walkthrough is a walkthrough file. Text is the file as it was read or written.
type Walkthrough struct {
	Steps []WalkStep // 0..Last
	Text  []byte
}

// Last gives the largest step number.
func (w *Walkthrough) Last() int { return len(w.Steps) - 1 }

// NewWalkthrough writes the text for steps, of which there is at least one.
func NewWalkthrough(steps []WalkStep) *Walkthrough {
	var b strings.Builder
	for i, s := range steps {
		fmt.Fprintf(&b, "%s\n%s%d\n%s%s\n%s%s\n\n", Separator, markStep, i, markAct, s.Act, markObservation, s.Observation)
	}
	b.WriteString(Separator + "\n")
	return &Walkthrough{steps, []byte(b.String())}
}

// ParseWalkthrough reads a walkthrough. A step starts where three marked lines follow each other; anything else is text of
// the step before, so that a game may print what looks like one mark.
func ParseWalkthrough(data []byte) (*Walkthrough, error) {
	if !utf8.Valid(data) {
		return nil, fault.New(fault.Malformed, "walkthrough: not UTF-8")
	}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	if lines[0] != Separator {
		return nil, fault.New(fault.Malformed, "walkthrough: step 0: no separator at the start")
	}
	w := &Walkthrough{Text: bytes.Clone(data)}
	var text []string
	for i := 1; i < len(lines); i++ {
		number, ok := stepAt(lines[i:])
		if !ok {
			text = append(text, lines[i])
			continue
		}
		if err := w.expect(number); err != nil {
			return nil, err
		}
		w.end(text)
		w.Steps = append(w.Steps, WalkStep{Act: strings.TrimPrefix(lines[i+1], markAct)})
		text = []string{strings.TrimSuffix(strings.TrimPrefix(lines[i+2]+" ", markObservation), " ")}
		i += 2
	}
	if len(w.Steps) == 0 {
		return nil, fault.New(fault.Malformed, "walkthrough: step 0 is missing")
	}
	w.end(text)
	return w, nil
}

// stepAt tells whether a step starts with the first of lines. The mark of the observation may have lost its last blank,
// where the observation begins on the next line.
func stepAt(lines []string) (int, bool) {
	if len(lines) < 3 || !strings.HasPrefix(lines[1], markAct) || !strings.HasPrefix(lines[2]+" ", markObservation) {
		return 0, false
	}
	number, ok := strings.CutPrefix(lines[0], markStep)
	n, err := strconv.Atoi(strings.TrimSpace(number))
	return n, ok && err == nil
}

func (w *Walkthrough) expect(number int) error {
	next := len(w.Steps)
	switch {
	case number == next:
		return nil
	case next == 0:
		return fault.New(fault.Malformed, "walkthrough: step 0 is missing, the first is %d", number)
	case number < next:
		return fault.New(fault.Malformed, "walkthrough: step %d stands twice", number)
	}
	return fault.New(fault.Malformed, "walkthrough: step %d is missing before step %d", next, number)
}

// end gives the step under way its text, without the separator and the empty lines that close it.
func (w *Walkthrough) end(text []string) {
	if len(w.Steps) == 0 {
		return
	}
	for len(text) > 0 && (text[len(text)-1] == "" || text[len(text)-1] == Separator) {
		text = text[:len(text)-1]
	}
	last := &w.Steps[len(w.Steps)-1]
	last.Observation = strings.Join(text, "\n")
}
