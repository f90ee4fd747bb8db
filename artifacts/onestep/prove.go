package onestep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Level 3: distance, menu, best links and the words of the prompt of every instance, anew.
//
// Result:    the first turn of the default game, as the wikirace specification, 6.2, 6.5 and 8,
// says it. Encoding:  package plain; the prompt as the specification words it, titles with the
// characters of the robustness specification, 9, spelt out. Reference: a breadth-first search to
// the target; links sorted by distance, a drawn order among equals.

// Prove holds instances to a menu and a text that have nothing of the stage's in them, its
// parameters and random streams apart.
func (part) Prove(c *release.Check) {
	var game struct {
		MaxLinks int   `json:"max_links"`
		GameSeed int64 `json:"game_seed"`
	}
	if !c.Params(&game) {
		return
	}
	g := c.Graph()
	web := plain.Of(g.Succ)
	for _, name := range c.Names("*.jsonl") {
		set := strings.TrimSuffix(name, ".jsonl")
		list := release.RecordsOf[schemas.OneStepInstance](c, name, schemas.OneStepInstanceSchema)
		ids := c.IDs(len(list), func(i int) string { return list[i].ID }, func(int) string { return "os-" + set + "-" })
		release.ProveEach(c, name, list, "distance, menu, best links and prompt", func(l release.Line, x *schemas.OneStepInstance) {
			s, dist, want := x.Source.Node, web.To(x.Target.Node, plain.Open), *x
			want.Distance = plain.Told(dist[s])
			menu := plain.Game{Seed: game.GameSeed, Instance: x.ID, MaxLinks: game.MaxLinks}
			want.Menu, want.Best = nil, nil
			var titles []string
			shown := menu.Show(1, menu.Keep(s, web.Out[s], dist))
			if c.Carried(x.ID) { // dealt on another graph: links of the source, as level 2 has found
				shown = nil
				for _, link := range x.Menu {
					shown = append(shown, link.Node)
				}
			}
			for i, v := range shown {
				titles = append(titles, g.Title(v))
				want.Menu = append(want.Menu, schemas.OneStepLink{I: i, Node: v, Title: g.Title(v)})
			}
			want.Best = nearest(want.Menu, dist)
			want.Messages = messages(g.Title(s), g.Title(x.Target.Node), titles)
			want.PromptSHA256 = hash(want.Messages)
			plain.Differ(want, x, func(field string, want, got any) { l.Bad(field, want, got) })
			if !ids[x.ID] {
				l.Bad("id", "the next number of os-"+set+"-", x.ID)
			}
		})
	}
}

// nearest lists the places of all links with the smallest distance.
func nearest(menu []schemas.OneStepLink, dist []int) []uint32 {
	var best []uint32
	for i, link := range menu {
		if !slices.ContainsFunc(menu, func(other schemas.OneStepLink) bool {
			return plain.Told(dist[other.Node]) < plain.Told(dist[link.Node])
		}) {
			best = append(best, uint32(i))
		}
	}
	return best
}

// messages words the first turn.
func messages(source, target string, links []string) []schemas.Message {
	source, target = spelt(source), spelt(target)
	text := `The Wikipedia link game: you are on the page "` + source + `", and the goal is to reach the page "` + target +
		"\" by clicking links, one page at a time.\n\nPages visited so far, in order: " + source + "\n\nLinks on this page, each with its number:\n"
	for i, title := range links {
		text += fmt.Sprintf("%d. %s\n", i, spelt(title))
	}
	text += "\nWhich of these links gets closer to \"" + target + `"? Answer with its number, from 0 to ` + fmt.Sprint(len(links)-1) +
		`. You may think first; put the number last, as <answer>number</answer>.`
	return []schemas.Message{{Role: schemas.RoleSystem, Content: "You help to play the Wikipedia link game."}, {Role: schemas.RoleUser, Content: text}}
}

// spelt replaces characters that break lines or hide text by their numbers.
func spelt(title string) string {
	var b strings.Builder
	for _, r := range title {
		hidden := r < 0x20 || r >= 0x7f && r <= 0x9f || r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069 || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
		if hidden {
			fmt.Fprintf(&b, `\u{%04X}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hash is the SHA-256 of messages as JSON: keys sorted, no blanks, nothing escaped that need not
// be.
func hash(list []schemas.Message) string {
	var b strings.Builder
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	keyed := []map[string]string{}
	for _, m := range list {
		keyed = append(keyed, map[string]string{"role": m.Role, "content": m.Content})
	}
	if err := out.Encode(keyed); err != nil {
		panic("onestep: texts do not encode: " + err.Error())
	}
	// Go escapes two separators that canonical JSON leaves; spelt has removed them.
	sum := sha256.Sum256([]byte(strings.TrimSuffix(b.String(), "\n")))
	return hex.EncodeToString(sum[:])
}
