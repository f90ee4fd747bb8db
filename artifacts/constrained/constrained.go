// Package constrained is what the family publishes: games from one page to another in which no page
// of a banned class may be entered, pairs that their ban leaves without a path, and the funnel of
// the draw. It has the files, their columns, their checks and their section of the data card, and
// reads them from an open release.
package constrained

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Set is the name of the files with the instances, and what their quota is for.
const Set = "instances"

// Files of the folder.
const (
	linesFile      = Set + ".jsonl"
	tableFile      = Set + ".parquet"
	infeasibleFile = "infeasible.jsonl"
	FunnelFile     = "funnel.json"
)

// Table lays an instance flat. Titles of paths are those of graph/nodes.parquet.
// 1: first layout.
var Table = flat.For[schemas.ConstrainedInstance]("wikinav.constrained/1")

// Part is the folder of the family in a release.
var Part release.Part = part{release.Base{Artifact: schemas.Constrained, Kinds: []release.Kind{
	{Pattern: linesFile, Schema: schemas.ConstrainedInstanceSchema, Rows: true},
	release.RecordKind(tableFile, Table),
	{Pattern: infeasibleFile, Schema: schemas.ConstrainedInfeasibleSchema, Rows: true},
	{Pattern: FunnelFile, Schema: schemas.ConstrainedFunnelSchema},
}}}

type part struct{ release.Base }

func instances(f release.Files) ([]schemas.ConstrainedInstance, error) {
	return release.Lines(f, linesFile, schemas.ConstrainedInstanceSchema, func(x *schemas.ConstrainedInstance) string {
		return x.ID
	})
}

func infeasible(f release.Files) ([]schemas.ConstrainedInfeasible, error) {
	return release.Lines(f, infeasibleFile, schemas.ConstrainedInfeasibleSchema, func(x *schemas.ConstrainedInfeasible) string {
		return x.ID
	})
}

func funnel(f release.Files) (*schemas.ConstrainedFunnel, error) {
	out := new(schemas.ConstrainedFunnel)
	return out, f.Document(FunnelFile, out)
}

// Has reports whether a release has instances under a ban.
func Has(r *release.Release) bool { return r.Part(Part).Has(linesFile) }

// open returns the files of a release, or why there are none.
func open(r *release.Release) (release.Files, error) {
	if !Has(r) {
		return release.Files{}, fault.New(fault.NotFound, "the release has no constrained set").At(Part.Folder(), "").Hint("build it with --types")
	}
	return r.Part(Part), nil
}

// Instances reads the instances of a release in the order of their ids; fault.NotFound for a
// release without.
func Instances(r *release.Release) ([]schemas.ConstrainedInstance, error) {
	f, err := open(r)
	if err != nil {
		return nil, err
	}
	return instances(f)
}

// Infeasible reads the pairs that their ban leaves without a path; fault.NotFound for a release
// without.
func Infeasible(r *release.Release) ([]schemas.ConstrainedInfeasible, error) {
	f, err := open(r)
	if err != nil {
		return nil, err
	}
	return infeasible(f)
}

// Funnel reads what became of every attempt to draw a pair; fault.NotFound for a release without.
func Funnel(r *release.Release) (*schemas.ConstrainedFunnel, error) {
	f, err := open(r)
	if err != nil {
		return nil, err
	}
	return funnel(f)
}

// Split returns the entry of the instances among the splits of a release and its name, "" where
// there are none.
func Split(r *release.Release) (string, release.SplitEntry) {
	for name, e := range r.Manifest().Splits { // at most one
		if isOurs(name) {
			return name, e
		}
	}
	return "", release.SplitEntry{}
}

// isOurs reports whether a name among the manifest's splits is that of this set: the family's, or
// with its preset.
func isOurs(split string) bool {
	return split == schemas.Constrained.Name || strings.HasPrefix(split, schemas.Constrained.Name+"_")
}

// splitOf returns the name among the manifest's splits, which have no hyphens, of a label of the
// stage.
func splitOf(label string) string { return strings.ReplaceAll(label, "-", "_") }

// Published reports whether any page has a label: without one, nothing could be banned.
func (part) Published(f release.Files) (bool, error) {
	funnel, err := funnel(f)
	return !funnel.Unlabelled(), err
}

// Splits describes the set as a split: its distances are the lengths that the bans leave, and its
// ids are no file.
func (part) Splits(f release.Files) (map[string]release.SplitEntry, error) {
	funnel, err := funnel(f)
	if err != nil {
		return nil, err
	}
	list, err := instances(f)
	if err != nil {
		return nil, err
	}
	e := release.SplitEntry{N: len(list), Requested: funnel.Requested, Status: schemas.StatusOK, Distances: []int{}, SHA256: f.Digest(linesFile).SHA256}
	if e.N < e.Requested {
		e.Status = schemas.StatusShort
	}
	var ids []byte
	for _, x := range list {
		ids = append(append(ids, x.ID...), '\n')
		e.Distances = append(e.Distances, x.ConstrainedLength)
	}
	slices.Sort(e.Distances)
	e.Distances, e.IDsSHA256 = slices.Compact(e.Distances), digest.SHA256(ids)
	return map[string]release.SplitEntry{splitOf(funnel.Label): e}, nil
}

func (part) Targets(f release.Files) (nodes []uint32, err error) {
	list, err := instances(f)
	if err != nil {
		return nil, err
	}
	for _, x := range list {
		nodes = append(nodes, x.Target.Node)
	}
	pathless, err := infeasible(f)
	for _, x := range pathless {
		nodes = append(nodes, x.Target.Node)
	}
	return nodes, err
}

// Tables returns the instances as pairs, whose distance is the length that the ban leaves and whose
// witness is the path, and with all their columns.
func (p part) Tables(f release.Files) ([]flat.Rows, error) {
	list, err := instances(f)
	var pairs []release.Pair
	for _, x := range list {
		pairs = append(pairs, release.Pair{
			ID: x.ID, Family: p.Artifact.Name, Key: x.Key, Source: x.Source.Node, Target: x.Target.Node, Distance: x.ConstrainedLength, Witness: x.ConstrainedPath,
		})
	}
	return []flat.Rows{release.PairRows(pairs), Table.Rows(p.Artifact.Name, list, "banned_category")}, err
}

func (p part) Card(f release.Files) (release.Card, error) {
	funnel, err := funnel(f)
	if err != nil {
		return release.Card{}, err
	}
	config := release.Config{Name: p.Artifact.Name, Rows: f.Rows(tableFile), Files: []release.ConfigFile{{Split: "test", Name: tableFile}}}
	reach := ""
	if n := funnel.OnPaths.Any; n[1] > 0 {
		reach = fmt.Sprintf(" Of %d pages on the paths of the instances %d have one; `on_paths` of `funnel.json` tells it by kind of path.", n[1], n[0])
	}
	return release.Card{
		Configs: []release.Config{config},
		Text: fmt.Sprintf(text, splitOf(funnel.Label),
			release.FieldTable(p.Folder()+"/"+tableFile, Table.Doc()), reach),
	}, nil
}

const text = "## Pages under a ban (constrained)\n\n" +
	"Pairs of pages with a banned category: no page of it may be entered between source and target. Among the splits of the manifest the set is\n" +
	"`%s`, where distances are the lengths that the bans leave; the name of the family alone stands for the parameters nearest to the published\n" +
	"ones, another name for others, which `funnel.json` states with what became of every attempt to draw a pair.\n\n%s\n" +
	"`infeasible.jsonl` has pairs that their ban leaves without a path, for agents that may say so; they are no part of a success rate.\n" +
	"A page without label breaks no ban, so how far labels reach bounds what a violation rate can mean.%s\n"

// Tell says how many pages passed each filter, and what became of the attempts.
func (p part) Tell(f release.Files) ([]string, error) {
	x, err := funnel(f)
	if err != nil {
		return nil, err
	}
	if x.Unlabelled() {
		return []string{p.Artifact.Name + ": not made, because no page has a label; name types with --types"}, nil
	}
	lines := []string{p.Artifact.Name + ", preset " + presetOf(x)}
	for _, group := range []struct {
		name  string
		steps []schemas.FilterCount
	}{{"pages", x.Pages}, {"sources", x.Sources}, {"targets", x.Targets}} {
		var steps []string
		for _, s := range group.steps {
			steps = append(steps, fmt.Sprintf("%s %d", s.Filter, s.Pages))
		}
		lines = append(lines, fmt.Sprintf("  %s: %s", group.name, strings.Join(steps, ", ")))
	}
	lines = append(lines, "  "+Attempts(x), "  "+bansOf(x))
	if n := x.OnPaths.Any; n[1] > 0 {
		lines = append(lines, fmt.Sprintf("  labels: %d of %d pages on the paths", n[0], n[1]))
	}
	return lines, nil
}

// bansOf says in words how far the bans are spread over classes.
func bansOf(f *schemas.ConstrainedFunnel) string {
	text, most := "bans", 0
	for _, label := range sortedKeys(f.ByLabel) {
		text += fmt.Sprintf(" %s %d,", label, f.ByLabel[label])
		most = max(most, f.ByLabel[label])
	}
	text += fmt.Sprintf(" of %d classes that pages offer", len(f.Spread.Classes))
	switch {
	case f.Spread.Even == 0:
		return text + "; not spread"
	case most <= f.Spread.Even:
		return text + "; spread evenly"
	}
	return text + fmt.Sprintf("; an even share is %d", f.Spread.Even)
}

// Attempts says in words what became of the attempts.
func Attempts(f *schemas.ConstrainedFunnel) string {
	text := fmt.Sprintf("%d attempts", f.Attempts)
	for _, reason := range f.Reasons() {
		if n := f.Rejects[reason]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, reason)
		}
	}
	return text
}

// Counts returns the attempts and the rejects by the names that quotas and receipts count them
// under.
func Counts(f *schemas.ConstrainedFunnel) map[string]int64 {
	counts := map[string]int64{"attempts": int64(f.Attempts)}
	for _, reason := range f.Reasons() {
		counts["rejected_"+reason] = int64(f.Rejects[reason])
	}
	return counts
}

// FirstEmpty names the first filter that lets nothing through, as in "targets.min_in"; "" where
// each lets something.
func FirstEmpty(pages, sources, targets []schemas.FilterCount) string {
	for i, steps := range [][]schemas.FilterCount{pages, sources, targets} {
		for _, step := range steps {
			if step.Pages == 0 {
				return []string{"pages.", "sources.", "targets."}[i] + step.Filter
			}
		}
	}
	return ""
}

// Why says why a set is short, and what would make it less so.
func Why(f *schemas.ConstrainedFunnel) string {
	switch f.Empty {
	case "":
		if f.Accepted == f.Spread.AtMost {
			return fmt.Sprintf("max_share_per_class lets the %d classes that pages offer have %d: raise it", len(f.Spread.Classes), f.Accepted)
		}
		return "the attempts were used up: preset small asks for less"
	case "targets.min_in":
		return "no member of the target set passes targets.min_in: --targets all, or preset small, which asks for less"
	}
	return fmt.Sprintf("no page passes %s: preset small asks for less", f.Empty)
}

// presetOf names the preset whose values these are, and tells where they were changed.
func presetOf(f *schemas.ConstrainedFunnel) string {
	var params struct {
		Preset string `json:"preset"`
	}
	if err := json.Unmarshal(f.Params, &params); err != nil {
		return "?"
	}
	if strings.HasSuffix(f.Label, "-custom") {
		return params.Preset + ", changed"
	}
	return params.Preset
}
