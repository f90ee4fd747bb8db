package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/dumps/demo"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/edgelist"
	"github.com/wikinav/wikinav/stages/labels"
)

// Roles of files from outside.
const (
	RoleDump     = "dump"
	RoleIndex    = "index"
	RoleSiteInfo = "siteinfo"
	RoleSQL      = "sql"
	RoleEdges    = edgelist.RoleEdges
	RoleNodes    = edgelist.RoleNodes
)

// Source is what a build reads from outside: nothing (the demo), or the files of a dump.
type Source struct {
	Wiki, Date string // "" where only the dump can tell
	Language   string // of an edge list
	VerifyText string // "" for the default, count
	Tolerate   int    // malformed pages that may be skipped
	Hatnotes   bool   // the arguments of main, see also and their like are links
	Reader     string // how a dump is read, native or wikiparse; nothing that is written depends on it
	files      []stages.File
	types      []stages.File // what says what pages are about, beside any source
	meta       []schemas.SourceFile
	ignored    []string
	spooled    string // what came from standard input; gone with Close
}

// DumpFiles names the files of a dump as the user gave them.
type DumpFiles struct {
	Dump     string
	Index    string // "" looks beside the dump, "none" reads without
	SiteInfo string // "" where the dump has its own
	SQL      []string
	Wiki     string // "" takes it from the file name, then from the dump
	Date     string
	Trust    bool // do not compare with the sums published beside the dump

	LinkSource string // of the recipe: pagelinks and linktarget are inputs where links come from them

	Stdin io.Reader // what Dump "-" reads
	Spool string    // folder in which it is kept meanwhile, because a key needs the whole content

	Mixed bool // tables and types may be of another wiki, day or language than the dump

	AllowLatest bool // accept a file called latest; its date then comes from the newest revision
}

// OpenSource digests the files of a dump and checks them against the sums beside them. The zero DumpFiles is the demo; a
// folder is all the dumps in it, as one.
func OpenSource(ctx context.Context, d DumpFiles) (Source, error) {
	if d.Dump == "" {
		return Source{}, nil
	}
	src := Source{Wiki: d.Wiki, Date: d.Date}
	sides, err := src.tables(ctx, d)
	if err != nil {
		return src, err
	}
	if d.Dump == StandardInput {
		err := src.spool(ctx, d, sides)
		return src, err
	}
	roles, err := d.roles()
	if err != nil {
		return src, err
	}
	wiki, date := snapshotOf(filepath.Base(roles[0].path))
	if date == latest && !d.AllowLatest {
		return src, fault.New(fault.Usage, "a dump called latest cannot be frozen").At(d.Dump, "").
			Hint("take the dated file, or say --allow-latest")
	}
	src.Wiki, src.Date = cmp.Or(d.Wiki, wiki), cmp.Or(d.Date, strings.TrimPrefix(date, latest))
	if !d.Mixed {
		for _, f := range sides {
			if err := src.tableTogether(f.path); err != nil {
				return src, err
			}
		}
	}
	return src, src.addAll(ctx, append(roles, sides...), d.Trust)
}

// addAll takes in the files that are named; after an error there are none.
func (s *Source) addAll(ctx context.Context, list []roleFile, trust bool) error {
	for _, f := range list {
		if f.path == "" {
			continue
		}
		if err := s.addTo(ctx, &s.files, f.role, f.path, trust); err != nil {
			s.Close()
			*s = Source{}
			return err
		}
	}
	return nil
}

type roleFile struct{ role, path string }

// roles lists the files that a dump is read from, the dump itself first.
func (d DumpFiles) roles() ([]roleFile, error) {
	if info, err := os.Stat(d.Dump); err == nil && info.IsDir() {
		return d.shards()
	}
	list := []roleFile{{RoleDump, d.Dump}}
	index := d.Index
	if index == "" {
		index, _ = files.FindIndex(d.Dump)
	}
	if index != "" && index != mediawiki.IndexNone {
		list = append(list, roleFile{RoleIndex, index})
	}
	return d.withSides(list), nil
}

// shards lists the dumps of a folder in order of their first pages, numbered, each with its index.
func (d DumpFiles) shards() ([]roleFile, error) {
	parts, err := files.Dumps(d.Dump)
	if err != nil {
		return nil, err
	}
	var list []roleFile
	for i, p := range parts {
		list = append(list, roleFile{fmt.Sprintf("%s-%05d", RoleDump, i), p.Path})
		if p.Index != "" && d.Index != mediawiki.IndexNone {
			list = append(list, roleFile{fmt.Sprintf("%s-%05d", RoleIndex, i), p.Index})
		}
	}
	return d.withSides(list), nil
}

func (d DumpFiles) withSides(list []roleFile) []roleFile {
	info := d.SiteInfo
	if info == "" {
		info, _ = files.FindSiteInfo(list[0].path)
	}
	if info != "" {
		list = append(list, roleFile{RoleSiteInfo, info})
	}
	return list
}

// StandardInput as the name of a dump reads what comes from there.
const StandardInput = "-"

// spool keeps standard input in a file: its digest is needed before the first page is read.
func (s *Source) spool(ctx context.Context, d DumpFiles, sides []roleFile) error {
	f, err := os.CreateTemp(d.Spool, ".tmp-stdin-*")
	if err != nil {
		return err
	}
	s.spooled = f.Name()
	_, err = io.Copy(f, d.Stdin)
	if err = errors.Join(err, f.Close()); err == nil {
		err = s.addTo(ctx, &s.files, RoleDump, s.spooled, true)
	}
	if err != nil {
		s.Close()
		return err
	}
	s.meta[0].Name = "stdin"
	return s.addAll(ctx, sides, d.Trust)
}

func (s *Source) addTo(ctx context.Context, list *[]stages.File, role, path string, trust bool) error {
	info, err := os.Stat(path)
	if err != nil {
		return fault.New(fault.NotFound, "no such file").At(path, "")
	}
	if info.IsDir() {
		return fault.New(fault.Usage, "a folder where a file is wanted").At(path, "")
	}
	verified := schemas.VerifiedNone
	if !trust {
		if verified, err = files.VerifySums(ctx, path); err != nil {
			return err
		}
	}
	sum, err := digest.File(ctx, path)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	*list = append(*list, stages.File{Name: name, Role: role, Root: root, Digest: sum})
	s.meta = append(s.meta, schemas.SourceFile{Role: role, Name: name, Bytes: sum.Bytes, SHA256: sum.SHA256, Verified: verified})
	return nil
}

// EdgeFiles names the files of a graph that is given as text.
type EdgeFiles struct {
	Edges, Nodes         string // Nodes may be ""
	Wiki, Date, Language string // "" for the defaults of an edge list
}

// OpenEdges digests the files of a graph.
func OpenEdges(ctx context.Context, e EdgeFiles) (Source, error) {
	src := Source{Wiki: e.Wiki, Date: e.Date, Language: e.Language}
	err := src.addAll(ctx, []roleFile{{RoleEdges, e.Edges}, {RoleNodes, e.Nodes}}, false)
	return src, err
}

// TypeFiles names the files that say what pages are about: each may be "".
type TypeFiles struct {
	Types                         []string // instance types of DBpedia
	Ontology, EntityTypes, Manual string
	Mixed                         bool // they may be of another language than the wiki
}

// AddTypes digests these files, for a source of any kind.
func (s *Source) AddTypes(ctx context.Context, t TypeFiles) error {
	var list []roleFile
	for i, path := range t.Types {
		if err := s.typesTogether(path); err != nil && !t.Mixed {
			return err
		}
		list = append(list, roleFile{fmt.Sprintf("%s-%05d", labels.RoleTypes, i), path})
	}
	list = append(list, roleFile{labels.RoleOntology, t.Ontology}, roleFile{labels.RoleEntityTypes, t.EntityTypes}, roleFile{labels.RoleManual, t.Manual})
	for _, f := range list {
		if f.path == "" {
			continue
		}
		if err := s.addTo(ctx, &s.types, f.role, f.path, true); err != nil {
			return err
		}
	}
	return nil
}

// artifacts gives the files of a source under the names that stages read them by.
func (s *Source) artifacts() available {
	have := available{schemas.TypeFiles.Name: s.types}
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

func (s *Source) isEdges() bool { return len(s.files) > 0 && s.files[0].Role == RoleEdges }

// Close releases the folders of the files.
func (s *Source) Close() {
	for _, f := range slices.Concat(s.files, s.types) {
		f.Root.Close()
	}
	if s.spooled != "" {
		os.Remove(s.spooled)
	}
}

// Demo tells that no input was named.
func (s *Source) Demo() bool { return len(s.files) == 0 }

// latest is what the site calls a link to its newest run.
const latest = "latest"

func (s *Source) wiki() string {
	if s.Demo() {
		return cmp.Or(s.Wiki, demo.Wiki)
	}
	return s.Wiki
}

func (s *Source) date() string {
	if s.Demo() {
		return cmp.Or(s.Date, demo.Date)
	}
	return s.Date
}

func (s *Source) verifyText() string { return cmp.Or(s.VerifyText, "count") }

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
			name := f.Name
			if f.Role != "" {
				name = f.Role
			}
			list = append(list, schemas.ReceiptInput{Name: artifact + "/" + name, SHA256: f.Digest.SHA256, Bytes: f.Digest.Bytes})
		}
	}
	slices.SortFunc(list, func(a, b schemas.ReceiptInput) int { return strings.Compare(a.Name, b.Name) })
	return list
}
