package reply

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Said is what a log of another harness tells of a structured reply; nil is what it does not tell.
type Said struct {
	Page        *string
	Reasoning   *string
	Restriction *string
}

// Fields reads the three fields under either of their names. A field of another name is refused:
// what a log says is not dropped in silence.
func Fields(fields map[string]any) (s Said, err error) {
	known := slices.Concat(nextPage, reasoning, restriction)
	for name := range fields {
		if !slices.Contains(known, name) {
			return s, fmt.Errorf("no field of a step is called %s", fault.Quote(name))
		}
	}
	for _, f := range []struct {
		names []string
		to    **string
	}{{nextPage, &s.Page}, {reasoning, &s.Reasoning}, {restriction, &s.Restriction}} {
		text, is := field(fields, f.names)
		switch is {
		case broken:
			return s, fmt.Errorf("%s is no text, or two", f.names[0])
		case present:
			*f.to = &text
		}
	}
	return s, nil
}

// Stated returns the reply, nil for one without any reason: its player was not asked for one.
func (s Said) Stated() *game.Stated {
	if s.Page == nil || s.Reasoning == nil && s.Restriction == nil {
		return nil
	}
	stated := &game.Stated{NextPage: *s.Page, Missing: s.Restriction == nil}
	if s.Reasoning != nil {
		stated.Reasoning = *s.Reasoning
	}
	if s.Restriction != nil {
		stated.Restriction = *s.Restriction
	}
	return stated
}
