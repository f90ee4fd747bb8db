// Package prompt renders what a model is shown of a WikiRace page: the one text that the frozen one-step set and every
// game have in common.
//
// It promises that equal arguments give equal bytes; that each link is one line, whatever stands in its title; and
// that text from a wiki is data: it is filled in once and never looked at again, so braces, percent signs and
// dollars in a title mean nothing, and characters that break lines or turn the writing direction are spelt out.
//
// It never decides which links a page offers (artifacts/menu, eval/links/game), sees no distance, and parses no reply.
//
// Rules: wikirace specification, 6.5; robustness specification, 9.
package prompt

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

type Message = schemas.Message

// Version names the wording. It rises with every change of the template, because scores under two wordings are no
// scores of one benchmark.
const Version = schemas.PagePrompt

// SHA256 is the digest of the template's file, in hex.
var SHA256 = digest.SHA256([]byte(template))

//go:embed wikirace-1.txt
var template string

// The template's parts: the system message, the user message, and what fills its slot for the lead text.
var systemText, userText, leadText, noLeadText string

func init() { Parts(template, &systemText, &userText, &leadText, &noLeadText) }

// Parts reads the parts of a template, which lines of four dashes separate, in the order of its file. It panics if
// there are more or fewer: a template is part of the program.
func Parts(template string, into ...*string) {
	list := strings.Split(strings.TrimSuffix(template, "\n"), "\n----\n")
	if len(list) != len(into) {
		panic(fmt.Sprintf("prompt: %d parts in a template, want %d", len(list), len(into)))
	}
	for i, part := range list {
		*into[i] = part
	}
}

// PageMessages gives the prompt of one turn: a system and a user message. visited are the titles so far, source
// first, current last, repetitions kept; links are the titles of the menu in the order shown, at least one. A nil
// lead leaves the page's text out; an empty one says that there is none.
func PageMessages(current, target string, visited []string, links []string, lead *string) []Message {
	current, target = Escape(current), Escape(target)
	return []Message{
		{Role: schemas.RoleSystem, Content: systemText},
		{Role: schemas.RoleUser, Content: Fill(userText,
			"current", current,
			"target", target,
			"lead", leadSlot(current, lead),
			"visited", strings.Join(EscapeAll(visited), " -> "),
			"links", Numbered(links),
			"last", strconv.Itoa(len(links)-1),
		)},
	}
}

// Hash is the digest that stands beside a prompt in records: SHA-256 of the messages in canonical JSON, in hex.
func Hash(messages []Message) string { return digest.SHA256(canon.MustMarshal(messages)) }

func leadSlot(current string, lead *string) string {
	switch {
	case lead == nil:
		return ""
	case *lead == "":
		return Fill(noLeadText, "current", current)
	}
	return Fill(leadText, "current", current, "text", Escape(*lead))
}

// Numbered gives the link lines, escaped, without a line end after the last.
func Numbered(titles []string) string {
	lines := EscapeAll(titles)
	for i, t := range lines {
		lines[i] = strconv.Itoa(i) + ". " + t
	}
	return strings.Join(lines, "\n")
}

// Read returns a template of a folder that is compiled in, without its last line end.
func Read(templates embed.FS, name string) string {
	data, err := templates.ReadFile("templates/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(string(data), "\n")
}

// Fill puts values into the slots of text, in one pass: what was put in is not searched for slots again.
func Fill(text string, slotsAndValues ...string) string {
	pairs := make([]string, len(slotsAndValues))
	for i, s := range slotsAndValues {
		if i%2 == 0 {
			s = "{" + s + "}"
		}
		pairs[i] = s
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
