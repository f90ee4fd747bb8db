package render

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

//go:embed extras-1.txt
var extrasTemplate string

// extrasVersion names the wording of extras-1.txt; it rises with it.
const extrasVersion = "extras/1"

// extra is that template's parts: what oracles outside the six say, in games with and without a
// ban.
var extra = extraParts()

type extraTexts struct{ then, distance, noWay, back string }

func extraParts() extraTexts {
	p := strings.Split(strings.TrimSuffix(extrasTemplate, "\n"), "\n----\n")
	if len(p) != 4 {
		panic(fmt.Sprintf("render: %d parts in the template of extras, want 4", len(p)))
	}
	return extraTexts{p[0], p[1], p[2], p[3]}
}

// withExtras adds the wording of extras to that of a game whose options show some.
func withExtras(v schemas.Versioned, opts schemas.GameOptions) schemas.Versioned {
	if opts.Plan == "" && opts.Oracle != game.OracleDistance && opts.Oracle != game.OracleReturn {
		return v
	}
	return schemas.Versioned{
		Version: v.Version + "+" + extrasVersion,
		SHA256:  digest.SHA256([]byte(v.SHA256 + "\n" + extrasTemplate)),
	}
}

// planned returns the oracle's plan: its line of a wording, and the links that follow.
func planned(line string, o game.Observation) string {
	if len(o.Then) == 0 {
		return line
	}
	return line + "\n" + fill(extra.then, raw("pages"), quoted(o.Then, ", "))
}

// quoted joins titles in quotes.
func quoted(titles []string, between string) string {
	list := make([]string, len(titles))
	for i, title := range titles {
		list[i] = `"` + prompt.Escape(title) + `"`
	}
	return strings.Join(list, between)
}

// extras returns the blocks of the oracles outside the six.
func extras(o game.Observation) []string {
	switch {
	case o.Distance != nil && *o.Distance == int(schemas.Unreached):
		return []string{extra.noWay}
	case o.Distance != nil:
		return []string{fill(extra.distance, "distance", strconv.Itoa(*o.Distance))}
	case o.ReturnTo != "":
		return []string{fill(extra.back, "page", o.ReturnTo)}
	}
	return nil
}
