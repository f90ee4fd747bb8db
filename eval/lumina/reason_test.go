package lumina

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/schemas"
)

// TestExamplesReasonAboutTheirState: in no example does a reply repeat the reason of another, whatever
// the configuration, and each names what its call is about.
func TestExamplesReasonAboutTheirState(t *testing.T) {
	for _, env := range schemas.LuminaEnvs {
		for index := range 4 {
			inst := drawn(t, 42, env, schemas.LuminaTest, draw.Levels(env)[0], index)
			for _, cfg := range family.Configs {
				seen := map[string]bool{}
				e := start(inst, cfg, Defaults(), &chat{})
				for !e.Done() {
					best := e.best[0]
					reply := prompt.Reply(view(e.state), cfg.Plan, cfg.State, prompt.Call(best), best.String())
					why, _, _ := strings.Cut(reply, "\n")
					if seen[why] || !strings.Contains(why, best.ID) {
						t.Errorf("%s %s: %s: %s", inst.ID, cfg, best, why)
					}
					seen[why] = true
					e.Play(reply)
				}
			}
		}
	}
}
