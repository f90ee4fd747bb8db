package pipeline

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/crosscheck"
	"github.com/wikinav/wikinav/stages/ingest"
	"github.com/wikinav/wikinav/stages/pagelinks"
)

// tablePageProps is what MediaWiki itself found out about a page; ingest reads it beside the dump.
const tablePageProps = "page_props"

var tableArtifacts = map[string]schemas.Artifact{
	tablePageProps:       schemas.Dump,
	pagelinks.Pagelinks:  schemas.LinkTables,
	pagelinks.Linktarget: schemas.LinkTables,
	crosscheck.Page:      schemas.PageTables,
	crosscheck.Redirect:  schemas.PageTables,
}

// tables lists the SQL files that are read, each known by the table in it, and notes those that are
// not.
func (s *Source) tables(ctx context.Context) ([]roleFile, error) {
	var list []roleFile
	found := map[string]string{}
	for _, path := range s.SQL {
		t, err := sqldump.Head(ctx, path)
		if err != nil {
			return nil, err
		}
		if found[t.Name] != "" {
			return nil, fault.New(fault.Usage, "holds the table %s, as %s does", t.Name, found[t.Name]).At(path, "")
		}
		found[t.Name] = path
		switch a, used := tableArtifacts[t.Name]; {
		case !used:
			s.Ignored = append(s.Ignored, fmt.Sprintf("%s: no stage reads the table %s", path, fault.Quote(t.Name)))
		case a.Name == schemas.LinkTables.Name && s.LinkSource != schemas.SourcePagelinks:
			s.Ignored = append(s.Ignored, fmt.Sprintf("%s: links come from the %s, not from the table %s", path, schemas.SourceWikitext, t.Name))
		default:
			list = append(list, roleFile{RoleSQL + "-" + t.Name, path})
		}
	}
	return list, nil
}

// hasPageTables reports whether there are tables to compare the dump with.
func (s *Source) hasPageTables() bool {
	return s.Demo() || len(s.artifacts()[schemas.PageTables.Name]) > 0
}

// Settled is r with its source of links decided, once it is known what there is: the tables of sql,
// the demo's own where there is neither dump nor edge list. What is missing is told before anything
// is read.
func (r Recipe) Settled(ctx context.Context, in Input) (Recipe, error) {
	if err := r.checkListed(in); err != nil {
		return r, err
	}
	if in.Edges != "" {
		reading := r.params("ingest").(*ingest.Reading)
		switch {
		case reading.Anchors == schemas.AnchorsOn:
			return r, fault.New(fault.Usage, "anchors = %q needs a dump: an edge list has no texts", reading.Anchors)
		case reading.Texts == schemas.TextsOn:
			return r, fault.New(fault.Usage, "texts = %q needs a dump: an edge list has no texts", reading.Texts)
		}
		r.withoutTables()
		r.Graph.LinkSource = schemas.SourceEdges
		return r, nil
	}
	if r.Graph.LinkSource == schemas.SourceEdges {
		return r, fault.New(fault.Usage, "recipe: link_source = %q needs --edges", schemas.SourceEdges)
	}
	if r.Graph.LinkSource != schemas.SourcePagelinks || in.Dump == "" {
		return r, nil
	}
	var path string
	var layout sqldump.Table
	targets := false
	for _, file := range in.SQL {
		t, err := sqldump.Head(ctx, file)
		switch {
		case err != nil:
			return r, err
		case t.Name == pagelinks.Pagelinks:
			path, layout = file, t
		case t.Name == pagelinks.Linktarget:
			targets = true
		}
	}
	if path == "" {
		r.withoutTables()
	}
	if r.Graph.LinkSource != schemas.SourcePagelinks {
		return r, nil
	}
	return r, pagelinks.Check(path, layout, targets)
}

// checkListed refuses splits of listed pairs whose names a stage that takes them refuses.
func (r Recipe) checkListed(in Input) error {
	lists, err := in.PairLists()
	if err != nil {
		return err
	}
	for _, e := range registry {
		if !e.listed {
			continue
		}
		taker, ok := r.params(e.name).(interface{ CheckListed(split string) error })
		for i := 0; ok && i < len(lists); i++ {
			if err := taker.CheckListed(lists[i].Split); err != nil {
				return fault.New(fault.Usage, "--pairs %s: %w", fault.Quote(lists[i].Split+"="+lists[i].Path), err)
			}
		}
	}
	return nil
}

// Files that do not belong together make a graph of no wiki: a table of another day names pages
// that the dump does not have, types of another language name others. Only names can be compared
// before anything is read; a name that says nothing is let through.

// tableTogether refuses a table whose name tells another wiki or day than the dump's.
func (s *Source) tableTogether(path string) error {
	wiki, date := snapshotOf(filepath.Base(path))
	switch {
	case s.Wiki != "" && wiki != "" && wiki != s.Wiki:
		return apart(path, "wiki", wiki, s.Wiki)
	case s.Date != "" && date != "" && date != latest && date != s.Date:
		return apart(path, "day", date, s.Date)
	}
	return nil
}

var (
	languageOfTypes = regexp.MustCompile(`lang[=_]([a-z][a-z-]*[a-z])[_.-]`)
	languageOfWiki  = regexp.MustCompile(`^([a-z]{2,3}(?:_[a-z_]+)?)wiki$`)
)

// typesTogether refuses instance types whose name tells another language than the wiki's.
func (s *Source) typesTogether(path string) error {
	types, wiki := languageOfTypes.FindStringSubmatch(filepath.Base(path)), languageOfWiki.FindStringSubmatch(s.Wiki)
	if types == nil || wiki == nil || types[1] == strings.ReplaceAll(wiki[1], "_", "-") {
		return nil
	}
	return apart(path, "language", types[1], wiki[1])
}

func apart(path, what, got, want string) error {
	return fault.New(fault.Malformed, "is of %s %s, the dump of %s", what, fault.Quote(got), fault.Quote(want)).At(path, "").
		Hint("give files that belong together, or say --mixed-inputs")
}
