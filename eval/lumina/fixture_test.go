package lumina

import (
	"os"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

// every tells to play all published test instances instead of some of each level; it takes a minute.
var every = os.Getenv("WIKINAV_EVERY_WORLD") != ""

func drawn(t testing.TB, root int64, env, split, level string, index int) *worlds.Instance {
	t.Helper()
	_, line, err := draw.Line(draw.Name{Root: root, Env: env, Split: split, Level: level, Index: index})
	if err != nil {
		t.Fatal(err)
	}
	inst, err := worlds.Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

func newBook(t testing.TB) *Book {
	t.Helper()
	var list []*worlds.Instance
	for _, env := range schemas.LuminaEnvs {
		level, indices := draw.Examples(env)
		for _, i := range indices {
			list = append(list, drawn(t, 42, env, schemas.LuminaFewshot, level, i))
		}
	}
	return NewBook(list)
}

// eachInstance visits the published test instances of a root seed, all or the first and the last two of ten of each level.
func eachInstance(t *testing.T, root int64, visit func(*worlds.Instance)) {
	t.Helper()
	for _, env := range schemas.LuminaEnvs {
		for _, level := range draw.Levels(env) {
			for i := range 100 {
				if every || i < 10 && (i == 0 || i >= 8) {
					visit(drawn(t, root, env, schemas.LuminaTest, level, i))
				}
			}
		}
	}
}

func newEpisode(t testing.TB, inst *worlds.Instance, cfg family.Config, book *Book) *Episode {
	t.Helper()
	e, err := New(inst, cfg, Defaults(), book, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// listOf makes a list instance by hand.
func listOf(t testing.TB, initial, target []int) *worlds.Instance {
	t.Helper()
	r := schemas.LuminaListInstance{LuminaHead: schemas.LuminaHead{Split: "test", Level: "hand"}, Initial: initial, Target: target}
	if _, err := worlds.SealList(&r); err != nil {
		t.Fatal(err)
	}
	return decoded(t, &r)
}
