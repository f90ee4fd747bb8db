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
		files []stages.File
		read  func(f stages.File) (schemas.LabelFile, error)
	}{
		{in.entities, func(f stages.File) (schemas.LabelFile, error) { return readEntityTypes(ctx, f, m, c) }},
		{in.manual, func(f stages.File) (schemas.LabelFile, error) { return readManual(ctx, f, m, c) }},
		{in.types, func(f stages.File) (schemas.LabelFile, error) { return readTypes(ctx, f, language, m, c) }},
	} {
		for _, f := range step.files {
			file, err := step.read(f)
			if err != nil {
				return nil, err
			}
			file.SHA256 = f.Digest.SHA256
			out = append(out, file)
		}
	}
	return out, nil
}

func readTypes(ctx context.Context, f stages.File, language string, m *matcher, c *claims) (schemas.LabelFile, error) {
	var books [len(foundNames)]int64
	counts, err := dbpedia.ReadTypes(ctx, f.Path(), language, func(title, class string) error {
		node, how := m.node(title)
		books[how]++
		switch how {
		case exact:
			c.add(node, ofDBpedia, class)
		case redirected:
			c.add(node, ofRedirect, class)
		}
		return nil
	})
	out := newFile(RoleTypes, books[:])
	for name, n := range map[string]int64{ // into a map again
		"lines": counts.Lines, "triples": counts.Triples, "types": counts.Types, "intermediate": counts.Intermediate,
		"foreign_class": counts.ForeignClass, "other_prefix": counts.OtherPrefix, "other_predicate": counts.OtherPredicate,
		"bad_title": counts.BadTitle, "comments": counts.Comments, "blank": counts.Blank, "bad": counts.Bad,
	} {
		out.Counts[name] = n
	}
	for _, b := range counts.BadLines {
		out.BadLines = append(out.BadLines, schemas.LabelBadLine{Line: b.Line, Why: b.Why})
	}
	return out, err
}

func readEntityTypes(ctx context.Context, f stages.File, m *matcher, c *claims) (schemas.LabelFile, error) {
	var books [len(foundNames)]int64
	spelling := dbpedia.NewSpelling(c.levels)
	rows, err := dbpedia.ReadEntityTypes(ctx, f.Path(), func(title, class string) error {
		node, how := m.node(title)
		books[how]++
		if how == exact || how == redirected {
			c.add(node, ofEntities, spelling.Class(class))
		}
		return nil
	})
	out := newFile(RoleEntityTypes, books[:])
	out.Counts["rows"] = rows
	return out, err
}

func readManual(ctx context.Context, f stages.File, m *matcher, c *claims) (schemas.LabelFile, error) {
	var books [len(foundNames)]int64
	rows, err := dbpedia.ReadManual(ctx, f.Path(), func(pageID uint32, label string) error {
		node, ok := m.graph.Node(pageID)
		if !ok {
			books[outsideGraph]++
			return nil
		}
		books[exact]++
		c.addLabel(node, manual, label)
		return nil
	})
	out := newFile(RoleManual, books[:])
	out.Counts["rows"] = rows
	return out, err
}

// newFile begins the report on a file with how its pages were found.
func newFile(role string, books []int64) schemas.LabelFile {
	f := schemas.LabelFile{Role: role, Counts: map[string]int64{}, BadLines: []schemas.LabelBadLine{}}
	for how, n := range books {
		f.Counts[foundNames[how]] = n
	}
	return f
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

// matcher finds the node that a title means.
type matcher struct {
	graph   *graph.Graph
	aliases *arrowio.File // sorted by title
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
		return u, exact
	}
	id := stages.AliasTarget(m.aliases, title)
	if id == 0 {
		return 0, unmatched
	}
	if u, ok := m.graph.Node(id); ok {
		return u, redirected
	}
	return 0, outsideGraph
}
