package judge

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escape reads the escape at the front of text and gives what it stands for and how long it is.
func (l *literal) escape(text string) (string, int, error) {
	if len(text) < 2 {
		return "", 0, errLiteral
	}
	both, python := "bfnrt\"\\", "'av0\n"
	if i := strings.IndexByte(both, text[1]); i >= 0 {
		return "\b\f\n\r\t\"\\"[i : i+1], 2, nil
	}
	switch c := text[1]; {
	case c == 'u':
		return escapedUnits(text)
	case c == '/' && !l.python:
		return "/", 2, nil
	case !l.python:
		return "", 0, errLiteral
	case c == 'x':
		return escapedCode(text, 2)
	case c == 'U':
		return escapedCode(text, 8)
	case c == '\n':
		return "", 2, nil
	}
	if i := strings.IndexByte(python, text[1]); i >= 0 {
		return "'\a\v\x00"[i : i+1], 2, nil
	}
	return text[:1], 1, nil // Python keeps a backslash that escapes nothing
}

// escapedUnits reads \uXXXX, and two of them where they are a surrogate pair. Half a pair becomes U+FFFD, which is in no name.
func escapedUnits(text string) (string, int, error) {
	high, ok := hexCode(text, 2, 4)
	if !ok {
		return "", 0, errLiteral
	}
	if utf16.IsSurrogate(high) && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		if low, ok := hexCode(text, 8, 4); ok && utf16.DecodeRune(high, low) != utf8.RuneError {
			return string(utf16.DecodeRune(high, low)), 12, nil
		}
	}
	return string(high), 6, nil
}

// escapedCode reads \xXX or \UXXXXXXXX.
func escapedCode(text string, digits int) (string, int, error) {
	code, ok := hexCode(text, 2, digits)
	if !ok || code > utf8.MaxRune {
		return "", 0, errLiteral
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
