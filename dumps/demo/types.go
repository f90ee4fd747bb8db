package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/dumps/dbpedia"
	"github.com/wikinav/wikinav/schemas/rng"
)

// TypesSummary counts the lines of the types.
type TypesSummary struct {
	Things int // with a class or more
	Lines  int // all of them
	Wrong  int // classes that are not the thing's
	Bad    int // lines that are no triple
}

// WriteTypes writes what a DBpedia would say of the world of opts, as a packed file of instance types. It is as
// good as the real ones: some pages are missing, some stand under an older title, a few have a class that is wrong, and a few
// lines are broken or of other vocabularies.
func WriteTypes(ctx context.Context, out io.Writer, opts Options) (TypesSummary, error) {
	if err := opts.check(); err != nil {
		return TypesSummary{}, err
	}
	t := typesWriter{world: newWorld(opts.Seed, opts.Pages)}
	t.raw("# started 2025-12-01T00:00:00Z")
	for i := range t.world.things {
		t.thing(i)
	}
	t.raw("# completed 2025-12-01T00:00:00Z")
	if err := ctx.Err(); err != nil {
		return t.sum, err
	}
	if err := (&multistream{out: out}).stream(t.text.Bytes()); err != nil {
		return t.sum, fmt.Errorf("write demo types: %w", err)
	}
	return t.sum, nil
}

type typesWriter struct {
	world *world
	text  bytes.Buffer
	sum   TypesSummary
}

func (t *typesWriter) raw(line string) {
	t.text.WriteString(line + "\n")
	t.sum.Lines++
}

func (t *typesWriter) triple(title, prefix, class string) {
	t.raw("<" + dbpedia.ResourcePrefix("en") + dbpedia.Name(title) + "> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <" + prefix + class + "> .")
}

// thing writes the lines of one thing.
func (t *typesWriter) thing(i int) {
	const ontology = "http://dbpedia.org/ontology/"
	thing := &t.world.things[i]
	r := t.world.stream("types", thing.title)
	list := t.classesOf(thing, r)
	if len(list) == 0 {
		return
	}
	t.sum.Things++
	title := thing.title
	if thing.alias != "" && r.Below(6) == 0 {
		title = thing.alias
	}
	for _, class := range list {
		t.triple(title, ontology, class)
	}
	switch serial := t.sum.Things; {
	case serial%4000 == 3999: // none in small worlds, of which one line would be too large a share
		t.sum.Bad++
		t.raw("<" + dbpedia.ResourcePrefix("en") + title + "> rdf:type " + list[0] + " .")
	case serial%700 == 699:
		t.triple(title+" (former title)", ontology, list[0])
	case serial%60 == 59:
		t.triple(title, "http://www.w3.org/2002/07/owl#", "Thing")
	case serial%40 == 39:
		t.triple(title+"__1", ontology, "CareerStation")
	}
}

// classesOf gives the classes of a thing, the right one first unless it is wrong.
func (t *typesWriter) classesOf(thing *thing, r *rng.Stream) []string {
	class := classOf(thing)
	switch {
	case class == "" || r.Below(100) < about[thing.kind].Untyped:
		return nil
	case thing.kind != kindList && r.Below(250) == 0:
		t.sum.Wrong++
		return []string{pick(r, allClasses)}
	case text.SecondClasses[class] != "" && r.Below(8) == 0:
		return []string{class, text.SecondClasses[class]}
	}
	return []string{class}
}

func classOf(t *thing) string {
	if t.kind != kindTopic {
		all := about[t.kind].Classes
		return all[t.variety%len(all)]
	}
	if class := text.TopicClasses[t.name]; class != "" {
		return class
	}
	return text.ThemeClasses[themes[t.variety]]
}

var allClasses = func() (all []string) {
	for _, k := range about {
		all = append(all, k.Classes...)
	}
	return all
}()
