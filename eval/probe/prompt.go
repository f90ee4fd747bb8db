package probe

import (
	_ "embed"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
)

//go:embed prompt-1.txt
var promptText string

// Prompt names the wording of the question. It rises with every change of the text.
var Prompt = schemas.Versioned{Version: "probe.prompt/1", SHA256: digest.SHA256([]byte(promptText))}

// Messages asks whether the page source contains a link to the page target: one user message, with the
// answer wanted inside \boxed{}. Titles are filled in once and spelled so that none can break its line.
func Messages(source, target string) []schemas.Message {
	fill := strings.NewReplacer("{source}", prompt.Escape(source), "{target}", prompt.Escape(target))
	return []schemas.Message{{Role: schemas.RoleUser, Content: fill.Replace(strings.TrimSuffix(promptText, "\n"))}}
}
