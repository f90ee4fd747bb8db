package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/jsonl/jsonltest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// villageRecipe makes a little of every family.
const villageRecipe = `
[graph]
name = "village"
version = 1
namespaces = [0]
link_source = "wikitext"
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
splits = [{ name = "tiny", size = 6, distances = [3, 4] }]
max_links = 5

[probe]
size = 2

[onestep]
splits = [{ name = "train", size = 4, distances = [2, 3] }]
max_links = 5
overlap = "allow"

[constrained]
preset = "small"
n = 4
infeasible_keep = 2
source_min_out = 1
target_min_in = 1
baseline_min = 2

[mango]
mazes = 1
n = 15
min_steps = 18
max_steps = 40
df_max_len = 3
df_budget = 6

[lumina]
test = 1
dev = 1
list = ["k03"]
tree = ["n007"]
grid = ["n04"]
`

// villageRelease builds a release with a file of every kind, its distances in that form: a ring of
// 60 pages with links across, leads, labels and redirects.
func villageRelease(t *testing.T, wikinav, form string, set ...string) string {
	t.Helper()
	const n = 60
	folder, r := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	links, labels := make([]string, n), ""
	for u := range n {
		links[u] += fmt.Sprintf("[[P%02d]] ", (u+1)%n)
		for range 1 + r.IntN(5) {
			v := (u + n - 8 + r.IntN(13)) % n
			links[u] += fmt.Sprintf("[[P%02d|other]] ", v)
			links[v] += fmt.Sprintf("[[R%02d]] ", u)
		}
		if label := r.IntN(8); label < 7 { // most of one kind, so that some bans leave no path
			labels += fmt.Sprintf("%d\t%s\n", u+1, schemas.LabelNames[label/5])
		}
	}
	dump := `<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>T</sitename><dbname>testwiki</dbname><case>first-letter</case></siteinfo>`
	for u, text := range links {
		title := fmt.Sprintf("P%02d", u)
		dump += xmlPage(u+1, title, "", "'''"+title+"''' is a page.\n\n== More ==\n"+text)
		dump += xmlPage(u+1+n, "R"+title[1:], `<redirect title="`+title+`" />`, "#REDIRECT [["+title+"]]")
	}
	files := map[string]string{"testwiki-20260101-pages-articles.xml": dump + "</mediawiki>", "labels.tsv": labels, "village.toml": villageRecipe}
	for name, text := range files {
		put(t, filepath.Join(folder, name), text)
	}
	build := "build --dump testwiki-20260101-pages-articles.xml --manual-labels labels.tsv --recipe village.toml"
	for _, value := range set {
		build += " --set " + value
	}
	forms := "release --out release --allow-short --parquet edges,distances --distances " + form
	for _, args := range []string{build, forms} {
		cmd := exec.Command(wikinav, strings.Fields(args)...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", args, err, out)
		}
	}
	return filepath.Join(folder, "release")
}

func xmlPage(id int, title, inside, text string) string {
	return fmt.Sprintf("<page><title>%s</title><ns>0</ns><id>%d</id>%s<revision><id>%d</id><timestamp>2026-01-01T00:00:00Z</timestamp>"+
		"<text>%s</text></revision></page>\n", title, id, inside, id, text)
}

// seal brings the manifest and SHA256SUMS in line with a file that was changed; "" is none.
func (h *hostile) seal(name string, data []byte) {
	sealed := h.manifest
	switch name {
	case "":
	case release.ManifestName:
		sealed = sealManifest(data)
	case release.SumsName:
		return
	default:
		sealed = h.sealFile(name, data)
	}
	must(h.t, os.WriteFile(filepath.Join(h.dir, release.ManifestName), sealed, 0o644))
	m, err := release.Decode(sealed)
	if err != nil { // what it lists is as it was
		m, err = release.Decode(h.manifest)
		must(h.t, err)
	}
	lines := []string{digest.SHA256(sealed) + "  " + release.ManifestName + "\n"}
	for _, f := range m.Files {
		lines = append(lines, f.SHA256+"  "+f.Path+"\n")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	must(h.t, os.WriteFile(filepath.Join(h.dir, release.SumsName), []byte(strings.Join(lines, "")), 0o644))
}

// sealFile returns the manifest with every digest and count of a file, also where stages and splits repeat them.
func (h *hostile) sealFile(name string, data []byte) []byte {
	m, err := release.Decode(h.manifest)
	must(h.t, err)
	f, _ := m.File(name)
	sum, before := digest.Bytes(data), f.SHA256
	entry := f
	for i := range m.Files {
		if m.Files[i].Path == name {
			m.Files[i].Bytes, m.Files[i].SHA256, m.Files[i].XXH64 = sum.Bytes, sum.SHA256, sum.XXH64
			if entry.LogicalSHA256 == nil && entry.Rows != nil {
				*m.Files[i].Rows = int64(bytes.Count(jsonltest.Unpack(name, data), []byte("\n")))
			} else if rows, logical, err := h.table(name, sum); err == nil {
				*m.Files[i].Rows, *m.Files[i].LogicalSHA256 = rows, logical
			}
		}
	}
	var fresh release.Manifest
	must(h.t, json.Unmarshal(bytes.ReplaceAll(release.Encode(m), []byte(before), []byte(sum.SHA256)), &fresh))
	fresh.ID = release.ID(&fresh)
	must(h.t, os.WriteFile(filepath.Join(h.dir, release.ManifestName), release.Encode(&fresh), 0o644))
	h.deriveSplits(&fresh)
	fresh.ID = release.ID(&fresh)
	return release.Encode(&fresh)
}

// deriveSplits puts what the files say of the splits into the manifest, as far as they say something that a manifest can hold.
func (h *hostile) deriveSplits(m *release.Manifest) {
	r, err := release.Open(h.dir)
	if err != nil {
		return
	}
	defer r.Close()
	for _, p := range artifacts.All {
		if len(r.Part(p).Names()) == 0 {
			continue
		}
		splits, err := p.Splits(r.Part(p))
		if _, bad := canon.Marshal(splits); err == nil && bad == nil {
			maps.Copy(m.Splits, splits)
		}
	}
}

// sealManifest returns a manifest that was changed with the id that follows from it, if any does.
func sealManifest(data []byte) (sealed []byte) {
	defer func() {
		if recover() != nil { // a key that no canonical JSON has
			sealed = data
		}
	}()
	var m release.Manifest
	if json.Unmarshal(data, &m) != nil {
		return data
	}
	return bytes.Replace(data, []byte(`"id":"`+m.ID+`"`), []byte(`"id":"`+release.ID(&m)+`"`), 1)
}

// layout is that of a table of the release; nil for a file that is none.
func layout(name string) *schemas.Table {
	switch name {
	case "graph/graph.arrow":
		return &schemas.GraphTable
	case "graph/nodes.parquet":
		return &schemas.ReleaseNodesTable
	case "graph/aliases.parquet":
		return &schemas.ReleaseAliasesTable
	case "graph/leads.parquet":
		return &schemas.ReleaseLeadsTable
	case "graph/edges.parquet":
		return &schemas.ReleaseEdgesTable
	case "distances/columns.arrow":
		return &schemas.ColumnsTable
	}
	if path.Dir(name) == "distances" {
		return map[string]*schemas.Table{
			".arrow": &schemas.DistancesTable, ".parquet": &schemas.ReleaseDistancesTable,
		}[path.Ext(name)]
	}
	for _, p := range artifacts.All {
		if k, ok := p.Kind(path.Base(name)); ok && p.Folder() == path.Dir(name) {
			return k.Table
		}
	}
	return nil
}

// table reads the table that lies in the release, for its rows and the digest of what they say.
func (h *hostile) table(name string, sum digest.Digest) (rows int64, logical string, err error) {
	l := layout(name)
	if l == nil {
		return 0, "", errors.New("no table")
	}
	root, err := os.OpenRoot(h.dir)
	must(h.t, err)
	defer root.Close()
	if path.Ext(name) == ".parquet" {
		t, err := arrowio.ReadParquet(root, name, *l, sum)
		if err != nil {
			return 0, "", err
		}
		return t.Rows(), t.Logical(), nil
	}
	t, err := arrowio.Open(root, name, *l, sum)
	if err != nil {
		return 0, "", err
	}
	defer t.Close()
	return t.Rows(), t.Logical(), nil
}

// sameMeaning says why the changed file, which lies in the release, means what the honest one does; "" where it does not.
func (h *hostile) sameMeaning(name string, old, changed []byte) string {
	if bytes.Equal(old, changed) {
		return "the same bytes"
	}
	m, err := release.Decode(h.manifest)
	must(h.t, err)
	if f, ok := m.File(name); ok && f.LogicalSHA256 != nil {
		if _, logical, err := h.table(name, digest.Bytes(changed)); err == nil && logical == *f.LogicalSHA256 {
			return "the same rows"
		}
	}
	switch path.Ext(name) {
	case ".sqlite":
		if at := h.wikinav + ".sqlite"; rowsOf(h.t, at, changed) == rowsOf(h.t, at, old) {
			return "the same rows"
		}
	case ".json", ".jsonl", jsonl.PackedSuffix:
		fields := differing("", values(jsonltest.Unpack(name, old)), values(jsonltest.Unpack(name, changed)))
		if len(fields) == 0 {
			return "the same values"
		}
		if !slices.ContainsFunc(fields, func(f string) bool { return !ofTheBuild.MatchString(name + f) }) {
			return "what level 4 alone can know"
		}
	}
	return ""
}

// ofTheBuild is what is said of the build and not of the files of the release: parameters, keys, what stages counted on the way,
// digests of what nobody reads, the size of the table of classes. Level 4 builds again and compares it.
var ofTheBuild = regexp.MustCompile(
	`^manifest\.json/0/(params/|stages/\d+/(key|version|counters|outputs)\b)|^labels/labels\.json/0/table/classes$`)

// differing lists the places at which two values of JSON differ.
func differing(at string, a, b any) (places []string) {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			break
		}
		keys := slices.Sorted(maps.Keys(x))
		for key := range y {
			if _, both := x[key]; !both {
				keys = append(keys, key)
			}
		}
		for _, key := range keys {
			places = append(places, differing(at+"/"+key, x[key], y[key])...)
		}
		return places
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			break
		}
		for i := range x {
			places = append(places, differing(fmt.Sprint(at, "/", i), x[i], y[i])...)
		}
		return places
	}
	return []string{at}
}

// rowsOf is what a catalogue answers: the rows of each table, its definitions, and whether its indexes agree; or why it answers not.
func rowsOf(t *testing.T, at string, data []byte) string {
	must(t, os.WriteFile(at, data, 0o644))
	db, err := catalog.Open(t.Context(), at)
	if err != nil {
		return fmt.Sprint(rand.Uint64(), err)
	}
	defer db.Close()
	var out strings.Builder
	ask := func(query string) (first []string) {
		rows, err := db.Query(query)
		if err != nil {
			fmt.Fprintln(&out, err)
			return nil
		}
		defer rows.Close()
		names, _ := rows.Columns()
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		for rows.Next() {
			err = errors.Join(err, rows.Scan(into...))
			fmt.Fprintf(&out, "%v %v\n", values, err)
			first = append(first, fmt.Sprint(values[0]))
		}
		fmt.Fprintln(&out, rows.Err())
		return first
	}
	ask("PRAGMA integrity_check")
	ask("SELECT type, name, tbl_name, sql FROM sqlite_schema")
	for _, name := range ask("SELECT name FROM sqlite_schema WHERE type = 'table'") {
		ask(fmt.Sprintf("SELECT * FROM %q NOT INDEXED", name))
	}
	return out.String()
}

// values decodes one document of JSON after the other.
func values(data []byte) (list []any) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	for {
		var v any
		if err := dec.Decode(&v); err != nil {
			return append(list, err.Error())
		}
		list = append(list, v)
	}
}

// difference shows where two texts differ.
func difference(a, b []byte) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	j := 0
	for j < min(len(a), len(b))-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	from := max(0, i-60)
	return fmt.Sprintf("at byte %d of %d: %.300q -> %.300q", i, len(a), a[from:len(a)-j], b[from:len(b)-j])
}

// mutate changes a file by its form: documents and lines of JSON as trees or as text, others as bytes.
func mutate(r *rand.Rand, name string, data []byte) []byte {
	switch path.Ext(name) {
	case ".json":
		return mutateJSON(r, data)
	case ".jsonl":
		lines := bytes.SplitAfter(data, []byte("\n"))
		i := r.IntN(max(1, len(lines)-1))
		switch r.IntN(8) {
		case 0:
			lines = append(lines[:i:i], lines[min(i+1, len(lines)):]...)
		case 1:
			lines = append(lines[:i:i], append([][]byte{lines[i]}, lines[i:]...)...)
		case 2:
			lines[i] = bytes.Repeat(lines[i], 1000)
		case 3:
			lines[i] = mutateBytes(r, lines[i])
		default:
			lines[i] = append(mutateJSON(r, bytes.TrimSuffix(lines[i], []byte("\n"))), '\n')
		}
		return bytes.Join(lines, nil)
	case jsonl.PackedSuffix:
		if r.IntN(2) > 0 {
			lines := jsonltest.Unpack(name, data)
			return jsonltest.Pack(name, mutate(r, strings.TrimSuffix(name, jsonl.PackedSuffix), lines))
		}
	}
	return mutateBytes(r, data)
}

// mutateBytes flips, cuts, repeats, moves and resizes.
func mutateBytes(r *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	if len(out) == 0 {
		return []byte{0}
	}
	at := r.IntN(len(out))
	if r.IntN(2) == 0 { // the footers of tables decide about everything else
		at = len(out) - 1 - r.IntN(min(len(out), 4096))
	}
	switch r.IntN(6) {
	case 0:
		out[at] ^= 1 << r.IntN(8)
	case 1:
		for i := at; i < min(len(out), at+8); i++ {
			out[i] = 0xff
		}
	case 2:
		return out[:at]
	case 3:
		n := min(len(out)-at, 1+r.IntN(64))
		return append(out[:at+n:at+n], out[at:]...)
	case 4:
		from := r.IntN(len(out))
		copy(out[at:], out[from:min(len(out), from+1+r.IntN(256))])
	default:
		out[at] = byte(r.Uint32())
	}
	return out
}

// hostileValues are put where others stood.
var hostileValues = []string{
	"null", "0", "-1", "9007199254740991", "9007199254740992", "1e400", "1.5", `""`, `"\u0000"`, `"\ud800"`, `"é\n\u001b[2J"`, "[]", "{}", `{"é":1}`, "true",
	strings.Repeat("[", 70) + strings.Repeat("]", 70), strings.Repeat("[", 60) + strings.Repeat("]", 60), `"` + strings.Repeat("x", 1<<20) + `"`,
	"4294967295", "4294967296", "255", "254", `"../../x"`, "[[1]]", "-9007199254740991",
}

// mutateJSON replaces, repeats, renames or deletes one value of a document, found by its text.
func mutateJSON(r *rand.Rand, data []byte) []byte {
	var spans [][2]int // of values and, before a colon, of keys
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	for {
		before := dec.InputOffset()
		tok, err := dec.Token()
		if err != nil {
			break
		}
		if _, delim := tok.(json.Delim); delim {
			continue
		}
		start := int(before)
		for start < len(data) && strings.IndexByte(" ,:\n\t", data[start]) >= 0 {
			start++
		}
		spans = append(spans, [2]int{start, int(dec.InputOffset())})
	}
	if len(spans) == 0 {
		return []byte(hostileValues[r.IntN(len(hostileValues))])
	}
	s := spans[r.IntN(len(spans))]
	value := hostileValues[r.IntN(len(hostileValues))]
	isKey := s[1] < len(data) && data[s[1]] == ':'
	switch {
	case isKey && r.IntN(2) == 0:
		value = []string{`"é":1,` + string(data[s[0]:s[1]]), `"x":1,` + string(data[s[0]:s[1]]), string(data[s[0]:s[1]]) + ":" + value + "," + string(data[s[0]:s[1]])}[r.IntN(3)]
	case isKey:
		value = []string{`"é"`, `""`, strings.ToUpper(string(data[s[0]:s[1]]))}[r.IntN(3)]
	case r.IntN(4) == 0 && bytes.ContainsAny(data[s[0]:s[1]], "0123456789"):
		value = neighbour(r, data[s[0]:s[1]])
	case r.IntN(3) == 0:
		other := spans[r.IntN(len(spans))]
		value = string(data[other[0]:other[1]])
	}
	return append(append(bytes.Clone(data[:s[0]]), value...), data[s[1]:]...)
}

// neighbour changes one digit of a value.
func neighbour(r *rand.Rand, value []byte) string {
	out := bytes.Clone(value)
	for {
		if i := r.IntN(len(out)); out[i] >= '0' && out[i] <= '9' {
			out[i] = '0' + (out[i]-'0'+1)%10
			return string(out)
		}
	}
}
