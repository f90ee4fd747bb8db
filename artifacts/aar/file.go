package aar

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// File is a leg and where it was found. Variant and level are those of its folder, or of its file
// in a release; without such names they are those that the leg says.
type File struct {
	Path, Variant, Level, Sample string

	Leg     *schemas.AARLeg // nil if it cannot be read, and then Err says why
	Err     error
	Data    []byte // as it stands there, without the end of a release's line
	Newline bool
	Line    bool // a line of a release
}

// variantPrefix begins the folders of the variants.
const variantPrefix = "aar-"

var (
	sampleFile = regexp.MustCompile(`^sample_.*\.json$`)
	linesFile  = regexp.MustCompile(`^legs-(linear|dag)-(easy|medium|hard|extreme)\.jsonl$`)
)

// ReadFiles visits every leg below dir in the order of paths: the lines of a release where there
// are any, else the files named sample_NNN.json, else every JSON file. Paths are relative to dir.
func ReadFiles(dir string, visit func(f File) error) error {
	var lines, samplesOf, others []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fault.Opening(path, err)
		case !d.Type().IsRegular():
		case linesFile.MatchString(d.Name()):
			lines = append(lines, path)
		case sampleFile.MatchString(d.Name()):
			samplesOf = append(samplesOf, path)
		case strings.HasSuffix(d.Name(), ".json"):
			others = append(others, path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, path := range lines {
		if err := readLines(dir, path, visit); err != nil {
			return err
		}
	}
	if len(lines) > 0 {
		return nil
	}
	if samplesOf == nil {
		samplesOf = others
	}
	if samplesOf == nil {
		return fault.New(fault.NotFound, "there are no legs").At(dir, "").Hint("want files sample_NNN.json, or legs-*.jsonl of a release")
	}
	for _, path := range samplesOf {
		if err := readFile(dir, path, visit); err != nil {
			return err
		}
	}
	return nil
}

// relative names a path below dir with slashes.
func relative(dir, path string) string {
	name, err := filepath.Rel(dir, path)
	if err != nil || name == "." {
		name = filepath.Base(path)
	}
	return filepath.ToSlash(name)
}

func readFile(dir, path string, visit func(f File) error) error {
	in, err := os.Open(path)
	if err != nil {
		return fault.Opening(path, err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, MaxLeg+1))
	if err != nil {
		return fault.New(fault.Failure, "%w", err).At(path, "")
	}
	f := File{Path: relative(dir, path), Data: data, Sample: strings.TrimSuffix(filepath.Base(path), ".json")}
	f.Leg, f.Newline, f.Err = DecodeLeg(data)
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	level := filepath.Dir(full)
	f.Level, f.Variant = filepath.Base(level), strings.TrimPrefix(filepath.Base(filepath.Dir(level)), variantPrefix)
	f.fill()
	return visit(f)
}

// fill takes from the leg what the names around it do not say.
func (f *File) fill() {
	if !slices.Contains(schemas.AARLevels, f.Level) && f.Leg != nil {
		f.Level = f.Leg.Difficulty.Level
	}
	if !slices.Contains(schemas.AARVariants, f.Variant) && f.Leg != nil {
		f.Variant = Variant(f.Leg)
	}
}

func readLines(dir, path string, visit func(f File) error) error {
	in, err := os.Open(path)
	if err != nil {
		return fault.Opening(path, err)
	}
	defer in.Close()
	name := linesFile.FindStringSubmatch(filepath.Base(path))
	var failed error
	err = jsonl.Each(in, path, func(n int, line []byte) error {
		f := File{Path: relative(dir, path) + ": " + jsonl.Line(n), Variant: name[1], Level: name[2], Line: true, Data: bytes.Clone(line)}
		if f.Leg, f.Err = DecodeLine(line); f.Err == nil {
			f.Sample = f.Leg.Metadata.SampleID
		}
		failed = visit(f)
		return failed
	})
	if failed != nil {
		return failed // of a visit, which says its place itself
	}
	return err
}

// Same reports whether the leg is written as it was read.
func (f File) Same() bool {
	if f.Line {
		return f.Err == nil && bytes.Equal(EncodeLine(f.Leg), f.Data)
	}
	return f.Err == nil && bytes.Equal(EncodeLeg(f.Leg, f.Newline), f.Data)
}

// Reason says why a leg cannot be read, with its file.
func (f File) Reason(dir string) error {
	where, what := "", f.Err.Error()
	var b *Bad
	if errors.As(f.Err, &b) {
		where, what = b.Place, b.Reason
	}
	return fault.New(fault.Malformed, "%s", what).At(filepath.Join(dir, filepath.FromSlash(f.Path)), where)
}

// TreePath returns the path of a leg in a tree of legs.
func (f File) TreePath() (string, error) {
	if !sampleForm.MatchString(f.Leg.Metadata.SampleID) {
		return "", fault.New(fault.Malformed, "sample_id is %s, want sample_ and 3 digits", fault.Quote(f.Leg.Metadata.SampleID)).At(f.Path, "metadata")
	}
	return filepath.Join(variantPrefix+f.Variant, f.Level, f.Leg.Metadata.SampleID+".json"), nil
}

// Issues lists what is wrong with the leg, as Validate does; a file that cannot be read is one
// issue.
func (f File) Issues(released bool) []Issue {
	if f.Err != nil {
		return []Issue{Unreadable(f.Path, f.Err)}
	}
	list := Validate(f.Leg, released)
	for i := range list {
		list[i].File = f.Path
	}
	return list
}
