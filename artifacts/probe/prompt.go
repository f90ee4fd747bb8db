package probe

import (
	_ "embed"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
)

// PromptVersion names the wording of the question.
const PromptVersion = "probe.prompt/1"

// PromptSHA256 is the digest of that wording's file, in hex.
var PromptSHA256 = digest.SHA256([]byte(wording))

//go:embed prompt-1.txt
var wording string

// Messages asks whether the page source contains a link to the page target: one user message, with the answer wanted inside
// \boxed{}.
func Messages(source, target string) []prompt.Message {
	text := strings.TrimSuffix(wording, "\n")
	return []prompt.Message{{Role: schemas.RoleUser, Content: prompt.Fill(text, "source", prompt.Escape(source), "target", prompt.Escape(target))}}
}
