package labels

import (
	"context"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/dumps/dbpedia"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// Roles of the files. A file of another stage, the demo, has no role and is told by its name.
const (
	RoleTypes       = "types"
	RoleOntology    = "ontology"
	RoleEntityTypes = "entity-types"
	RoleManual      = "manual-labels"
)

// files are the inputs by role.
type files struct {
	types, entities, manual []stages.File
	ontologyFile            stages.File
	ontology                *dbpedia.Ontology // nil for none
}

func openFiles(ctx context.Context, env stages.Env) (*files, error) {
	list, err := env.Input(schemas.TypeFiles)
	if err != nil {
		return nil, err
	}
	in := &files{}
	for _, f := range list {
		switch name := f.Role + f.Name; {
		case strings.HasPrefix(name, RoleEntityTypes):
			in.entities = append(in.entities, f)
		case strings.HasPrefix(name, RoleManual):
			in.manual = append(in.manual, f)
		case strings.HasPrefix(f.Role, RoleOntology), f.Role == "" && strings.Contains(f.Name, RoleOntology):
			in.ontologyFile = f
			if in.ontology, err = dbpedia.ReadOntology(ctx, f.Path()); err != nil {
				return nil, err
			}
		default:
			in.types = append(in.types, f)
		}
	}
	return in, nil
}

// read takes the statements of all files into c, and tells what became of their lines.
func (in *files) read(ctx context.Context, language string, m *matcher, c *claims) ([]schemas.LabelFile, error) {
	out := []schemas.LabelFile{}
	for _, step := range []struct {
		role  string
		files []stages.File
		read  func(path string, to *schemas.LabelFile) error
	}{
		{RoleEntityTypes, in.entities, func(path string, to *schemas.LabelFile) (err error) {
			spelling := dbpedia.NewSpelling(c.levels)
			to.Counts["rows"], err = dbpedia.ReadEntityTypes(ctx, path, func(title, class string) error {
				if node, how := m.node(title); how == exact || how == redirected {
					c.add(node, ofEntities, spelling.Class(class))
				}
				return nil
			})
			return err
		}},
		{RoleManual, in.manual, func(path string, to *schemas.LabelFile) (err error) {
			to.Counts["rows"], err = dbpedia.ReadManual(ctx, path, func(pageID uint32, label string) error {
				if node, how := m.page(pageID, exact); how == exact {
					c.addLabel(node, manual, label)
				}
				return nil
			})
			return err
		}},
		{RoleTypes, in.types, func(path string, to *schemas.LabelFile) error { return readTypes(ctx, path, language, m, c, to) }},
	} {
		for _, f := range step.files {
			file := schemas.LabelFile{Role: step.role, SHA256: f.Digest.SHA256, Counts: map[string]int64{}, BadLines: []schemas.LabelBadLine{}}
			m.books = [len(foundNames)]int64{}
			if err := step.read(f.Path(), &file); err != nil {
				return nil, err
			}
			for how, n := range m.books {
				file.Counts[foundNames[how]] = n
			}
			out = append(out, file)
		}
	}
	return out, nil
}

func readTypes(ctx context.Context, path, language string, m *matcher, c *claims, to *schemas.LabelFile) error {
	counts, err := dbpedia.ReadTypes(ctx, path, language, func(title, class string) error {
		switch node, how := m.node(title); how {
		case exact:
			c.add(node, ofDBpedia, class)
		case redirected:
			c.add(node, ofRedirect, class)
		}
		return nil
	})
	to.Counts = map[string]int64{
		"lines": counts.Lines, "triples": counts.Triples, "types": counts.Types, "intermediate": counts.Intermediate,
		"foreign_class": counts.ForeignClass, "other_prefix": counts.OtherPrefix, "other_predicate": counts.OtherPredicate,
		"bad_title": counts.BadTitle, "comments": counts.Comments, "blank": counts.Blank, "bad": counts.Bad,
	}
	for _, b := range counts.BadLines {
		to.BadLines = append(to.BadLines, schemas.LabelBadLine{Line: b.Line, Why: b.Why})
	}
	return err
}

// readInfoboxes takes the class of each node's infobox, where our table has one in that language.
func readInfoboxes(env *stages.Run, language string, g *graph.Graph, c *claims) error {
	t, err := env.Table(schemas.Infoboxes, "infoboxes.arrow", schemas.InfoboxesTable)
	if err != nil {
		return err
	}
	for b := range t.Batches() {
		templates := t.Strings(b, 1)
		for i, id := range t.Uint32s(b, 0) {
			node, ok := g.Node(id)
			if !ok {
				continue
			}
			class, ok := dbpedia.InfoboxClass(language, templates.At(i))
			env.Count("infobox_nodes", 1)
			env.Count("infobox_without_class", one(!ok))
			if ok {
				c.add(node, ofInfobox, class)
			}
		}
	}
	return nil
}

// matcher finds the node that a title means, and counts how.
type matcher struct {
	graph   *graph.Graph
	aliases *arrowio.File // sorted by title
	books   [len(foundNames)]int64
}

// found says how a title was found.
type found uint8

const (
	unmatched    found = iota // neither a node's title nor a redirect's
	exact                     // a node's title
	redirected                // the title of a redirect to a node
	outsideGraph              // of a redirect to a page that is no node
)

var foundNames = [...]string{"unmatched", "exact", "redirect", "outside_graph"}

func (m *matcher) node(title string) (uint32, found) {
	if u, ok := m.graph.NodeByTitle(title); ok {
		m.books[exact]++
		return u, exact
	}
	id := stages.AliasTarget(m.aliases, title)
	if id == 0 {
		m.books[unmatched]++
		return 0, unmatched
	}
	return m.page(id, redirected)
}

// page finds the node of a page id that was found in a way.
func (m *matcher) page(id uint32, how found) (uint32, found) {
	u, ok := m.graph.Node(id)
	if !ok {
		how = outsideGraph
	}
	m.books[how]++
	return u, how
}
