package mango

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// giveAnchors gives both tables: page u words its link to v as spot(v), and further on as hamlet(v). Behind the rows of each page stand those of a
// page that is not in the graph, whose links go elsewhere. Under AnchorsOff there are no rows.
func giveAnchors(env *stagetest.Env, w stagetest.Wiki, mode string) {
	opts := arrowio.Options{Metadata: map[string]string{schemas.KeyAnchors: mode}}
	table := func(name string, t schemas.Table, row func(out *arrowio.Writer, page uint32, order int, v uint32) error) {
		env.Give(schemas.Anchors, name, func(to io.Writer) (arrowio.Summary, error) {
			out, err := arrowio.NewWriter(to, t, opts)
			if err != nil {
				return arrowio.Summary{}, err
			}
			for u := range uint32(len(w.Titles)) {
				for i, page := range []uint32{w.PageIDs[u], w.PageIDs[u] + 1} {
					for order, v := range w.Succ.Row(u) {
						if mode == schemas.AnchorsOff {
							continue
						}
						if err := row(out, page, order, (v+uint32(7*i))%uint32(len(w.Titles))); err != nil {
							return arrowio.Summary{}, err
						}
					}
				}
			}
			return out.Close()
		})
	}
	table("anchors.arrow", schemas.AnchorsTable, func(out *arrowio.Writer, page uint32, order int, v uint32) error {
		return out.Row(page, w.PageIDs[v], uint32(order), schemas.ProvBody, spot(v), "")
	})
	table("further-anchors.arrow", schemas.FurtherAnchorsTable, func(out *arrowio.Writer, page uint32, order int, v uint32) error {
		return out.Row(page, uint32(order), hamlet(v))
	})
}

func spot(v uint32) string   { return fmt.Sprintf("Spot %d", v) }
func hamlet(v uint32) string { return fmt.Sprintf("hamlet %d (old)", v) }

// murmur is a lead that words all pages as links do.
func murmur(w stagetest.Wiki) func(int) string {
	return func(u int) string {
		var b strings.Builder
		for v := range uint32(len(w.Titles)) {
			fmt.Fprintf(&b, "%s, %s; ", spot(v), strings.TrimSuffix(hamlet(v), " (old)"))
		}
		return b.String()
	}
}

func TestTheWordingOfLinksBetweenLocationsIsMasked(t *testing.T) {
	for _, mode := range []string{schemas.AnchorsOn, schemas.AnchorsOff} {
		w := town(60)
		env := envOf(t, w)
		giveLeads(env, w, murmur(w))
		giveAnchors(env, w, mode)
		p := small()
		p.Mazes, p.LeadChars = 3, 2000
		env.MustRun(New(p))
		masked, seen := 0, 0
		for _, record := range read[schemas.MangoMaze](t, env, "mazes.jsonl") {
			if got := slices.Contains(record.Masked, "anchor"); got != (mode == schemas.AnchorsOn) {
				t.Errorf("%s: the record says that %v are masked", mode, record.Masked)
			}
			m := tell(t, env, record)
			for _, s := range m.steps {
				masked += checkWording(t, mode, w, m, s)
				seen++
			}
		}
		if mode == schemas.AnchorsOn && masked < seen {
			t.Errorf("only %d wordings were masked in %d observations", masked, seen)
		}
	}
}

// checkWording looks for the wordings of every page: gone exactly if it is another location to which some location links.
func checkWording(t *testing.T, mode string, w stagetest.Wiki, m tale, s schemas.MangoStep) (masked int) {
	t.Helper()
	linked := map[uint32]bool{}
	for _, from := range m.record.Pages {
		for _, to := range m.record.Pages {
			if _, ok := slices.BinarySearch(w.Succ.Row(w.Node(from.Location)), w.Node(to.Location)); ok && to.Location != s.Dst {
				linked[w.Node(to.Location)] = mode == schemas.AnchorsOn
			}
		}
	}
	for v := range uint32(len(w.Titles)) {
		for _, word := range []string{"Spot", "hamlet"} {
			shown := regexp.MustCompile(fmt.Sprintf(`%s %d\b`, word, v)).MatchString(s.Observation)
			if shown == linked[v] {
				t.Fatalf("%s: %s: step %d at %s: %s %d shown: %v", mode, m.record.MazeID, s.Step, s.Dst, word, v, shown)
			}
			if !shown {
				masked++
			}
		}
	}
	return masked
}
