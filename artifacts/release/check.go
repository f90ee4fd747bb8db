package release

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Check is what a part's Check works with: the files of the part, what they refer to, and the
// report. Files whose bytes are not those of the manifest are not read, and what depends on them is
// skipped with a note.
type Check struct {
	v     *verifier
	part  Part
	lines map[string]any // records by file, nil where they are damaged
}

// Context is cancelled when nobody waits for the report any more.
func (c *Check) Context() context.Context { return c.v.ctx }

func (c *Check) Manifest() *Manifest { return c.v.m }

// Files returns the files of the part whose bytes are those of the manifest.
func (c *Check) Files() Files { return c.v.filesOf(c.part) }

// Of returns the files of another part, as Files does.
func (c *Check) Of(p Part) Files { return c.v.filesOf(p) }

// Wants reports whether the file called name is to be checked: it is there, whole, and in the
// subset that was asked for.
func (c *Check) Wants(name string) bool { return c.v.wanted[c.path(name)] }

// Whole reports whether all files of the release are checked, and not a subset.
func (c *Check) Whole() bool { return c.v.part.n == 1 }

// Graph returns the graph, nil where it is damaged.
func (c *Check) Graph() *graph.Graph { return c.v.openGraph() }

// Aliases returns the table of redirects of the graph, nil where it is damaged or missing: that is
// a finding of its own.
func (c *Check) Aliases() *arrowio.Table {
	f, ok := c.v.listed(aliasesPath)
	if !ok {
		return nil
	}
	t, err := arrowio.ReadParquet(c.v.root, aliasesPath, schemas.ReleaseAliasesTable, f.digestOf())
	if err != nil {
		return nil
	}
	return t
}

// Distances returns the distance columns, nil where they are damaged.
func (c *Check) Distances() *distances.Set { return c.v.openSet() }

// Redirects returns by node the titles of the redirects that lead to it, in their order; nil where
// they are damaged.
func (c *Check) Redirects() map[uint32][]string {
	f, ok := c.v.listed(aliasesPath)
	if !ok {
		return nil
	}
	t, err := arrowio.ReadParquet(c.v.root, f.Path, schemas.ReleaseAliasesTable, f.digestOf())
	if err != nil {
		return nil // a finding of its own
	}
	col, to := schemas.ReleaseAliasesTable.Index, map[uint32][]string{}
	for b := range t.Batches() {
		titles := t.Strings(b, col("title"))
		for i, node := range t.Uint32s(b, col("node")) {
			to[node] = append(to[node], titles.At(i))
		}
	}
	return to
}

func (c *Check) path(name string) string { return c.part.Folder() + "/" + name }

// Add lists a finding about a file of the part.
func (c *Check) Add(check, name, where string, expected, found any) {
	c.v.report.add(check, c.path(name), where, expected, found)
}

// Differ lists a finding if found is not what was expected, and reports whether it did.
func Differ[T comparable](c *Check, check, name, where string, expected, found T) bool {
	return differ(c.v.report, check, c.path(name), where, expected, found)
}

// Fail lists what a reader says of a file of the part.
func (c *Check) Fail(check, name string, err error) { c.v.report.fail(check, c.path(name), err) }

// Skip notes what could not be checked.
func (c *Check) Skip(format string, args ...any) { c.v.report.skip(format, args...) }

// Need lists a finding for each file that the manifest lacks.
func (c *Check) Need(names ...string) {
	for _, name := range names {
		c.v.need(c.path(name))
	}
}

// NeedOf lists a finding for a file of another part that the manifest lacks.
func (c *Check) NeedOf(p Part, name string) { c.v.need(p.Folder() + "/" + name) }

// Params reads the parameters of the part's stage into x, and reports whether the manifest has
// them.
func (c *Check) Params(x any) bool {
	name := c.part.Source().Name
	params, ok := c.v.m.Params[name]
	if w := c.v.m.wholeOf(name); w != nil {
		params, ok = w.Params, true
	}
	if !ok || json.Unmarshal(params, x) != nil {
		c.v.report.add("params", ManifestName, "params."+name, "those of the stage", "none")
		return false
	}
	return true
}

// read reads a file whose bytes are those of the manifest; skip notes another, check lists what the
// reader says.
func (c *Check) read(check, skip, name string) (f FileEntry, data []byte, ok bool) {
	if f, ok = c.v.listed(c.path(name)); !ok {
		c.Skip(skip, c.path(name))
		return f, nil, false
	}
	data, err := readWhole(c.v.root, f.Path, f.digestOf())
	if err != nil {
		c.Fail(check, name, err)
	}
	return f, data, err == nil
}

// RecordsOf reads a file of JSON lines once; nil, with findings or a note, where it is damaged or
// missing.
func RecordsOf[T any](c *Check, name, schema string) []T {
	if list, loaded := c.lines[name]; loaded {
		return list.([]T)
	}
	list := []T{}
	whole := c.readRecords(name, func(line []byte) error {
		record, err := jsonl.DecodeLine[T](line, schema)
		if err == nil {
			list = append(list, record)
		}
		return err
	})
	if !whole {
		list = nil
	}
	c.lines[name] = list
	return list
}

// readRecords has each line of a file taken, and reports whether it could be read whole.
func (c *Check) readRecords(name string, take func(line []byte) error) bool {
	f, ok := c.v.listed(c.path(name))
	if !ok {
		c.Skip("records of %s: the file is damaged or missing", c.path(name))
		return false
	}
	rows, whole := 0, true
	err := located{root: c.v.root, path: f.Path, sum: f.digestOf()}.each(func(n int, line []byte) error {
		rows = n
		if err := take(line); err != nil {
			whole = false
			c.Fail("records", name, jsonl.At(f.Path, n, err))
		}
		return nil
	})
	if err != nil {
		c.Fail("records", name, err)
	}
	c.v.checkRows(f, int64(rows))
	return err == nil && whole
}

// SameRows compares a Parquet file with the records that it lays flat.
func SameRows[T any](c *Check, name string, codec *flat.Codec[T], list []T) {
	t := c.Parquet(name, codec.Table())
	if t == nil || list == nil || Differ(c, "rows as in the JSON lines", name, "", int64(len(list)), t.Rows()) {
		return
	}
	c.sameRows(name, t, func(row, batch, at int, differ func(column string, want, got any)) error {
		return codec.Compare(&list[row], t, batch, at, differ)
	})
}

// sameRows compares each row of a table, which is row at of a batch.
func (c *Check) sameRows(
	name string, t *arrowio.Table,
	compare func(row, batch, at int, differ func(column string, want, got any)) error,
) {
	row := 0
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			err := compare(row, b, i, func(column string, want, got any) {
				c.Add(column+" as in the JSON lines", name, Row(row), want, got)
			})
			if err != nil {
				c.Add("record that can be laid flat", name, Row(row), "one", err)
			}
			row++
		}
	}
}

// SameBytes compares a file with what it must hold.
func (c *Check) SameBytes(name string, want []byte) {
	if !c.Wants(name) {
		return
	}
	f, got, ok := c.read("content", "content of %s: it is damaged or missing", name)
	if !ok {
		return
	}
	c.v.checkRows(f, int64(bytes.Count(got, []byte("\n"))))
	c.v.sameLines(f.Path, want, got)
}

// sameLines lists the first line that differs.
func (v *verifier) sameLines(name string, want, got []byte) {
	if n := otherLine(want, got); n > 0 {
		line := bytes.SplitAfter(got, []byte("\n"))[n-1]
		v.report.add("content", name, jsonl.Line(n), "the line that follows from the other files", fault.Quote(string(line)))
	}
}

// otherLine returns the first line of got, from 1, that is not that of want; 0 for equal texts.
func otherLine(want, got []byte) int {
	if bytes.Equal(want, got) {
		return 0
	}
	return 1 + bytes.Count(got[:commonPrefix(want, got)], []byte("\n"))
}

// Document reads a canonical JSON document into x, and reports whether it could.
func (c *Check) Document(name string, x any) bool {
	_, data, ok := c.read("document", "what %s says: it is damaged or missing", name)
	if !ok {
		return false
	}
	var head struct {
		Schema *string `json:"schema"`
	}
	if err := canon.Decode(data, canon.MaxManifest, x); err != nil {
		c.Fail("document", name, err)
		return false
	}
	_ = json.Unmarshal(data, &head) // a list says no schema
	if kind, ok := c.part.Kind(name); ok && head.Schema != nil {
		Differ(c, "document", name, "schema", kind.Schema, *head.Schema)
	}
	if !bytes.Equal(data, canon.MustMarshal(x)) {
		c.Add("document", name, "", "canonical JSON with every field", "another form")
	}
	return true
}

// Shown returns a value as a finding shows it. It was read from a stranger's file or added up from
// one, and such a sum need not be a number that canonical JSON has.
func Shown(v any) string {
	data, err := canon.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// Tally counts records by what a quota is for.
type Tally map[TallyKey]int

// TallyKey is a quota's name and distance.
type TallyKey struct {
	Of       string
	Distance int
}

// Quotas compares quotas.json with what the files hold.
func (c *Check) Quotas(have Tally) {
	c.Need(schemas.QuotasFile)
	var list []schemas.Quota
	if !c.Wants(schemas.QuotasFile) || !c.Document(schemas.QuotasFile, &list) {
		return
	}
	f, _ := c.v.m.File(c.path(schemas.QuotasFile))
	c.v.checkRows(f, int64(len(list)))
	for i, q := range list {
		want := schemas.StatusOK
		if q.Got < q.Requested {
			want = schemas.StatusShort
		}
		Differ(c, "status", schemas.QuotasFile, Row(i), want, q.Status)
		Differ(c, "reason of a shortage", schemas.QuotasFile, Row(i), want == schemas.StatusShort, q.Why != "")
		key := TallyKey{q.Of, q.Distance}
		Differ(c, "got", schemas.QuotasFile, Row(i), have[key], q.Got)
		if q.Got > q.Requested {
			c.Add("requested", schemas.QuotasFile, Row(i), fmt.Sprintf("at least %d", q.Got), q.Requested)
		}
		delete(have, key)
	}
	c.quotasOfStage(list)
	left := 0
	for _, n := range have { // a sum
		left += n
	}
	if left > 0 {
		c.Add("quotas", schemas.QuotasFile, "", "a quota for everything that is there", fmt.Sprintf("%d without", left))
	}
}

// quotasOfStage compares the quotas with what the stage was asked for and what it counted, as far
// as both say it.
func (c *Check) quotasOfStage(list []schemas.Quota) {
	var params struct {
		Splits []struct {
			Name      string `json:"name"`
			Size      int    `json:"size"`
			Distances []int  `json:"distances"`
		} `json:"splits"`
	}
	_ = json.Unmarshal(c.Files().Params, &params) // a stage without splits has other parameters
	attempts, counted := int64(0), false
	requested, got, distances := map[string]int{}, map[string]int{}, map[string][]int{}
	for _, q := range list {
		got[q.Of] += q.Got
		requested[q.Of] += q.Requested
		distances[q.Of] = append(distances[q.Of], q.Distance)
		if n, ok := q.Counts["attempts"]; ok {
			attempts, counted = attempts+n, true
		}
	}
	for _, s := range params.Splits {
		Differ(c, "requested", schemas.QuotasFile, s.Name, s.Size, requested[s.Name])
		Differ(c, "distances", schemas.QuotasFile, s.Name, fmt.Sprint(slices.Sorted(slices.Values(s.Distances))), fmt.Sprint(slices.Sorted(slices.Values(distances[s.Name]))))
	}
	for _, of := range slices.Sorted(maps.Keys(got)) {
		if n, ok := c.accepted(of); ok && !c.composed() {
			Differ(c, "got", schemas.QuotasFile, of, n, int64(got[of]))
		}
	}
	if want, ok := c.Files().Counters["attempts"]; ok && counted {
		Differ(c, "attempts", schemas.QuotasFile, "counts", want, attempts)
	}
}

// accepted returns the stage's own count of the records of a quota. Stages that also count what they
// try put a word in front, so that a split may be called as any other counter.
func (c *Check) accepted(of string) (n int64, ok bool) {
	counters := c.Files().Counters
	if n, ok = counters["accepted_"+of]; !ok {
		n, ok = counters[strings.ReplaceAll(of, "-", "_")]
	}
	return n, ok
}

// composed reports whether records of an older release stand among those of the part's stage.
func (c *Check) composed() bool {
	stage := c.part.Source().Name
	return c.v.m.carries(stage) && c.v.m.wholeOf(stage) == nil
}

// Scored gathers what models are scored on, over all parts of the release; ok is false where some
// of it is damaged.
func (c *Check) Scored() (list []Scored, ok bool) {
	for _, p := range c.v.parts {
		s, scores := p.(Scorer)
		if !scores || len(c.v.m.folder(p.Folder())) == 0 {
			continue
		}
		pairs, err := s.Scored(c.v.filesOf(p))
		if err != nil {
			c.Skip("what is scored in %s: %v", p.Folder(), err)
			return nil, false
		}
		list = append(list, pairs...)
	}
	return list, true
}

// Line is a record under check, at its line of a file.
type Line struct {
	*Check
	File, Where string
	N           int // from 1
}

// EachLine visits the records of a file whose ids must ascend, until the context ends. Nothing is
// visited in a file that is not to be checked.
func EachLine[T any](c *Check, name string, list []T, id func(*T) string, visit func(l Line, record *T)) {
	c.eachLine(name, len(list), func(i int) string { return id(&list[i]) }, func(l Line) { visit(l, &list[l.N-1]) })
}

func (c *Check) eachLine(name string, n int, id func(i int) string, visit func(l Line)) {
	if !c.Wants(name) {
		return
	}
	before := ""
	for i := range n {
		if c.v.ctx.Err() != nil {
			return
		}
		l, got := c.line(name, i), id(i)
		if got <= before {
			l.Bad("id", "above "+fault.Quote(before), fault.Quote(got))
		}
		before = got
		visit(l)
	}
}

// Part returns the part under check.
func (c *Check) Part() Part { return c.part }

// Line returns the place of record i of a file, which findings name.
func (c *Check) Line(name string, i int) Line { return c.line(name, i) }

// line returns record i of a file.
func (c *Check) line(name string, i int) Line { return Line{c, name, jsonl.Line(i + 1), i + 1} }

// Bad lists a finding about a field.
func (l Line) Bad(field string, expected, found any) { l.Add(field, l.File, l.Where, expected, found) }

// Is lists a finding if a field does not hold what it must.
func (l Line) Is(field string, want, got any) {
	if want != got {
		l.Bad(field, want, got)
	}
}

// Page reports whether p is a node, so that it may be looked up elsewhere, and checks what is said
// of it.
func (l Line) Page(end string, p schemas.PageRef) bool {
	g := l.Graph()
	if g == nil {
		return false
	}
	if int64(p.Node) >= int64(g.Len()) {
		l.Bad(end+".node", below(int64(g.Len())), p.Node)
		return false
	}
	l.Is(end+".page_id", g.PageIDs[p.Node], p.PageID)
	l.Is(end+".title", g.Title(p.Node), p.Title)
	return true
}

// Edge reports whether the graph links from u to v.
func (l Line) Edge(u, v uint32) bool {
	g := l.Graph()
	if int64(u) >= int64(g.Len()) {
		return false
	}
	_, ok := slices.BinarySearch(g.Succ.Row(u), v)
	return ok
}

// Distance compares with the column of target. Where the release does not have it, that is a
// finding only if it must.
func (l Line) Distance(source, target uint32, distance int, must bool) {
	set := l.Distances()
	if set == nil {
		return
	}
	d, err := set.At(source, target)
	switch {
	case err == nil:
		l.Is("distance", int(d), distance)
	case must:
		l.Bad("distance column", "one for the target", err)
	}
}

// Names lists the files of the part in the manifest that match a pattern of path.Match, sorted.
func (c *Check) Names(pattern string) []string {
	var names []string
	for _, f := range c.v.m.Files {
		if parent(f.Path) != c.part.Folder() {
			continue
		}
		if ok, err := path.Match(pattern, path.Base(f.Path)); ok && err == nil {
			names = append(names, path.Base(f.Path))
		}
	}
	slices.Sort(names)
	return names
}

// Row names row n, counted from 0, in findings.
func Row(n int) string { return fmt.Sprintf("row %d", n) }

// CheckTable checks the frame of an Arrow file of the part: its layout, its rows and its logical
// digest.
func (c *Check) CheckTable(name string, t schemas.Table) {
	if f, ok := c.v.m.File(c.path(name)); ok && c.Wants(name) {
		c.v.checkArrow(f, t)
	}
}

// Parquet reads a Parquet file of the part and checks its frame; nil where it is damaged or not to
// be checked.
func (c *Check) Parquet(name string, t schemas.Table) *arrowio.Table {
	if !c.Wants(name) {
		return nil
	}
	f, _ := c.v.m.File(c.path(name))
	return c.v.parquet(f, t)
}
