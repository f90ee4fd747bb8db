package release

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Files are the files of a part by name, in the result of its stage or in a release. Nothing is
// read whose digest differs.
type Files struct {
	Params   json.RawMessage  // of the stage
	Counters map[string]int64 // of its receipt
	files    map[string]located
}

// located is a file at its place.
type located struct {
	root    *os.Root
	path    string
	sum     digest.Digest
	rows    int64
	logical string
}

// Add adds the file called name, which lies at p below root. rows and logical are those of a
// receipt or a manifest: -1 and "" for none.
func (f *Files) Add(name string, root *os.Root, p string, sum digest.Digest, rows int64, logical string) {
	if f.files == nil {
		f.files = map[string]located{}
	}
	f.files[name] = located{root, p, sum, rows, logical}
}

// Names lists the files, sorted.
func (f Files) Names() []string { return slices.Sorted(maps.Keys(f.files)) }

// Has reports whether there is a file called name.
func (f Files) Has(name string) bool { return f.files[name].root != nil }

// Digest returns the digest of a file; it is zero for one that is not there.
func (f Files) Digest(name string) digest.Digest { return f.files[name].sum }

// Rows returns what is counted of a file, 0 for one without rows.
func (f Files) Rows(name string) int64 { return max(0, f.files[name].rows) }

// Logical returns the logical digest of a table, "" where none is recorded.
func (f Files) Logical(name string) string { return f.files[name].logical }

// at finds a file and compares its size, before anybody opens it.
func (f Files) at(name string) (located, error) {
	l, ok := f.files[name]
	if !ok {
		return l, fault.New(fault.NotFound, "there is no such file; there are: %s", strings.Join(f.Names(), ", ")).At(name, "")
	}
	size, err := sizeOf(l.root, l.path)
	if err == nil && size != l.sum.Bytes {
		err = fault.New(fault.Mismatch, "has %d bytes, not the %d of its entry", size, l.sum.Bytes).At(l.path, "")
	}
	return l, err
}

func (f Files) Read(name string) ([]byte, error) {
	l, err := f.at(name)
	if err != nil {
		return nil, err
	}
	return readWhole(l.root, l.path, l.sum)
}

// Document reads a canonical JSON document into v.
func (f Files) Document(name string, v any) error {
	data, err := f.Read(name)
	if err != nil {
		return err
	}
	if err := canon.Decode(data, canon.MaxManifest, v); err != nil {
		return fault.New(fault.Mismatch, "%w", err).At(f.files[name].path, "")
	}
	return nil
}

// Arrow maps an Arrow file of layout t; the caller closes it.
func (f Files) Arrow(name string, t schemas.Table) (*arrowio.File, error) {
	l, err := f.at(name)
	if err != nil {
		return nil, err
	}
	return arrowio.Open(l.root, l.path, t, l.sum)
}

// Parquet reads a Parquet file of layout t.
func (f Files) Parquet(name string, t schemas.Table) (*arrowio.Table, error) {
	l, err := f.at(name)
	if err != nil {
		return nil, err
	}
	return arrowio.ReadParquet(l.root, l.path, t, l.sum)
}

// Copy writes the bytes of a file to out and compares them with their digest: out is to be thrown
// away on an error.
func (f Files) Copy(ctx context.Context, name string, out io.Writer) error {
	l, err := f.at(name)
	if err != nil {
		return err
	}
	src, err := l.root.Open(l.path)
	if err != nil {
		return fault.New(fault.Mismatch, "%w", err).At(l.path, "")
	}
	defer src.Close()
	got, err := digest.Reader(ctx, io.TeeReader(src, out))
	if err == nil && got != l.sum {
		err = fault.New(fault.Mismatch, "SHA-256 is %s, not the %s of its entry", got.SHA256,
			l.sum.SHA256).At(l.path, "")
	}
	return err
}

// rows is a table, of whose batches or row groups one is visited.
type rows interface {
	BatchRows(b int) int
	Cell(b, col, row int) any
}

// EachRow visits the rows of the table of layout t at name, an Arrow or a Parquet file, with a
// reader of their cells. Beside one row group memory holds the file as it is packed.
func (f Files) EachRow(
	name string, t schemas.Table, visit func(cell func(col int) any) error,
) error {
	l, err := f.at(name)
	if err != nil {
		return err
	}
	if path.Ext(name) == ".parquet" {
		for group, err := range arrowio.Groups(l.root, l.path, t, l.sum) {
			if err == nil {
				err = eachRow(group, 0, visit)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	file, err := arrowio.Open(l.root, l.path, t, l.sum)
	if err != nil {
		return err
	}
	defer file.Close()
	for b := range file.Batches() {
		if err := eachRow(file, b, visit); err != nil {
			return err
		}
	}
	return nil
}

func eachRow(t rows, b int, visit func(cell func(col int) any) error) error {
	for i := range t.BatchRows(b) {
		if err := visit(func(col int) any { return t.Cell(b, col, i) }); err != nil {
			return err
		}
	}
	return nil
}

// ErrEnough is what a visit returns that wants no more lines.
var ErrEnough = errors.New("no more lines are wanted")

// Each visits the lines of a text file as they are read, so that memory does not follow the size of
// the file. As many as the rows that are recorded are read and no more: other numbers are
// fault.Malformed, as is what visit refuses without another kind. A file whose bytes are not those
// of its digest is fault.Mismatch whatever its lines say. After ErrEnough, which it then returns, it
// compares the digest all the same, and counts no rows.
func (f Files) Each(name string, visit func(n int, line []byte) error) error {
	l, err := f.at(name)
	if err != nil {
		return err
	}
	rows := 0
	err = l.each(func(n int, line []byte) error {
		if rows = n; l.rows >= 0 && int64(n) > l.rows {
			return fmt.Errorf("a line more than the %d rows that are recorded", l.rows)
		}
		return visit(n, line)
	})
	if errors.Is(err, ErrEnough) {
		return ErrEnough
	}
	if err == nil && l.rows >= 0 && int64(rows) < l.rows {
		err = fault.New(fault.Malformed, "%d lines, recorded are %d rows", rows, l.rows).At(l.path, "")
	}
	return err
}

// each visits the lines, and compares the very bytes that it read with their digest.
func (l located) each(visit func(n int, line []byte) error) error {
	src, err := l.root.Open(l.path)
	if err != nil {
		return fault.New(fault.Mismatch, "%w", err).At(l.path, "")
	}
	defer src.Close()
	h := digest.NewHash()
	in := io.TeeReader(src, h)
	bad := eachPacked(in, l.path, l.sum.Bytes, visit)
	if _, err := io.Copy(io.Discard, in); err != nil {
		return fault.New(fault.Mismatch, "%w", err).At(l.path, "")
	}
	if got := h.Sum(); got != l.sum {
		return fault.New(fault.Mismatch, "SHA-256 is %s, not the %s of its entry", got.SHA256, l.sum.SHA256).At(l.path, "")
	}
	return bad
}

// eachPacked is jsonl.Each for a file of size bytes that may be packed.
func eachPacked(in io.Reader, name string, size int64, visit func(n int, line []byte) error) error {
	lines, err := jsonl.Unpack(in, name, size)
	if err != nil {
		return fault.New(fault.Malformed, "%w", err).At(name, "")
	}
	return jsonl.Each(lines, name, visit)
}

// Lines reads a file of JSON lines; schema is as in jsonl.Decode. A record whose id stands already
// is fault.Malformed, because a reader that finds records by their ids would lose one of the two.
func Lines[T any](f Files, name, schema string, id func(*T) string) ([]T, error) {
	list := []T{}
	err := EachLineOf(f, name, schema, id, func(_ int, record *T) error {
		list = append(list, *record)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// EachLineOf visits the records that Lines reads, with their lines, and keeps no more than 24 bytes
// of each.
func EachLineOf[T any](f Files, name, schema string, id func(*T) string, visit func(line int, record *T) error) error {
	seen := ids{}
	return f.Each(name, func(n int, line []byte) error {
		record, err := jsonl.DecodeLine[T](line, schema)
		if err == nil {
			err = seen.add(id(&record), n)
		}
		if err != nil {
			return err
		}
		return visit(n, &record)
	})
}

// ids are those of the lines before, by 16 bytes of their digests.
type ids map[[16]byte]uint32

func (seen ids) add(id string, line int) error {
	sum := sha256.Sum256([]byte(id))
	key := [16]byte(sum[:])
	if first, twice := seen[key]; twice {
		return fmt.Errorf("id %s stands on line %d already", fault.Quote(id), first)
	}
	seen[key] = uint32(line)
	return nil
}

// Quotas reads quotas.json; none for a part without.
func (f Files) Quotas() ([]schemas.Quota, error) {
	list := []schemas.Quota{}
	if !f.Has(schemas.QuotasFile) {
		return list, nil
	}
	return list, f.Document(schemas.QuotasFile, &list)
}

// Sets lists the files of JSON lines that the quotas name, without their ending and in their order;
// the others, such as those of a part without quotas, in the order of their names.
func (f Files) Sets() ([]string, error) {
	quotas, err := f.Quotas()
	if err != nil {
		return nil, err
	}
	var sets []string
	for _, q := range quotas {
		if f.Has(q.Of+".jsonl") && !slices.Contains(sets, q.Of) {
			sets = append(sets, q.Of)
		}
	}
	if len(sets) > 0 {
		return sets, nil
	}
	for _, name := range f.Names() {
		if set, ok := strings.CutSuffix(name, ".jsonl"); ok {
			sets = append(sets, set)
		}
	}
	return sets, nil
}

// filesOf lists the files that m has in a folder of the release below root, and what it says of
// their stage.
func (m *Manifest) filesOf(root *os.Root, part Part) Files {
	f := m.folderBelow(root, part.Folder())
	name := part.Source().Name
	f.Params = m.Params[name]
	if w := m.wholeOf(name); w != nil {
		f.Params, f.Counters = w.Params, w.Stage.Counters
		return f
	}
	for _, s := range m.Stages {
		if s.Stage == name {
			f.Counters = s.Counters
		}
	}
	return f
}

func (m *Manifest) folderBelow(root *os.Root, folder string) Files {
	var f Files
	for _, e := range m.Files {
		if parent(e.Path) == folder {
			rows := int64(-1)
			if e.Rows != nil {
				rows = *e.Rows
			}
			logical := ""
			if e.LogicalSHA256 != nil {
				logical = *e.LogicalSHA256
			}
			f.Add(path.Base(e.Path), root, e.Path, e.digestOf(), rows, logical)
		}
	}
	return f
}

// maxTextBytes bounds what is read into memory on a manifest's word: a split of a million
// instances.
const maxTextBytes = 1 << 30

// readWhole reads a file into memory and compares the very bytes that it returns with their digest.
func readWhole(root *os.Root, p string, want digest.Digest) ([]byte, error) {
	if want.Bytes > maxTextBytes {
		return nil, fault.New(fault.Mismatch, "%d bytes of text, at most %d are read", want.Bytes, maxTextBytes).At(p, "")
	}
	data, err := root.ReadFile(p)
	if err != nil {
		return nil, fault.New(fault.Mismatch, "%w", err).At(p, "")
	}
	if got := digest.Bytes(data); got != want {
		return nil, fault.New(fault.Mismatch, "SHA-256 is %s, not the %s of its entry", got.SHA256, want.SHA256).At(p, "")
	}
	return data, nil
}
