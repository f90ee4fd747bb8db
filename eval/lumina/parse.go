package lumina

import (
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

// readCall reads a call that stands alone.
func readCall(env, text string) (worlds.Call, bool) {
	p := parser{rest: strings.Trim(text, " \t\r\n")}
	return p.call(signatures[env])
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
	text
)

var signatures = map[string][]signature{
	schemas.LuminaList: {
		{worlds.Pop, "pop(i)", integer, []string{"id", "index", "i"}},
		{worlds.Done, "done()", noArgument, nil},
	},
	schemas.LuminaTree: {
		{worlds.GetChildren, "get_children(x)", text, []string{"id", "node_id"}},
		{worlds.Found, "found(x)", text, []string{"id", "node_id"}},
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

// maxIntDigits bounds an integer; all that have so many fit.
const maxIntDigits = 10

// parser reads a call from the front of rest. Its methods report false for a rest that does not
// fit.
type parser struct{ rest string }

// call reads: name "(" [ argument [ "," ] ] ")" and nothing more.
func (p *parser) call(known []signature) (worlds.Call, bool) {
	name := p.word()
	for _, s := range known {
		if s.name != name {
			continue
		}
		c := worlds.Call{Name: name}
		ok := p.token("(") && p.argument(s, &c) && p.token(")") && p.rest == ""
		return c, ok
	}
	return worlds.Call{}, false
}

func (p *parser) argument(s signature, c *worlds.Call) bool {
	if s.argument == noArgument {
		return true
	}
	if !p.keyword(s.keywords) {
		return false
	}
	var ok bool
	if s.argument == integer {
		c.Index, ok = p.integer()
	} else {
		c.ID, ok = p.text()
	}
	p.token(",") // one may trail
	return ok
}

// keyword skips `name =`; without a name there is nothing to skip.
func (p *parser) keyword(known []string) bool {
	before := p.rest
	name := p.word()
	if name == "" {
		p.rest = before
		return true
	}
	for _, k := range known {
		if k == name {
			return p.token("=")
		}
	}
	return false
}

// token skips blanks, and then t.
func (p *parser) token(t string) bool {
	p.blanks()
	rest, ok := strings.CutPrefix(p.rest, t)
	p.rest = rest
	return ok
}

func (p *parser) blanks() { p.rest = strings.TrimLeft(p.rest, " \t") }

// word takes a run of ASCII letters and underscores.
func (p *parser) word() string {
	p.blanks()
	n := 0
	for n < len(p.rest) && (p.rest[n] == '_' || p.rest[n]|0x20 >= 'a' && p.rest[n]|0x20 <= 'z') {
		n++
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

func (p *parser) integer() (int64, bool) {
	p.blanks()
	n := 0
	if n < len(p.rest) && (p.rest[n] == '-' || p.rest[n] == '+') {
		n++
	}
	digits := n
	for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
	}
	if n == digits || n-digits > maxIntDigits {
		return 0, false
	}
	value, err := strconv.ParseInt(p.rest[:n], 10, 64)
	p.rest = p.rest[n:]
	return value, err == nil
}

// text reads a string in either quotes, whose only escapes are those of the backslash and of both
// quotes.
func (p *parser) text() (string, bool) {
	p.blanks()
	if p.rest == "" || p.rest[0] != '"' && p.rest[0] != '\'' {
		return "", false
	}
	quote, b := p.rest[0], strings.Builder{}
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == quote:
			p.rest = p.rest[i+1:]
			return b.String(), true
		case c == '\n' || c == '\r':
			return "", false
		case c == '\\':
			i++
			if i == len(p.rest) || !strings.ContainsRune(`\"'`, rune(p.rest[i])) {
				return "", false
			}
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
