package serve_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
)

// told are the keys that an answer to a player may hold.
var told = strings.Fields(`
	status release games total items id split source target page_id title max_steps max_links game options_sha256 observation schema
	instance step steps_left current visited links i context notice back done outcome valid reason turns error code message field
	steps run page menu choice to invalid_reason prompt_sha256 reply_sha256 reply reasoning usage cost latency_ms retries oracle
	state steps_used visits loop frontier on
	banned target_intro recent from chosen justification next_page_raw restriction_reasoning missing_field thinking`)

// leaks walks all keys of an answer, and gives those that a player must not see.
func leaks(value any) (found []string) {
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			if !slices.Contains(told, key) {
				found = append(found, key)
			}
			found = append(found, leaks(below)...)
		}
	case []any:
		for _, below := range v {
			found = append(found, leaks(below)...)
		}
	}
	return found
}

// scan plays a game of each instance, asks every route on the way, and gives the keys that leak.
func scan(t *testing.T, conf serve.Config, options string) []string {
	c := serving(t, conf)
	var found []string
	look := func(method, path, body string) map[string]any {
		t.Helper()
		a := c.send(method, path, body)
		var value any
		if err := json.Unmarshal(a.body, &value); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		found = append(found, leaks(value)...)
		m, _ := value.(map[string]any)
		return m
	}
	list, _ := conf.Host.Tasks("")
	look("GET", "/v1/instances", "")
	look("GET", "/healthz", "")
	for _, task := range list {
		inst := task.Info.(links.Info)
		start := look("POST", "/v1/games", fmt.Sprintf(`{"instance":%q,"options":%s}`, inst.ID, options))
		id, ok := start["game"].(string)
		if !ok {
			t.Fatalf("got %v", start)
		}
		at := "/v1/games/" + id
		look("GET", fmt.Sprintf("/v1/pages/%d/links", inst.Source.PageID), "")
		look("GET", fmt.Sprintf("/v1/oracle/distance?from=%d&to=%d", inst.Source.PageID, inst.Target.PageID), "")
		for step := 1; step < 6; step++ {
			look("POST", at+"/move", fmt.Sprintf(`{"step":%d,"choice":999}`, step))
			look("POST", at+"/move", fmt.Sprintf(`{"step":%d,"choice":0}`, step))
			look("GET", at, "")
			look("GET", at+"/trace", "")
		}
		look("POST", at+"/move", `{"step":6,"reply":"x"}`)
		look("POST", at+"/back", `{"step":7}`)
		look("POST", at+"/give-up", `{"step":8}`)
		look("POST", at+"/give-up", `{"step":7}`)
		look("GET", at+"/trace", "")
	}
	m := look("GET", "/v1/manifest", "")
	found = slices.DeleteFunc(found, func(key string) bool {
		_, own := m[key]
		return own || isManifestKey(key)
	})
	if splits := m["splits"].(map[string]any)["easy"].(map[string]any); splits["distances"] != nil {
		found = append(found, "splits.distances")
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// isManifestKey tells the keys below the manifest's own, none of which is about an instance.
func isManifestKey(key string) bool {
	return slices.Contains(strings.Fields(`kind base_url siteinfo_sha256 module version vcs_revision dirty go nodes edges sha256 scc
		components largest target_count column_count easy n requested ids_sha256 spdx parts name published wiki files`), key)
}

func TestNothingThatAPlayerMustNotKnowIsTold(t *testing.T) {
	instances := racetest.Instances(wide(), seed, 5, 3)
	for _, options := range []string{
		`{}`, `{"back":"on","context":"lead"}`, `{"titles":"anon"}`, `{"pruning":"none","revisit":"hide"}`,
		`{"oracle":"S","renderer":"chat"}`, `{"oracle":"SH"}`, `{"invalid":"retry"}`,
	} {
		if found := scan(t, config(wide(), instances...), options); len(found) > 0 {
			t.Errorf("under %s the answers tell %v", options, found)
		}
	}
	exposed := scan(t, expose(config(wide(), instances...)), `{"oracle":"P","renderer":"chat"}`)
	for _, key := range []string{"d_after", "d_before", "distance", "optimal", "plan", "splits.distances"} {
		if !slices.Contains(exposed, key) {
			t.Errorf("the scan does not find %s where it is exposed, but %v", key, exposed)
		}
	}
}
