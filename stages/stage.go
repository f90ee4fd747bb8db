// Package stages holds the contract between a stage and the pipeline, and nothing else.
//
// A stage reads the files of its declared inputs and writes the files of its declared outputs,
// whole or not at all. What it writes depends on these inputs and on Params alone: never on
// workers, memory, time or machine. Stages never import each other: they meet in an artifact. Every
// stage passes stages/stagetest.
package stages

import (
	"context"
	"io"
	"os"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Stage is one step of the pipeline.
type Stage interface {
	Spec() Spec
	Run(ctx context.Context, env Env) error
}

// Spec is what a stage's key is made of.
type Spec struct {
	Name    string             // the name of the stage's package
	Version int                // rises whenever the same inputs and Params would give other bytes
	Inputs  []schemas.Artifact // name and record-layout version
	Outputs []schemas.Artifact
	Params  any  // what changes the output, and only that; canonical JSON
	Sharded bool // whether Run computes shards, with Env.Shard; no part of the key
}

// Env is all that a running stage sees of the world. Count and Warn are for one goroutine, Meter
// for many.
type Env interface {
	// Input lists the verified files of a declared input, in order of their names.
	Input(a schemas.Artifact) ([]File, error)
	// Write creates the declared output file called name and commits it if write succeeds.
	Write(name string, write WriteFunc) error
	// Shard runs a part of the stage whose outputs commit on their own; a part that is already
	// there is skipped. The outputs written through the inner Env belong to the shard.
	Shard(number int, run func(Env) error) error
	// Written returns an output file that this run has committed, those of shards that were there
	// included.
	Written(name string) (File, error)
	// Count adds n to a counter of the receipt.
	Count(name string, n int64)
	// Warn adds a warning to the receipt.
	Warn(w schemas.Warning)
	// Meter starts the progress of one phase; total is -1 when unknown, unit a plural ("pages",
	// "bytes").
	Meter(phase, unit string, total int64) Meter
	// Temp opens an unnamed scratch file, gone after the run.
	Temp() (*os.File, error)
	// TempPath is where a scratch file of that name can be made, for libraries that want a path; it
	// is gone after the run.
	TempPath(name string) string
	// ParamsSHA256 is the digest of the canonical Params, for the metadata of tables.
	ParamsSHA256() string
	// Workers and Memory bound how the work is done and never what comes out; Memory is in bytes.
	Workers() int
	Memory() int64
}

// WriteFunc writes one file and tells its rows and logical digest. Rows of -1 means that the file
// has none.
type WriteFunc func(w io.Writer) (arrowio.Summary, error)

// NoRows is what a WriteFunc returns for a file without rows.
var NoRows = arrowio.Summary{Rows: -1}

// Meter counts work done in units of its phase.
type Meter interface {
	Add(n int64)
	Done()
}

// File is an input file. Name is relative to Root; nothing but Digest says what is in it.
type File struct {
	Name   string
	Role   string // for a file from outside, what it is: "dump", "index"; "" for a file of a stage
	Root   *os.Root
	Digest digest.Digest
}

// Path returns the file's place on disk, for readers that cannot work from a Root.
func (f File) Path() string { return f.Root.Name() + string(os.PathSeparator) + f.Name }

// Open maps the file as a table of layout t; the digest is checked over the bytes that are read.
func (f File) Open(t schemas.Table) (*arrowio.File, error) {
	return arrowio.Open(f.Root, f.Name, t, f.Digest)
}

// Read returns the file's bytes after comparing their digest; for files that fit in memory.
func (f File) Read() ([]byte, error) {
	data, err := f.Root.ReadFile(f.Name)
	if err != nil {
		return nil, err
	}
	if got := digest.SHA256(data); got != f.Digest.SHA256 {
		return nil, fault.New(fault.Mismatch, "digest %.16s found, %.16s recorded", got, f.Digest.SHA256).At(f.Name, "")
	}
	return data, nil
}

// Find returns the input file called name of artifact a.
func Find(env Env, a schemas.Artifact, name string) (File, error) {
	files, err := env.Input(a)
	if err != nil {
		return File{}, err
	}
	for _, f := range files {
		if f.Name == name {
			return f, nil
		}
	}
	return File{}, fault.New(fault.NotFound, "artifact %s has no file %s", a.Name, name)
}

func OpenTable(env Env, a schemas.Artifact, name string, t schemas.Table) (*arrowio.File, error) {
	f, err := Find(env, a, name)
	if err != nil {
		return nil, err
	}
	return f.Open(t)
}

func Counts(env Env, counts map[string]int64) {
	for name, n := range counts { // order is lost in the receipt's own map
		env.Count(name, n)
	}
}

func Options(env Env) arrowio.Options { return arrowio.Options{ParamsSHA256: env.ParamsSHA256()} }

// AnchorOptions are Options of a file of anchors, which says whether any were read.
func AnchorOptions(env Env, on bool) arrowio.Options {
	return switched(env, schemas.KeyAnchors, map[bool]string{true: schemas.AnchorsOn, false: schemas.AnchorsOff}[on])
}

// TextOptions are Options of the file of texts, which says whether any were read.
func TextOptions(env Env, on bool) arrowio.Options {
	return switched(env, schemas.KeyTexts, map[bool]string{true: schemas.TextsOn, false: schemas.TextsOff}[on])
}

func switched(env Env, key, value string) arrowio.Options {
	opts := Options(env)
	opts.Metadata = map[string]string{key: value}
	return opts
}

// Estimate is what a stage needs before it starts, in bytes.
type Estimate struct{ Disk, Memory int64 }

// Estimator is a stage that can tell what it needs from its inputs.
type Estimator interface{ Estimate(inputs []File) Estimate }
