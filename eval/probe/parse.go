package probe

import (
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

// What the parser looks for, and what may stand around an answer.
const (
	box    = `\boxed{`
	text   = `\text{`
	around = " \t\r\n\"'`“”‘’"
)

// parser names the parser and pins its patterns. It rises with every change of what is read.
var parser = schemas.Versioned{
	Version: "probe/1",
	SHA256:  digest.SHA256([]byte(strings.Join([]string{"probe/1", box, text, around}, "\n"))),
}

// Parse reads an answer: what the last \boxed{} with balanced braces holds, schemas.GoldYes or
// schemas.GoldNo, or "" for what is neither.
func Parse(reply string) string {
	for end := len(reply); ; {
		at := strings.LastIndex(reply[:end], box)
		if at < 0 {
			return ""
		}
		if inside, ok := balanced(reply[at+len(box):]); ok {
			return yesOrNo(inside)
		}
		end = at
	}
}

// balanced returns what stands before the brace that closes one that is open.
func balanced(s string) (string, bool) {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[:i], true
			}
		}
	}
	return "", false
}

func yesOrNo(s string) string {
	s = strings.Trim(s, around)
	if inner, ok := strings.CutPrefix(s, text); ok {
		s = strings.Replace(inner, "}", "", 1)
	}
	s = strings.Trim(strings.TrimSuffix(strings.Trim(s, around), "."), around)
	if s = strings.ToLower(s); s == schemas.GoldYes || s == schemas.GoldNo {
		return s
	}
	return ""
}
