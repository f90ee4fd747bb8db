package edgelist

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

const (
	someEdges = "# a comment\nB\tA\nA\tB\nA\tA\nB\tA\nList_of_things\tA\nA\t1999\n"
	someNodes = "A\nB\nList_of_things\n1999\nLonely\n"
)

func given(t *testing.T, files map[string]string) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	for role, content := range files {
		env.GiveExternal(schemas.EdgeList, role+".tsv", role, []byte(content))
	}
	return env
}

func TestEdgelistKeepsTheContractOfStages(t *testing.T) {
	stagetest.Run(t, New(Params{}), given(t, map[string]string{RoleEdges: someEdges, RoleNodes: someNodes}))
}

func TestEveryEdgeIsKeptMergedOrCounted(t *testing.T) {
	env := given(t, map[string]string{RoleEdges: someEdges, RoleNodes: someNodes})
	env.MustRun(New(Params{Wiki: "things"}))
	for name, want := range map[string]int64{"pages": 5, "links_found": 6, "links_self": 1, "links_kept": 5} {
		if got := env.Counters[name]; got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]int64{"pages.arrow": 5, "links.arrow": 4, "link-titles.arrow": 4, "redirects.arrow": 0} {
		if got := env.Outputs[name].Rows; got != want {
			t.Errorf("%s: %d rows, want %d", name, got, want)
		}
	}
	if s := string(env.Read("snapshot.json")); !strings.Contains(s, `"wiki":"things"`) || !strings.Contains(s, `"date":"00000000"`) {
		t.Errorf("snapshot %s", s)
	}
}
