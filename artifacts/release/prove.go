package release

import (
	"fmt"
	"path"
	"runtime"
	"slices"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Prover is a part whose records level 3 of verify computes anew.
type Prover interface {
	// Prove computes what the records say from the graph, the distances and the other parts of the
	// release, by code that shares nothing with the stage that made them (its results may be read,
	// never its functions called), and lists with l.Is, l.Bad or c.Add what differs. Whatever can
	// be said of a record without a search belongs into Check.
	//
	// It is called after Check, on the same c, and only where level 2 found nothing wrong in the
	// whole release but sums over records: nodes are nodes, parameters parse, columns are there,
	// records are in order. It need not be fast, but must heed c.Context; ProveEach does. Files
	// outside the subset that was asked for, c.Wants, are left alone.
	Prove(c *Check)
}

// Meter counts work done, in units of its phase.
type Meter interface {
	Add(n int64)
	Done()
}

// noMeter counts for nobody.
type noMeter struct{}

func (noMeter) Add(int64) {}
func (noMeter) Done()     {}

// meter starts the progress of one phase; unit is a plural.
func (v *verifier) meter(phase, unit string, total int64) Meter {
	if v.opts.Meter == nil {
		return noMeter{}
	}
	return v.opts.Meter(phase, unit, total)
}

// Level returns the level of verification that was asked for.
func (c *Check) Level() int { return c.v.report.Level }

// Meter starts the progress of one phase of a proof; unit is a plural ("instances").
func (c *Check) Meter(phase, unit string, total int64) Meter { return c.v.meter(phase, unit, total) }

// Covered notes in the report what was computed anew: how much of what, in words. What is not noted
// was not proved.
func (c *Check) Covered(format string, args ...any) { c.v.report.cover(format, args...) }

// ProveEach visits the records of a file that is to be checked, until the context ends, and notes
// that what was computed anew for each of them: "features and menus". visit lists what differs.
func ProveEach[T any](c *Check, name string, list []T, what string, visit func(l Line, record *T)) {
	c.proveEach(name, len(list), what, func(l Line) { visit(l, &list[l.N-1]) })
}

func (c *Check) proveEach(name string, n int, what string, visit func(l Line)) {
	if !c.Wants(name) {
		return
	}
	m := c.Meter(c.path(name), "records", int64(n))
	defer m.Done()
	for i := range n {
		if c.v.ctx.Err() != nil {
			return
		}
		visit(c.line(name, i))
		m.Add(1)
	}
	c.Covered("%s: %s of all %d records", c.path(name), what, n)
}

// isSum reports whether a finding says no more than that a sum over records is another one: the
// records can be looked at one by one, and which of them is wrong is still to be named.
func (f Finding) isSum() bool {
	return path.Base(f.Path) == schemas.QuotasFile && (f.Check == "got" || f.Check == "quotas")
}

// prove is level 3.
func (v *verifier) prove(checks []*Check) error {
	if slices.ContainsFunc(v.report.Failed, func(f Finding) bool { return !f.isSum() }) {
		v.report.skip("level 3: level 2 found something wrong, and what is wrong cannot be computed anew")
		return nil
	}
	v.proveDistances()
	for _, c := range checks {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		if p, ok := c.part.(Prover); ok {
			p.Prove(c)
		} else {
			v.report.skip("level 3 of %s/: nothing in it is computed anew", c.part.Folder())
		}
	}
	return v.ctx.Err()
}

const (
	maxProof    = 1 << 31 // columns x links that level 2 proves
	sampleProof = 32      // columns that level 3 proves of more
)

// proveDistances proves the columns that level 2 left, or a sample of them, if their folder is in
// the subset.
func (v *verifier) proveDistances() {
	set, g := v.openSet(), v.openGraph()
	if set == nil || g == nil || v.proved || !v.wanted[columnsPath] {
		return
	}
	n := len(set.Columns())
	drawn := every(n)
	if !v.opts.All && n > sampleProof {
		drawn = rng.New(uint64(v.opts.Seed), "verify", "columns").Choose(n, sampleProof)
		v.report.skip("level 3 of %d distance columns: %d were drawn by seed %d, --all proves all", n-sampleProof, sampleProof, v.opts.Seed)
	}
	v.proveColumns(g, set, drawn)
}

// proveColumns proves that these columns are the distances of the graph.
func (v *verifier) proveColumns(g *graph.Graph, set *distances.Set, columns []int) {
	m := v.meter("distances", "columns", int64(len(columns)))
	defer m.Done()
	wrong := make([]error, len(columns))
	err := graph.Each(v.ctx, runtime.GOMAXPROCS(0), len(columns), func(_, i int) error {
		wrong[i] = set.Prove(g, columns[i])
		m.Add(1)
		return nil
	})
	if err != nil {
		return // the end of the context, which the caller sees as well
	}
	for _, err := range wrong {
		if err != nil {
			v.report.fail("distances", columnsPath, err)
		}
	}
	v.report.cover("distances/: every distance of %d of %d columns, against the graph", len(columns), len(set.Columns()))
}

// every lists the numbers below n.
func every(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// cover notes what was computed anew.
func (r *Report) cover(format string, args ...any) {
	r.Covered = append(r.Covered, fmt.Sprintf(format, args...))
}
