package play

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func drawWorld(t *testing.T, env, split, level string, index int) *worlds.Instance {
	t.Helper()
	_, line, err := draw.Line(draw.Name{Root: 42, Env: env, Split: split, Level: level, Index: index})
	if err != nil {
		t.Fatal(err)
	}
	inst, err := worlds.Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// worldsConfig plays two small instances of each of the worlds that the player plays, in two configurations.
func worldsConfig(t *testing.T, name string) LuminaConfig {
	t.Helper()
	player, err := NewLumina(name, 42)
	if err != nil {
		t.Fatal(err)
	}
	c := LuminaConfig{Dir: t.TempDir(), Player: player, Workers: 3, Now: func() time.Time { return time.Unix(0, 0) }}
	var examples []*worlds.Instance
	for _, env := range schemas.LuminaEnvs {
		level, indices := draw.Examples(env)
		for _, i := range indices {
			examples = append(examples, drawWorld(t, env, schemas.LuminaFewshot, level, i))
		}
		for i := range 2 {
			if slices.Contains(player.Envs(), env) {
				c.Instances = append(c.Instances, drawWorld(t, env, schemas.LuminaTest, draw.Levels(env)[0], i))
			}
		}
	}
	c.Book = lumina.NewBook(examples)
	o, err := lumina.Family{}.Options([]string{"oracle=base,SPH"})
	if err != nil {
		t.Fatal(err)
	}
	c.Options = o.Value.(schemas.LuminaOptions)
	c.Run = DescribeLumina(schemas.Run{
		Family: "lumina", Splits: []string{}, Rules: schemas.Rules{Options: o.JSON, Interface: schemas.InterfaceBuiltin},
		Model: schemas.Player{Name: player.Name(), Kind: player.Kind()}, Seed: 42,
	})
	return c
}

func episodes(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, episodesFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func written(t *testing.T, c LuminaConfig) (list []schemas.LuminaEpisode) {
	t.Helper()
	for line := range strings.Lines(episodes(t, c.Dir)) {
		var e schemas.LuminaEpisode
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

func mustPlay(t *testing.T, c LuminaConfig) string {
	t.Helper()
	if _, err := RunLumina(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return episodes(t, c.Dir)
}

func TestEveryPlayerOfTheWorldsPlaysTheSameForAnyNumberOfWorkers(t *testing.T) {
	for _, name := range LuminaNames() {
		one, four := worldsConfig(t, name), worldsConfig(t, name)
		one.Workers, four.Workers = 1, 4
		if a, b := mustPlay(t, one), mustPlay(t, four); a != b || a == "" {
			t.Errorf("%s: 1 and 4 workers differ, or played nothing:\n%s\n%s", name, a, b)
		}
	}
}

func TestOptimalWinsAndTheBaselinesPlayLegally(t *testing.T) {
	for _, name := range LuminaNames() {
		c := worldsConfig(t, name)
		mustPlay(t, c)
		list := written(t, c)
		if len(list) != 2*len(c.Instances) {
			t.Fatalf("%s: %d episodes", name, len(list))
		}
		for _, e := range list {
			if name == "optimal" && e.Outcome != schemas.OutcomeSuccess {
				t.Errorf("optimal: %s ends with %s", e.InstanceID, e.Outcome)
			}
			for _, s := range e.Steps {
				if s.Status != schemas.StatusLegal {
					t.Errorf("%s, %s, turn %d: %s", name, e.InstanceID, s.T, s.Status)
				}
			}
		}
	}
}

func TestAnInterruptedRunOverTheWorldsEndsWithTheSameFile(t *testing.T) {
	c := worldsConfig(t, "random")
	whole := mustPlay(t, c)
	for _, cut := range []int{0, 1, len(whole) / 3, len(whole) - 1} {
		d := worldsConfig(t, "random")
		mustPlay(t, d)
		if err := os.WriteFile(filepath.Join(d.Dir, episodesFile), []byte(whole[:cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := mustPlay(t, d); got != whole {
			t.Errorf("cut after %d bytes: the resumed run differs", cut)
		}
	}
}

func TestADirectoryWithAnotherRunOverTheWorldsIsRefused(t *testing.T) {
	c := worldsConfig(t, "random")
	mustPlay(t, c)
	c.Run.Seed = 43
	c.Run = DescribeLumina(c.Run)
	if _, err := RunLumina(t.Context(), c); fault.KindOf(err) != fault.Usage {
		t.Errorf("got %v, want a usage error", err)
	}
}

// broken fails after one reply.
type broken struct{ LuminaPlayer }

func (broken) Start(LuminaSeat) LuminaAgent { return &brokenAgent{} }

type brokenAgent struct{ asked int }

func (b *brokenAgent) Reply(_ context.Context, ask func() []schemas.Message) (Said, error) {
	if b.asked++; b.asked > 1 {
		return Said{}, fmt.Errorf("%w: gone", ErrInfra)
	}
	return Said{Text: ask()[0].Role}, nil // no action
}

func TestAPlayerThatFailsIsInfraAndNotATurn(t *testing.T) {
	c := worldsConfig(t, "random")
	c.Player = broken{c.Player}
	mustPlay(t, c)
	for _, e := range written(t, c) {
		if e.Outcome != schemas.OutcomeInfra || len(e.Steps) != 1 {
			t.Errorf("%s: %s after %d turns, want infra after 1", e.InstanceID, e.Outcome, len(e.Steps))
		}
	}
}

func TestPlayersOfTheWorldsAreNamed(t *testing.T) {
	for _, name := range []string{"openai", "shortest", ""} {
		if _, err := NewLumina(name, 1); fault.KindOf(err) != fault.Usage {
			t.Errorf("%q: got %v, want a usage error", name, err)
		}
	}
}
