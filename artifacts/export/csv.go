package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// sheet is a file of comma-separated values, and what it is made of.
type sheet struct {
	name    string // of the file
	from    release.FileEntry
	table   *schemas.Table // nil for JSON lines
	columns []string
	types   []string
	rows    int64
}

const distancesName = "distances/distances.csv"

// CSV writes every table of the release as comma-separated values: UTF-8, fields and lines as RFC
// 4180 has them, a line of column names first. Lists and objects are JSON. Of a table in two forms
// one is written; the columns of distances, each as long as the graph, only if wanted.
func (d *Dir) CSV(j Job, columns bool) error {
	sheets, total := j.sheets()
	set, err := j.Release.Distances()
	if err != nil {
		return err
	}
	if columns {
		total += int64(len(set.Columns())) * int64(set.Nodes())
	}
	add := j.Meter("rows", total)
	for _, s := range sheets {
		err := d.Create(s.name, func(out io.Writer) (rows int64, err error) {
			err = s.write(d, j, out, func() error { rows++; add(1); return nil })
			s.rows = rows
			return rows, err
		})
		if err != nil {
			return err
		}
	}
	if columns {
		s := &sheet{name: distancesName, columns: []string{"target", "node", "distance"}}
		s.types = []string{"integer", "integer", "integer"}
		err := d.Create(s.name, func(out io.Writer) (int64, error) {
			return s.distances(d, set, out, add)
		})
		if err != nil {
			return err
		}
		sheets = append(sheets, s)
	}
	return j.describe(d, sheets)
}

// sheets lists what is to be written, and how many rows the manifest counts in all.
func (j Job) sheets() (list []*sheet, total int64) {
	of := map[string]int{} // by name
	for _, f := range j.Release.Manifest().Files {
		ext := endingOf(f.Path)
		t, isTable := release.Layout(f.Path, j.Parts)
		shard := path.Dir(f.Path) == schemas.Distances.Name && path.Base(f.Path) != distances.Sidecar
		if !isTable && (!isLines(f.Path) || f.Rows == nil) || shard {
			continue
		}
		s := &sheet{name: strings.TrimSuffix(f.Path, ext) + ".csv", from: f}
		if isTable {
			s.table = &t
		}
		if at, twice := of[s.name]; twice {
			if list[at].rank() < s.rank() {
				list[at] = s
			}
			continue
		}
		of[s.name] = len(list)
		list = append(list, s)
		total += *f.Rows
	}
	return list, total
}

// rank says which form of a table is read where it is there in several.
func (s *sheet) rank() int {
	ending := strings.TrimSuffix(endingOf(s.from.Path), jsonl.PackedSuffix)
	return slices.Index([]string{linesEnding, ".arrow", ".parquet"}, ending)
}

const linesEnding = ".jsonl"

// endingOf returns the ending of the file at p, with that of what it is packed in.
func endingOf(p string) string {
	if rest, ok := strings.CutSuffix(p, jsonl.PackedSuffix); ok {
		return path.Ext(rest) + jsonl.PackedSuffix
	}
	return path.Ext(p)
}

func isLines(p string) bool {
	return strings.TrimSuffix(endingOf(p), jsonl.PackedSuffix) == linesEnding
}

func (s *sheet) write(d *Dir, j Job, out io.Writer, row func() error) error {
	if s.table == nil {
		return s.lines(d, j, out, row)
	}
	for _, c := range s.table.Columns {
		s.columns, s.types = append(s.columns, c.Name), append(s.types, typeNames[c.Type])
	}
	w := newLines(out, s.columns)
	files, name := j.folder(s.from.Path), path.Base(s.from.Path)
	err := files.EachRow(name, *s.table, func(cell func(int) any) error {
		for i := range s.columns {
			w.field(text(cell(i)))
		}
		w.end()
		if err := d.ctx.Err(); err != nil {
			return err
		}
		return row()
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

var typeNames = map[schemas.Type]string{
	schemas.Bool: "true or false", schemas.Uint8: "integer", schemas.Int16: "integer",
	schemas.Uint16: "integer", schemas.Uint32: "integer", schemas.Uint64: "integer",
	schemas.Int64: "integer", schemas.Float64: "number", schemas.String: "text",
	schemas.Binary: "bytes, in hex", schemas.ListUint32: "list of integers, as JSON",
}

// text spells a cell.
func text(cell any) string {
	switch x := cell.(type) {
	case string:
		return x
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case []uint32:
		return string(canon.MustMarshal(x))
	case []byte:
		return fmt.Sprintf("%x", x)
	}
	return fmt.Sprint(cell)
}

// lines writes JSON lines: a column for each key that a line has, in the order in which they come.
func (s *sheet) lines(d *Dir, j Job, out io.Writer, row func() error) error {
	files, name := j.folder(s.from.Path), path.Base(s.from.Path)
	err := eachObject(files, name, func(keys []string, _ map[string]json.RawMessage) error {
		for _, key := range keys {
			if !slices.Contains(s.columns, key) {
				s.columns, s.types = append(s.columns, key), append(s.types, "as in the JSON lines")
			}
		}
		return d.ctx.Err()
	})
	if err != nil {
		return err
	}
	w := newLines(out, s.columns)
	err = eachObject(files, name, func(_ []string, object map[string]json.RawMessage) error {
		for _, key := range s.columns {
			field, err := spelled(object[key])
			if err != nil {
				return err
			}
			w.field(field)
		}
		w.end()
		return row()
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// eachObject visits the lines of a file with their keys in order.
func eachObject(
	files release.Files, name string,
	visit func(keys []string, object map[string]json.RawMessage) error,
) error {
	return files.Each(name, func(_ int, line []byte) error {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(line, &object); err != nil {
			return fault.New(fault.Malformed, "%w", err)
		}
		dec := json.NewDecoder(bytes.NewReader(line))
		var keys []string
		for _, err := dec.Token(); err == nil && dec.More(); { // past the brace
			key, err := dec.Token()
			if err != nil {
				return err
			}
			keys = append(keys, key.(string))
			var value json.RawMessage
			if err := dec.Decode(&value); err != nil {
				return err
			}
		}
		return visit(keys, object)
	})
}

// spelled spells a value of JSON: a text as it is, null and what is not there as nothing, all else
// as JSON.
func spelled(value json.RawMessage) (s string, err error) {
	switch {
	case len(value) == 0 || string(value) == "null":
		return "", nil
	case value[0] == '"':
		return s, json.Unmarshal(value, &s)
	}
	return string(value), nil
}

// distances writes a line for each node and target.
func (s *sheet) distances(
	d *Dir, set *distances.Set, out io.Writer, add func(int64),
) (int64, error) {
	w := newLines(out, s.columns)
	for _, c := range set.Columns() {
		column, err := set.Column(c.Node)
		if err == nil {
			err = d.ctx.Err()
		}
		if err != nil {
			return 0, err
		}
		target := strconv.Itoa(int(c.Node))
		for node, x := range column {
			w.field(target)
			w.field(strconv.Itoa(node))
			w.field(strconv.Itoa(int(x)))
			w.end()
		}
		s.rows += int64(len(column))
		add(int64(len(column)))
	}
	return s.rows, w.Flush()
}

// lineWriter writes fields and lines.
type lineWriter struct {
	*bufio.Writer // keeps the first error until Flush
	begun         bool
}

func newLines(out io.Writer, columns []string) *lineWriter {
	w := &lineWriter{Writer: bufio.NewWriter(out)}
	for _, c := range columns {
		w.field(c)
	}
	w.end()
	return w
}

// field quotes a field where it must be, and an empty one, which would be no line if it were alone.
func (w *lineWriter) field(s string) {
	if w.begun {
		w.WriteByte(',')
	}
	w.begun = true
	if s != "" && !strings.ContainsAny(s, "\",\r\n") && strings.TrimSpace(s) == s {
		w.WriteString(s)
		return
	}
	w.WriteByte('"')
	w.WriteString(strings.ReplaceAll(s, `"`, `""`))
	w.WriteByte('"')
}

func (w *lineWriter) end() {
	w.WriteString("\r\n")
	w.begun = false
}

const csvText = `# %s as comma-separated values

The tables of the release %s (manifest id ` + "`%s`" + `) as RFC 4180 has them: UTF-8 without a
byte order mark, lines that end with CR LF, column names first, quotes doubled. An empty field is an empty
text; of JSON lines also a key that is null or absent. Lists and objects are JSON in one field.
%s
| file | rows | made of |
| --- | --- | --- |
%s
`

const csvNoDistances = "The columns of distances, one per target and as long as the graph each, " +
	"are left out:\n`wikinav export csv --distances` writes them.\n"

// describe writes the README: the files, their columns, and what the parts say of theirs.
func (j Job) describe(d *Dir, sheets []*sheet) error {
	m := j.Release.Manifest()
	var list, columns strings.Builder
	note := csvNoDistances
	for _, s := range sheets {
		from := s.from.Path
		if s.name == distancesName {
			from, note = schemas.Distances.Name+"/", ""
		}
		fmt.Fprintf(&list, "| `%s` | %d | `%s` |\n", s.name, s.rows, from)
		fmt.Fprintf(&columns, "\n## %s\n\n| column | type |\n| --- | --- |\n", s.name)
		for i, c := range s.columns {
			fmt.Fprintf(&columns, "| `%s` | %s |\n", c, s.types[i])
		}
	}
	files := strings.TrimSuffix(list.String(), "\n")
	text := fmt.Sprintf(csvText, m.Release.Name, m.Release.Name, m.ID, note, files) + columns.String()
	text += "\n# What the columns mean\n\nFrom the data card of the release, by its names of files.\n"
	for _, p := range j.Parts {
		files := j.Release.Part(p)
		if len(files.Names()) == 0 {
			continue
		}
		card, err := p.Card(files)
		if err != nil {
			return err
		}
		text += "\n" + strings.TrimSuffix(card.Text, "\n") + "\n"
	}
	return d.Text(cardFile, text)
}
