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
	return fieldsOf(fields)
}

func fieldsOf(fields map[string]any) (s Said, err error) {
	for _, f := range []struct {
		names []string
		to    **string
	}{{nextPage, &s.Page}, {reasoning, &s.Reasoning}, {restriction, &s.Restriction}} {
		text, ok := field(fields, f.names)
		if !ok {
			return s, fmt.Errorf("%s is no text, or two", f.names[0])
		}
		*f.to = text
	}
	return s, nil
}

// field returns the text under a field's names, which may both stand if they agree: nil where none
// does, and false where it is no text, or two.
func field(fields map[string]any, names []string) (found *string, ok bool) {
	for _, name := range names {
		value, stands := fields[name]
		if !stands {
			continue
		}
		text, isText := value.(string)
		if !isText || found != nil && *found != text {
			return nil, false
		}
		found = &text
	}
	return found, true
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
