package render

import (
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
)

// Form lists what a template of games under opts may hold.
func Form(opts schemas.GameOptions) wording.Form {
	f := wording.Form{Dialogue: opts.Renderer != game.RendererFresh, Fields: []wording.Field{
		{Name: "target", Says: "the title of the page to reach", Need: wording.Once},
		{Name: "current", Says: "the title of the page that the player is on"},
		{Name: "links", Says: "the links of the page, a line each", Need: wording.Each},
		{Name: "visited", Says: "the titles of the pages so far, in their order"},
		{Name: "step", Says: "the number of the turn, from 1"},
		{Name: "left", Says: "the turns that are left, this one included"},
	}}
	if !game.HasBan(opts) {
		f.Fields = append(f.Fields, wording.Field{Name: "last", Says: "the number of the last link"})
	} else {
		f.Fields = append(f.Fields,
			wording.Field{Name: "category", Says: "the banned category", Need: wording.Once},
			wording.Field{Name: "gloss", Says: "what the category means"},
			wording.Field{Name: "recent", Says: "the last moves with their reasons, a line each"})
	}
	if opts.Context == game.ContextLead {
		f.Fields = append(f.Fields, wording.Field{Name: "lead", Says: "how the current page begins"})
	}
	if game.HasBan(opts) && opts.TargetIntro > 0 {
		f.Fields = append(f.Fields, wording.Field{Name: "intro", Says: "how the target page begins"})
	}
	return f
}

// values are what the fields of Form say of a turn.
func (d *Dialogue) values(o game.Observation) wording.Values {
	v := wording.Values{
		"current": prompt.Escape(o.Current.Title), "target": prompt.Escape(o.Target.Title),
		"visited": strings.Join(prompt.EscapeAll(o.Visited), " -> "), "links": prompt.Numbered(o.Titles()),
		"step": strconv.Itoa(o.Step), "left": strconv.Itoa(o.StepsLeft), "last": strconv.Itoa(len(o.Links) - 1),
		"lead": escaped(o.Context), "intro": escaped(o.Intro),
		wording.Notes: strings.TrimPrefix(d.below(o), "\n\n"),
	}
	if game.RewritesHistory(d.opts) {
		v["step"] = "1"
	}
	if game.HasBan(d.opts) {
		v["links"] = strings.Join(prompt.EscapeAll(o.Titles()), "\n")
		v["category"], v["gloss"] = prompt.Escape(o.Banned), Gloss(o.Banned)
		v["recent"] = strings.Join(moves(o), "\n")
	}
	return v
}

func escaped(text *string) string {
	if text == nil {
		return ""
	}
	return prompt.Escape(*text)
}
