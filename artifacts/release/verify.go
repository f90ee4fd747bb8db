package release

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/minisign"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Levels of verification. A level includes those below it.
const (
	LevelDigests   = 1 // every file is there, regular, of the listed size and digests; nothing else is there
	LevelStructure = 2 // what the files say is well formed and agrees with itself and with the manifest
	LevelMeaning   = 3 // what can be computed anew from the release is what the files say: columns, features, paths, golden answers
)

// VerifyOptions choose how deep and how much Verify looks.
type VerifyOptions struct {
	Level  int           // 0 stands for LevelStructure
	Key    *minisign.Key // whose signatures level 0 wants; nil skips level 0
	Subset string        // "k/n": the k-th of n parts of the files, in the order of the manifest; "" for all
	All    bool          // level 3 proves every distance column, and not a sample of them
	Seed   int64         // of that sample
	Code   schemas.Code  // the program that verifies: documents of another one are worded in another way
	// Fresh proves that pairs are fresh; nil skips it.
	Fresh FreshProver
	// Carried proves that carried records are those of the older release; nil skips it.
	Carried CarriedProver
	// Document renders a document anew, to be compared: Document, in programs that carry the
	// templates; nil compares none.
	Document Renderer
	Meter    func(phase, unit string, total int64) Meter // hears of progress; nil for nobody
}

// Verify checks the release in dir and reports everything that is wrong; see Report.Err. Damage of
// any kind, an unreadable manifest included, is a finding. An error means that nothing can be said:
// no such directory (fault.NotFound), options that make no sense (fault.Usage), or the end of ctx.
//
// A file whose digest is wrong is not parsed. With a subset, the files that its members refer to
// are checked, too. Files in the folder of a part that is not among parts are checked by their
// bytes alone, with a note.
func Verify(ctx context.Context, dir string, parts []Part, opts VerifyOptions) (*Report, error) {
	level, part, err := opts.settle()
	if err != nil {
		return nil, err
	}
	root, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	v := &verifier{
		ctx: ctx, root: root, parts: parts, opts: opts, report: newReport(level), part: part,
		good: map[string]bool{}, wanted: map[string]bool{}, buf: make([]byte, 1<<20), loaded: map[string]bool{},
	}
	err = v.run(level)
	v.report.closeCounts()
	return v.report, errors.Join(err, closeMapped(v.set, v.graph))
}

// settle returns the level and the subset that opts ask for.
func (o VerifyOptions) settle() (level int, s subset, err error) {
	level = o.Level
	switch {
	case level == 0:
		level = LevelStructure
	case level < LevelDigests || level > LevelMeaning:
		return 0, s, fault.New(fault.Usage, "there is no level %d of verify", level)
	}
	s, err = parseSubset(o.Subset)
	return level, s, err
}

// subset is the k-th of n parts, from 1.
type subset struct{ k, n int }

func parseSubset(text string) (subset, error) {
	if text == "" {
		return subset{1, 1}, nil
	}
	var s subset
	_, err := fmt.Sscanf(text, "%d/%d", &s.k, &s.n)
	if err != nil || fmt.Sprintf("%d/%d", s.k, s.n) != text || s.k < 1 || s.k > s.n {
		return s, fault.New(fault.Usage, "--subset %s: want k/n with k from 1 to n", fault.Quote(text)).Hint("for example 1/4")
	}
	return s, nil
}

// of returns the part of files that s names; the parts of all k together are files.
func (s subset) of(files []FileEntry) []FileEntry {
	return files[len(files)*(s.k-1)/s.n : len(files)*s.k/s.n]
}

// verifier is one run of Verify. good remembers for each file that was looked at whether its bytes
// are those of the manifest; wanted are those among them whose content is to be checked. graph and
// set are loaded when a check first needs them, and stay nil where the files are damaged.
type verifier struct {
	ctx    context.Context
	root   *os.Root
	parts  []Part
	opts   VerifyOptions
	report *Report
	part   subset
	m      *Manifest
	good   map[string]bool
	wanted map[string]bool
	buf    []byte

	loaded map[string]bool // what was loaded, or found damaged
	graph  *graph.Graph
	set    *distances.Set
	proved bool // all columns, at level 2
}

func (v *verifier) run(level int) error {
	v.signatures()
	data, ok := v.manifest()
	if !ok {
		return nil
	}
	v.checkSums(data)
	if err := v.checkTree(); err != nil {
		return err
	}
	files := v.part.of(v.m.Files)
	for _, f := range files {
		if v.intact(f); v.ctx.Err() != nil {
			return v.ctx.Err()
		}
	}
	if level < LevelStructure {
		return nil
	}
	checks, err := v.structure(files)
	if err == nil {
		err = v.since(checks)
	}
	if err == nil {
		err = v.carried(checks)
	}
	if err == nil && level >= LevelMeaning {
		err = v.prove(checks)
	}
	v.checkOutputs(files) // last, because a file that differs from its stage's is better told by what is wrong in it
	return err
}
