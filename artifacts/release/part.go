package release

import (
	"cmp"
	"path"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/schemas"
)

// A Part is one folder of a release: what one stage wrote to be published. The writer copies its
// files by digest, the verifier asks it about their content, the card prints its section, and its
// quotas decide whether a release is short. This package knows no part by name: whoever writes,
// verifies or describes a release hands it the list.
//
// Files are named as in the stage's result, without the folder. Every method is given the part's
// files, which lie in a work directory or in a release.
type Part interface {
	// Source is what the stage of the part writes; the part has the name of the artifact.
	Source() schemas.Artifact
	// Folder is where a release has the files.
	Folder() string
	// Kind says what the file called name holds; ok is false for a file that the part does not
	// know.
	Kind(name string) (k Kind, ok bool)
	// Licence is the licence of the files, and whom it asks to name; each is empty for that of the
	// release's data.
	Licence() (spdx, attribution string)
	// Holds says what of the dump's pages the files have in them, for the attribution.
	Holds(f Files) (string, error)
	// Published reports whether there is anything to publish; a part without is left out of the
	// release.
	Published(f Files) (bool, error)
	// Splits returns the entries of the part in the manifest's map of splits.
	Splits(f Files) (map[string]SplitEntry, error)
	// Targets lists the nodes whose distance column must be in the release.
	Targets(f Files) ([]uint32, error)
	// Check checks what the files say: level 2 of verify. A part that is a Prover computes them
	// anew at level 3.
	Check(c *Check)
	// Card returns the part's section of the data card.
	Card(f Files) (Card, error)
	// Tables returns the part's tables of catalog.sqlite.
	Tables(f Files) ([]flat.Rows, error)
	// Tell returns lines for the summary of a build, besides the quotas.
	Tell(f Files) ([]string, error)
}

// Kind is what files of a part hold.
type Kind struct {
	Pattern string // of path.Match
	Schema  string
	Table   *schemas.Table      // the columns of an Arrow or Parquet file, whose ID is the schema; nil for other files
	Rows    bool                // the manifest counts rows
	Fields  func() []flat.Field // what is known of the columns; nil for nothing
}

// doc is what is known of a column.
func (k Kind) doc(column string) string {
	if k.Fields == nil {
		return ""
	}
	for _, f := range k.Fields() {
		if f.Name == column {
			return f.Doc
		}
	}
	return ""
}

// TableKind is the kind of tables of a layout.
func TableKind(pattern string, t schemas.Table) Kind {
	return Kind{Pattern: pattern, Schema: t.ID, Table: &t, Rows: true}
}

// RecordKind is the kind of tables of records, with what is known of their columns.
func RecordKind[T any](pattern string, c *flat.Codec[T]) Kind {
	k := TableKind(pattern, c.Table())
	k.Fields = c.Doc
	return k
}

// Base is what most parts have in common. Embed it, and write the methods that differ.
type Base struct {
	Artifact          schemas.Artifact
	In                string // the folder; "" stands for the artifact's name
	Kinds             []Kind // the first that matches counts; quotas.json needs none
	SPDX, Attribution string
	Of                string // what of the pages is in the files; "" stands for titles and ids
}

func (b Base) Source() schemas.Artifact { return b.Artifact }

func (b Base) Folder() string {
	if b.In == "" {
		return b.Artifact.Name
	}
	return b.In
}

func (b Base) Kind(name string) (Kind, bool) {
	if name == schemas.QuotasFile {
		return Kind{Pattern: name, Schema: schemas.QuotasSchema, Rows: true}, true
	}
	for _, k := range b.Kinds {
		if ok, err := path.Match(k.Pattern, name); ok && err == nil {
			return k, true
		}
	}
	return Kind{}, false
}

func (b Base) Licence() (spdx, attribution string) { return b.SPDX, b.Attribution }

func (b Base) Holds(Files) (string, error) { return cmp.Or(b.Of, "titles and ids of pages"), nil }

// Published reports that there is something.
func (Base) Published(Files) (bool, error) { return true, nil }

func (Base) Splits(Files) (map[string]SplitEntry, error) { return nil, nil }

func (Base) Targets(Files) ([]uint32, error) { return nil, nil }

func (Base) Tables(Files) ([]flat.Rows, error) { return nil, nil }

func (Base) Tell(Files) ([]string, error) { return nil, nil }

// Built is a part of a build, with the files of its stage.
type Built struct {
	Part  Part
	Files Files
}

// Scored is a pair of pages that models are scored on, with the group that it belongs to and a path
// that gives it away.
type Scored struct {
	Group          string
	Source, Target uint32
	Witness        []uint32
}

// Scorer is a part with pairs that nobody may train on.
type Scorer interface {
	Scored(f Files) ([]Scored, error)
}

// Contaminator is a part to train on that knows what it shares with the instances that models are
// scored on.
type Contaminator interface {
	// Contaminates lists the groups of Scored that the part was drawn without regard to.
	Contaminates(f Files) ([]string, error)
}
