package release

import (
	"math"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// constrainedCount is a number of an instance that has a column of its own.
type constrainedCount struct {
	column string
	of     func(*schemas.ConstrainedInstance) *int
}

var constrainedCounts = []constrainedCount{
	{"baseline_length", func(x *schemas.ConstrainedInstance) *int { return &x.BaselineLength }},
	{"constrained_length", func(x *schemas.ConstrainedInstance) *int { return &x.ConstrainedLength }},
	{"detour", func(x *schemas.ConstrainedInstance) *int { return &x.Detour }},
	{"unlabelled_on_path", func(x *schemas.ConstrainedInstance) *int { return &x.Unlabelled }},
	{"successors_banned", func(x *schemas.ConstrainedInstance) *int { return &x.BannedShare[0] }},
	{"successors_all", func(x *schemas.ConstrainedInstance) *int { return &x.BannedShare[1] }},
	{"shortest_banned", func(x *schemas.ConstrainedInstance) *int { return &x.BannedOnShortest[0] }},
	{"shortest_all", func(x *schemas.ConstrainedInstance) *int { return &x.BannedOnShortest[1] }},
	{"first_moves_feasible", func(x *schemas.ConstrainedInstance) *int { return &x.FeasibleFirst[0] }},
	{"first_moves_optimal", func(x *schemas.ConstrainedInstance) *int { return &x.FeasibleFirst[1] }},
	{"compat_iterations", func(x *schemas.ConstrainedInstance) *int { return &x.Compat.Iterations }},
	{"max_steps", func(x *schemas.ConstrainedInstance) *int { return &x.MaxSteps }},
}

// constrainedText is a text of an instance that has a column of its own.
type constrainedText struct {
	column string
	of     func(*schemas.ConstrainedInstance) *string
}

var constrainedTexts = []constrainedText{
	{"id", func(x *schemas.ConstrainedInstance) *string { return &x.ID }},
	{"key", func(x *schemas.ConstrainedInstance) *string { return &x.Key }},
	{"banned_category", func(x *schemas.ConstrainedInstance) *string { return &x.BannedCategory }},
	{"unlabelled", func(x *schemas.ConstrainedInstance) *string { return &x.UnlabelledRule }},
	{"binding", func(x *schemas.ConstrainedInstance) *string { return &x.Binding }},
	{"params_sha256", func(x *schemas.ConstrainedInstance) *string { return &x.ParamsSHA256 }},
	{"labels_sha256", func(x *schemas.ConstrainedInstance) *string { return &x.LabelsSHA256 }},
	{"graph_sha256", func(x *schemas.ConstrainedInstance) *string { return &x.GraphSHA256 }},
}

// addConstrained adds a row without ending it.
func addConstrained(p *arrowio.ParquetWriter, x *schemas.ConstrainedInstance) error {
	t := schemas.ConstrainedTable
	for _, c := range constrainedCounts {
		if !fitsUint(*c.of(x), math.MaxUint32) {
			return fault.New(fault.Mismatch, "instance %s: %s is out of range", fault.Quote(x.ID), c.column)
		}
		p.Uint32(t.Index(c.column), uint32(*c.of(x)))
	}
	for _, c := range constrainedTexts {
		p.String(t.Index(c.column), *c.of(x))
	}
	addPage(p, t, "source_", x.Source)
	addPage(p, t, "target_", x.Target)
	p.Bool(t.Index("has_ban_witness"), x.BanWitness != nil)
	var witness schemas.BanWitness
	if x.BanWitness != nil {
		witness = *x.BanWitness
	}
	if !fitsUint(witness.InDegree, math.MaxUint32) {
		return fault.New(fault.Mismatch, "instance %s: in_degree is out of range", fault.Quote(x.ID))
	}
	addPage(p, t, "ban_witness_", witness.PageRef)
	p.Uint32(t.Index("ban_witness_in_degree"), uint32(witness.InDegree))
	p.List(t.Index("baseline_path"), x.BaselinePath)
	p.List(t.Index("constrained_path"), x.ConstrainedPath)
	p.Uint64(t.Index("baseline_paths_clean"), x.BaselineClean[0])
	p.Uint64(t.Index("baseline_paths_all"), x.BaselineClean[1])
	p.Int64(t.Index("length_if_unlabelled_forbidden"), orMinus(x.IfForbidden))
	p.Bool(t.Index("compat_found"), x.Compat.Found)
	p.Int64(t.Index("compat_length"), orMinus(x.Compat.Length))
	p.Int64(t.Index("seed"), x.Seed)
	return nil
}

// orMinus gives -1 for no number.
func orMinus(n *int) int64 {
	if n == nil {
		return -1
	}
	return int64(*n)
}

func fromMinus(n int64) *int {
	if n == -1 {
		return nil
	}
	v := int(n)
	return &v
}

// constrainedAt reads row i of batch b of the table; titles gives the titles of paths, which are not in it.
func constrainedAt(t *arrowio.Table, b, i int, titles func(path []uint32) []string) schemas.ConstrainedInstance {
	row := rowAt{t, schemas.ConstrainedTable, b, i}
	x := schemas.ConstrainedInstance{
		Schema: schemas.ConstrainedInstanceSchema, Source: row.page("source_"), Target: row.page("target_"),
		BaselinePath: row.list("baseline_path"), ConstrainedPath: row.list("constrained_path"),
		BaselineClean: [2]uint64{row.large("baseline_paths_clean"), row.large("baseline_paths_all")},
		IfForbidden:   fromMinus(row.signed("length_if_unlabelled_forbidden")),
		Compat:        schemas.CompatSearch{Found: row.bool("compat_found"), Length: fromMinus(row.signed("compat_length"))},
		Seed:          row.signed("seed"),
	}
	for _, c := range constrainedCounts {
		*c.of(&x) = int(row.number(c.column))
	}
	for _, c := range constrainedTexts {
		*c.of(&x) = row.text(c.column)
	}
	if row.bool("has_ban_witness") {
		x.BanWitness = &schemas.BanWitness{PageRef: row.page("ban_witness_"), InDegree: int(row.number("ban_witness_in_degree"))}
	}
	x.BaselineTitles, x.ConstrainedTitles = titles(x.BaselinePath), titles(x.ConstrainedPath)
	return x
}
