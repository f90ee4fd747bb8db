package labels

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// wiki has nodes A to H, of page ids 1000, 1003, ...
func wiki() stagetest.Wiki { return stagetest.ParseWiki(stagetest.G9) }

// envOf gives the wiki, redirects "title>page id" in order of titles, and files by role.
func envOf(t *testing.T, redirects []string, files map[string]string) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.GiveSnapshot()
	env.GiveGraph(wiki())
	env.Give(schemas.Aliases, "aliases.arrow", stages.Rows(schemas.AliasesTable, arrowio.Options{}, func(w *arrowio.Writer) error {
		for i, r := range redirects {
			var id uint32
			title, target, _ := strings.Cut(r, ">")
			fmt.Sscan(target, &id)
			if err := w.Row(title, uint32(5000+i), "", id, "", uint8(1), schemas.AliasOK); err != nil {
				return err
			}
		}
		return nil
	}))
	giveInfoboxes(env, nil)
	env.GiveNone(schemas.TypeFiles)
	for role, text := range files {
		env.GiveExternal(schemas.TypeFiles, "labels-"+role, role, []byte(text))
	}
	return env
}

// giveInfoboxes gives pages their boxes: "page id>template", ascending.
func giveInfoboxes(env *stagetest.Env, boxes []string) {
	env.Give(schemas.Infoboxes, "infoboxes.arrow", stages.Rows(schemas.InfoboxesTable, arrowio.Options{}, func(w *arrowio.Writer) error {
		for _, box := range boxes {
			var id uint32
			page, template, _ := strings.Cut(box, ">")
			fmt.Sscan(page, &id)
			if err := w.Row(id, template); err != nil {
				return err
			}
		}
		return nil
	}))
}

// typed are lines of instance types from items "title class".
func typed(items ...string) string {
	var b strings.Builder
	for _, item := range items {
		title, class, _ := strings.Cut(item, " ")
		fmt.Fprintf(&b, "<http://dbpedia.org/resource/%s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://dbpedia.org/ontology/%s> .\n", title, class)
	}
	return b.String()
}

// got gives each labelled or typed node as "title: labels primary source class !".
func got(t *testing.T, env *stagetest.Env) string {
	t.Helper()
	f, err := env.Written("labels.arrow")
	if err != nil {
		t.Fatal(err)
	}
	table, err := f.Open(schemas.LabelsTable)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var b strings.Builder
	w := wiki()
	for i := range int(table.Rows()) {
		source := table.Strings(0, 5).At(i)
		if source == schemas.LabelNone {
			continue
		}
		var names []string
		for bit, name := range schemas.LabelNames {
			if table.Uint32s(0, 2)[i]&(1<<bit) != 0 {
				names = append(names, name)
			}
		}
		primary := "-"
		if p := table.Uint8s(0, 3)[i]; p != schemas.NoLabel {
			primary = schemas.LabelNames[p]
		}
		if int(table.Uint8s(0, 4)[i]) != len(names) || table.Uint32s(0, 1)[i] != w.PageIDs[i] || table.Uint32s(0, 0)[i] != uint32(i) {
			t.Errorf("row %d: n_labels %d, page id %d", i, table.Uint8s(0, 4)[i], table.Uint32s(0, 1)[i])
		}
		fmt.Fprintf(&b, "%s: %s %s %s %s", w.Titles[i], strings.Join(names, "+"), primary, source, table.Strings(0, 6).At(i))
		if table.Bools(0, 7).At(i) {
			b.WriteString(" !")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func report(t *testing.T, env *stagetest.Env) schemas.LabelReport {
	t.Helper()
	var r schemas.LabelReport
	if err := canon.Decode(env.Read("labels.json"), canon.MaxManifest, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTheStageKeepsTheContract(t *testing.T) {
	stagetest.Run(t, New(Default()), envOf(t, []string{"Bee>1003"}, map[string]string{
		RoleTypes + "-00000": typed("A Writer", "Bee City"), RoleManual: "1000\tPlace\n", RoleEntityTypes: "C\tbook\n",
	}))
}

func TestEachRuleOfTheRecord(t *testing.T) {
	env := envOf(t, []string{"Aitch>1021", "Bee>1003", "Gone>7", "Nowhere>0"}, map[string]string{
		RoleTypes + "-00000": typed(
			"A Writer", "A Person", "A City", // several classes: the deepest is primary
			"Bee City", "B Person", // an exact title wins over a redirect, and they disagree
			"C Colour",       // a class without a label
			"D SportsSeason", // a label of our own
			"E Flibbertigibbet",
			"Aitch Book",
			"F Person", "F City", "F Person",
			"Gone City", "Nowhere City", "Missing City",
		),
		RoleEntityTypes: "title\tclass\n# by hand\nC\tbody_of_water\nE\tCompany\nG\tMade up\n",
		RoleManual:      "page_id\tlabel\r\n1024\tWork\r\n1024\tPlace\r\n1000\tEvent\r\n99\tPlace\r\n",
	})
	env.MustRun(New(Default()))
	want := `A: Event Event manual  !
B: PersonAgent PersonAgent dbpedia Person !
C: Place Place entity-types BodyOfWater
D: Event Event dbpedia SportsSeason
E: Organization Organization entity-types Company
F: PersonAgent+Place PersonAgent dbpedia Person
G: - entity-types Made up
H: Work Work dbpedia-redirect Book
T: Place+Work Place manual 
`
	want = strings.Replace(want, "G: -", "G:  -", 1)
	if g := got(t, env); g != want {
		t.Errorf("got\n%swant\n%s", g, want)
	}
	r := report(t, env)
	if r.Nodes != 9 || r.Typed != 9 || r.Labelled != 8 || r.MultiLabel != 2 || r.Conflicts != 2 || r.UnknownPages != 2 {
		t.Errorf("report %+v", r)
	}
	if fmt.Sprint(r.UnknownClasses) != "[{Flibbertigibbet 1} {Made up 1}]" {
		t.Errorf("unknown classes %v", r.UnknownClasses)
	}
	if len(env.Warnings) != 1 || env.Warnings[0].Code != "W_LABEL_CLASSES" || env.Warnings[0].Measured != (schemas.Ratio{Num: 2, Den: 9}) {
		t.Errorf("warnings %+v", env.Warnings)
	}
	for name, n := range map[string]int64{
		"types_exact": 10, "types_redirect": 2, "types_outside_graph": 1, "types_unmatched": 2, "types_lines": 15,
		"manual-labels_outside_graph": 1, "manual-labels_exact": 3, "entity-types_rows": 3,
	} {
		if env.Counters[name] != n {
			t.Errorf("counter %s: got %d, want %d", name, env.Counters[name], n)
		}
	}
}

func TestUnionTakesAllSourcesAndKeepsThePrimaryOfTheBest(t *testing.T) {
	files := map[string]string{
		RoleTypes + "-00000": typed("A Writer", "D SportsSeason"), RoleEntityTypes: "A\tCity\n", RoleManual: "1000\tEvent\n",
	}
	env := envOf(t, nil, files)
	env.MustRun(New(Params{Union: true}))
	want := "A: PersonAgent+Event+Place Event manual  !\nD:  - dbpedia SportsSeason\n"
	if g := got(t, env); g != want {
		t.Errorf("got\n%swant\n%s", g, want)
	}
}

func TestWithoutFilesNoPageHasAType(t *testing.T) {
	env := envOf(t, nil, nil)
	env.MustRun(New(Default()))
	if r := report(t, env); got(t, env) != "" || r.Typed != 0 || len(r.Files) != 0 || r.Ontology != nil || len(env.Warnings) != 0 {
		t.Errorf("%s, report %+v, warnings %v", got(t, env), r, env.Warnings)
	}
}

func TestAnOntologyIsReported(t *testing.T) {
	owl := `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
<owl:Ontology><owl:versionInfo>1.0</owl:versionInfo></owl:Ontology>
<owl:Class rdf:about="http://dbpedia.org/ontology/Work"/>
<owl:Class rdf:about="http://dbpedia.org/ontology/City"><rdfs:subClassOf rdf:resource="http://dbpedia.org/ontology/Work"/></owl:Class>
</rdf:RDF>`
	env := envOf(t, nil, map[string]string{RoleOntology: owl, RoleTypes + "-00000": typed("A City", "B Writer")})
	env.MustRun(New(Default()))
	want := "A: Work Work dbpedia City\nB: PersonAgent PersonAgent dbpedia Writer\n"
	if g := got(t, env); g != want {
		t.Errorf("got\n%swant\n%s", g, want)
	}
	if o := report(t, env).Ontology; o == nil || o.Version != "1.0" || o.Classes != 2 || fmt.Sprint(o.Differs) != "[City]" || len(o.SHA256) != 64 {
		t.Errorf("ontology %+v", o)
	}
}

func TestBadFilesAreRefusedWithTheirLine(t *testing.T) {
	for name, c := range map[string]struct{ role, text, want string }{
		"types":         {RoleTypes + "-00000", "no triple\n", "line 1: not three IRIs and a dot"},
		"entity types":  {RoleEntityTypes, "A\tCity\nB\n", "line 2: 1 columns"},
		"a label":       {RoleManual, "1000\tFilm\n", `line 1: no label "Film"`},
		"a page id":     {RoleManual, "x\tWork\n", `line 1: "x" is no page id`},
		"two parents":   {RoleOntology, "<http://dbpedia.org/ontology/A> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://dbpedia.org/ontology/B> .\n<http://dbpedia.org/ontology/A> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://dbpedia.org/ontology/C> .\n", "line 2: class \"A\" has two parents"},
		"not an owl":    {RoleOntology, "<html></html>", "no rdf:RDF element"},
		"an empty file": {RoleOntology, "", "no class under"},
	} {
		err := envOf(t, nil, map[string]string{c.role: c.text}).Run(t.Context(), New(Default()))
		if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func TestAnInfoboxStandsInWhereDBpediaSaysNothing(t *testing.T) {
	env := envOf(t, []string{"See>1006"}, map[string]string{
		RoleTypes + "-00000": typed("A Writer", "B Book", "See Colour", "D Flibbertigibbet"), RoleEntityTypes: "E\tCompany\n",
	})
	giveInfoboxes(env, []string{
		"999>Infobox person", "1000>Infobox person", "1003>Infobox film", "1006>Infobox film", "1009>Infobox city", "1012>Infobox river",
		"1015>Infobox ship", "1018>Infobox nonsense", "1021>Infobox currency",
	})
	env.MustRun(New(Default()))
	want := `A: PersonAgent PersonAgent dbpedia Writer
B: Work Work dbpedia Book
C:  - dbpedia-redirect Colour
D: Place Place infobox City
E: Organization Organization entity-types Company !
F: MeanOfTransportation MeanOfTransportation infobox Ship
H:  - infobox Currency
`
	if g := got(t, env); g != want {
		t.Errorf("got\n%swant\n%s", g, want)
	}
	if r := report(t, env); r.InfoboxCompared != 2 || r.InfoboxAgrees != 2 {
		t.Errorf("compared %d, agree %d", r.InfoboxCompared, r.InfoboxAgrees)
	}
	if env.Counters["infobox_nodes"] != 8 || env.Counters["infobox_without_class"] != 1 {
		t.Errorf("counters %v", env.Counters)
	}
	env.MustRun(New(Params{Policy: true}))
	if g := got(t, env); strings.Contains(g, "infobox") {
		t.Errorf("switched off, and\n%s", g)
	}
}

func TestTheMostSpecificClassIsPrimaryAndOfEqualOnesTheSmallestBit(t *testing.T) {
	env := envOf(t, nil, map[string]string{RoleTypes + "-00000": typed(
		"A Event", "A Book", "B Person", "B City", "C Colour", "C Place", "D Work", "D GivenName",
	)})
	env.MustRun(New(Default()))
	want := `A: Event+Work Work dbpedia Book
B: PersonAgent+Place PersonAgent dbpedia Person
C: Place Place dbpedia Place
D: Work Work dbpedia Work
`
	if g := got(t, env); g != want {
		t.Errorf("got\n%swant\n%s", g, want)
	}
}

func TestDecilesAreTenthsByInDegree(t *testing.T) {
	env := envOf(t, nil, map[string]string{RoleTypes + "-00000": typed("G City", "C Colour", "E City")})
	env.MustRun(New(Default()))
	var text strings.Builder
	for _, d := range report(t, env).Deciles {
		fmt.Fprintf(&text, "%d-%d %d/%d/%d ", d.MinInDegree, d.MaxInDegree, d.Labelled, d.Typed, d.Nodes)
	}
	// in-degrees: H and T 1, B to F 2, A and G 3; of nine nodes the first tenth is empty
	want := "1-1 0/0/1 1-1 0/0/1 2-2 0/0/1 2-2 0/1/1 2-2 0/0/1 2-2 1/1/1 2-2 0/0/1 3-3 0/0/1 3-3 1/1/1 "
	if text.String() != want {
		t.Errorf("got  %s\nwant %s", text.String(), want)
	}
}
