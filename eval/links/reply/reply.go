// Package reply finds the choice in what a model answered.
//
// It owns the parsers wikirace/2, the default, wikirace/1, strict and lenient, and constrained/1,
// which reads the structured replies of games with a ban. It promises that a reply means the same
// everywhere: the rules are tried in one order, and the first that yields a value decides. It never
// guesses beyond its rules and does not know whether a choice is on the menu's end or beyond: that
// is for package game.
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
	// Read returns the move, and the rule that read it; "" where rules have no names.
	Read(text string, o game.Observation) (game.Move, string)
}

// Names lists the parsers that a game's replies may be read by, the default first. All are one for
// games with a ban, whose replies are structured.
var Names = []string{"2", "1", "1-lenient"}

// For returns the reader of games under opts by its name, "" for the default; strict and lenient
// are those of version 1. False for another name.
func For(opts schemas.GameOptions, name string) (Reader, bool) {
	back := opts.Back == game.BackOn
	reader, ok := map[string]Reader{
		"": Second{back}, "2": Second{back}, "1": Parser{Back: back}, "1-lenient": Parser{Back: back, Lenient: true},
		"strict": Parser{Back: back}, "lenient": Parser{Back: back, Lenient: true},
	}[name]
	if ok && game.HasBan(opts) {
		reader = Structured{}
	}
	return reader, ok
}

// ReaderOf returns the reader of that version for games under opts, false if it is not ours.
func ReaderOf(v *schemas.Versioned, opts schemas.GameOptions) (Reader, bool) {
	for _, name := range Names {
		if r, _ := For(opts, name); v != nil && *v == r.Version() {
			return r, true
		}
	}
	return nil, false
}

// Read is Parse with the titles that were shown.
func (p Parser) Read(text string, o game.Observation) (game.Move, string) {
	return p.parse(text, o.Titles())
}

// Sizes beyond which only the end of a reply is read.
const (
	maxReply = 1 << 20
	keptEnd  = 64 << 10
)

// Parse returns the move that text makes in a menu of these titles.
func (p Parser) Parse(text string, menu []string) game.Move {
	m, _ := p.parse(text, menu)
	return m
}

func (p Parser) parse(text string, menu []string) (game.Move, string) {
	text = answer(text)
	type rule struct {
		name string
		find func(string, []string) (string, bool)
	}
	rules := []rule{{RuleTag, p.inTag}, {RuleWhole, p.whole}, {RuleLine, line}, {RulePhrase, afterName}}
	if p.Lenient {
		rules = append(rules, rule{"integer", lastInteger}, rule{"title", titleLine})
	}
	for _, r := range rules {
		if value, ok := r.find(text, menu); ok {
			return move(value), r.name
		}
	}
	return game.NoMove(game.ReasonUnparsed), RuleNone
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
