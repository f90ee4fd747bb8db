// Package pairlist reads files that list pairs of pages: the games of a day, a laboratory's own
// set, the games that people played.
//
// A file is UTF-8, plain or packed, with LF or CR LF; blank lines and lines that begin with # are
// skipped. Its first row decides how all are read:
//
//   - a line that begins with { : JSON lines, whose fields start or target by any of their names
//     (SourceNames, TargetNames) are a title, or an object with title and page_id as in the records
//     of a release;
//   - columns with such names, in any order and among others, and a row of titles on each line;
//   - two columns: source TAB target;
//   - five or six columns: SNAP's finished or unfinished games of Wikispeedia, whose fourth column
//     is the path, pages joined by semicolons and "<" for back; a finished game leads to the last
//     page, an unfinished one to its fifth column;
//   - one column: paths alone, joined by semicolons.
//
// The package promises that no row is skipped in silence: one that lists no pair is visited with
// the reason. It looks at no graph, and leaves names as the file has them.
//
// Memory: a row.
package pairlist

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Row is a row of a file.
type Row struct {
	Line           int64
	Source, Target Name
	Reason         string // why it lists no pair, in the words of schemas.RowReasons; "" if it does
}

// Name is how a row names a page.
type Name struct {
	Text   string
	PageID uint32 // 0 where the row has none
	Wiki   string // whose page id it is; "" where the row does not say
}

// Names of the columns and fields that hold the ends of a pair.
var (
	SourceNames = []string{"source", "start", "from", "start_article", "source_title"}
	TargetNames = []string{
		"target", "goal", "to", "end", "destination", "destination_article", "target_title",
	}
)

// mostLine is the longest line that is read, in bytes.
const mostLine = 1 << 20

// Read visits the rows of the file at path in their order.
func Read(ctx context.Context, path string, visit func(Row) error) error {
	var read reader
	return packed.Lines(ctx, path, mostLine, func(l packed.Line) error {
		if l.Number == 1 {
			l.Text = strings.TrimPrefix(l.Text, "\ufeff")
		}
		if l.Blank() || l.Comment() {
			return nil
		}
		if read == nil {
			var isHeader bool
			if read, isHeader = readerOf(l.Text); read == nil {
				return fault.New(fault.Malformed, "the first row has %d columns and names none of them",
					len(strings.Split(l.Text, "\t"))).
					At(path, fmt.Sprintf("line %d", l.Number)).
					Hint("want source TAB target, columns of which one is called source and one target, " +
						"JSON lines with start and target, or the path files of Wikispeedia")
			} else if isHeader {
				return nil
			}
		}
		row := Row{Line: l.Number, Reason: schemas.RowBadText}
		if !l.TooLong && utf8.ValidString(l.Text) {
			row.Source, row.Target, row.Reason = read(l.Text)
		}
		return visit(row)
	})
}

// reader reads one row.
type reader func(row string) (source, target Name, reason string)

// readerOf decides by the first row how all are read; nil for one of no known form.
func readerOf(first string) (read reader, isHeader bool) {
	fields := strings.Split(first, "\t")
	source, target := columnOf(fields, SourceNames), columnOf(fields, TargetNames)
	switch {
	case strings.HasPrefix(strings.TrimLeft(fields[0], " "), "{"):
		return readObject, false
	case source >= 0 && target >= 0:
		return columns{source, target, len(fields)}.read, true
	case len(fields) == 1:
		return readPath, false
	case len(fields) == 2:
		return columns{0, 1, 2}.read, false
	case len(fields) == 5 || len(fields) == 6:
		return readGame, false
	}
	return nil, false
}

func columnOf(fields, names []string) int {
	return slices.IndexFunc(fields, func(f string) bool { return slices.Contains(names, strings.TrimSpace(f)) })
}

// columns says where a row of so many fields has its ends.
type columns struct{ source, target, of int }

func (c columns) read(row string) (source, target Name, reason string) {
	fields := strings.Split(row, "\t")
	if len(fields) != c.of {
		return Name{Text: row}, target, schemas.RowFieldCount
	}
	return ends(fields[c.source], fields[c.target])
}

func ends(source, target string) (s, t Name, reason string) {
	if strings.TrimSpace(source) == "" || strings.TrimSpace(target) == "" {
		reason = schemas.RowBadText
	}
	return Name{Text: source}, Name{Text: target}, reason
}

// back is the name that stands for a click back.
const back = "<"

// readPath takes the first page of a path and the last.
func readPath(path string) (source, target Name, reason string) {
	pages := strings.Split(path, ";")
	last := len(pages) - 1
	for last > 0 && pages[last] == back {
		last--
	}
	if pages[0] == "" || pages[0] == back {
		return source, target, schemas.RowEmptyPath
	}
	return ends(pages[0], pages[last])
}

// readGame reads a row of SNAP's games, finished with five fields and unfinished with six.
func readGame(row string) (source, target Name, reason string) {
	fields := strings.Split(row, "\t")
	if len(fields) != 5 && len(fields) != 6 {
		return source, target, schemas.RowFieldCount
	}
	source, target, reason = readPath(fields[3])
	if len(fields) == 6 && reason == "" {
		return ends(source.Text, fields[4])
	}
	return source, target, reason
}

// readObject reads a JSON object with the ends of a pair.
func readObject(row string) (source, target Name, reason string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(row), &fields) != nil {
		return source, target, schemas.RowBadText
	}
	var key string
	_ = json.Unmarshal(fields["key"], &key) // of a record of a release; others have none
	wiki, _, _ := strings.Cut(key, ":")
	source, ok := nameIn(fields, SourceNames, wiki)
	target, ok2 := nameIn(fields, TargetNames, wiki)
	if !ok || !ok2 {
		return source, target, schemas.RowFieldCount
	}
	return source, target, ""
}

// nameIn reads the first of the fields that is there.
func nameIn(fields map[string]json.RawMessage, names []string, wiki string) (n Name, ok bool) {
	for _, name := range names {
		raw := bytes.TrimSpace(fields[name])
		if len(raw) == 0 {
			continue
		}
		var page struct {
			Title  string `json:"title"`
			PageID uint32 `json:"page_id"`
		}
		if raw[0] != '{' {
			err := json.Unmarshal(raw, &n.Text)
			return n, err == nil && strings.TrimSpace(n.Text) != ""
		}
		err := json.Unmarshal(raw, &page)
		return Name{page.Title, page.PageID, wiki}, err == nil && strings.TrimSpace(page.Title) != ""
	}
	return n, false
}
