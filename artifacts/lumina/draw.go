package lumina

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/release"
)

// EachDrawn draws the world of each instance.
func (part) EachDrawn(_ *release.Scene, f release.Files, name string, visit release.Visit) error {
	set, ok := strings.CutSuffix(name, ".jsonl")
	if !ok || !slices.ContainsFunc(all, func(w world) bool { return strings.HasPrefix(set, w.env+"-") }) {
		return nil
	}
	return f.Each(name, func(_ int, line []byte) error {
		inst, err := worlds.Decode(line)
		if err != nil {
			return err
		}
		return visit(inst.ID, func() (dag.Drawing, error) { return worlds.Picture(inst), nil })
	})
}
