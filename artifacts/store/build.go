package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// DefaultBuild is the name of a build that was given none.
const DefaultBuild = "default"

const buildSuffix = ".json"

func (d *Dir) buildsDir() string { return filepath.Join(d.path, "builds") }

// WriteBuild makes name point at the results of b.
func (d *Dir) WriteBuild(name string, b schemas.Build) error {
	if err := d.fs.MkdirAll(d.buildsDir()); err != nil {
		return err
	}
	return commitJSON(d.fs, d.buildsDir(), name+buildSuffix, b)
}

// Build reads the build of that name; if there is none the error names those that there are.
func (d *Dir) Build(name string) (*schemas.Build, error) {
	file := filepath.Join("builds", name+buildSuffix)
	data, err := os.ReadFile(filepath.Join(d.path, file))
	if isNotExist(err) {
		return nil, d.noBuild(name)
	}
	if err != nil {
		return nil, err
	}
	var b schemas.Build
	if err := canon.Decode(data, canon.MaxManifest, &b); err != nil {
		return nil, fault.New(fault.Mismatch, "does not parse: %w", err).At(file, "").Hint("run wikinav build again")
	}
	if err := checkBuild(b); err != nil {
		return nil, fault.New(fault.Mismatch, "%w", err).At(file, "").Hint("run wikinav build again")
	}
	return &b, nil
}

func checkBuild(b schemas.Build) error {
	if b.Schema != schemas.BuildSchema {
		return errors.New("its schema is " + fault.Quote(b.Schema) + ", want " + schemas.BuildSchema)
	}
	for stage, key := range b.Stages { // the first bad one, whichever comes first
		if !isKey(key) || !schemas.ValidPath(stage) {
			return errors.New("stage " + fault.Quote(stage) + " has no valid key")
		}
	}
	return nil
}

func (d *Dir) noBuild(name string) error {
	names, err := d.Builds()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fault.New(fault.NotFound, "no build named %s; there is none yet", fault.Quote(name)).At(d.path, "").
			Hint("wikinav build makes one")
	}
	return fault.New(fault.NotFound, "--build: no build named %s", fault.Quote(name)).At(d.path, "").Choose(name, names)
}

// Builds lists the names of the builds, sorted.
func (d *Dir) Builds() ([]string, error) {
	entries, err := os.ReadDir(d.buildsDir())
	if isNotExist(err) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), buildSuffix); ok && ValidBuildName(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// ValidBuildName reports whether name can name a build.
func ValidBuildName(name string) bool {
	return schemas.ValidPath(name) && !strings.Contains(name, "/")
}

// isKey reports whether s is a full key: 64 lower-case hex digits.
func isKey(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }
