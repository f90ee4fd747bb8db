package lumina

import (
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/schemas"
)

// Parse finds the action in a reply to a world. ok is false where there is none, or one of another
// world.
func Parse(env, reply string) (call worlds.Call, ok bool) {
	c, ok := calls.Parse(forms[env], reply)
	return worlds.Call{Name: c.Name, Index: c.Index, ID: c.Text}, ok
}

func readCall(env, text string) (worlds.Call, bool) {
	c, ok := calls.Read(forms[env], text)
	return worlds.Call{Name: c.Name, Index: c.Index, ID: c.Text}, ok
}

var forms = map[string][]calls.Form{
	schemas.LuminaList: {
		{Name: worlds.Pop, Shown: "pop(i)", Argument: calls.Integer, Keywords: []string{"id", "index", "i"}},
		{Name: worlds.Done, Shown: "done()"},
	},
	schemas.LuminaTree: {
		{Name: worlds.GetChildren, Shown: "get_children(x)", Argument: calls.Text, Keywords: []string{"id", "node_id"}},
		{Name: worlds.Found, Shown: "found(x)", Argument: calls.Text, Keywords: []string{"id", "node_id"}},
		{Name: worlds.Unreachable, Shown: "unreachable()"},
	},
	schemas.LuminaGrid: {
		{Name: worlds.Up, Shown: "up()"},
		{Name: worlds.Down, Shown: "down()"},
		{Name: worlds.Left, Shown: "left()"},
		{Name: worlds.Right, Shown: "right()"},
		{Name: worlds.Done, Shown: "done()"},
	},
}
