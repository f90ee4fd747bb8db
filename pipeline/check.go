package pipeline

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// checkFolder holds the second build of Check, inside the work directory so that it is on the same
// disk.
const checkFolder = ".tmp-check"

// Difference is one place where a recomputation did not give what the build holds.
type Difference struct {
	Stage string `json:"stage"`
	Path  string `json:"path"` // the file, or "receipt.json"
	Have  string `json:"have"`
	Got   string `json:"got"`
}

// Check recomputes the whole build in a temporary directory and compares every output and every
// receipt. It changes nothing in the build, and does not make a missing one.
func (p *Pipeline) Check(ctx context.Context) ([]Difference, error) {
	old, err := p.dir.Build(p.opts.Build)
	if err != nil {
		return nil, err
	}
	temp := filepath.Join(p.dir.Path(), checkFolder)
	if err := os.RemoveAll(temp); err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	again, err := p.rebuild(ctx, temp)
	if err != nil {
		return nil, err
	}
	diffs := []Difference{}
	for _, o := range again.Outcomes {
		key := old.Stages[o.Stage]
		if key == "" {
			return nil, fault.New(fault.NotFound, "build %s has no stage %s", p.opts.Build, o.Stage)
		}
		have, err := p.dir.Result(o.Stage, key).Fresh(ctx, false)
		if err != nil {
			diffs = append(diffs, Difference{o.Stage, "receipt.json", err.Error(), "a complete result"})
			continue
		}
		diffs = append(diffs, compareReceipts(o.Stage, have, o.Receipt)...)
	}
	return diffs, nil
}

func (p *Pipeline) rebuild(ctx context.Context, temp string) (*Result, error) {
	dir, err := store.Create(temp, store.OS{})
	if err != nil {
		return nil, err
	}
	second, err := New(dir, p.recipe, p.source, p.opts)
	if err != nil {
		return nil, err
	}
	defer second.Close()
	return second.Build(ctx)
}

// compareReceipts compares two results; code is information and may differ, and with it the digest.
func compareReceipts(stage string, have, got *schemas.Receipt) []Difference {
	var diffs []Difference
	digests := map[string]string{}
	for _, out := range have.Outputs {
		digests[out.Path] = out.SHA256
	}
	for _, out := range got.Outputs {
		if digests[out.Path] != out.SHA256 {
			diffs = append(diffs, Difference{stage, out.Path, digests[out.Path], out.SHA256})
		}
	}
	a, b := *have, *got
	a.Code, b.Code, a.SHA256, b.SHA256 = schemas.Code{}, schemas.Code{}, "", ""
	if x, y := canon.MustMarshal(a), canon.MustMarshal(b); len(diffs) == 0 && !bytes.Equal(x, y) {
		diffs = append(diffs, Difference{stage, "receipt.json", string(x), string(y)})
	}
	return diffs
}
