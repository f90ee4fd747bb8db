// Package prompt renders what a player of the three worlds reads: system text, task, observations,
// oracle blocks.
//
// It owns every word that reaches a model; TemplateSHA256 pins them.
// It is given views, which have no field for anything that the player may not know (nodes unseen,
// the answer, distances, optimal calls), and imports no package that has: that nothing leaks is
// checked by the compiler. Text of instances and replies is escaped, and substituted in a single
// pass, so that it never expands.
//
// Wording: lumina specification, sections 6 to 8.
package prompt

import (
	"embed"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	words "github.com/wikinav/wikinav/artifacts/prompt"
)

// Version rises with any change of a text. 1: first wording. 2: examples reason about their state.
const Version = "lumina/2"

// View is a moment of a world as the player may know it.
type View interface {
	// Task states the whole task with this moment as its start.
	Task() string
	// State is the content of a state block: with the task's text it suffices to act.
	State() string
	// Why says from what this moment shows why an optimal call is one.
	Why(Call) string
}

// Call is a call of a world: its name, and the index or the id that it takes.
type Call struct {
	Name  string
	Index int64
	ID    string
}

//go:embed templates
var templates embed.FS

func read(name string) string { return words.Read(templates, name) }

// fill replaces {name} by its value; pairs are names and values in turn.
func fill(template string, pairs ...string) string { return words.Fill(read(template), pairs...) }

// Escape makes text from an instance or a reply harmless in a prompt, by the rules of all prompts;
// what stands for a broken character is spelt out, too.
func Escape(text string) string {
	return strings.ReplaceAll(words.Escape(text), "\uFFFD", `\u{FFFD}`)
}

func SystemText(env string) string { return read(env + ".system") }

// TemplateSHA256 pins version and templates of a world.
func TemplateSHA256(env string) string {
	text := Version
	for _, part := range []string{".system", ".task", ".state"} {
		text += "\x00" + env + part + "\x00" + read(env+part)
	}
	return digest.SHA256([]byte(text))
}

const (
	ExamplesLine = "=== Examples of other tasks, to show the format ==="
	TaskLine     = "=== Your task ==="
)
