package lumina

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/schemas"
)

// maxReply is how much of a reply is looked at, from its end.
const maxReply = 64 << 10

// Parse finds the action in a reply to a world: the one call in the last closed code block. Nothing
// is evaluated. ok is false for everything else, a call of another world included.
func Parse(env, reply string) (call worlds.Call, ok bool) {
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
		return worlds.Call{}, false
	}
	block, ok := lastBlock(reply)
	if !ok {
		return worlds.Call{}, false
	}
	return readCall(env, block)
}

// callForm is name "(" [ [ keyword "=" ] argument [ "," ] ] ")" and nothing more; a blank stands for any number of
// blanks and tabs. An integer is bounded, so that all fit. A string stands in either quotes, and its only escapes
// are those of the backslash and of both quotes.
var callForm = regexp.MustCompile(strings.ReplaceAll(`^([A-Za-z_]+) \( (?:(?:([A-Za-z_]+) = )?(?:`+
	`([+-]?[0-9]{1,10})|("(?:[^"\\\r\n]|\\["'\\])*"|'(?:[^'\\\r\n]|\\["'\\])*')`+`) ,? )?\)$`, " ", `[ \t]*`))

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`)

func readCall(env, text string) (worlds.Call, bool) {
	m := callForm.FindStringSubmatch(strings.Trim(text, " \t\r\n"))
	if m == nil {
		return worlds.Call{}, false
	}
	name, keyword, number, quoted := m[1], m[2], m[3], m[4]
	i := slices.IndexFunc(signatures[env], func(s signature) bool { return s.name == name })
	if i < 0 || keyword != "" && !slices.Contains(signatures[env][i].keywords, keyword) {
		return worlds.Call{}, false
	}
	c := worlds.Call{Name: name}
	switch signatures[env][i].argument {
	case integer:
		c.Index, _ = strconv.ParseInt(number, 10, 64)
		return c, number != ""
	case quote:
		if quoted == "" {
			return c, false
		}
		c.ID = unescape.Replace(quoted[1 : len(quoted)-1])
		return c, true
	}
	return c, number+quoted == ""
}

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

// signature is a call of a world: without argument, or with one of a type, which may be named.
type signature struct {
	name     string
	text     string // as an error shows it
	argument kind
	keywords []string
}

type kind int

const (
	noArgument kind = iota
	integer
	quote
)

var signatures = map[string][]signature{
	schemas.LuminaList: {
		{worlds.Pop, "pop(i)", integer, []string{"id", "index", "i"}},
		{worlds.Done, "done()", noArgument, nil},
	},
	schemas.LuminaTree: {
		{worlds.GetChildren, "get_children(x)", quote, []string{"id", "node_id"}},
		{worlds.Found, "found(x)", quote, []string{"id", "node_id"}},
		{worlds.Unreachable, "unreachable()", noArgument, nil},
	},
	schemas.LuminaGrid: {
		{worlds.Up, "up()", noArgument, nil},
		{worlds.Down, "down()", noArgument, nil},
		{worlds.Left, "left()", noArgument, nil},
		{worlds.Right, "right()", noArgument, nil},
		{worlds.Done, "done()", noArgument, nil},
	},
}

// signatureTexts lists the calls of a world for the error that asks for one.
func signatureTexts(env string) []string {
	var out []string
	for _, s := range signatures[env] {
		out = append(out, s.text)
	}
	return out
}
