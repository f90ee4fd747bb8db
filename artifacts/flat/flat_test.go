package flat

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	_ "github.com/wikinav/wikinav/artifacts/arrowio/library" // tests write tables
	"github.com/wikinav/wikinav/artifacts/digest"
)

var update = flag.Bool("update", false, "write the golden file")

type page struct {
	Node  uint32 `json:"node" flat:",ref=pages.node" doc:"row of the page"`
	Title string `json:"title"`
}

type named struct {
	Page page `json:"page" flat:""`
	In   int  `json:"in"`
}

type interval struct {
	Low  [2]string `json:"low" flat:"low_a,low_b,decimal"`
	High string    `json:"high" flat:",decimal"`
}

type record struct {
	Schema   string `json:"schema" flat:"-"`
	ID       string `json:"id" doc:"its name"`
	Source   page   `json:"source" flat:"source_" doc:"where it begins"`
	Embedded `flat:"in_"`
	Yes      bool           `json:"yes"`
	Small    int            `json:"small" flat:",uint8"`
	Tiny     uint8          `json:"tiny"`
	Middle   uint16         `json:"middle"`
	Count    int            `json:"count"`
	Large    uint64         `json:"large"`
	Seed     int64          `json:"seed"`
	Chance   string         `json:"chance" flat:",decimal"`
	Path     []uint32       `json:"path" flat:",ref=pages.node"`
	Ints     []int          `json:"ints"`
	Two      [2]int         `json:"two" flat:"two_row,two_column"`
	Slice    []uint64       `json:"slice" flat:"slice_cut,slice_all"`
	Menu     []page         `json:"menu" flat:"menu_nodes,of=Node,ref=pages.node"`
	Texts    []page         `json:"texts" flat:"system,user,of=Title"`
	Length   *int           `json:"length" flat:",null=-1"`
	Witness  *named         `json:"witness" flat:"witness_,has=has_witness" doc:"a page"`
	Interval *interval      `json:"interval" flat:",null=-1"`
	Any      map[string]int `json:"any" flat:",json"`
}

// Embedded is a struct without a name of its own.
type Embedded struct {
	Degree uint32 `json:"degree"`
}

var codec = For[record]("test.record/1")

func full() record {
	length := 7
	return record{
		ID: "r-1", Source: page{1, "Éé"}, Embedded: Embedded{9}, Yes: true, Small: 255, Tiny: 8, Middle: 65535, Count: math.MaxUint32,
		Large: math.MaxInt64, Seed: -42, Chance: "1.25000e-10", Path: []uint32{1, 2}, Ints: []int{3}, Two: [2]int{4, 5}, Slice: []uint64{6, 7},
		Menu: []page{{Node: 1}, {Node: 2}}, Texts: []page{{Title: "s"}, {Title: "u"}}, Length: &length,
		Witness:  &named{Page: page{3, "W"}, In: 4},
		Interval: &interval{Low: [2]string{"0", "1.00000e+00"}, High: "8.46251e-01"}, Any: map[string]int{"b": 1, "a": 2},
	}
}

func empty() record {
	return record{
		Chance: "0", Path: []uint32{}, Ints: []int{}, Slice: []uint64{0, 0}, Menu: []page{}, Texts: []page{{}, {}}, Any: map[string]int{},
	}
}

// parquet writes records and reads the table back.
func parquet(t *testing.T, list []record) *arrowio.Table {
	t.Helper()
	var out bytes.Buffer
	if _, err := codec.WriteParquet(&out, list); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "t.parquet"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	table, err := arrowio.ReadParquet(root, "t.parquet", codec.Table(), digest.Bytes(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestRowsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	list := []record{full(), empty()}
	table := parquet(t, list)
	for i, want := range list {
		got, err := codec.At(table, 0, i)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("row %d: %v\ngot  %+v\nwant %+v", i, err, got, want)
		}
		err = codec.Compare(&want, table, 0, i, func(column string, want, got any) { t.Errorf("column %s: %v, not %v", column, got, want) })
		if err != nil {
			t.Error(err)
		}
	}
}

func TestCompareNamesTheColumn(t *testing.T) {
	t.Parallel()
	table := parquet(t, []record{full()})
	for column, change := range map[string]func(*record){
		"id": func(r *record) { r.ID = "x" }, "source_title": func(r *record) { r.Source.Title = "x" }, "in_degree": func(r *record) { r.Degree++ },
		"yes": func(r *record) { r.Yes = false }, "path": func(r *record) { r.Path = r.Path[:1] }, "two_column": func(r *record) { r.Two[1]++ },
		"chance": func(r *record) { r.Chance = "1.25001e-10" }, "menu_nodes": func(r *record) { r.Menu[0].Node++ },
		"length": func(r *record) { r.Length = nil }, "has_witness": func(r *record) { r.Witness = nil }, "low_b": func(r *record) { r.Interval = nil },
		"any": func(r *record) { r.Any["a"]++ }, "user": func(r *record) { r.Texts[1].Title = "" },
	} {
		r, found := full(), map[string]bool{}
		change(&r)
		if err := codec.Compare(&r, table, 0, 0, func(column string, _, _ any) { found[column] = true }); err != nil || !found[column] {
			t.Errorf("%s: found %v, %v", column, found, err)
		}
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	minus := -1
	for name, change := range map[string]func(*record){
		"small": func(r *record) { r.Small = 256 }, "count": func(r *record) { r.Count = -1 }, "ints": func(r *record) { r.Ints[0] = -3 },
		"two_row": func(r *record) { r.Two[0] = math.MaxUint32 + 1 }, "chance": func(r *record) { r.Chance = "0.5" },
		"slice_cut": func(r *record) { r.Slice = r.Slice[:1] }, "length": func(r *record) { r.Length = &minus }, "high": func(r *record) { r.Interval.High = "" },
	} {
		r := full()
		change(&r)
		if _, err := codec.Values(&r); err == nil || !strings.Contains(err.Error(), "column "+name+":") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestTypesThatCannotBeLaidFlatPanic(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(){
		"no struct": func() { For[int]("x") },
		"struct without tag": func() {
			For[struct {
				A page `json:"a"`
			}]("x")
		},
		"pointer without nil": func() {
			For[struct {
				A *int `json:"a"`
			}]("x")
		},
		"map": func() {
			For[struct {
				A map[string]int `json:"a"`
			}]("x")
		},
		"float": func() {
			For[struct {
				A float64 `json:"a"`
			}]("x")
		},
		"no name": func() { For[struct{ A int }]("x") },
		"twice": func() {
			For[struct {
				A int `json:"a"`
				B int `json:"b" flat:"a"`
			}]("x")
		},
		"decimal number": func() {
			For[struct {
				A int `json:"a" flat:",decimal"`
			}]("x")
		},
		"names of an array": func() {
			For[struct {
				A [3]int `json:"a" flat:"a,b"`
			}]("x")
		},
		"null of text": func() {
			For[struct {
				A *string `json:"a" flat:",null=-1"`
			}]("x")
		},
		"null in words": func() {
			For[struct {
				A *int `json:"a" flat:",null=none"`
			}]("x")
		},
		"part that is none": func() {
			For[struct {
				A []page `json:"a" flat:"a,of=None"`
			}]("x")
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			build()
		}()
	}
}

func TestColumnsReferToOtherTables(t *testing.T) {
	t.Parallel()
	want := []Ref{
		{Column: "source_node", Table: "pages", Key: "node"},
		{Column: "path", Table: "pages", Key: "node", List: true},
		{Column: "menu_nodes", Table: "pages", Key: "node", List: true},
		{Column: "witness_node", Table: "pages", Key: "node", Null: true},
	}
	if got := codec.Rows("records", nil).Refs; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestColumnsValuesAndSentencesAreThoseOfTheGoldenFile(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	one, none := full(), empty()
	values, err := codec.Values(&one)
	if err != nil {
		t.Fatal(err)
	}
	nothing, err := codec.Values(&none)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range codec.Doc() {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%v\t%v\t%s\n", f.Name, f.Type, codec.Table().Columns[i].Name, codec.SQL()[i], values[i], nothing[i], f.Doc)
	}
	const golden = "testdata/columns.tsv"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || b.String() != string(want) {
		t.Errorf("%v; got\n%s", err, b.String())
	}
}
