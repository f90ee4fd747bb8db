// Package calls is how players act who answer in words: the one call that a reply ends with.
//
// It owns the grammar of such calls, and the words that ask for one. Nothing is evaluated. A family
// says by its forms which calls there are.
package calls

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Form is a call that there is: without argument, or with one of a type, which may be named.
type Form struct {
	Name     string
	Shown    string // as an error shows it
	Argument Kind
	Keywords []string
}

type Kind int

const (
	None Kind = iota
	Integer
	Text
)

// Call is a call as it was made.
type Call struct {
	Name  string
	Index int64  // of an Integer
	Text  string // of a Text
}

// maxReply is how much of a reply is looked at, from its end.
const maxReply = 64 << 10

// Parse finds the action in a reply: the one call in the last closed code block. ok is false for
// everything else, a call of no form included.
func Parse(forms []Form, reply string) (call Call, ok bool) {
	if len(reply) > maxReply {
		reply = reply[len(reply)-maxReply:]
		for range utf8.UTFMax - 1 { // the cut may go through a character
			if reply == "" || utf8.RuneStart(reply[0]) {
				break
			}
			reply = reply[1:]
		}
	}
	if !utf8.ValidString(reply) {
		return Call{}, false
	}
	block, ok := lastBlock(reply)
	if !ok {
		return Call{}, false
	}
	return Read(forms, block)
}

// callForm is name "(" [ [ keyword "=" ] argument [ "," ] ] ")" and nothing more; a blank stands
// for any number of blanks and tabs. An integer is bounded, so that all fit. A string stands in
// either quotes, and its only escapes are those of the backslash and of both quotes.
var callForm = regexp.MustCompile(strings.ReplaceAll(`^([A-Za-z_]+) \( (?:(?:([A-Za-z_]+) = )?(?:`+
	`([+-]?[0-9]{1,10})|("(?:[^"\\\r\n]|\\["'\\])*"|'(?:[^'\\\r\n]|\\["'\\])*')`+`) ,? )?\)$`, " ", `[ \t]*`))

var (
	unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`)
	escape   = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)

// Read reads a call that stands alone.
func Read(forms []Form, text string) (Call, bool) {
	m := callForm.FindStringSubmatch(strings.Trim(text, " \t\r\n"))
	if m == nil {
		return Call{}, false
	}
	name, keyword, number, quoted := m[1], m[2], m[3], m[4]
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Name == name })
	if i < 0 || keyword != "" && !slices.Contains(forms[i].Keywords, keyword) {
		return Call{}, false
	}
	c := Call{Name: name}
	switch forms[i].Argument {
	case Integer:
		c.Index, _ = strconv.ParseInt(number, 10, 64)
		return c, number != ""
	case Text:
		if quoted == "" {
			return c, false
		}
		c.Text = unescape.Replace(quoted[1 : len(quoted)-1])
		return c, true
	}
	return c, number+quoted == ""
}

// Quote writes a text as an argument.
func Quote(text string) string { return `"` + escape.Replace(text) + `"` }

// lastBlock returns the content of the last closed code block.
func lastBlock(text string) (block string, ok bool) {
	var lines []string
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		fence, info := fenceLine(line)
		switch {
		case !open && fence:
			open, lines = true, nil
		case open && fence && info == "":
			open, ok = false, true
			block = strings.Join(lines, "\n")
		case open:
			lines = append(lines, line)
		}
	}
	return block, ok
}

// fenceLine reports whether a line opens or, without info, closes a block.
func fenceLine(line string) (fence bool, info string) {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 {
		return false, ""
	}
	rest, fence = strings.CutPrefix(rest, "```")
	info = strings.TrimRight(rest, " ")
	known := info == "" || strings.EqualFold(info, "python") || strings.EqualFold(info, "py")
	return fence && known, info
}

// Fence puts a call into the block that replies end with.
func Fence(call string) string { return "```python\n" + call + "\n```" }

// Shown lists the calls that there are, as texts.
func Shown(forms []Form) []string {
	out := make([]string, len(forms))
	for i, f := range forms {
		out[i] = f.Shown
	}
	return out
}

// FormatError answers a reply without an action.
func FormatError(forms []Form) string {
	return "Error: no valid action found. End your reply with one fenced code block that holds exactly one call: " +
		strings.Join(Shown(forms), ", ") + "."
}

// Headers of the blocks in which oracles speak.
const (
	PlanHeader  = "[PLAN]"
	StateHeader = "[STATE]"
)

// Block returns a block with its header, and nothing for an empty one.
func Block(header, content string) string {
	if content == "" {
		return ""
	}
	return header + "\n" + content
}

// Join puts the parts that are there into one message.
func Join(parts ...string) string {
	out := slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(out, "\n\n")
}
