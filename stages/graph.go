package stages

import (
	"os"
	"sort"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// OpenGraph maps the graph; the stage closes it.
func OpenGraph(env Env) (*graph.Graph, error) {
	file, err := Find(env, schemas.Graph, "graph.arrow")
	if err != nil {
		return nil, err
	}
	return graph.Open(file.Root, file.Name, file.Digest)
}

// OpenDistances maps the columns of an artifact in the layout of distances; the stage closes them.
func OpenDistances(env *Run, a schemas.Artifact, g *graph.Graph) (*distances.Set, error) {
	files, err := env.Input(a)
	if err != nil {
		return nil, err
	}
	var root *os.Root
	digests := map[string]digest.Digest{}
	for _, f := range files {
		root, digests[f.Name] = f.Root, f.Digest
	}
	if root == nil {
		return nil, fault.New(fault.NotFound, "artifact %s has no files", a.Name)
	}
	set, err := distances.Open(root, ".", digests, g.Len(), g.SHA256)
	return Keep(env, set, err)
}

// ReadSnapshot reads which wiki and day the pages are from.
func ReadSnapshot(env Env) (s schemas.Snapshot, err error) {
	file, err := Find(env, schemas.SnapshotArtifact, "snapshot.json")
	if err != nil {
		return s, err
	}
	err = file.Decode(&s)
	return s, err
}

// EachListed visits the rows that users list pairs in, split by split in the order of their names;
// none of a build that reads no such files.
func EachListed(env *Run, visit func(split string, rows []schemas.ListedRow) error) error {
	if !env.Reads(schemas.Listed) {
		return nil
	}
	files, err := env.Input(schemas.Listed)
	if err != nil {
		return err
	}
	for _, f := range files {
		rows, err := ReadJSONLines[schemas.ListedRow](f)
		if err == nil {
			err = visit(strings.TrimSuffix(f.Name, ".jsonl"), rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Decode reads the file as one canonical record.
func (f File) Decode(record any) error {
	data, err := f.Read()
	if err != nil {
		return err
	}
	if err := canon.Decode(data, canon.MaxManifest, record); err != nil {
		return fault.New(fault.Mismatch, "%w", err).At(f.Name, "")
	}
	return nil
}

// PartFiles returns the files of a declared input as a part of a release sees them.
func PartFiles(env Env, a schemas.Artifact) (release.Files, error) {
	var out release.Files
	files, err := env.Input(a)
	for _, f := range files {
		out.Add(f.Name, f.Root, f.Name, f.Digest, -1, "")
	}
	return out, err
}

// AliasTarget returns the page that the redirect of that title leads to in the end, 0 where it leads nowhere or is none. Rows are in
// order of their titles.
func AliasTarget(aliases *arrowio.File, title string) uint32 {
	from := func(b int) arrowio.Strings { return aliases.Strings(b, schemas.AliasesTable.Index("title")) }
	b := sort.Search(aliases.Batches(), func(b int) bool { return from(b).At(from(b).Len()-1) >= title })
	if b == aliases.Batches() {
		return 0
	}
	titles := from(b)
	i := sort.Search(titles.Len(), func(i int) bool { return titles.At(i) >= title })
	if titles.At(i) != title {
		return 0
	}
	return aliases.Uint32s(b, schemas.AliasesTable.Index("target_page_id"))[i]
}
