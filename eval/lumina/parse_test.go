package lumina

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

func block(content string) string { return "```python\n" + content + "\n```" }

const bad = "format error"

// parsed gives the canonical call, or bad.
func parsed(env, reply string) string {
	call, ok := Parse(env, reply)
	if !ok {
		return bad
	}
	return call.String()
}

// replies are the parser's table of the specification, 2.3, and sixty replies that try to trick it.
var replies = []struct{ env, reply, want string }{
	{"list", block("pop(3)"), "pop(3)"},
	{"list", block("pop(id=3)"), "pop(3)"},
	{"list", block("pop( index = 3 , )"), "pop(3)"},
	{"list", block(`pop("3")`), bad},
	{"list", block("pop(3); done()"), bad},
	{"list", block("pop(3)  # x"), bad},
	{"list", block("pop(1)") + "\n" + block("pop(2)"), "pop(2)"},
	{"list", "```python\npop(1)\n", bad},
	{"tree", block(`get_children('a"b')`), `get_children("a\"b")`},
	{"grid", block("up(1)"), bad},
	{"list", "```pop(3)```", bad},
	{"list", "", bad},
	{"list", block("pop(٣)"), bad},

	// sixty adversarial replies
	{"list", "pop(3)", bad},
	{"list", "I would call pop(3).", bad},
	{"list", block("-1"), bad},
	{"list", block("pop(-1)"), "pop(-1)"},
	{"list", block("pop(+1)"), "pop(1)"},
	{"list", block("pop(--1)"), bad},
	{"list", block("pop(- 1)"), bad},
	{"list", block("pop(1e1)"), bad},
	{"list", block("pop(1.0)"), bad},
	{"list", block("pop(0x1)"), bad},
	{"list", block("pop(007)"), "pop(7)"},
	{"list", block("pop(9999999999)"), "pop(9999999999)"},
	{"list", block("pop(00000000001)"), bad}, // eleven digits
	{"list", block("pop()"), bad},
	{"list", block("pop(,)"), bad},
	{"list", block("pop(1,,)"), bad},
	{"list", block("pop(1,2)"), bad},
	{"list", block("pop(1 2)"), bad},
	{"list", block("pop(i=1)"), "pop(1)"},
	{"list", block("pop(idx=1)"), bad},
	{"list", block("pop(ID=1)"), bad},
	{"list", block("pop(i==1)"), bad},
	{"list", block("pop(i)"), bad},
	{"list", block("pop(True)"), bad},
	{"list", block("pop(\n1)"), bad},
	{"list", block("pop\t(\t1\t)"), "pop(1)"},
	{"list", block("env.pop(1)"), bad},
	{"list", block("Pop(1)"), bad},
	{"list", block("pop(1))"), bad},
	{"list", block("(pop(1))"), bad},
	{"list", block("pop[1]"), bad},
	{"list", block("pop(1).x"), bad},
	{"list", block("x = pop(1)"), bad},
	{"list", block("pop(1)\npop(2)"), bad},
	{"list", block("\n\n  pop(1)\t\r\n"), "pop(1)"},
	{"list", block("pop(1)\x00"), bad},
	{"list", block(""), bad},
	{"list", block("done"), bad},
	{"list", block("done(,)"), bad},
	{"list", block("done( )"), "done()"},
	{"list", block("unreachable()"), bad}, // of another world
	{"list", block("up()"), bad},
	{"list", "```PYTHON\ndone()\n```", "done()"},
	{"list", "```Py  \ndone()\n```  ", "done()"},
	{"list", "```\ndone()\n```", "done()"},
	{"list", "```json\ndone()\n```", bad},
	{"list", "``` python\ndone()\n```", bad},
	{"list", "````\ndone()\n````", bad},
	{"list", "~~~\ndone()\n~~~", bad},
	{"list", "   ```\ndone()\n   ```", "done()"},
	{"list", "    ```\ndone()\n    ```", bad},
	{"list", "\t```\ndone()\n\t```", bad},
	{"list", "```\r\ndone()\r\n```\r\n", "done()"},
	{"list", "```\ndone()\n```python", bad}, // an info string closes nothing
	{"list", "```python\n```python\ndone()\n```", bad},
	{"list", block("pop(1)") + "\n```python\npop(2)", "pop(1)"}, // the last closed one
	{"list", block("pop(1)") + "\n" + block("nonsense"), bad},
	{"list", "\xff" + block("pop(1)"), bad},
	{"list", strings.Repeat("x", 1<<20) + "\n" + block("pop(1)"), "pop(1)"},
	{"list", block("pop(1)") + strings.Repeat(" ", 64<<10), bad}, // beyond the last 64 KiB
	{"list", strings.Repeat("é", 40_000) + "\n" + block("done()"), "done()"},
	{"tree", block(`get_children("hwd836")`), `get_children("hwd836")`},
	{"tree", block(`get_children(id='a')`), `get_children("a")`},
	{"tree", block(`found(node_id="a",)`), `found("a")`},
	{"tree", block(`get_children(hwd836)`), bad},
	{"tree", block(`get_children(12)`), bad},
	{"tree", block(`get_children("a`), bad},
	{"tree", block(`get_children("a\n")`), bad}, // no such escape
	{"tree", block("get_children(\"a\nb\")"), bad},
	{"tree", block(`get_children("a\\\"b\'")`), `get_children("a\\\"b'")`},
	{"tree", block(`get_children("a\")`), bad},
	{"tree", block(`get_children("a" "b")`), bad},
	{"tree", block(`get_children(f"a")`), bad},
	{"tree", block(`get_children("")`), `get_children("")`},
	{"tree", block(`unreachable("a")`), bad},
	{"grid", block("left ( )"), "left()"},
	{"grid", block("LEFT()"), bad},
	{"grid", block("up() up()"), bad},
	{"grid", block("done()") + " and then ```", bad}, // so nothing closes the block
}

func TestRepliesAreReadByTheGrammarAndNothingElse(t *testing.T) {
	if len(replies) < 13+60 {
		t.Errorf("%d replies, want the table and sixty more", len(replies))
	}
	for _, c := range replies {
		if got := parsed(c.env, c.reply); got != c.want {
			shown := c.reply[max(0, len(c.reply)-80):]
			t.Errorf("%s, reply %q: got %s, want %s", c.env, shown, got, c.want)
		}
	}
}

// FuzzParse looks for replies that panic, and for calls whose canonical text reads as something else.
func FuzzParse(f *testing.F) {
	for i, c := range replies {
		if len(c.reply) < 1000 {
			f.Add(uint8(i), c.reply)
		}
	}
	f.Fuzz(func(t *testing.T, world uint8, reply string) {
		env := schemas.LuminaEnvs[int(world)%len(schemas.LuminaEnvs)]
		if call, ok := Parse(env, reply); ok {
			if again := parsed(env, block(call.String())); again != call.String() {
				t.Errorf("%q: %s reads as %s", reply, call, again)
			}
		}
	})
}
