package aar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
)

// Bounds of rewordings: how often a model is asked for another wording of a riddle, and how often
// in all to take out what one gave away.
const (
	MaxRewordings  = 5
	MaxCorrections = 3
)

// LeakNumbers is the check that a reworded clue has the numbers of the clue that it stands for, and
// none else.
const LeakNumbers = "numbers"

const rewordSystem = "You put riddles into other words. Each numbered clue stays one clue with its number. " +
	"Keep every other number, unit and word that says what is asked for, and which clues and which pages a " +
	"clue speaks of. Add no names, no facts, no answers and no hints. Reply with the riddle alone."

// RewordMessages returns what a model is asked for the wording of a riddle that is tried so often
// before.
func RewordMessages(riddle string, try int) []schemas.Message {
	return []schemas.Message{
		{Role: schemas.RoleSystem, Content: rewordSystem},
		{
			Role:    schemas.RoleUser,
			Content: fmt.Sprintf("Wording %d of %d of this riddle:\n\n%s", try+1, MaxRewordings, riddle),
		},
	}
}

// Correct adds a reply to messages, and what is wrong with it by the name of a check: never what it
// gave away, which the model need not know.
func Correct(messages []schemas.Message, reply, check string) []schemas.Message {
	return append(slices.Clone(messages),
		schemas.Message{Role: schemas.RoleAssistant, Content: reply},
		schemas.Message{
			Role: schemas.RoleUser,
			Content: "That wording fails the check " + check + ": " + rewordAdvice[check] +
				" Write the whole riddle again.",
		})
}

// rewordAdvice says what is to be done about a check that can be corrected.
var rewordAdvice = map[string]string{
	LeakTitle:   "it holds the name of a page. Use the words of the riddle for pages.",
	LeakToken:   "it holds the words of the name of a page. Use the words of the riddle for pages.",
	LeakValue:   "it holds a value that is to be found. Add no numbers and no facts.",
	LeakNames:   "it holds the name of a tool or an identifier. Use plain words.",
	LeakClues:   "the clues are not those of the riddle. Begin each with its number and a point, on a line of its own.",
	LeakNumbers: "a clue lacks a number of the riddle's clue, or has one more. Keep exactly its numbers, as digits.",

	LeakExpression: "it holds the computation in numbers. Name clues, as the riddle does.",
}

// Correctable reports whether a model can be told what to do about a check.
func Correctable(check string) bool { return rewordAdvice[check] != "" }

// RewordCall is the call by which the reply to messages is recorded.
func RewordCall(messages []schemas.Message) MadeCall {
	args := []byte(`{"messages":[`)
	for _, m := range messages {
		args = append(appendString(append(comma(args, '['), `{"content":`...), m.Content), `,"role":`...)
		args = append(appendString(args, m.Role), '}')
	}
	return MadeCall{ToolLLM, append(args, `],"temperature":0}`...)}
}

// Reply returns the reply that was recorded; recorded is false for a call that was not, and a call
// that was answered by an error has the reply "".
func (c *Cassette) Reply(call MadeCall) (reply string, recorded bool) {
	if c == nil {
		return "", false
	}
	r, ok := c.Find(call.Tool, call.Args)
	if ok && r.Status == RecordedOK {
		reply, _ = text(r.Response)
	}
	return strings.TrimSpace(strings.ReplaceAll(reply, "\r\n", "\n")), ok
}

// Reworded reports whether the riddle of a leg is in other words than those of the tables.
func Reworded(l *schemas.AARLeg) bool {
	return l.Metadata.Reverbalized != nil && *l.Metadata.Reverbalized
}

var spokenNumber = regexp.MustCompile(`\d+(?:[.,]\d+)*`)

func numbersSpoken(text string) []string {
	list := spokenNumber.FindAllString(text, -1)
	slices.Sort(list)
	return list
}

// KeepsNumbers reports whether each clue of a riddle has the numbers of that of another one.
func KeepsNumbers(riddle, of string) bool {
	return slices.EqualFunc(SplitRiddle(riddle), SplitRiddle(of), func(a, b string) bool {
		return slices.Equal(numbersSpoken(a), numbersSpoken(b))
	})
}

// withoutNumbers takes the numbers that a wording of the clue of stop i prints out of the clue;
// kept is false where the clue lacks one of every wording. What else the clue says is free.
func withoutNumbers(l *schemas.AARLeg, i int, clue string) (rest string, kept bool) {
	forms, known := formsOf(l, i)
	if !known {
		return clue, true
	}
	for _, form := range forms {
		rest, all := clue, true
		for _, n := range spokenNumber.FindAllString(form, -1) {
			at := slices.IndexFunc(spokenNumber.FindAllStringIndex(rest, -1),
				func(m []int) bool { return rest[m[0]:m[1]] == n })
			if at < 0 {
				all = false
				break
			}
			m := spokenNumber.FindAllStringIndex(rest, -1)[at]
			rest = rest[:m[0]] + "…" + rest[m[1]:]
		}
		if all {
			return rest, true
		}
	}
	return clue, false
}
