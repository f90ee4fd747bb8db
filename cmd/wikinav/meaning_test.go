package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/jsonl/jsonltest"
	"github.com/wikinav/wikinav/artifacts/lumina"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/mango"
	"github.com/wikinav/wikinav/artifacts/onestep"
	"github.com/wikinav/wikinav/artifacts/probe"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
	"github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// townRecipe makes a little of every family out of an edge list; five links a menu, so that most menus are cut.
const townRecipe = `
[graph]
name = "town"
version = 1
namespaces = [0]
link_source = "edges"
link_parts = ["body"]
redirects = "resolve"
redirect_hops = 1
dab = "keep"
lists = "keep"
dates = "keep"
self_loops = "drop-after"
title_filter = "any"
component = "largest-scc"

[wikirace]
splits = [{ name = "tiny", size = 8, distances = [3, 4] }]
max_links = 5

[probe]
size = 3

[onestep]
splits = [{ name = "train", size = 6, distances = [2, 3] }]
max_links = 5
overlap = "allow"

[constrained]
preset = "small"
n = 8
infeasible_keep = 4
source_min_out = 3
target_min_in = 4
baseline_min = 2

[mango]
mazes = 2
n = 15
min_steps = 18
max_steps = 40
df_max_len = 3
df_budget = 20

[lumina]
test = 2
dev = 1
list = ["k03", "k08d40"]
tree = ["n007", "n015r1", "n015c1"]
grid = ["n04", "n06"]
`

// townRelease builds a release of every family, under these values of the recipe, on a ring of 150 pages with links across.
func townRelease(t *testing.T, set ...string) string {
	t.Helper()
	folder, r := t.TempDir(), rng.New(5, "town")
	var edges, labels strings.Builder
	const n = 150
	for u := range n {
		fmt.Fprintf(&edges, "P%03d\tP%03d\n", u, (u+1)%n)
		for range 1 + r.Below(9) {
			v := (u + n - 12 + r.Below(20)) % n
			fmt.Fprintf(&edges, "P%03d\tP%03d\n", u, v)
			if r.Below(2) == 0 {
				fmt.Fprintf(&edges, "P%03d\tP%03d\n", v, u)
			}
		}
		if label := r.Below(8); label < 7 { // most of one kind, so that some bans leave no path
			fmt.Fprintf(&labels, "%d\t%s\n", u+1, schemas.LabelNames[label/5])
		}
	}
	files := map[string]string{"edges.tsv": edges.String(), "labels.tsv": labels.String(), "town.toml": townRecipe}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		files[name] = filepath.Join(folder, name)
	}
	work, out := filepath.Join(folder, "work"), filepath.Join(folder, "release")
	args := []string{"build", "--edges", files["edges.tsv"], "--manual-labels", files["labels.tsv"], "--recipe", files["town.toml"], "--work", work}
	for _, value := range set {
		args = append(args, "--set", value)
	}
	must(t, args...)
	must(t, "release", "--work", work, "--out", out, "--licence", "CC0-1.0", "--allow-short")
	return out
}

// forger edits a release so that nothing but its meaning is wrong: tables and lists follow the lines, digests the files.
type forger struct {
	*testing.T
	dir string
	r   *rng.Stream
}

func (f *forger) check(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *forger) read(name string) []byte {
	f.Helper()
	data, err := os.ReadFile(filepath.Join(f.dir, name))
	f.check(err)
	return data
}

func (f *forger) write(name string, data []byte) {
	f.Helper()
	f.check(os.WriteFile(filepath.Join(f.dir, name), data, 0o644))
}

func (f *forger) fill(name string, fill func(io.Writer) (arrowio.Summary, error)) {
	f.Helper()
	var out bytes.Buffer
	_, err := fill(&out)
	f.check(err)
	f.write(name, out.Bytes())
}

// reseal brings the manifest in line with the files.
func (f *forger) reseal() {
	f.Helper()
	old, err := release.Decode(f.read(release.ManifestName))
	f.check(err)
	m, err := release.Decode(f.read(release.ManifestName))
	f.check(err)
	for i := range m.Files {
		e := &m.Files[i]
		now := digest.Bytes(f.read(e.Path)).SHA256
		for _, s := range m.Stages { // as if one stage had written it, and others read it
			for _, files := range []map[string]string{s.Outputs, s.Inputs} {
				for name, sum := range files {
					if sum == e.SHA256 && path.Base(name) == path.Base(e.Path) {
						files[name] = now
					}
				}
			}
		}
		f.sum(e)
	}
	f.seal(m)
	r, err := release.Open(f.dir)
	f.check(err)
	defer r.Close()
	all := map[string]release.SplitEntry{}
	for _, p := range artifacts.All {
		if len(r.Part(p).Names()) == 0 {
			continue
		}
		splits, err := p.Splits(r.Part(p))
		if err != nil { // it has records of no version, and the old entries stay
			return
		}
		maps.Copy(all, splits)
	}
	m.Splits = all
	releasetest.Redescribe(f, f.dir, old, m, artifacts.All, "README.md")
	f.seal(m)
}

func (f *forger) sum(e *release.FileEntry) {
	data := f.read(e.Path)
	sum := digest.Bytes(data)
	if sum.SHA256 == e.SHA256 {
		return
	}
	e.Bytes, e.SHA256, e.XXH64 = sum.Bytes, sum.SHA256, sum.XXH64
	if e.LogicalSHA256 == nil {
		if e.Rows != nil {
			*e.Rows = int64(bytes.Count(data, []byte("\n")))
		}
		return
	}
	root, err := os.OpenRoot(f.dir)
	f.check(err)
	defer root.Close()
	for _, p := range artifacts.All {
		if k, ok := p.Kind(path.Base(e.Path)); ok && p.Folder() == path.Dir(e.Path) && strings.HasSuffix(e.Path, ".parquet") {
			t, err := arrowio.ReadParquet(root, e.Path, *k.Table, sum)
			f.check(err)
			*e.Rows, *e.LogicalSHA256 = t.Rows(), t.Logical()
		} else if ok && p.Folder() == path.Dir(e.Path) {
			t, err := arrowio.Open(root, e.Path, *k.Table, sum)
			f.check(err)
			*e.Rows, *e.LogicalSHA256 = t.Rows(), t.Logical()
			f.check(t.Close())
		}
	}
}

func (f *forger) seal(m *release.Manifest) {
	m.ID = release.ID(m)
	data := release.Encode(m)
	f.write(release.ManifestName, data)
	var sums []string
	for _, e := range m.Files {
		sums = append(sums, e.SHA256+"  "+e.Path+"\n")
	}
	sums = append(sums, digest.SHA256(data)+"  "+release.ManifestName+"\n")
	slices.SortFunc(sums, func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	f.write(release.SumsName, []byte(strings.Join(sums, "")))
}

// leaf is a value of a record: the keys that lead to it, and how to set it.
type leaf struct {
	path  string
	value any
	set   func(any)
}

// leaves lists the values of a record of JSON; lists count as values, too.
func leaves(at string, v any, set func(any)) (out []leaf) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = append(out, leaves(strings.TrimPrefix(at+"."+key, "."), v[key], func(x any) { v[key] = x })...)
		}
		return out
	case []any:
		if len(v) > 0 {
			out = append(out, leaf{at + "[]", v, set})
		}
		for i := range v {
			out = append(out, leaves(at+"[i]", v[i], func(x any) { v[i] = x })...)
		}
		return out
	case nil:
		return nil
	}
	return []leaf{{at, v, set}}
}

// words are values that a forger would put in place of each other.
var words = [][]string{
	schemas.ProbeClasses, {"yes", "no"}, schemas.Bindings, {"easy", "hard", "unanswerable"}, {"found", "unreachable"}, {"north", "south"}, {"df", "rf"},
}

var digits = regexp.MustCompile(`[1-8]`)

// other returns a value that might stand in place of v.
func (f *forger) other(v any) any {
	switch v := v.(type) {
	case bool:
		return !v
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		f.check(err)
		if n > 0 && f.r.Below(2) == 0 {
			return n - 1
		}
		return n + 1
	case []any:
		i := f.r.Below(len(v))
		if f.r.Below(2) == 0 {
			return slices.Delete(slices.Clone(v), i, i+1)
		}
		return slices.Insert(slices.Clone(v), i, v[i])
	case string:
		for _, set := range words {
			if slices.Contains(set, v) {
				return set[(slices.Index(set, v)+1)%len(set)]
			}
		}
		if at := digits.FindAllStringIndex(v, -1); len(at) > 0 { // another digit of a number, a digest, a title
			i := at[f.r.Below(len(at))][0]
			return v[:i] + string(v[i]+1) + v[i+1:]
		}
		if v == "0" { // a decimal
			return "1.00000e-03"
		}
		return v + "x"
	}
	panic(fmt.Sprintf("no other value for %T", v))
}

// change edits one value of one record, in a field that comes up as often as any other, and returns its line and the field.
func change[T any](f *forger, list []T, skip ...string) (at int, field string) {
	f.Helper()
	if len(list) == 0 {
		f.Fatalf("no record of %T", list)
	}
	for range 1000 {
		at = f.r.Below(len(list))
		data, err := json.Marshal(list[at])
		f.check(err)
		var record any
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		f.check(dec.Decode(&record))
		by := map[string][]leaf{}
		for _, l := range leaves("", record, nil) {
			if !slices.ContainsFunc(skip, func(s string) bool { return strings.HasPrefix(l.path, s) }) {
				by[l.path] = append(by[l.path], l)
			}
		}
		fields := slices.Sorted(maps.Keys(by))
		field = fields[f.r.Below(len(fields))]
		l := by[field][f.r.Below(len(by[field]))]
		l.set(f.other(l.value))
		edited, err := json.Marshal(record)
		f.check(err)
		var x T
		if json.Unmarshal(edited, &x) != nil {
			continue // a number below 0
		}
		if again, err := json.Marshal(x); err == nil && !bytes.Equal(again, data) {
			list[at] = x
			return at, field
		}
	}
	f.Fatalf("no record of %T can be edited", list)
	return 0, ""
}

// forgery is a kind of edits: it edits one record of a file and returns where.
type forgery struct {
	file string
	edit func(f *forger) (line int, field string)
}

// recordsIn is a forgery in a file of JSON lines, with whatever repeats it.
func recordsIn[T any](file, schema string, also func(f *forger, list []T, at int), skip ...string) forgery {
	return forgery{file, func(f *forger) (int, string) {
		list, err := jsonl.Decode[T](jsonltest.Unpack(file, f.read(file)), file, schema)
		f.check(err)
		at, field := change(f, list, skip...)
		if also != nil {
			also(f, list, at)
		}
		f.write(file, jsonltest.Pack(file, jsonl.Encode(list)))
		return at, field
	}}
}

// parquet repeats a file as a table.
func parquet[T any](file string, c *flat.Codec[T]) func(f *forger, list []T, at int) {
	return func(f *forger, list []T, _ int) {
		f.fill(strings.TrimSuffix(file, "jsonl")+"parquet", func(w io.Writer) (arrowio.Summary, error) {
			return c.WriteParquet(w, list)
		})
	}
}

// worldOf is a forgery of an instance of a small world: what is drawn is edited, all that follows from it, the id included, follows.
func worldOf[R any](set string, seal func(*R) (*worlds.Instance, error), skip ...string) forgery {
	file, env := "lumina/"+set+".jsonl", strings.Split(set, "-")[0]
	f := recordsIn[R](file, "lumina."+env+"/1", nil, skip...)
	edit := f.edit
	f.edit = func(f *forger) (at int, field string) {
		before := f.read(file)
		for range 1000 {
			f.write(file, before)
			at, field = edit(f)
			list, err := jsonl.Decode[R](f.read(file), file, "lumina."+env+"/1")
			f.check(err)
			if _, err := seal(&list[at]); err != nil {
				continue // no world at all
			}
			if bytes.Equal(jsonl.Encode(list), before) {
				continue // a derived field, which is right again
			}
			// The order is that of the ids, of which one is another now.
			moved := list[at]
			encoded := jsonl.Encode([]R{moved})
			slices.SortFunc(list, func(a, b R) int { return strings.Compare(idOf(a), idOf(b)) })
			at = slices.IndexFunc(list, func(r R) bool { return bytes.Equal(jsonl.Encode([]R{r}), encoded) })
			f.write(file, jsonl.Encode(list))
			f.fill("lumina/"+set+".parquet", func(w io.Writer) (arrowio.Summary, error) {
				return lumina.WriteParquet(w, env, jsonl.Encode(list))
			})
			return at, field
		}
		f.Fatalf("no instance of %s can be edited", set)
		return 0, ""
	}
	return f
}

func idOf(record any) string {
	var head struct {
		ID string `json:"id"`
	}
	data, err := json.Marshal(record)
	if err == nil {
		err = json.Unmarshal(data, &head)
	}
	if err != nil {
		panic(err)
	}
	return head.ID
}

// documentOf is a forgery in a list of records in one JSON document.
func documentOf[T any](file string) forgery {
	return forgery{file, func(f *forger) (int, string) {
		var list []T
		f.check(json.Unmarshal(f.read(file), &list))
		at, field := change(f, list)
		data, err := json.MarshalIndent(list, "", "    ")
		f.check(err)
		f.write(file, data)
		return at, field
	}}
}

// forgedFunnel is a forgery in what only level 3 counts of a draw: level 2 adds up the rest.
func forgedFunnel() forgery {
	const file = "constrained/funnel.json"
	return forgery{file, func(f *forger) (int, string) {
		list := make([]schemas.ConstrainedFunnel, 1)
		f.check(json.Unmarshal(f.read(file), &list[0]))
		_, field := change(f, list, "accepted", "attempts", "by_", "empty", "infeasible", "on_paths", "params", "rejects", "requested", "schema", "status")
		f.write(file, canon.MustMarshal(list[0]))
		return 0, field
	}}
}

// loose is a forgery in a file of JSON lines without a schema.
func loose[T any](file string) forgery {
	return forgery{file, func(f *forger) (int, string) {
		var list []T
		for line := range strings.Lines(string(f.read(file))) {
			var x T
			f.check(json.Unmarshal([]byte(line), &x))
			list = append(list, x)
		}
		at, field := change(f, list)
		f.write(file, jsonltest.Pack(file, jsonl.Encode(list)))
		return at, field
	}}
}

// cellOf is a forgery of one cell of an Arrow file.
func cellOf(file string, layout schemas.Table) forgery {
	return forgery{file, func(f *forger) (int, string) {
		root, err := os.OpenRoot(f.dir)
		f.check(err)
		defer root.Close()
		t, err := arrowio.Open(root, file, layout, digest.Bytes(f.read(file)))
		f.check(err)
		row, column := f.r.Below(int(t.Rows())), f.r.Below(len(layout.Columns))
		var rows [][]any
		for b := range t.Batches() {
			for i := range t.BatchRows(b) {
				var values []any
				for j := range layout.Columns {
					v := t.Cell(b, j, i)
					if list, ok := v.([]uint32); ok {
						v = slices.Clone(list)
					}
					values = append(values, v)
				}
				rows = append(rows, values)
			}
		}
		f.check(t.Close())
		switch v := rows[row][column].(type) {
		case string:
			rows[row][column] = f.other(strings.Clone(v))
		case uint32:
			rows[row][column] = v + 1
		case bool:
			rows[row][column] = !v
		case []uint32:
			v[f.r.Below(len(v))]++
		default:
			f.Fatalf("a cell of %T", v)
		}
		f.fill(file, func(w io.Writer) (arrowio.Summary, error) {
			out, err := arrowio.NewWriter(w, layout, arrowio.Options{})
			if err != nil {
				return arrowio.Summary{}, err
			}
			for _, values := range rows {
				if err := out.Row(values...); err != nil {
					return arrowio.Summary{}, err
				}
			}
			return out.Close()
		})
		return row, layout.Columns[column].Name
	}}
}

// forgeries lists the kinds. What level 3 takes as given, and says so, is left out: which walk of a maze was kept, and which names
// were known to be blanked.
func forgeries() []forgery {
	const maze = "mango/maze-0000"
	return []forgery{
		recordsIn("splits/tiny.jsonl", schemas.WikiraceInstanceSchema, func(f *forger, list []schemas.WikiraceInstance, at int) {
			parquet("splits/tiny.jsonl", wikirace.Table)(f, list, at)
			f.write("splits/tiny.ids", wikirace.IDs(list))
		}, "features.cut_dag[]"), // of two, as the messages below: others cannot be laid flat
		recordsIn("probe/probe.jsonl", schemas.ProbeInstanceSchema, parquet("probe/probe.jsonl", probe.Table)),
		recordsIn("onestep/train.jsonl", schemas.OneStepInstanceSchema, func(f *forger, list []schemas.OneStepInstance, at int) {
			list[at].PromptSHA256 = prompt.Hash(list[at].Messages)
			parquet("onestep/train.jsonl", onestep.Table)(f, list, at)
		}, "prompt_sha256", "messages[]"),
		recordsIn("constrained/instances.jsonl", schemas.ConstrainedInstanceSchema, parquet("constrained/instances.jsonl", constrained.Table)),
		forgedFunnel(),
		recordsIn[schemas.ConstrainedInfeasible]("constrained/infeasible.jsonl", schemas.ConstrainedInfeasibleSchema, nil),
		recordsIn("mango/mazes.jsonl", schemas.MangoMazeSchema, func(f *forger, list []schemas.MangoMaze, at int) {
			parquet("mango/mazes.jsonl", mango.Mazes)(f, list, at)
			f.write(fmt.Sprintf("mango/maze-%04d.maze.json", at), jsonl.Encode(list[at:at+1]))
		}, "attempt", "masked"),
		recordsIn(maze+".questions.jsonl.gz", schemas.MangoQuestionSchema,
			func(f *forger, list []schemas.MangoQuestion, _ int) {
				next := "mango/maze-0001.questions.jsonl.gz"
				lines := jsonltest.Unpack(next, f.read(next))
				others, err := jsonl.Decode[schemas.MangoQuestion](lines, "", schemas.MangoQuestionSchema)
				f.check(err)
				parquet("mango/questions.jsonl", mango.Questions)(f, slices.Concat(list, others), 0)
			}),
		documentOf[schemas.MangoEdge](maze + ".edges.json"),
		loose[schemas.MangoDFRow](maze + ".all2all.jsonl"),
		loose[schemas.MangoRFRow](maze + ".all_pairs.jsonl"),
		loose[schemas.MangoStep](maze + ".steps.jsonl"),
		loose[schemas.MangoExtra](maze + ".extra.jsonl"),
		cellOf(maze+".df.arrow", schemas.MangoDFTable),
		cellOf(maze+".rf.arrow", schemas.MangoRFTable),
		worldOf("list-test", worlds.SealList, "env", "schema"),
		worldOf("tree-test", worlds.SealTree, "env", "schema"),
		worldOf("grid-test", worlds.SealGrid, "env", "schema"),
	}
}

func wantProved(t *testing.T, dir string) {
	t.Helper()
	report, err := release.Verify(t.Context(), dir, artifacts.All, release.VerifyOptions{Level: release.LevelMeaning, Document: release.Document})
	if err != nil || report.Err() != nil || len(report.Covered) < 15 {
		t.Fatalf("the release as it was written: %v, %+v", err, report)
	}
}

func TestLevel3AgreesWithTheStagesUnderOtherParameters(t *testing.T) {
	t.Parallel()
	wantProved(t, townRelease(t, "wikirace.rw=sim", "constrained.unlabelled=forbid", "constrained.multi=false", "lumina.seed=7", "mango.df_max_len=4"))
	wantProved(t, townRelease(t, "constrained.preset=paper"))
}

// WIKINAV_EDITS sets how many edits are made; by default every kind is made twice.
func TestLevel3FindsEverySingleEditOfARecordAndNamesItsPlace(t *testing.T) {
	t.Parallel()
	dir := townRelease(t)
	wantProved(t, dir)
	kinds := forgeries()
	edits := 2 * len(kinds)
	if n, err := strconv.Atoi(os.Getenv("WIKINAV_EDITS")); err == nil {
		edits = n
	}
	below, fields := 0, map[string]bool{}
	for i := range edits {
		kind, f := kinds[i%len(kinds)], &forger{t, t.TempDir(), rng.New(3, "edits", rng.Part(i))}
		f.check(os.CopyFS(f.dir, os.DirFS(dir)))
		line, field := kind.edit(f)
		f.reseal()
		report, err := release.Verify(t.Context(), f.dir, artifacts.All, release.VerifyOptions{Level: release.LevelMeaning, Document: release.Document})
		f.check(err)
		name := fmt.Sprintf("edit %d: %s, record %d, %s", i, kind.file, line+1, field)
		places := []string{jsonl.Line(line + 1), release.Row(line)}
		if name, _, _ := strings.Cut(field, "["); kind.file == "constrained/funnel.json" { // a document names its fields
			places = append(places, name)
		}
		if field == "id" || field == "index" { // it may be another one's now, which stands below
			for below := line + 2; below < 40; below++ {
				places = append(places, jsonl.Line(below))
			}
		}
		switch {
		case len(report.Failed) == 0:
			t.Errorf("%s: nothing was found", name)
		case !slices.ContainsFunc(report.Failed, func(x release.Finding) bool { return path.Dir(x.Path) == path.Dir(kind.file) }):
			t.Errorf("%s: found in another part: %+v", name, report.Failed[0])
		case !strings.HasPrefix(kind.file, "mango/") && path.Ext(kind.file) != ".json" && // files of a maze repeat each other
			!slices.ContainsFunc(report.Failed, func(x release.Finding) bool { return x.Path == kind.file && slices.Contains(places, x.Where) }):
			t.Errorf("%s: the place is not named: %+v", name, report.Failed)
		}
		if !slices.ContainsFunc(report.Skipped, func(s string) bool { return strings.HasPrefix(s, "level 3: ") }) {
			below++
		}
		fields[kind.file+" "+field] = true
		f.check(os.RemoveAll(f.dir))
	}
	t.Logf("%d edits of %d fields in %d files, %d of them to be found by level 3 alone", edits, len(fields), len(kinds), below)
}
