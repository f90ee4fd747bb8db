package release

import (
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// walkBounds are the columns of an interval of random walks, "" where the walks were not simulated.
var walkBounds = [4]string{"rw_full_lo", "rw_full_hi", "rw_menu_lo", "rw_menu_hi"}

func addWalks(p *arrowio.ParquetWriter, f *schemas.WikiraceFeatures) {
	col := schemas.WikiraceSplitTable.Index
	p.String(col("rw_method"), f.RWMethod)
	var bounds [4]string
	if in := f.RWInterval; in != nil {
		bounds = [4]string{in.Full[0], in.Full[1], in.Menu[0], in.Menu[1]}
	}
	for i, name := range walkBounds {
		p.String(col(name), bounds[i])
	}
}

func walksAt(t *arrowio.Table, b, i int, f *schemas.WikiraceFeatures) {
	col := schemas.WikiraceSplitTable.Index
	f.RWMethod = t.Strings(b, col("rw_method")).At(i)
	var bounds [4]string
	for k, name := range walkBounds {
		bounds[k] = t.Strings(b, col(name)).At(i)
	}
	if bounds != [4]string{} {
		f.RWInterval = &schemas.RWInterval{Full: [2]string(bounds[:2]), Menu: [2]string(bounds[2:])}
	}
}

// walksHold tells whether the method is known and has an interval exactly where it needs one.
func walksHold(f *schemas.WikiraceFeatures) bool {
	switch f.RWMethod {
	case schemas.RWExact:
		return f.RWInterval == nil
	case schemas.RWSim:
		return f.RWInterval != nil
	}
	return false
}

// estimated gives the decimals of an interval, for the check of their form.
func estimated(f *schemas.WikiraceFeatures) []column[string] {
	if f.RWInterval == nil {
		return nil
	}
	in := f.RWInterval
	return []column[string]{
		{walkBounds[0], &in.Full[0]}, {walkBounds[1], &in.Full[1]}, {walkBounds[2], &in.Menu[0]}, {walkBounds[3], &in.Menu[1]},
	}
}

// publishable refuses a published split with estimated walks: only computed chances are the same for everybody who checks them.
func (s SplitInput) publishable() error {
	for _, inst := range s.Instances {
		if inst.Features.RWMethod != schemas.RWExact {
			return fault.New(fault.Failure, "split %s has simulated random walks (%s)", s.Name, fault.Quote(inst.ID)).
				Hint("build with rw = \"exact\" in the recipe, or release without --published")
		}
	}
	return nil
}
