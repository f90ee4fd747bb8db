// Package reply finds the choice in what a model answered.
//
// It owns the parser wikirace/1, strict and lenient, and constrained/1, which reads the structured
// replies of games with a ban. It promises that a reply means the same everywhere: the rules are
// tried in one order, the first that yields a value decides, and of several values in one rule the
// last. It never guesses beyond its rules and does not know whether a choice is on the menu's end
// or beyond: that is for package game.
package reply

import (
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// Parser reads replies. The zero value is strict.
type Parser struct {
	Lenient bool // also takes the last integer anywhere, and a line that is a title of the menu
	Back    bool // "back" may stand where the number does in an answer tag, a box, or the whole reply
}

func (p Parser) Version() schemas.Versioned {
	name := schemas.NumberParser
	if p.Lenient {
		name += "-lenient"
	}
	all := []string{name, tagged.String(), named.String(), integer.String(), decoration}
	return schemas.Versioned{Version: name, SHA256: digest.SHA256([]byte(strings.Join(all, "\n")))}
}

// Reader reads the replies of a game; o is what the player was shown.
type Reader interface {
	Version() schemas.Versioned
	Read(text string, o game.Observation) game.Move
}

// For returns the reader of games under opts. Structured replies have no lenient reading.
func For(opts schemas.GameOptions, lenient bool) Reader {
	if game.HasBan(opts) {
		return Structured{}
	}
	return Parser{Lenient: lenient, Back: opts.Back == game.BackOn}
}

// ReaderOf returns the reader of that version for games under opts, false if it is not ours.
func ReaderOf(v *schemas.Versioned, opts schemas.GameOptions) (Reader, bool) {
	for _, lenient := range []bool{false, true} {
		if r := For(opts, lenient); v != nil && *v == r.Version() {
			return r, true
		}
	}
	return nil, false
}

// Read is Parse with the titles that were shown.
func (p Parser) Read(text string, o game.Observation) game.Move { return p.Parse(text, o.Titles()) }

// Sizes beyond which only the end of a reply is read.
const (
	maxReply = 1 << 20
	keptEnd  = 64 << 10
)

// Parse returns the move that text makes in a menu of these titles.
func (p Parser) Parse(text string, menu []string) game.Move {
	text = answer(text)
	rules := []func(string, []string) (string, bool){p.inTag, p.whole, line, afterName}
	if p.Lenient {
		rules = append(rules, lastInteger, titleLine)
	}
	for _, rule := range rules {
		if value, ok := rule(text, menu); ok {
			return move(value)
		}
	}
	return game.NoMove(game.ReasonUnparsed)
}

const wayBack = "back"

func move(value string) game.Move {
	if value == wayBack {
		return game.Back()
	}
	n := 0
	for _, digit := range value {
		n = 10*n + int(digit-'0')
	}
	return game.Pick(n)
}

// answer returns what is read of a reply: without its thoughts, and of an overlong one the end.
func answer(text string) string {
	if len(text) > maxReply {
		text = text[len(text)-keptEnd:]
	}
	return thought(text)
}

// thought removes what stands in <think> blocks; one that is not closed removes the rest.
func thought(text string) string {
	const opening, closing = "<think>", "</think>"
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, opening)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, after, closed := strings.Cut(rest, closing)
		if !closed {
			return b.String()
		}
		text = after
	}
}
