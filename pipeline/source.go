package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/dumps/demo"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/edgelist"
	"github.com/wikinav/wikinav/stages/fresh"
	"github.com/wikinav/wikinav/stages/labels"
)

const (
	RoleDump     = "dump"
	RoleIndex    = "index"
	RoleSiteInfo = "siteinfo"
	RoleSQL      = "sql"
	RoleEdges    = edgelist.RoleEdges
	RoleNodes    = edgelist.RoleNodes

	RoleSince      = "fresh-since" // the manifest of an older release
	RoleSinceGraph = "fresh-since-graph"
)

// Input names what a build reads from outside, as the user gave it: the files of a dump, a graph given as text, or nothing,
// which stands for the demo snapshot; and next to any of them what says what pages are about. The tags are the flags of the command.
type Input struct {
	Dump     string   `flag:"dump" usage:"dump: XML, plain or packed with bzip2, gzip or zstd; a folder of shards; - for standard input; without one, the demo snapshot"`
	Index    string   `flag:"index" usage:"multistream index of the dump; found next to it by default; none reads without"`
	SiteInfo string   `flag:"siteinfo" usage:"siteinfo file, for a dump without a header of its own"`
	SQL      []string `flag:"sql" usage:"SQL table of the same wiki: page_props, for disambiguation pages; pagelinks and linktarget, for --link-source pagelinks; page and redirect, to compare the dump with; repeatable"`

	Edges    string `flag:"edges" usage:"any graph in the place of a dump: source TAB target on each line"`
	Nodes    string `flag:"nodes" usage:"the nodes of --edges, one name on each line; their order numbers the pages"`
	Language string `flag:"language" usage:"language of the names of --edges, for list and date pages; en by default"`

	Types       []string `flag:"types" usage:"what pages are about: instance types of DBpedia (specific, never transitive), one triple on a line; repeatable"`
	Ontology    string   `flag:"ontology" usage:"DBpedia's ontology of these types, RDF/XML or N-Triples; without one our table of June 2024 decides alone"`
	EntityTypes string   `flag:"entity-types" usage:"types for a wiki that DBpedia does not know: title TAB class on each line"`
	Manual      string   `flag:"manual-labels" usage:"labels by hand, which win over all: page id TAB label on each line"`

	Pairs []string `flag:"pairs" usage:"a split of the pairs that a file lists, as NAME=FILE: source TAB target, JSON lines with start and target, or games of Wikispeedia; repeatable"`

	FreshSince string `flag:"fresh-since" usage:"an older release: pairs are drawn whose every shortest path it lacks"`

	Wiki        string `flag:"wiki" usage:"name of the wiki, for example enwiki; by default from the name or the text of the dump"`
	Date        string `flag:"date" usage:"day of the snapshot as YYYYMMDD; by default from the name of the dump"`
	VerifyText  string `flag:"verify-text" oneof:"count strict off" usage:"page texts that differ from their checksum inside the dump (count accepts up to 0.1 %, strict none, off does not look)"`
	Tolerate    int    `flag:"tolerate" usage:"how many malformed pages may be skipped"`
	Hatnotes    bool   `flag:"hatnotes" usage:"the arguments of main, see also and further are links, too"`
	Reader      string `flag:"reader" oneof:"native wikiparse" usage:"how pages are read, wikiparse being a second opinion"` // nothing that is written depends on it
	Trust       bool   `flag:"no-verify-input" usage:"do not compare the files of the dump with the checksums published next to them"`
	Mixed       bool   `flag:"mixed-inputs" usage:"accept --sql and --types files that are named for another wiki, day or language than the dump"`
	AllowLatest bool   `flag:"allow-latest" usage:"accept a dump called latest"` // its date then comes from the newest revision

	Sides map[string]*string // paths by flag of Sides

	LinkSource string    // of the recipe: pagelinks and linktarget are inputs where links come from them
	Stdin      io.Reader // what StandardInput reads
	Spool      string    // folder in which it is kept meanwhile, because a key needs the whole content
}

func (in Input) Demo() bool { return in.Dump == "" && in.Edges == "" }

// StandardInput as the name of a dump reads what comes from there.
const StandardInput = "-"

// Source is an opened Input: its files with their digests, its wiki and date as far as names tell them.
type Source struct {
	Input
	files   []stages.File
	Ignored []string                 // which files were named and are not read, and why
	types   []stages.File            // what says what pages are about
	sides   map[string][]stages.File // by artifact
	pairs   []stages.File            // that list pairs
	older   []stages.File            // manifest and graph of the release of FreshSince
	since   *release.Manifest
	meta    []schemas.SourceFile
	spooled string // what came from standard input; gone with Close
}

// Open digests the files of an input, and checks those of a dump against the sums next to them.
func Open(ctx context.Context, in Input) (Source, error) {
	src := Source{Input: in}
	var err error
	switch {
	case in.Edges != "":
		err = src.add(ctx, &src.files, false, roleFile{RoleEdges, in.Edges}, roleFile{RoleNodes, in.Nodes})
	case in.Dump != "":
		err = src.addDump(ctx)
	}
	if err == nil {
		err = src.addTypes(ctx)
	}
	if err == nil {
		err = src.addSides(ctx)
	}
	if err == nil {
		err = src.addPairs(ctx)
	}
	if err == nil && in.FreshSince != "" {
		err = src.addSince(ctx)
	}
	if err != nil {
		src.Close()
		src.files, src.types, src.sides, src.pairs, src.older = nil, nil, nil, nil, nil
	}
	return src, err
}

func (s *Source) addDump(ctx context.Context) error {
	sides, err := s.tables(ctx)
	if err != nil {
		return err
	}
	if s.Dump == StandardInput {
		return s.spool(ctx, sides)
	}
	roles, err := s.roles()
	if err != nil {
		return err
	}
	wiki, date := snapshotOf(filepath.Base(roles[0].path))
	if date == latest && !s.AllowLatest {
		return fault.New(fault.Usage, "a dump called latest cannot be frozen").At(s.Dump, "").
			Hint("take the dated file, or say --allow-latest")
	}
	s.Wiki, s.Date = cmp.Or(s.Wiki, wiki), cmp.Or(s.Date, strings.TrimPrefix(date, latest))
	if !s.Mixed {
		for _, f := range sides {
			if err := s.tableTogether(f.path); err != nil {
				return err
			}
		}
	}
	return s.add(ctx, &s.files, s.Trust, append(roles, sides...)...)
}

type roleFile struct{ role, path string }

// roles lists the files that a dump is read from, the dump itself first.
func (in Input) roles() ([]roleFile, error) {
	if info, err := os.Stat(in.Dump); err == nil && info.IsDir() {
		return in.shards()
	}
	list := []roleFile{{RoleDump, in.Dump}}
	index := in.Index
	if index == "" {
		index, _ = files.FindIndex(in.Dump)
	}
	if index != "" && index != mediawiki.IndexNone {
		list = append(list, roleFile{RoleIndex, index})
	}
	return in.withSides(list), nil
}

// shards lists the dumps of a folder in order of their first pages, numbered, each with its index.
func (in Input) shards() ([]roleFile, error) {
	parts, err := files.Dumps(in.Dump)
	if err != nil {
		return nil, err
	}
	var list []roleFile
	for i, p := range parts {
		list = append(list, roleFile{fmt.Sprintf("%s-%05d", RoleDump, i), p.Path})
		if p.Index != "" && in.Index != mediawiki.IndexNone {
			list = append(list, roleFile{fmt.Sprintf("%s-%05d", RoleIndex, i), p.Index})
		}
	}
	return in.withSides(list), nil
}

func (in Input) withSides(list []roleFile) []roleFile {
	info := in.SiteInfo
	if info == "" {
		info, _ = files.FindSiteInfo(list[0].path)
	}
	if info != "" {
		list = append(list, roleFile{RoleSiteInfo, info})
	}
	return list
}

// spool keeps standard input in a file: its digest is needed before the first page is read.
func (s *Source) spool(ctx context.Context, sides []roleFile) error {
	f, err := os.CreateTemp(s.Spool, ".tmp-stdin-*")
	if err != nil {
		return err
	}
	s.spooled = f.Name()
	_, err = io.Copy(f, s.Stdin)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := s.add(ctx, &s.files, true, roleFile{RoleDump, s.spooled}); err != nil {
		return err
	}
	s.meta[0].Name = "stdin"
	return s.add(ctx, &s.files, s.Trust, sides...)
}

// add takes in the files that are named.
func (s *Source) add(ctx context.Context, into *[]stages.File, trust bool, list ...roleFile) error {
	for _, f := range list {
		if f.path == "" {
			continue
		}
		if err := s.addFile(ctx, into, trust, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) addFile(ctx context.Context, into *[]stages.File, trust bool, f roleFile) error {
	info, err := os.Stat(f.path)
	if err != nil {
		return fault.Opening(f.path, err)
	}
	if info.IsDir() {
		return fault.New(fault.Usage, "a folder where a file is wanted").At(f.path, "").Hint("name a file in it")
	}
	verified := schemas.VerifiedNone
	if !trust {
		if verified, err = files.VerifySums(ctx, f.path); err != nil {
			return err
		}
	}
	sum, err := digest.File(ctx, f.path)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(f.path))
	if err != nil {
		return err
	}
	name := filepath.Base(f.path)
	*into = append(*into, stages.File{Name: name, Role: f.role, Root: root, Digest: sum})
	s.meta = append(s.meta, schemas.SourceFile{Role: f.role, Name: name, Bytes: sum.Bytes, SHA256: sum.SHA256, Verified: verified})
	return nil
}

func (s *Source) addTypes(ctx context.Context) error {
	var list []roleFile
	for i, path := range s.Types {
		if err := s.typesTogether(path); err != nil && !s.Mixed {
			return err
		}
		list = append(list, roleFile{fmt.Sprintf("%s-%05d", labels.RoleTypes, i), path})
	}
	list = append(list, roleFile{labels.RoleOntology, s.Ontology}, roleFile{labels.RoleEntityTypes, s.EntityTypes}, roleFile{labels.RoleManual, s.Manual})
	return s.add(ctx, &s.types, true, list...)
}

func (s *Source) addSides(ctx context.Context) error {
	s.sides = map[string][]stages.File{}
	for _, side := range Sides() {
		var list []stages.File
		if path := s.Sides[side.Flag]; path != nil {
			if err := s.add(ctx, &list, true, roleFile{side.Flag, *path}); err != nil {
				return err
			}
		}
		s.sides[side.Artifact.Name] = list
	}
	return nil
}

func (s *Source) addPairs(ctx context.Context) error {
	lists, err := s.PairLists()
	for _, l := range lists {
		if err == nil {
			err = s.add(ctx, &s.pairs, true, roleFile{schemas.RolePairs + l.Split, l.Path})
		}
	}
	return err
}

// PairList is a file that lists the pairs of a split.
type PairList struct{ Split, Path string }

// PairLists reads the values of --pairs, in the order of the splits; each has one file.
func (in Input) PairLists() (list []PairList, err error) {
	for _, text := range in.Pairs {
		split, path, ok := strings.Cut(text, "=")
		if !ok || split == "" || path == "" {
			return nil, fault.New(fault.Usage, "--pairs %s: want NAME=FILE", fault.Quote(text)).
				Hint("for example --pairs humans=paths_finished.tsv for a split called humans")
		}
		if slices.ContainsFunc(list, func(l PairList) bool { return l.Split == split }) {
			return nil, fault.New(fault.Usage, "--pairs %s: there is a split %s already", fault.Quote(text), split).
				Hint("give each file a name of its own, or put all pairs into one file")
		}
		list = append(list, PairList{split, path})
	}
	slices.SortFunc(list, func(a, b PairList) int { return strings.Compare(a.Split, b.Split) })
	return list, nil
}

// addSince opens the older release. Where only the dump can tell its wiki, the stage compares it.
func (s *Source) addSince(ctx context.Context) error {
	r, err := release.Open(s.FreshSince)
	if err != nil {
		return err
	}
	s.since = r.Manifest()
	if err := r.Close(); err != nil {
		return err
	}
	if wiki, _ := s.snapshot(); wiki != "" {
		if err := fresh.SameWiki(s.since, wiki, s.match()); err != nil {
			return err
		}
	}
	return s.add(ctx, &s.older, true, roleFile{RoleSince, filepath.Join(s.FreshSince, release.ManifestName)},
		roleFile{RoleSinceGraph, filepath.Join(s.FreshSince, "graph", "graph.arrow")})
}

// match names that by which pages of the source and of an older release are the same.
func (s *Source) match() string {
	if s.Edges != "" {
		return schemas.MatchTitle
	}
	return schemas.MatchPageID
}

// artifacts gives the files of a source under the names that stages read them by.
func (s *Source) artifacts() available {
	have := available{
		schemas.TypeFiles.Name: s.types, schemas.Since.Name: s.older, schemas.PairFiles.Name: s.pairs,
	}
	maps.Copy(have, s.sides)
	for _, f := range s.files {
		name := artifactOf(f.Role).Name
		have[name] = append(have[name], f)
	}
	return have
}

func artifactOf(role string) schemas.Artifact {
	table, isTable := strings.CutPrefix(role, RoleSQL+"-")
	switch {
	case role == RoleEdges || role == RoleNodes:
		return schemas.EdgeList
	case isTable && table != tablePageProps:
		return tableArtifacts[table]
	}
	return schemas.Dump
}

func (s *Source) Close() {
	sides := slices.Concat(slices.Collect(maps.Values(s.sides))...)
	for _, f := range slices.Concat(s.files, s.types, s.older, s.pairs, sides) {
		f.Root.Close()
	}
	if s.spooled != "" {
		os.Remove(s.spooled)
	}
}

// latest is what the site calls a link to its newest run.
const latest = "latest"

// snapshot names wiki and date, "" where only the dump can tell.
func (s *Source) snapshot() (wiki, date string) {
	if s.Demo() {
		return demo.Wiki, demo.Date
	}
	return s.Wiki, s.Date
}

// snapshotOf reads wiki and date off a dump's name: <wiki>-<YYYYMMDD>-... or <wiki>-<YYYY-MM-DD>-...
func snapshotOf(name string) (wiki, date string) {
	parts := snapshotName.FindStringSubmatch(name)
	if parts == nil {
		return "", ""
	}
	return parts[1], strings.ReplaceAll(parts[2], "-", "")
}

var snapshotName = regexp.MustCompile(`^([^-]+)-(` + latest + `|\d{8}|\d{4}-\d{2}-\d{2})-`)

// receiptInputs lists input files by their stable names, sorted.
func receiptInputs(inputs map[string][]stages.File) []schemas.ReceiptInput {
	list := []schemas.ReceiptInput{}
	for artifact, files := range inputs { // sorted below
		for _, f := range files {
			list = append(list, schemas.ReceiptInput{Name: artifact + "/" + cmp.Or(f.Role, f.Name), SHA256: f.Digest.SHA256, Bytes: f.Digest.Bytes})
		}
	}
	slices.SortFunc(list, func(a, b schemas.ReceiptInput) int { return strings.Compare(a.Name, b.Name) })
	return list
}
