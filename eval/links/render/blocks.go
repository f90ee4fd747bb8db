package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
)

// blocks returns what stands below the links of a turn: notice and way back, then the oracles'
// words in their order.
func blocks(o game.Observation) []string {
	var out []string
	if o.Notice != "" {
		out = append(out, o.Notice)
	}
	if o.Back != "" {
		out = append(out, fill(text.back, "page", o.Back))
	}
	if o.Plan != nil {
		out = append(out, planned(fill(text.plan, "i", strconv.Itoa(o.Plan.I), "title", o.Plan.Title), o))
	}
	out = append(out, extras(o)...)
	if o.State != nil {
		out = append(out, state(text.state, o.State))
	}
	return out
}

// state fills the part of a template that states a game.
func state(part string, s *game.State) string {
	visited, frontier := make([]string, len(s.Visited)), make([]string, len(s.Frontier))
	for i, v := range s.Visited {
		visited[i] = fmt.Sprintf(`- "%s": %d`, prompt.Escape(v.Title), v.Visits)
	}
	for i, f := range s.Frontier {
		frontier[i] = fmt.Sprintf(`- "%s", on "%s"`, prompt.Escape(f.Title), prompt.Escape(f.On))
	}
	if len(frontier) == 0 {
		frontier = []string{"- none"}
	}
	loop := ""
	if s.Loop {
		loop = text.loop
	}
	return fill(part,
		"category", s.Banned, raw("broken"), broken(s),
		"current", s.Current, "target", s.Target, "used", strconv.Itoa(s.StepsUsed), "left", strconv.Itoa(s.StepsLeft),
		raw("loop"), loop, raw("visited"), strings.Join(visited, "\n"), raw("frontier"), strings.Join(frontier, "\n"))
}

func numbered(titles []string) string {
	lines := make([]string, len(titles))
	for i, t := range titles {
		lines[i] = strconv.Itoa(i) + ". " + prompt.Escape(t)
	}
	return strings.Join(lines, "\n")
}
