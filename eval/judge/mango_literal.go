package judge

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds on an answer, so that none can make the judge work for long.
const (
	mangoMaxText  = 64 << 10 // bytes of a response
	mangoMaxDepth = 4        // brackets within brackets
	mangoMaxItems = 1000     // of one list or object
)

var errLiteral = errors.New("not a literal")

// literal reads one value from the front of a text: JSON, or a literal of the Python subset. Numbers, truth values and
// nulls are read and become nil: no part of an answer is one of them.
type literal struct {
	text   string
	python bool
}

// pairs are the members of an object in order.
type pairs []struct {
	key   string
	value any
}

func (l *literal) value(depth int) (any, error) {
	l.skip()
	if l.text == "" || depth > mangoMaxDepth {
		return nil, errLiteral
	}
	switch c := l.text[0]; {
	case c == '[':
		return l.list(depth)
	case c == '{':
		return l.object(depth)
	case c == '"' || c == '\'' && l.python:
		return l.quoted()
	case c == '-' || c == '+' && l.python || c >= '0' && c <= '9' || c == '.' && l.python:
		return nil, l.number()
	}
	return nil, l.word()
}

// skip passes over white space as JSON has it; Python's form feed is no part of any answer.
func (l *literal) skip() { l.text = strings.TrimLeft(l.text, " \t\r\n") }

// next passes over c, if that is what comes.
func (l *literal) next(c byte) bool {
	l.skip()
	if l.text == "" || l.text[0] != c {
		return false
	}
	l.text = l.text[1:]
	return true
}

func (l *literal) list(depth int) (any, error) {
	out := []any{}
	err := l.items('[', ']', func() error {
		v, err := l.value(depth + 1)
		out = append(out, v)
		return err
	})
	return out, err
}

func (l *literal) object(depth int) (any, error) {
	out := pairs{}
	err := l.items('{', '}', func() error {
		l.skip()
		if l.text == "" || l.text[0] != '"' && l.text[0] != '\'' {
			return errLiteral
		}
		key, err := l.value(depth + 1)
		if err != nil || !l.next(':') {
			return errLiteral
		}
		v, err := l.value(depth + 1)
		name, _ := key.(string)
		out = append(out, struct {
			key   string
			value any
		}{name, v})
		return err
	})
	return out, err
}

// items reads what stands between two brackets, separated by commas; Python allows one more at the end.
func (l *literal) items(open, end byte, item func() error) error {
	if !l.next(open) {
		return errLiteral
	}
	if l.next(end) {
		return nil
	}
	for range mangoMaxItems {
		if err := item(); err != nil {
			return err
		}
		if l.next(end) {
			return nil
		}
		if !l.next(',') {
			return errLiteral
		}
		if l.python && l.next(end) {
			return nil
		}
	}
	return errLiteral
}

func (l *literal) number() error {
	end := strings.IndexFunc(l.text, func(r rune) bool { return !strings.ContainsRune("+-.0123456789eE_", r) })
	if end < 0 {
		end = len(l.text)
	}
	digits := l.text[:end]
	if strings.Contains(digits, "_") && !l.python {
		return errLiteral
	}
	if _, err := strconv.ParseFloat(strings.ReplaceAll(digits, "_", ""), 64); err != nil && !errors.Is(err, strconv.ErrRange) {
		return errLiteral
	}
	l.text = l.text[end:]
	return nil
}

func (l *literal) word() error {
	words := []string{"true", "false", "null"}
	if l.python {
		words = []string{"True", "False", "None"}
	}
	for _, w := range words {
		if rest, ok := strings.CutPrefix(l.text, w); ok {
			l.text = rest
			return nil
		}
	}
	return errLiteral
}

// quoted reads a string. Neither form may hold a line break.
func (l *literal) quoted() (any, error) {
	quote := l.text[0]
	var b strings.Builder
	for i := 1; i < len(l.text); {
		switch c := l.text[i]; {
		case c == quote:
			l.text = l.text[i+1:]
			return b.String(), nil
		case c == '\n' || c == '\r' || c < 0x20 && !l.python:
			return nil, errLiteral
		case c != '\\':
			_, size := utf8.DecodeRuneInString(l.text[i:])
			b.WriteString(l.text[i : i+size])
			i += size
		default:
			text, size, err := l.escape(l.text[i:])
			if err != nil {
				return nil, err
			}
			b.WriteString(text)
			i += size
		}
	}
	return nil, errLiteral
}
