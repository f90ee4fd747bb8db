package serve_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/linkstest"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/schemas"
)

// bans serves games under a ban.
func bans(w *gametest.World, instances ...schemas.ConstrainedInstance) serve.Config {
	split := linkstest.Split{Name: "instances"}
	for _, inst := range instances {
		split.Tasks = append(split.Tasks, bantest.TaskOf(inst))
	}
	c := config(w)
	c.Host = hostOf(w, game.BanDefaults, w.Node, split)
	return c
}

func k7() serve.Config {
	w := gametest.K7()
	return bans(w, bantest.Banned(w, "cw-0001", 0, 5, "Work"))
}

func TestAGameUnderABanIsPlayedWithItsReasons(t *testing.T) {
	c := serving(t, k7())
	b := c.start("cw-0001", `{}`)
	if o := b.Observation; o.Banned != "Work" || o.Intro == nil || o.Step != 1 {
		t.Errorf("got %+v", o)
	}
	c.move(b.Game, `{"step":1,"title":"A","reasoning":"the only link","restriction_reasoning":"an event"}`)
	again := c.move(b.Game, `{"step":1,"title":"A"}`)
	if r := again.Observation.Recent; again.Observation.Step != 2 || len(r) != 1 || r[0].Justification != "the only link" {
		t.Errorf("the same choice again, without its reasons: %+v", again)
	}
	m := c.move(b.Game, `{"step":2,"reply":"{\"next_page\":\"B\",\"reasoning\":\"near\",\"restriction_reasoning\":\"no work\"}"}`)
	if !m.Valid || m.Observation.Current.Title != "B" {
		t.Errorf("got %+v", m)
	}
	at := "/v1/games/" + b.Game
	for _, wrong := range []struct{ field, body string }{
		{"reasoning", `{"step":3,"reply":"x","reasoning":"y"}`},
		{"reasoning", `{"step":3,"title":"T","restriction_reasoning":"y"}`},
		{"reasoning", `{"step":3,"title":"T","reasoning":7}`},
		{"choice", `{"step":3,"reasoning":"y","restriction_reasoning":"z"}`},
	} {
		c.refused(400, family.CodeBadField, wrong.field, "POST", at+"/move", wrong.body)
	}
	c.refused(400, family.CodeBadChoice, "title", "POST", at+"/move", `{"step":3,"title":"X","reasoning":""}`)
	c.refused(409, family.CodeBackDisabled, "", "POST", at+"/back", `{"step":3}`)
	if m := c.move(b.Game, `{"step":3,"choice":0}`); m.Outcome != schemas.OutcomeSuccess {
		t.Errorf("got %+v", m)
	}
	var traced struct {
		Steps []struct {
			NextPageRaw *string `json:"next_page_raw"`
			Reasoning   *string
		}
	}
	c.ask("GET", at+"/trace", "", &traced)
	if s := traced.Steps; len(s) != 3 || *s[0].NextPageRaw != "A" || *s[1].Reasoning != "near" || s[2].Reasoning != nil {
		t.Errorf("got %+v", s)
	}
}

func TestNothingOfLabelsAndWaysAroundThemIsTold(t *testing.T) {
	w := wide().Label(seed, "Work", "Place", "Event")
	instances, _ := bantest.BannedInstances(w, seed, 5, 3, "Work", "Place", "Event")
	for _, options := range []string{
		`{}`, `{"max_links":20,"pruning":"top"}`, `{"history":"chat","ban_text":"name","target_intro":0}`,
		`{"revisit":"hide","invalid":"consume","no_path":"on"}`, `{"invalid":"retry","format_retries":2}`,
	} {
		if found := scan(t, bans(w, instances...), options); len(found) > 0 {
			t.Errorf("under %s the answers tell %v", options, found)
		}
	}
	exposed := scan(t, expose(bans(w, instances...)), `{"invalid":"consume","oracle":"SP","history":"chat"}`)
	for _, key := range []string{"d_after", "d_before", "distance", "labels", "optimal", "plan", "violates"} {
		if !slices.Contains(exposed, key) {
			t.Errorf("the scan does not find %s where it is exposed, but %v", key, exposed)
		}
	}
}

func Test64GamesUnderBansAtOnce(t *testing.T) {
	w := wide().Label(seed, "Work", "Place")
	instances, _ := bantest.BannedInstances(w, seed, 8, 3, "Work", "Place")
	c := serving(t, bans(w, instances...))
	ends := make(chan string, 64)
	for i := range 64 {
		go func() {
			way := ""
			defer func() { ends <- way }()
			id := c.start(instances[i%8].ID, `{"revisit":"allow"}`).Game
			m := moved{}
			for step := 1; !m.Done; step++ {
				m = c.move(id, fmt.Sprintf(`{"step":%d,"choice":0,"reasoning":"%d"}`, step, i))
			}
			way = instances[i%8].ID + m.Outcome + fmt.Sprint(m.Observation.Visited)
		}()
	}
	ways := map[string]int{}
	for range 64 {
		ways[<-ends]++
	}
	for way, n := range ways {
		if n != 8 {
			t.Errorf("%d games went %s, want 8", n, way)
		}
	}
}
