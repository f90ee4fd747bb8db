package render

import (
	_ "embed"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// The wordings: of dialogues, of games with a ban, of the oracles outside the six in either.
var (
	//go:embed dialogue-1.txt
	template string
	//go:embed ban-1.txt
	banTemplate string
	//go:embed extras-1.txt
	extrasTemplate string
)

// Names of the wordings; each rises with its file.
const (
	dialogueVersion = "dialogue/1"
	extrasVersion   = "extras/1"
)

// The templates' parts, in the order of their files.
var (
	text struct{ task, turn, lead, noLead, back, budget, plan, state, loop string }
	ban  struct {
		system, fresh, task, turn, request, intro, noIntro, name, gloss, visited, rule, recent, move, moved, noPath string
		plan, state                                                                                                 string
	}
	glosses = map[string]string{} // by label
	extra   struct{ then, distance, noWay, back string }
)

func init() {
	t, b, e, list := &text, &ban, &extra, ""
	prompt.Parts(template, &t.task, &t.turn, &t.lead, &t.noLead, &t.back, &t.budget, &t.plan, &t.state, &t.loop)
	prompt.Parts(banTemplate, &b.system, &b.fresh, &b.task, &b.turn, &b.request, &b.intro, &b.noIntro, &b.name, &b.gloss,
		&b.visited, &b.rule, &b.recent, &b.move, &b.moved, &b.noPath, &b.plan, &b.state, &list)
	prompt.Parts(extrasTemplate, &e.then, &e.distance, &e.noWay, &e.back)
	for _, line := range []*string{
		&t.loop, &b.intro, &b.noIntro, &b.name, &b.gloss, &b.visited, &b.rule, &b.recent, &b.moved,
	} {
		*line += "\n"
	}
	for line := range strings.SplitSeq(list, "\n") {
		label, gloss, _ := strings.Cut(line, ": ")
		glosses[label] = gloss
	}
}

// Version names and pins the wording that a game under opts is put in: that of artifacts/prompt
// alone, or with the dialogue's, or that of games with a ban; and what extras say beside it.
func Version(opts schemas.GameOptions) schemas.Versioned {
	v := schemas.Versioned{Version: prompt.Version, SHA256: prompt.SHA256}
	switch {
	case game.HasBan(opts):
		v = schemas.Versioned{Version: schemas.BanPrompt, SHA256: digest.SHA256([]byte(banTemplate))}
	case opts.Renderer != game.RendererFresh || opts.Back != game.BackOff || opts.Oracle != game.OracleNone:
		v = with(v, dialogueVersion, template)
	}
	if opts.Plan != "" || opts.Oracle == game.OracleDistance || opts.Oracle == game.OracleReturn {
		v = with(v, extrasVersion, extrasTemplate)
	}
	return v
}

func with(v schemas.Versioned, name, template string) schemas.Versioned {
	return schemas.Versioned{Version: v.Version + "+" + name, SHA256: digest.SHA256([]byte(v.SHA256 + "\n" + template))}
}

// rawMark stands before a slot whose value is rendered already; no name of ours starts with it.
const rawMark = "\x00"

func raw(slot string) string { return rawMark + slot }

// fill puts values into the slots of a part, in one pass: what was put in is not searched for slots
// again. Values are titles or numbers, and escaped, unless their slot is raw.
func fill(part string, slotsAndValues ...string) string {
	var pairs []string
	for i := 0; i < len(slotsAndValues); i += 2 {
		slot, value := slotsAndValues[i], slotsAndValues[i+1]
		name, isRaw := strings.CutPrefix(slot, rawMark)
		if !isRaw {
			value = prompt.Escape(value)
		}
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(part)
}
