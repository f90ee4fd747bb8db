package render_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// pinned is a configuration as it was when the first scores were made: its options, and every byte that a model reads of one game.
type pinned struct {
	oracle, shape string // shape is renderer, or history under a ban
	options       string // SHA-256, its first 16 digits
	words         string // the same of observations and prompts
}

func (p pinned) check(t *testing.T, opts schemas.GameOptions, w *gametest.World, task game.Task) {
	t.Helper()
	g, err := game.Start(w, task, opts)
	if err != nil {
		t.Fatal(err)
	}
	h, d := sha256.New(), render.New(opts, nil)
	for turn := 0; !g.Done() && turn < 6; turn++ {
		o := g.Observe("g")
		h.Write(canon.MustMarshal(o))
		h.Write(canon.MustMarshal(d.Ask(o)))
		d.Reply("0")
		if turn == 1 {
			g.Play(game.NoMove(game.ReasonUnparsed))
			continue
		}
		g.Play(game.Pick(turn % len(g.Menu())))
	}
	got := pinned{p.oracle, p.shape, digest.SHA256(canon.MustMarshal(opts))[:16], hex.EncodeToString(h.Sum(nil))[:16]}
	if got != p {
		t.Errorf("got  %q\nwant %q", got, p)
	}
}

// TestTheSixConfigurationsKeepTheirBytes fails when an option that is off shows in a hash or a prompt: then no score made before can be
// compared with one made after.
func TestTheSixConfigurationsKeepTheirBytes(t *testing.T) {
	w := gametest.Random(7, 120, 90, 60)
	inst := racetest.Instances(w, 7, 1, 4)[0]
	for _, p := range []pinned{
		{"none", "fresh", "c46c1cf8f6ab1201", "62c18561c304eabb"},
		{"none", "chat", "d665cc593f12cd70", "b6cb21c06b82ba9c"},
		{"base", "chat", "51452567c54c7bfe", "b6cb21c06b82ba9c"},
		{"P", "chat", "4298667fff3dee76", "fe19b73d796badda"},
		{"S", "chat", "0e45c0d0deb17762", "ecdc69ffe548e381"},
		{"SP", "chat", "a84ee1a046b2ccac", "e65a48618007b133"},
		{"SH", "fresh", "be37647f49cae2a4", "ef373c4aa61178b5"},
		{"SPH", "fresh", "0c1263778bd43f47", "bdc3fe6aa3b6f642"},
	} {
		p.check(t, options(t, []string{"oracle=" + p.oracle, "renderer=" + p.shape}), w, racetest.TaskOf(inst))
	}
}

func TestTheSixConfigurationsUnderABanKeepTheirBytes(t *testing.T) {
	w := gametest.Random(7, 120, 40, 60).Label(7, "Place", "Event", "Work")
	feasible, _ := bantest.BannedInstances(w, 7, 1, 4, "Place")
	for _, p := range []pinned{
		{"none", "last2", "7514dc15a13c65e7", "315220fbd301e594"},
		{"none", "chat", "610ca1f1efdd54df", "2ab52c34968a99f0"},
		{"base", "chat", "a8afa6e51d2ada7b", "2ab52c34968a99f0"},
		{"P", "chat", "4c994b7c46e995ab", "e0ad70c80bf6222b"},
		{"S", "chat", "8dfd4b2c6ed3032c", "4563a2489a6403e3"},
		{"SP", "chat", "5b37e886643d4592", "ffefcf57511791b8"},
		{"SH", "last2", "6c7bd62ed0db2706", "d94778ae72de3e77"},
		{"SPH", "last2", "d7e0b66d6e5c046c", "30278ad5bb042a94"},
	} {
		opts := game.BanDefaults()
		for _, pair := range [][2]string{{"oracle", p.oracle}, {"history", p.shape}, {"revisit", "allow"}, {"invalid", "consume"}} {
			if err := game.SetOption(&opts, pair[0], pair[1]); err != nil {
				t.Fatal(err)
			}
		}
		p.check(t, opts, w, bantest.TaskOf(feasible[0]))
	}
}
