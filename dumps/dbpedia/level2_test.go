package dbpedia

import (
	"slices"
	"strings"
	"testing"
)

// The acceptance of the level-2 table: the walk gives every row that is no decision of people.
func TestTheTableIsTheWalkOverTheOntologyItWasMadeFrom(t *testing.T) {
	o := newOntology(t)
	if got := len(o.Classes()); got != 790 || o.Version != "4.2-SNAPSHOT" {
		t.Errorf("got %d classes of version %q, want 790 of 4.2-SNAPSHOT", got, o.Version)
	}
	if !slices.Equal(o.Classes(), DefaultTable().Classes()) {
		t.Error("the ontology and the table have not the same classes")
	}
	byRule := map[string]int{}
	for _, class := range DefaultTable().Classes() {
		row, _ := DefaultTable().Row(class)
		byRule[row.Rule]++
		l := o.Level2(class)
		if row.Rule == RuleOverride || row.Rule == RulePolicy {
			continue
		}
		if l.Label != row.Label || l.Rule != row.Rule || l.Depth != row.Depth || !slices.Equal(l.Chain, row.Chain) || l.Label != "" && l.Anchor != row.Anchor {
			t.Errorf("%s: got %+v, the table has %+v", class, l, row)
		}
	}
	want := map[string]int{RuleSelf: 23, RuleAncestor: 697, RuleRepaired: 8, RuleOverride: 1, RulePolicy: 27, RuleUnmapped: 34}
	for rule, n := range want {
		if byRule[rule] != n {
			t.Errorf("%d rows %s, want %d", byRule[rule], rule, n)
		}
	}
}

func TestAnOlderOntologyGivesTheSameLabels(t *testing.T) {
	o := oldOntology(t)
	c := Classes{Table: DefaultTable(), Ontology: o}
	if got := len(o.Classes()); got != 763 || o.Version != "latest-snapshot" {
		t.Errorf("got %d classes of version %q, want 763 of latest-snapshot", got, o.Version)
	}
	if got := c.Differences(); len(got) > 0 {
		t.Errorf("labels differ for %v", got)
	}
	compared := 0
	for _, class := range o.Classes() {
		if _, ok := DefaultTable().Row(class); ok {
			compared++
		}
	}
	if compared < 700 || len(o.Broken) > 0 {
		t.Errorf("%d classes compared, %v have no parent that is a class", compared, o.Broken)
	}
}

func TestNoPersonIsASpecies(t *testing.T) {
	for _, class := range DefaultTable().Classes() {
		row, _ := DefaultTable().Row(class)
		if slices.Contains(row.Chain, "Person") && row.Label != "PersonAgent" {
			t.Errorf("%s, below Person, is %s", class, row.Label)
		}
	}
	labels := map[string]bool{}
	for _, class := range DefaultTable().Classes() {
		row, _ := DefaultTable().Row(class)
		labels[row.Label] = true
	}
	if len(labels) != 23 { // with none
		t.Errorf("%d labels occur, want all 22", len(labels)-1)
	}
	for class, want := range map[string]string{
		"Person": "PersonAgent", "Hospital": "ArchitecturalStructure", "Company": "Organization", "ProgrammingLanguage": "Work", "Colour": "",
	} {
		if row, ok := DefaultTable().Row(class); !ok || row.Label != want {
			t.Errorf("%s is %q, want %q", class, row.Label, want)
		}
	}
}

func TestPolicyRowsCanBeSwitchedOff(t *testing.T) {
	for _, c := range []struct {
		class  string
		policy bool
		want   string
	}{
		{"SoccerLeagueSeason", true, "Event"},
		{"SoccerLeagueSeason", false, ""},
		{"ProgrammingLanguage", false, "Work"},
		{"Writer", false, "PersonAgent"},
	} {
		l, ok := Classes{Table: DefaultTable(), Policy: c.policy}.Level(c.class)
		if !ok || l.Label != c.want {
			t.Errorf("%s, policy %t: got %+v, want %q", c.class, c.policy, l, c.want)
		}
	}
	if _, ok := (Classes{Table: DefaultTable()}).Level("Flibbertigibbet"); ok {
		t.Error("a class that nobody knows has a level")
	}
}

// small is an ontology with classes that the table has not.
const small = `<http://dbpedia.org/ontology/Language> <` + typePredicate + `> <` + owlClass + `> .
<http://dbpedia.org/ontology/ProgrammingLanguage> <` + typePredicate + `> <` + owlClass + `> .
<http://dbpedia.org/ontology/ProgrammingLanguage> <` + subClassOf + `> <http://dbpedia.org/ontology/Language> .
<http://dbpedia.org/ontology/QueryLanguage> <` + typePredicate + `> <` + owlClass + `> .
<http://dbpedia.org/ontology/QueryLanguage> <` + subClassOf + `> <http://dbpedia.org/ontology/ProgrammingLanguage> .
<http://dbpedia.org/ontology/Food> <` + typePredicate + `> <` + owlClass + `> .
<http://dbpedia.org/ontology/Food> <` + subClassOf + `> <http://dbpedia.org/ontology/ProgrammingLanguage> .
<http://dbpedia.org/ontology/SportsSeason> <` + typePredicate + `> <` + owlClass + `> .
<http://dbpedia.org/ontology/ChessSeason> <` + typePredicate + `> <` + owlClass + `> .
<http://dbpedia.org/ontology/ChessSeason> <` + subClassOf + `> <http://dbpedia.org/ontology/SportsSeason> .
<http://dbpedia.org/ontology/ChessSeason> <` + subClassOf + `> <http://schema.org/Event> .
<http://dbpedia.org/ontology/> <` + versionInfo + `> "9.9"@en .
`

func TestAnOntologyAddsClassesAndTheTableCorrectsThem(t *testing.T) {
	o, err := ReadOntology(t.Context(), file(t, small))
	if err != nil {
		t.Fatal(err)
	}
	c := Classes{Table: DefaultTable(), Ontology: o, Policy: true}
	for class, want := range map[string]string{
		"QueryLanguage": "Work Override", "ChessSeason": "Event Policy", "Language": "Language Self", "Food": "Food Self", "Writer": "PersonAgent Ancestor",
	} {
		l, ok := c.Level(class)
		if got := l.Label + " " + l.Rule; !ok || !strings.EqualFold(got, want) {
			t.Errorf("%s: got %s, want %s", class, got, want)
		}
	}
	if o.Version != "9.9" {
		t.Errorf("version %q", o.Version)
	}
	c.Policy = false
	if l, _ := c.Level("ChessSeason"); l.Label != "" || l.Rule != RuleUnmapped {
		t.Errorf("without policy rows ChessSeason is %+v", l)
	}
}
