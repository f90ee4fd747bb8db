package maze

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// shared gives the folder of the published mazes, or skips the test.
func shared(t *testing.T) string {
	t.Helper()
	root := os.Getenv("WIKINAV_SHARED")
	for dir := ".."; root == "" && len(dir) < 40; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "data")); err == nil {
			root = filepath.Join(dir, "shared")
		}
	}
	folder := filepath.Join(root, "data", "mango")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no published mazes (set WIKINAV_SHARED to the folder that holds data/mango): %v", err)
	}
	return folder
}

func TestIDsAreThoseOfThePublishedVectors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(shared(t), "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Meta struct {
			Vectors []struct{ Kind, Canonical, ID string } `json:"hash_vectors"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.Meta.Vectors) == 0 {
		t.Fatalf("%d vectors, %v", len(file.Meta.Vectors), err)
	}
	for _, v := range file.Meta.Vectors {
		text, id := againFrom(t, v.Kind, v.Canonical)
		if text != v.Canonical || id != v.ID {
			t.Errorf("got %s %s, want %s %s", text, id, v.Canonical, v.ID)
		}
	}
}

// againFrom reads a canonical text with Go's decoder and writes it with ours.
func againFrom(t *testing.T, kind, canonical string) (text, id string) {
	t.Helper()
	if kind == "pair" {
		var p map[string]string
		if err := json.Unmarshal([]byte(canonical), &p); err != nil {
			t.Fatal(err)
		}
		return string(PairText(p["src_node"], p["dst_node"])), PairID(p["src_node"], p["dst_node"])
	}
	var list []map[string]string
	if err := json.Unmarshal([]byte(canonical), &list); err != nil {
		t.Fatal(err)
	}
	var path []Step
	for _, m := range list {
		path = append(path, Step{From: m["prev_node"], Action: m["action"], To: m["node"]})
	}
	return string(PathText(path)), PathID(path)
}

func TestPythonsTextOfEveryKindOfCharacter(t *testing.T) {
	in := "\"\\/<>&\n\r\t\b\f\x00\x1f \x7f\u00e9\u2028\uff08\ufffd\U0001f600~"
	want := `"\"\\/<>&\n\r\t\b\f\u0000\u001f \u007f\u00e9\u2028\uff08\ufffd\ud83d\ude00~"`
	if got := string(AppendString(nil, in)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTheTwoIDsThatTheSpecificationPrints(t *testing.T) {
	if got := PairID("bedroom", "bathroom"); got != "25263dd09aab39cd4bdb45c07057aa09fa6b6fab216e3f954034e052ecd05293" {
		t.Errorf("pair: %s", got)
	}
	if got := PathID([]Step{{From: "bedroom", Action: "south", To: "bathroom"}}); got != "294beb47c5ff764ce0bde567f7cf8f8b40de61550724b201cda3df0dc1dc7317" {
		t.Errorf("path: %s", got)
	}
}

func TestShippedEdgesComeOutAsTheyWentIn(t *testing.T) {
	folder := filepath.Join(shared(t), Shipped)
	paths, err := Find(folder)
	if err != nil || len(paths) != 5 {
		t.Fatalf("%d games, %v", len(paths), err)
	}
	for _, path := range paths {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendEdges(nil, m.Edges); !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want %d", m.Name, len(got), len(want))
		}
	}
}

const goodRow = `{"src_node":"a","dst_node":"b","action":"go","seen_in_forward":3,"seen_in_reversed":9999,"edge_min_step":3,` +
	`"seen_in_forward_answerable":4,"seen_in_reversed_answerable":9999,"edge_min_step_answerable":4}`

const oldRow = `{"prev_node":"A","node":"B","action":"Go","seen_in_forward":true,"step_min_cutoff":7}`

func TestEdgesThatAreNotWholeAreRefusedByRow(t *testing.T) {
	alter := func(old, by string) string {
		out := strings.Replace(goodRow, old, by, 1)
		if out == goodRow {
			t.Fatalf("nothing replaced by %s", by)
		}
		return out
	}
	for name, c := range map[string]struct{ rows, want string }{
		"no edges":             {"", "mango: edges: x: no edges"},
		"edge twice":           {goodRow + "," + goodRow, "row 1: the edge stands twice"},
		"empty name":           {alter(`"a"`, `""`), "row 0: an empty name"},
		"wrong minimum":        {alter(`"edge_min_step":3`, `"edge_min_step":4`), "row 0: edge_min_step is 4, want 3"},
		"wrong late minimum":   {alter(`"edge_min_step_answerable":4`, `"edge_min_step_answerable":5`), "edge_min_step_answerable is 5, want 4"},
		"known before seen":    {alter(`"seen_in_forward_answerable":4,`, `"seen_in_forward_answerable":2,`) + "", "row 0: edge_min_step_answerable is 4, want 2"},
		"answerable too early": {strings.NewReplacer(`forward_answerable":4`, `forward_answerable":2`, `step_answerable":4`, `step_answerable":2`).Replace(goodRow), "answerable before it was seen"},
		"never seen":           {strings.NewReplacer(":3", ":9999", ":4", ":9999").Replace(goodRow), "never seen in either direction"},
		"beyond never":         {alter("9999", "10000"), "row 0: step 10000 is not in 0..9999"},
		"below zero":           {alter(`_forward":3`, `_forward":-1`), "row 0: step -1 is not in 0..9999"},
		"missing key":          {alter(`"action":"go",`, ""), `row 0: key "action" is missing`},
		"foreign key":          {alter(`"action"`, `"extra":1,"action"`), `row 0: key "extra" is not known`},
		"key twice":            {alter(`"action":"go"`, `"action":"go","action":"go"`), `key "action" stands twice`},
		"null":                 {alter(`"go"`, "null"), "row 0: action is null"},
		"text for a number":    {alter(`_forward":3`, `_forward":"3"`), "row 0: seen_in_forward"},
		"a float":              {alter(`_forward":3`, `_forward":3.0`), "3.0 is not an integer"},
		"half a surrogate":     {alter(`"a"`, `"\ud800"`), `\ud800 is half a surrogate pair`},
		"both versions":        {goodRow + "," + oldRow, `row 1: key "src_node" is missing`},
		"versions in one row":  {alter(`"action"`, `"prev_node":"z","action"`), "row 0: key"},
		"no object":            {"7", "mango: edges: x: "},
		"null row":             {"null", "row 0: key"},
		"old, never seen":      {strings.Replace(oldRow, "7", "9999", 1), "row 0: never seen in either direction"},
		"old, number for flag": {strings.Replace(oldRow, "true", "1", 1), "row 0: seen_in_forward"},
	} {
		_, _, err := DecodeEdges("x", []byte("["+c.rows+"]"))
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	for name, data := range map[string]string{"invalid UTF-8": "[\"\xff\"]", "trailing data": "[" + goodRow + "] 1", "cut": "[" + goodRow, "nothing": ""} {
		if _, _, err := DecodeEdges("x", []byte(data)); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSelfLoopsParallelAndAmbiguousMovesAreKept(t *testing.T) {
	row := func(src, action, dst string) string {
		return strings.NewReplacer(`"a"`, `"`+src+`"`, `"b"`, `"`+dst+`"`, `"go"`, `"`+action+`"`).Replace(goodRow)
	}
	format, edges, err := DecodeEdges("x", []byte("["+strings.Join([]string{row("a", "go", "a"), row("a", "go", "b"), row("a", "jump", "b")}, ",")+"]"))
	if err != nil || format != Shipped || len(edges) != 3 {
		t.Fatalf("%s, %d edges, %v", format, len(edges), err)
	}
	if got := Locations(edges); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("locations %v", got)
	}
}

func TestKeyOrderHasNoMeaningAndRowOrderHas(t *testing.T) {
	turned := `{"edge_min_step_answerable":4,"action":"go","dst_node":"b","src_node":"a","seen_in_reversed_answerable":9999,` +
		`"seen_in_forward_answerable":4,"edge_min_step":3,"seen_in_reversed":9999,"seen_in_forward":3}`
	other := strings.Replace(goodRow, `"a"`, `"z"`, 1)
	_, edges, err := DecodeEdges("x", []byte("["+other+","+turned+"]"))
	if err != nil {
		t.Fatal(err)
	}
	want := schemas.MangoEdge{SrcNode: "a", DstNode: "b", Action: "go", MangoSteps: schemas.MangoSteps{
		SeenInForward: 3, SeenInReversed: 9999, EdgeMinStep: 3, SeenInForwardAnswerable: 4, SeenInReversedAnswerable: 9999, EdgeMinStepAnswerable: 4,
	}}
	if edges[1] != want || edges[0].SrcNode != "z" {
		t.Errorf("got %+v, want z first, then %+v", edges, want)
	}
}

func TestTheOldCutoffMeansKnownAndWalkedIfItWas(t *testing.T) {
	_, edges, err := DecodeEdges("x", []byte("["+oldRow+","+strings.NewReplacer("true", "false", `"B"`, `"C"`).Replace(oldRow)+"]"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []schemas.MangoSteps{Steps(7, 7), Steps(schemas.MangoNever, 7)} {
		if edges[i].MangoSteps != want {
			t.Errorf("row %d: %+v, want %+v", i, edges[i].MangoSteps, want)
		}
	}
}

func TestAGameIsHeldToItsListsAndFoundOnce(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Find(folder); fault.KindOf(err) != fault.NotFound {
		t.Errorf("an empty folder: %v", err)
	}
	path := filepath.Join(folder, "g", "g.edges.json")
	write("g/g.edges.json", "["+goodRow+"]")
	write("g/g.locations.json", `["b","a","b"]`)
	if m, err := Open(path); err != nil || m.Name != "g" || m.Walkthrough != nil {
		t.Errorf("got %+v, %v", m, err)
	}
	write("g/g.actions.json", `["go","fly"]`)
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), `"fly" is in no edge`) {
		t.Errorf("a move too many: %v", err)
	}
	write("g/g.actions.json", `[]`)
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), `"go" of the edges is missing`) {
		t.Errorf("a move too few: %v", err)
	}
	write("other/g.edges.json", "["+goodRow+"]")
	if _, err := Find(folder); err == nil || !strings.Contains(err.Error(), "is there twice") {
		t.Errorf("two games of one name: %v", err)
	}
}

func TestListsAreSortedByCodePoint(t *testing.T) {
	if got, want := string(AppendList(nil, []string{"é", "b", "B", "b"})), "[\n    \"B\",\n    \"b\",\n    \"\\u00e9\"\n]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
