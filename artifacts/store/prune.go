package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Pruned is a result that no build names.
type Pruned struct {
	Stage string
	Key   string // the directory's name
	Bytes int64
}

// Prune removes the results that no build names, those of an unfinished build included, and nothing else. The
// caller holds the exclusive lock. A build that does not parse stops it: its results would be lost.
func (d *Dir) Prune(dryRun bool) ([]Pruned, error) {
	named, err := d.named()
	if err != nil {
		return nil, err
	}
	results, err := d.results()
	if err != nil {
		return nil, err
	}
	var pruned []Pruned
	for _, r := range results {
		if named[r.stage+"/"+r.key] {
			continue
		}
		p, err := d.pruneResult(r.stage, r.key, dryRun)
		if err != nil {
			return pruned, err
		}
		pruned = append(pruned, p)
	}
	return pruned, nil
}

type resultDir struct{ stage, key string }

// results lists every directory of a result, sorted.
func (d *Dir) results() ([]resultDir, error) {
	stages, err := subdirs(filepath.Join(d.path, "stages"))
	if err != nil {
		return nil, err
	}
	var out []resultDir
	for _, stage := range stages {
		keys, err := subdirs(filepath.Join(d.path, "stages", stage))
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if isResultDir(key) {
				out = append(out, resultDir{stage, key})
			}
		}
	}
	return out, nil
}

// named lists the results that a build names, as <stage>/<directory>.
func (d *Dir) named() (map[string]bool, error) {
	names, err := d.Builds()
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, name := range names {
		b, err := d.Build(name)
		if err != nil {
			return nil, err
		}
		for stage, key := range b.Stages { // order is lost in the set
			out[stage+"/"+key[:keyDigits]] = true
		}
	}
	return out, nil
}

func (d *Dir) pruneResult(stage, key string, dryRun bool) (Pruned, error) {
	p := Pruned{Stage: stage, Key: key}
	folder := filepath.Join(d.path, "stages", stage, key)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return p, err
	}
	var receipts, rest []string
	for _, e := range entries {
		p.Bytes += size(e)
		if isReceipt(e.Name()) {
			receipts = append(receipts, e.Name())
		} else {
			rest = append(rest, e.Name())
		}
	}
	if dryRun {
		return p, nil
	}
	if err := removeInOrder(d.fs, folder, receipts, rest); err != nil {
		return p, err
	}
	return p, d.fs.Remove(folder)
}

func size(e fs.DirEntry) int64 {
	info, err := e.Info()
	if err != nil {
		return 0
	}
	return info.Size()
}

// isResultDir reports whether a folder was made by us: the first half of a key.
func isResultDir(name string) bool {
	return len(name) == keyDigits && strings.Trim(name, "0123456789abcdef") == ""
}

func subdirs(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if isNotExist(err) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}
