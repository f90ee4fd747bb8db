package endpoint

import (
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Secret is an API key. Whatever prints it prints stars; only a request's header gets what it holds.
type Secret struct{ text string }

const stars = "***"

// NewSecret takes a key as it stands in a file or in the environment, with blanks around it. A key with a byte that no header can carry
// is refused, without being shown.
func NewSecret(text string) (Secret, error) {
	text = strings.TrimSpace(text)
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return Secret{}, fault.New(fault.Usage, "the API key holds a byte that is no printable ASCII character").Hint("a key is one word")
		}
	}
	return Secret{text}, nil
}

// Empty tells that there is no key: requests carry no Authorization header then.
func (s Secret) Empty() bool { return s.text == "" }

func (Secret) String() string               { return stars }
func (Secret) GoString() string             { return stars }
func (Secret) MarshalText() ([]byte, error) { return []byte(stars), nil }
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + stars + `"`), nil }
func (Secret) LogValue() slog.Value         { return slog.StringValue(stars) }

// shortest is the length from which a key is looked for in what the endpoint says: nobody's secret is shorter, and a placeholder such as
// "none" is a word that a model may use.
const shortest = 8

// hide takes the key out of a text of the endpoint, which may say it back.
func (s Secret) hide(text string) string {
	if len(s.text) < shortest {
		return text
	}
	return strings.ReplaceAll(text, s.text, stars)
}

// Format prints stars under every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, stars) }
