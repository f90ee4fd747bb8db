package prompt

import (
	_ "embed"
	"strings"

	"github.com/wikinav/wikinav/schemas"
)

// ProbeVersion names the wording of the knowledge probe's question, as Version does that of a game.
const ProbeVersion = "probe.prompt/1"

// ProbeSHA256 is the digest of that wording's file, in hex.
var ProbeSHA256 = hashOf([]byte(probeText))

//go:embed probe-1.txt
var probeText string

// ProbeMessages asks whether the page source contains a link to the page target: one user message, with the answer
// wanted inside \boxed{}. Wikirace specification, 7.
func ProbeMessages(source, target string) []Message {
	text := strings.TrimSuffix(probeText, "\n")
	return []Message{{Role: schemas.RoleUser, Content: fill(text, "source", Escape(source), "target", Escape(target))}}
}
