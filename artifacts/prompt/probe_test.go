package prompt

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

// The wording is frozen, as that of the game is: a change raises ProbeVersion.
func TestTheProbesWordingIsThatOfItsVersion(t *testing.T) {
	const version, sha = "probe.prompt/1", "3a1bc74dd7b639a7d1b936c7e5ddae0b0caf8631ba3c2362ba460fd9c0d5df7f"
	if ProbeVersion != version || ProbeSHA256 != sha {
		t.Errorf("%s has SHA-256 %s, want %s of %s", ProbeVersion, ProbeSHA256, sha, version)
	}
	got := ProbeMessages("A", "B")
	if len(got) != 1 || got[0].Role != schemas.RoleUser {
		t.Fatalf("got %+v, want one user message", got)
	}
	for _, want := range []string{`"A" contain a link to the article titled "B"?`, `\boxed{}`} {
		if !strings.Contains(got[0].Content, want) {
			t.Errorf("no %q in\n%s", want, got[0].Content)
		}
	}
}

func TestATitleCannotBreakTheProbesQuestion(t *testing.T) {
	lines := strings.Count(ProbeMessages("A", "B")[0].Content, "\n")
	for _, title := range append([]string{"{source}", `\boxed{yes}`}, hostile...) {
		text := ProbeMessages(title, title)[0].Content
		if got := strings.Count(text, "\n"); got != lines {
			t.Errorf("title %q: %d line ends, want %d", title, got, lines)
		}
		if got, want := strings.Count(text, `"`+Escape(title)+`"`), 2; got < want {
			t.Errorf("title %q stands %d times between quotes, want %d:\n%s", title, got, want, text)
		}
	}
}
