package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// familyLumina is the family of the three worlds. It needs of a release nothing but its files.
const familyLumina = "lumina"

// luminaSource is what a release has of the three worlds.
type luminaSource struct {
	manifest *release.Manifest
	sha      string
	splits   []judge.LuminaSplit // those that are played, in their fixed order
	book     *lumina.Book
}

// openLumina reads all instances; each is checked by the rules of its world.
func openLumina(dir string) (*luminaSource, error) {
	if dir == "" {
		return nil, fault.New(fault.Usage, "--release is required")
	}
	r, err := release.Open(dir)
	if err != nil {
		return nil, err
	}
	s := &luminaSource{manifest: r.Manifest(), sha: r.ManifestSHA256()}
	return s, errors.Join(s.load(r), r.Close())
}

func (s *luminaSource) load(r *release.Release) error {
	var examples []*worlds.Instance
	for _, env := range schemas.LuminaEnvs {
		for _, split := range schemas.LuminaSplits {
			name, ok := luminaFile(r, env, split)
			if !ok {
				continue
			}
			instances, sha, err := readWorlds(r, name, env, split)
			if err != nil {
				return err
			}
			if split == schemas.LuminaFewshot {
				examples = append(examples, instances...)
				continue
			}
			s.splits = append(s.splits, judge.LuminaSplit{Name: env + "/" + split, SHA256: sha, Instances: instances})
		}
	}
	if s.splits == nil {
		return fault.New(fault.NotFound, "the release has nothing of the family lumina").At(schemas.LuminaPath(schemas.LuminaList, schemas.LuminaTest), "").
			Hint("build it with a recipe that has [lumina], and release it again")
	}
	s.book = lumina.NewBook(examples)
	return nil
}

// luminaFile finds the file of a split under its published name, or under that of the stage.
func luminaFile(r *release.Release, env, split string) (string, bool) {
	for _, name := range []string{schemas.LuminaPath(env, split), "lumina/" + schemas.LuminaFile(env, split)} {
		if _, ok := r.Manifest().File(name); ok {
			return name, true
		}
	}
	return "", false
}

// readWorlds decodes a file of instances; each must be of the world and split that the file's name says.
func readWorlds(r *release.Release, name, env, split string) (list []*worlds.Instance, sha string, err error) {
	data, err := r.Text(name)
	if err != nil {
		return nil, "", err
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		inst, err := worlds.Decode(bytes.TrimSuffix(line, []byte("\n")))
		if err == nil && (inst.Env != env || inst.Split != split) {
			err = fmt.Errorf("an instance of %s/%s", inst.Env, inst.Split)
		}
		if err != nil {
			return nil, "", fault.New(fault.Malformed, "%w", err).At(name, fmt.Sprintf("line %d", n))
		}
		list = append(list, inst)
	}
	return list, digest.SHA256(data), nil
}

// choose gives the splits called names; a world's name stands for all its splits, none for all there are.
func (s *luminaSource) choose(names []string) ([]judge.LuminaSplit, error) {
	var chosen []judge.LuminaSplit
	for _, split := range s.splits {
		env, _, _ := strings.Cut(split.Name, "/")
		if len(names) == 0 || slices.Contains(names, split.Name) || slices.Contains(names, env) {
			chosen = append(chosen, split)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(s.splits, func(p judge.LuminaSplit) bool { return p.Name == name || strings.HasPrefix(p.Name, name+"/") }) {
			return nil, fault.New(fault.Usage, "the release has no split %s to play", fault.Quote(name)).
				Hint("it has %s; a world's name stands for all its splits", strings.Join(splitsOf(s.splits), ", "))
		}
	}
	return chosen, nil
}

func splitsOf(splits []judge.LuminaSplit) []string {
	names := []string{}
	for _, s := range splits {
		names = append(names, s.Name)
	}
	return names
}
