package worlds_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

func line(t testing.TB, env, level string) string {
	t.Helper()
	_, data, err := draw.Line(draw.Name{Root: 42, Env: env, Split: schemas.LuminaTest, Level: level})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAChangedInstanceIsRefused(t *testing.T) {
	for _, c := range []struct{ env, level, old, put string }{
		{"list", "k02", `"t_max":8`, `"t_max":9`},
		{"list", "k02", `"target":[693,`, `"target":[694,`},
		{"list", "k02", `"index":0`, `"index":1`},
		{"list", "k02", `"initial"`, `"Initial"`},
		{"list", "k02", `"env":"list"`, `"env":"grid"`},
		{"tree", "n007", `"t_clair":2`, `"t_clair":3`},
		{"tree", "n007", `"node":4`, `"node":5`},                                       // the answer
		{"tree", "n007", `"children":[1,2]`, `"children":[0,2]`},                       // a cycle
		{"tree", "n007", `"children":[1,2]`, `"children":[1,1]`},                       // a node with two parents
		{"tree", "n007", `"children":[1,2]`, `"children":[1,99]`},                      // no such node
		{"tree", "n007", `"source":0`, `"source":-1`},                                  // no such node
		{"tree", "n007", `{"children":false,"node":3}`, `{"children":false,"node":4}`}, // discloses the target
		{"grid", "n04", `"budget":12`, `"budget":13`},
		{"grid", "n04", `"goal":[3,1]`, `"goal":[3,4]`},
		{"grid", "n04", `[2,2],[3,2]`, `[3,2],[2,2]`},
		{"grid", "n04", `"n":4,"oob`, `"n":65,"oob`},
		{"grid", "n04", `lumina.grid/1`, `lumina.grid/2`},
	} {
		good := line(t, c.env, c.level)
		bad := strings.Replace(good, c.old, c.put, 1)
		if bad == good {
			t.Errorf("%s holds no %s", good, c.old)
		}
		if _, err := worlds.Decode([]byte(bad)); err == nil {
			t.Errorf("%s: %s for %s is accepted", c.env, c.put, c.old)
		}
	}
}

func TestTheCanonicalFormOfAState(t *testing.T) {
	for env, want := range map[string]any{
		"list": map[string]any{"cur": []int{367, 479, 693, 415, 341, 68}, "floor": 0},
		"tree": map[string]any{"known": [][3]int{{3, 1, 0}, {0, 1, 1}, {1, 0, 0}, {2, 0, 0}}},
		"grid": map[string]any{"pos": []int{0, 3}, "remaining": 12},
	} {
		inst, err := worlds.Decode([]byte(line(t, env, draw.Levels(env)[0])))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(inst.Start.AppendCanonical(nil)); got != string(canon.MustMarshal(want)) {
			t.Errorf("%s: got %s, want %s", env, got, canon.MustMarshal(want))
		}
	}
}

func TestEveryRecordHasTheFieldsOfTheSpecification(t *testing.T) {
	common := "schema id env split level index seed knobs budget_rule t_star t_max "
	for env, more := range map[string]string{
		"list": "initial target", "tree": "nodes source facts target_value answer t_clair t_worst",
		"grid": "n start goal holes hole_cost oob_cost d_start budget",
	} {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line(t, env, draw.Levels(env)[0])), &fields); err != nil {
			t.Fatal(err)
		}
		names := strings.Fields(common + more)
		for _, name := range names {
			if fields[name] == nil {
				t.Errorf("%s has no %s", env, name)
			}
		}
		if len(fields) != len(names) {
			t.Errorf("%s has %d fields, want %d", env, len(fields), len(names))
		}
	}
}

// FuzzDecode looks for lines that are accepted and cannot be played.
func FuzzDecode(f *testing.F) {
	for _, env := range schemas.LuminaEnvs {
		f.Add([]byte(line(f, env, draw.Levels(env)[0])))
	}
	f.Add([]byte(`{"schema":"lumina.list/1"}`))
	f.Add([]byte(`{"schema":"lumina.grid/1","n":3,"holes":[[0,0]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		inst, err := worlds.Decode(data)
		if err != nil {
			return
		}
		s, outcome := inst.Start, ""
		for turns := 0; outcome == ""; turns++ {
			if turns > inst.TMax && inst.Env != schemas.LuminaTree {
				t.Fatalf("%s: no end within %d turns", data, inst.TMax)
			}
			var e worlds.Effect
			s, e = s.Apply(s.Optimal()[0])
			outcome = e.Outcome
		}
		if outcome != schemas.OutcomeSuccess {
			t.Fatalf("%s: the optimal policy ends with %s", data, outcome)
		}
	})
}

func TestTheIDIsTheHashOfTheRecordWithoutIt(t *testing.T) {
	for _, env := range schemas.LuminaEnvs {
		var fields map[string]any
		data := line(t, env, draw.Levels(env)[0])
		if err := json.Unmarshal([]byte(data), &fields); err != nil {
			t.Fatal(err)
		}
		var tree map[string]json.RawMessage
		if err := json.Unmarshal([]byte(data), &tree); err != nil {
			t.Fatal(err)
		}
		delete(tree, "id")
		sum := sha256.Sum256(canon.MustMarshal(tree))
		if got, want := fields["id"], env+"-"+draw.Levels(env)[0]+"-"+hex.EncodeToString(sum[:6]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
