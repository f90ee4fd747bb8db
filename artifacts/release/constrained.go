package release

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	constrainedDir   = "constrained"
	constrainedPath  = constrainedDir + "/instances.jsonl"
	constrainedTable = constrainedDir + "/instances.parquet"
	infeasiblePath   = constrainedDir + "/infeasible.jsonl"
	funnelPath       = constrainedDir + "/funnel.json"
)

// ConstrainedInput is the pairs under a ban of a build.
type ConstrainedInput struct {
	Instances  []schemas.ConstrainedInstance
	Infeasible []schemas.ConstrainedInfeasible
	Funnel     schemas.ConstrainedFunnel
}

func constrainedKind(p string) (kind, bool) {
	switch p {
	case constrainedPath:
		return kind{Role: constrainedDir, Schema: schemas.ConstrainedInstanceSchema, Rows: true}, true
	case constrainedTable:
		return tableKind(constrainedDir, &schemas.ConstrainedTable), true
	case infeasiblePath:
		return kind{Role: constrainedDir, Schema: schemas.ConstrainedInfeasibleSchema, Rows: true}, true
	case funnelPath:
		return kind{Role: constrainedDir, Schema: schemas.ConstrainedFunnelSchema}, true
	}
	return kind{}, false
}

// isConstrained tells whether a name among the manifest's splits is that of the set under bans: constrained, or with its preset.
func isConstrained(split string) bool {
	return split == constrainedDir || strings.HasPrefix(split, constrainedDir+"_")
}

// races lists the splits of wikirace: easy, medium, hard, then the others by name.
func (m *Manifest) races() []string {
	return slices.DeleteFunc(splitOrder(m.Splits), isConstrained)
}

// banned gives the name of the set under bans; "" where the release has none.
func (m *Manifest) banned() string {
	for _, name := range slices.Sorted(maps.Keys(m.Splits)) {
		if isConstrained(name) {
			return name
		}
	}
	return ""
}

// splitOfLabel gives the name among the manifest's splits, which have no hyphens, of a label of the stage.
func splitOfLabel(label string) string { return strings.ReplaceAll(label, "-", "_") }

// constrained writes the files of constrained/ and their entry among the splits.
func (w *writer) constrained() error {
	in := w.in.Constrained
	if in == nil {
		return nil
	}
	if w.in.Labels == nil {
		return fault.New(fault.Failure, "instances under a ban without the labels of the pages").At(constrainedPath, "")
	}
	list, infeasible := slices.Clone(in.Instances), slices.Clone(in.Infeasible)
	slices.SortFunc(list, func(a, b schemas.ConstrainedInstance) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(infeasible, func(a, b schemas.ConstrainedInfeasible) int { return cmp.Compare(a.ID, b.ID) })
	lines, err := w.bytes(constrainedPath, jsonLines(list), len(list))
	if err != nil {
		return err
	}
	if _, err := w.create(constrainedTable, tableOf(schemas.ConstrainedTable, list, addConstrained)); err != nil {
		return err
	}
	if _, err := w.bytes(infeasiblePath, jsonLines(infeasible), len(infeasible)); err != nil {
		return err
	}
	if _, err := w.bytes(funnelPath, canon.MustMarshal(in.Funnel), 0); err != nil {
		return err
	}
	w.m.Splits[splitOfLabel(in.Funnel.Label)] = constrainedEntry(list, in.Funnel.Requested, lines.SHA256)
	return nil
}

// constrainedEntry describes the set as a split: its distances are the lengths that the bans leave, and its ids are no file.
func constrainedEntry(list []schemas.ConstrainedInstance, requested int, sha256 string) SplitEntry {
	e := SplitEntry{N: len(list), Requested: requested, Status: schemas.StatusOK, Distances: []int{}, SHA256: sha256}
	if e.N < requested {
		e.Status = schemas.StatusShort
	}
	var ids []byte
	for _, x := range list {
		ids = append(append(ids, x.ID...), '\n')
		e.Distances = append(e.Distances, x.ConstrainedLength)
	}
	slices.Sort(e.Distances)
	e.Distances, e.IDsSHA256 = slices.Compact(e.Distances), digest.SHA256(ids)
	return e
}

// eachTarget visits the pages whose columns the pairs need.
func (in *ConstrainedInput) eachTarget(visit func(u uint32)) {
	if in == nil {
		return
	}
	for _, x := range in.Instances {
		visit(x.Target.Node)
	}
	for _, x := range in.Infeasible {
		visit(x.Target.Node)
	}
}

// short describes what the set lacks.
func (in *ConstrainedInput) short() []string {
	if in == nil || len(in.Instances) >= in.Funnel.Requested && in.Funnel.Status == schemas.StatusOK {
		return nil
	}
	return []string{shortText(splitOfLabel(in.Funnel.Label), -1, len(in.Instances), in.Funnel.Requested)}
}

// HasConstrained tells whether the release holds instances under a ban.
func (r *Release) HasConstrained() bool { return r.m.banned() != "" }

// ConstrainedSplit gives the entry of the instances under a ban among the splits and its name, "" where there are none.
func (r *Release) ConstrainedSplit() (string, SplitEntry) {
	name := r.m.banned()
	return name, r.m.Splits[name]
}

// Constrained reads the instances under a ban in the order of their ids; fault.NotFound for a release without.
func (r *Release) Constrained() ([]schemas.ConstrainedInstance, error) {
	data, err := r.constrainedFile(constrainedPath)
	if err != nil {
		return nil, err
	}
	return DecodeConstrained(data, constrainedPath)
}

// Infeasible reads the pairs that their ban leaves without a path; fault.NotFound for a release without.
func (r *Release) Infeasible() ([]schemas.ConstrainedInfeasible, error) {
	data, err := r.constrainedFile(infeasiblePath)
	if err != nil {
		return nil, err
	}
	return DecodeInfeasible(data, infeasiblePath)
}

func (r *Release) constrainedFile(name string) ([]byte, error) {
	if !r.HasConstrained() {
		return nil, fault.New(fault.NotFound, "the release has no constrained set").At(name, "").Hint("build it with --types")
	}
	return r.read(name)
}
