package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/wikinav/wikinav/dumps/dbpedia"
	"github.com/wikinav/wikinav/schemas/rng"
)

// classes are what a DBpedia of this world would call the varieties of a kind, in the order of nouns.
var classes = [kinds][]string{
	kindCentury: {"TimePeriod"}, kindDecade: {"TimePeriod"}, kindYear: {"Year"},
	kindCountry: {"Country"}, kindRegion: {"AdministrativeRegion"}, kindDistrict: {"District"},
	kindSettlement: {"Village", "Village", "Village", "Village", "Town", "City"},
	kindBuilding:   {"Church", "Museum", "Library", "Castle", "Stadium", "School", "Hospital", "Park", "Temple", "University"},
	kindLandform:   {"River", "Mountain", "Lake"},
	kindPerson:     {"Writer", "MusicComposer", "Painter", "Scientist", "Politician"},
	kindWork:       {"Novel", "Opera", "Painting", "WrittenWork", "Film"},
	kindEvent:      {"MilitaryConflict", "Treaty", "MilitaryConflict", "Election", "Event"},
	kindKingdom:    {"Species"}, kindClass: {"Species"}, kindOrder: {"Species"}, kindFamily: {"Species"}, kindGenus: {"Species"},
	kindSpecies: {"Species"}, kindList: {"List"},
}

// topicClasses are those of general articles; one that is not here has the class of its theme, or none.
var topicClasses = map[string]string{
	"Agriculture": "Activity", "Fishing": "Activity", "Mining": "Activity", "Trade": "Activity", "Animal": "Species", "Plant": "Species",
	"Fungus": "Species", "Insect": "Species", "Bird": "Species", "Fish": "Species", "Mammal": "Species", "Bone": "Bone",
	"Feather": "AnatomicalStructure", "Leaf": "AnatomicalStructure", "Flower": "AnatomicalStructure", "Language": "Language",
	"Novel": "LiteraryGenre", "Poetry": "LiteraryGenre", "Opera": "MusicGenre", "Music": "MusicGenre", "Film": "MovieGenre",
	"Monarchy": "GovernmentType", "Republic": "GovernmentType", "Tax": "Tax", "Medicine": "Medicine", "Astronomy": "AcademicSubject",
	"Physics": "AcademicSubject", "Botany": "AcademicSubject", "Industrial revolution": "TimePeriod", "Map": "Device",
}

var themeClasses = [...]string{themeLand: "", themeCulture: "TopicalConcept", themeLife: "ScientificConcept", themeSociety: "TopicalConcept"}

// untyped is how many things of a kind DBpedia knows nothing about, per cent.
var untyped = [kinds]int{
	kindTopic: 10, kindRegion: 4, kindDistrict: 8, kindSettlement: 6, kindBuilding: 15, kindLandform: 10, kindPerson: 8, kindWork: 10,
	kindEvent: 12, kindGenus: 8, kindSpecies: 5,
}

// second is a class that a thing has beside its first now and then, as museums that are castles.
var second = map[string]string{
	"Museum": "Castle", "Writer": "Politician", "Church": "Museum", "City": "Settlement", "Treaty": "Event", "Library": "Building", "Park": "Stadium",
}

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
	m := &multistream{out: out}
	if err := m.stream(t.text.Bytes()); err != nil {
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
	case class == "" || r.Below(100) < untyped[thing.kind]:
		return nil
	case thing.kind != kindList && r.Below(250) == 0:
		all := slices.Concat(classes[:]...)
		t.sum.Wrong++
		return []string{pick(r, all)}
	case second[class] != "" && r.Below(8) == 0:
		return []string{class, second[class]}
	}
	return []string{class}
}

func classOf(t *thing) string {
	if t.kind != kindTopic {
		return classes[t.kind][t.variety%len(classes[t.kind])]
	}
	if class := topicClasses[t.name]; class != "" {
		return class
	}
	return themeClasses[t.variety]
}
