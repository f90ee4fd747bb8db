// Package export writes a release in the forms that other programs load without a line of glue: a
// repository of tables for Hugging Face, comma-separated values, and a Croissant document with the
// files that it describes.
//
// It promises that an export is there whole or not at all, that equal releases and options give
// equal bytes, that nothing is written whose digest is not that of the manifest, and that
// export.json says which release it is of. It knows no part by name.
package export

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Name and schema of the file that says what an export is. 1: first layout.
const (
	AboutFile = "export.json"
	schema    = "wikinav.export/1"
)

// Job is an export to be made.
type Job struct {
	Release *release.Release
	From    string // the directory of the release
	Parts   []release.Part
	Out     string
	Force   bool                                            // replace an export that is there
	Meter   func(unit string, total int64) func(done int64) // told of the work; total is -1 if unknown
}

// About is what export.json says.
type About struct {
	Schema         string `json:"schema"`
	Format         string `json:"format"`
	Release        string `json:"release"`
	ManifestID     string `json:"manifest_id"`
	ManifestSHA256 string `json:"manifest_sha256"`
	Files          []File `json:"files"` // sorted by path, without export.json
}

type File struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Rows   *int64 `json:"rows,omitempty"` // of files that hold records
}

// Dir is an export that comes into being.
type Dir struct {
	ctx   context.Context
	root  *os.Root
	about *About
}

// Make makes the export that fill writes. Errors: fault.Failure for a place that holds something
// else than an export, or one without Force.
func (j Job) Make(ctx context.Context, format string, fill func(*Dir) error) (*About, error) {
	if err := j.outside(); err != nil {
		return nil, err
	}
	m := j.Release.Manifest()
	about := &About{
		Schema: schema, Format: format, Release: m.Release.Name, ManifestID: m.ID,
		ManifestSHA256: j.Release.ManifestSHA256(), Files: []File{},
	}
	err := whole.MakeDir(j.Out, j.mayReplace, func(t *whole.Dir) error {
		d := &Dir{ctx, t.Root, about}
		if err := fill(d); err != nil {
			return err
		}
		return d.seal()
	})
	return about, err
}

// outside refuses a place in the release: verify would find files that its manifest does not list.
func (j Job) outside() error {
	out, err := filepath.Abs(j.Out)
	if err != nil {
		return err
	}
	from, err := filepath.Abs(j.From)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(from, out); err == nil && filepath.IsLocal(rel) {
		return fault.New(fault.Usage, "--out %s lies in the release", fault.Quote(j.Out)).
			Hint("name another directory; a release is never changed")
	}
	return nil
}

// mayReplace protects whatever is no export of ours, whatever the flags say.
func (j Job) mayReplace(dir string) error {
	if !j.Force {
		return fault.New(fault.Failure, "--out: the directory is not empty").At(dir, "").
			Hint("name another directory, or replace the export in it with --force")
	}
	data, err := os.ReadFile(filepath.Join(dir, AboutFile))
	var have About
	if err == nil {
		err = canon.Decode(data, canon.MaxManifest, &have)
	}
	if err != nil || have.Schema != schema {
		return fault.New(fault.Failure, "--out: the directory holds something else than an export").
			At(dir, "").Hint("name another directory; --force replaces one that wikinav export wrote")
	}
	return nil
}

// Create writes the file called name, of so many records as fill returns; -1 for none.
func (d *Dir) Create(name string, fill func(io.Writer) (rows int64, err error)) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	if err := d.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := d.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	rows := int64(-1)
	sum, err := whole.Fill(f, func(out io.Writer) (err error) {
		rows, err = fill(out)
		return err
	})
	if err != nil {
		return err
	}
	made := File{Path: name, Bytes: sum.Bytes, SHA256: sum.SHA256}
	if rows >= 0 {
		made.Rows = &rows
	}
	d.about.Files = append(d.about.Files, made)
	return nil
}

// Text writes a file that is short.
func (d *Dir) Text(name, text string) error {
	return d.Copy(name, strings.NewReader(text))
}

// Copy writes a file of what in holds, which are no records.
func (d *Dir) Copy(name string, in io.Reader) error {
	return d.Create(name, func(out io.Writer) (int64, error) {
		_, err := io.Copy(out, in)
		return -1, err
	})
}

// Same puts the file called of under another name as well: one file for both where the file system
// has hard links.
func (d *Dir) Same(name, of string) error {
	if err := d.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	i := slices.IndexFunc(d.about.Files, func(f File) bool { return f.Path == of })
	if i < 0 {
		return fmt.Errorf("%s is not written yet", of)
	}
	if d.root.Link(of, name) == nil {
		made := d.about.Files[i]
		made.Path = name
		d.about.Files = append(d.about.Files, made)
		return nil
	}
	in, err := d.root.Open(of)
	if err != nil {
		return err
	}
	defer in.Close()
	return d.Copy(name, in)
}

// MakeExecutable lets a file be run.
func (d *Dir) MakeExecutable(name string) error { return d.root.Chmod(name, 0o755) }

func (d *Dir) seal() error {
	order.Sort(d.about.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	f, err := d.root.OpenFile(AboutFile, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = whole.Fill(f, func(out io.Writer) error {
		_, err := fmt.Fprintf(out, "%s\n", canon.MustMarshal(d.about))
		return err
	})
	return err
}

// Context ends when the export is to end.
func (d *Dir) Context() context.Context { return d.ctx }

// files lists the files of the release; the caller owns the list.
func (j Job) files() []release.FileEntry { return slices.Clone(j.Release.Manifest().Files) }

// copyAll copies files of the release to the same places.
func (j Job) copyAll(d *Dir, files []release.FileEntry) error {
	total := int64(0)
	for _, f := range files {
		total += f.Bytes
	}
	add := j.Meter("bytes", total)
	for _, f := range files {
		err := d.Create(f.Path, func(out io.Writer) (int64, error) {
			return rowsOf(f), j.folder(f.Path).Copy(d.ctx, path.Base(f.Path), out)
		})
		if err != nil {
			return err
		}
		add(f.Bytes)
	}
	return nil
}

func rowsOf(f release.FileEntry) int64 {
	if f.Rows == nil {
		return -1
	}
	return *f.Rows
}

// folder returns the files beside the one at p.
func (j Job) folder(p string) release.Files {
	if !strings.Contains(p, "/") {
		return j.Release.Folder("")
	}
	return j.Release.Folder(path.Dir(p))
}
