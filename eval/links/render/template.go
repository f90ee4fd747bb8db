package render

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

//go:embed dialogue-1.txt
var template string

// dialogueVersion names the wording of dialogue-1.txt; it rises with it.
const dialogueVersion = "dialogue/1"

// text is the template's parts, in the order of the file.
var text = parts()

type texts struct{ task, turn, lead, noLead, back, budget, plan, state, loop string }

func parts() texts {
	p := strings.Split(strings.TrimSuffix(template, "\n"), "\n----\n")
	if len(p) != 9 {
		panic(fmt.Sprintf("render: %d parts in the template, want 9", len(p)))
	}
	return texts{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8] + "\n"}
}

// Version names and pins the wording that a game under opts is put in: that of artifacts/prompt
// alone, or with the dialogue's, or that of games with a ban; and what extras say beside it.
func Version(opts schemas.GameOptions) schemas.Versioned { return withExtras(wording(opts), opts) }

func wording(opts schemas.GameOptions) schemas.Versioned {
	if game.HasBan(opts) {
		return banWording()
	}
	if opts.Renderer == game.RendererFresh && opts.Back == game.BackOff && opts.Oracle == game.OracleNone {
		return schemas.Versioned{Version: prompt.Version, SHA256: prompt.SHA256}
	}
	return schemas.Versioned{
		Version: prompt.Version + "+" + dialogueVersion,
		SHA256:  digest.SHA256([]byte(prompt.SHA256 + "\n" + template)),
	}
}

// rawMark stands before the name of a slot whose value is rendered text already; no name of ours
// starts with it.
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
