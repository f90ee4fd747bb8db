package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// below returns what stands under the links of a turn, each block behind a blank line: first the
// turns that are left of a task that is put anew, then notice and way back, then the oracles' words
// in their order.
func (d *Dialogue) below(o game.Observation) string {
	blocks := []string{""}
	add := func(block string) { blocks = append(blocks, block) }
	plan, state := text.plan, text.state
	if o.Banned != "" {
		plan, state = ban.plan, ban.state
	}
	if d.opts.Renderer == game.RendererFresh && o.Banned == "" && game.RewritesHistory(d.opts) {
		add(fill(text.budget, "left", strconv.Itoa(o.StepsLeft)))
	}
	if o.Notice != "" {
		add(o.Notice)
	}
	if o.Back != "" {
		add(fill(text.back, "page", o.Back))
	}
	if o.Plan != nil {
		line := fill(plan, "i", strconv.Itoa(o.Plan.I), "title", o.Plan.Title)
		if len(o.Then) > 0 {
			line += "\n" + fill(extra.then, raw("pages"), quoted(o.Then, ", "))
		}
		add(line)
	}
	switch {
	case o.Distance != nil && *o.Distance == int(schemas.Unreached):
		add(extra.noWay)
	case o.Distance != nil && *o.Distance == int(schemas.Far):
		add(fill(extra.distance, "distance", strconv.Itoa(*o.Distance)+" or more"))
	case o.Distance != nil:
		add(fill(extra.distance, "distance", strconv.Itoa(*o.Distance)))
	case o.ReturnTo != "":
		add(fill(extra.back, "page", o.ReturnTo))
	}
	if o.State != nil {
		add(stated(state, o.State))
	}
	return strings.Join(blocks, "\n\n")
}

func stated(part string, s *game.State) string {
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
	loop, broken := "", "none"
	if s.Loop {
		loop = text.loop
	}
	if len(s.Violations) > 0 {
		broken = quoted(s.Violations, ", ")
	}
	return fill(part,
		"category", s.Banned, raw("broken"), broken,
		"current", s.Current, "target", s.Target, "used", strconv.Itoa(s.StepsUsed), "left", strconv.Itoa(s.StepsLeft),
		raw("loop"), loop, raw("visited"), strings.Join(visited, "\n"), raw("frontier"), strings.Join(frontier, "\n"))
}

// quoted joins titles, at least one, in quotes.
func quoted(titles []string, between string) string {
	return `"` + strings.Join(prompt.EscapeAll(titles), `"`+between+`"`) + `"`
}
