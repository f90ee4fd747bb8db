package answer

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds on an answer, so that none can make the judge work for long.
const (
	maxText  = 64 << 10 // bytes of a response
	maxDepth = 4        // brackets within brackets
	maxItems = 1000     // of one list or object
)

var errLiteral = errors.New("not a literal")

// literal reads one value from the front of a text: JSON, or a literal of the Python subset.
// Numbers, truth values and nulls are read and become nil: no part of an answer is one of them.
type literal struct {
	text   string
	python bool
}

// members are the members of an object in order.
type members []struct {
	key   string
	value any
}

func (l *literal) value(depth int) (any, error) {
	l.skip()
	if l.text == "" || depth > maxDepth {
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
	out := members{}
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
	for range maxItems {
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
	_, err := strconv.ParseFloat(strings.ReplaceAll(digits, "_", ""), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
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

// escape reads the escape at the front of text and returns what it stands for and how long it is.
func (l *literal) escape(text string) (string, int, error) {
	if len(text) < 2 {
		return "", 0, errLiteral
	}
	from, to := `bfnrt"\/`, "\b\f\n\r\t\"\\/"
	if l.python {
		from, to = `bfnrt"\'av0`, "\b\f\n\r\t\"\\'\a\v\x00"
	}
	if i := strings.IndexByte(from, text[1]); i >= 0 {
		return to[i : i+1], 2, nil
	}
	switch digits := map[byte]int{'u': 4, 'x': 2, 'U': 8}[text[1]]; {
	case !l.python && text[1] != 'u':
		return "", 0, errLiteral
	case digits > 0:
		return escapedCode(text, digits)
	case text[1] == '\n':
		return "", 2, nil
	}
	return text[:1], 1, nil // Python keeps a backslash that escapes nothing
}

// escapedCode reads \xXX, \uXXXX or \UXXXXXXXX, and two of \uXXXX where they are a surrogate pair. Half a
// pair becomes U+FFFD, which is in no name.
func escapedCode(text string, digits int) (string, int, error) {
	code, ok := hexCode(text, 2, digits)
	if !ok || code > utf8.MaxRune {
		return "", 0, errLiteral
	}
	if digits == 4 && len(text) >= 12 && text[6:8] == `\u` {
		low, _ := hexCode(text, 8, 4)
		if pair := utf16.DecodeRune(code, low); pair != utf8.RuneError {
			return string(pair), 12, nil
		}
	}
	return string(code), 2 + digits, nil
}

func hexCode(text string, from, digits int) (rune, bool) {
	if len(text) < from+digits {
		return 0, false
	}
	code, err := strconv.ParseUint(text[from:from+digits], 16, 31)
	return rune(code), err == nil
}
