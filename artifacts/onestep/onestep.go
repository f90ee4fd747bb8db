// Package onestep is what the family publishes: first moves to train on, with the prompt frozen word for word, and a report on what
// they share with the instances that models are scored on. It has the files, their columns, their checks and their section of the
// data card, and reads them from an open release.
package onestep

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

const OverlapFile = "overlap.json"

// Table lays an instance flat. The titles of a menu are those of graph/nodes.parquet; system and user are the messages of the prompt.
// 1: first layout.
var Table = flat.For[schemas.OneStepInstance]("wikinav.onestep/1")

// Part is the folder of the family in a release.
var Part release.Part = part{release.Base{Artifact: schemas.OneStep, Kinds: []release.Kind{
	{Pattern: OverlapFile, Schema: schemas.OneStepReportSchema},
	{Pattern: "*.jsonl", Schema: schemas.OneStepInstanceSchema, Rows: true},
	release.RecordKind("*.parquet", Table),
}}}

type part struct{ release.Base }

func lines(f release.Files, set string) ([]schemas.OneStepInstance, error) {
	return release.Lines(f, set+".jsonl", schemas.OneStepInstanceSchema, func(x *schemas.OneStepInstance) string {
		return x.ID
	})
}

// Sets lists the sets of a release; none for a release without.
func Sets(r *release.Release) []string {
	var sets []string
	for _, name := range r.Part(Part).Names() {
		if set, ok := strings.CutSuffix(name, ".jsonl"); ok {
			sets = append(sets, set)
		}
	}
	return sets
}

// Instances reads a set of a release, in the order of its ids; fault.NotFound for a set that there is not.
func Instances(r *release.Release, set string) ([]schemas.OneStepInstance, error) {
	if sets := Sets(r); !slices.Contains(sets, set) {
		return nil, fault.New(fault.NotFound, "there is no one-step set %s, only %v", fault.Quote(set), sets)
	}
	return lines(r.Part(Part), set)
}

// frozen is what a later graph may contradict of an instance, besides its distance.
type frozen struct {
	Source   schemas.PageRef       `json:"source"`
	Target   schemas.PageRef       `json:"target"`
	Distance int                   `json:"distance"`
	Menu     []schemas.OneStepLink `json:"menu"`
	Best     []uint32              `json:"best"`
}

// EachAsked is documented at release.Paired.
func (part) EachAsked(f release.Files, name string, visit func(*release.Asked) error) error {
	return f.Each(name, func(_ int, line []byte) error {
		var x frozen
		if err := json.Unmarshal(line, &x); err != nil {
			return err
		}
		return visit(&release.Asked{Source: x.Source, Target: x.Target, Distance: x.Distance, Record: &x})
	})
}

// Tables returns the instances as pairs of pages, and with all their columns.
func (p part) Tables(f release.Files) ([]flat.Rows, error) {
	sets, err := f.Sets()
	if err != nil {
		return nil, err
	}
	var all []schemas.OneStepInstance
	var pairs []release.Pair
	for _, set := range sets {
		list, err := lines(f, set)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		for _, x := range list {
			pairs = append(pairs, release.Pair{ID: x.ID, Family: p.Artifact.Name, Split: set, Source: x.Source.Node, Target: x.Target.Node, Distance: x.Distance, Witness: []uint32{}})
		}
	}
	order.Sort(all, func(a, b schemas.OneStepInstance) int { return cmp.Compare(a.ID, b.ID) })
	return []flat.Rows{release.PairRows(pairs), Table.Rows(p.Artifact.Name, all)}, nil
}

func (p part) Card(f release.Files) (release.Card, error) {
	sets, err := f.Sets()
	config := f.Config(p.Artifact.Name, sets...)
	return release.Card{Configs: []release.Config{config}, Text: fmt.Sprintf(text, release.FieldTable(p.Folder()+"/*.parquet", Table.Doc()))}, err
}

const text = "## First moves to train on (onestep)\n\n`best` has the places in the menu of all links nearest to the target. " +
	"`onestep/overlap.json` says what the sets share with\nthe instances that models are scored on, and which instances do.\n\n%s"

// Contaminates lists what the sets were drawn without regard to.
func (part) Contaminates(f release.Files) (groups []string, err error) {
	var report schemas.OneStepReport
	if err := f.Document(OverlapFile, &report); err != nil || !report.Contaminated {
		return nil, err
	}
	for group, n := range report.Against { // a set
		if n > 0 {
			groups = append(groups, group)
		}
	}
	return groups, nil
}
