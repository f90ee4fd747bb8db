package pagetext

import (
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
)

// listMarks begin the lines of lists, one for each level.
const listMarks = "*#:;"

// table is what is read of the tables that a line stands in.
type table struct {
	deep, closers int      // tables begun, and ends of tables still ahead
	cells         []string // of the row that is being read
	more          strings.Builder
}

// lines reads body, of which shown is made, line by line and writes each as its readers see it. A
// table that nothing ends is none.
func (r *Renderer) lines(out *printer, body string) {
	var t table
	for line := range strings.SplitSeq(body, "\n") {
		t.closers += one(strings.HasPrefix(atMark(line), "|}"))
	}
	for line := range strings.SplitSeq(body, "\n") {
		if !r.tableLine(out, &t, line) {
			r.bodyLine(out, strings.TrimLeft(line, marker))
		}
	}
	r.endRow(out, &t)
}

// atMark is line without what may stand before the mark of a table.
func atMark(line string) string { return strings.TrimLeft(line, " \t:"+marker) }

// tableLine reads a line of a table; false if line is no part of one.
func (r *Renderer) tableLine(out *printer, t *table, line string) bool {
	at := atMark(line)
	ends := strings.HasPrefix(at, "|}")
	t.closers -= one(ends)
	switch {
	case strings.HasPrefix(at, "{|"):
		r.endRow(out, t)
		t.deep += one(t.closers > t.deep)
	case t.deep == 0:
		return false
	case ends:
		r.endRow(out, t)
		t.deep--
		if rest := at[len("|}"):]; rest != "" {
			r.bodyLine(out, rest)
		}
	case strings.HasPrefix(at, "|-"):
		r.endRow(out, t)
	case strings.HasPrefix(at, "|+"):
		r.endRow(out, t)
		r.bodyLine(out, withoutAttributes(at[len("|+"):]))
	case strings.HasPrefix(at, "|"), strings.HasPrefix(at, "!"):
		t.add(at)
	case len(t.cells) > 0:
		t.more.WriteString("\n" + line)
	default:
		return false
	}
	return true
}

// add begins the cells of a line.
func (t *table) add(line string) {
	t.endCell()
	if line[0] == '!' {
		line = strings.ReplaceAll(line, "!!", "||")
	}
	for cell := range strings.SplitSeq(line[1:], "||") {
		t.cells = append(t.cells, withoutAttributes(cell))
	}
}

// endCell adds to the last cell the lines that follow its first.
func (t *table) endCell() {
	if t.more.Len() > 0 {
		t.cells[len(t.cells)-1] += t.more.String()
		t.more.Reset()
	}
}

// withoutAttributes cuts what stands before a single pipe.
func withoutAttributes(cell string) string {
	if _, content, found := strings.Cut(cell, "|"); found {
		return content
	}
	return cell
}

// endRow writes the row that was being read, if anything is in it.
func (r *Renderer) endRow(out *printer, t *table) {
	t.endCell()
	full := false
	for i, c := range t.cells {
		t.cells[i] = r.line(c, true)
		full = full || t.cells[i] != ""
	}
	if full {
		out.row(t.cells...)
	}
	t.cells = t.cells[:0]
}

// bodyLine writes a heading, an item of a list or a line of text.
func (r *Renderer) bodyLine(out *printer, line string) {
	if level, title := heading(line); level > 0 {
		if title = r.line(title, false); title != "" {
			out.line("")
			out.line(strings.Repeat("#", level) + " " + title)
		}
		return
	}
	item := strings.TrimLeft(line, listMarks)
	text := r.line(item, false)
	if marks := len(line) - len(item); marks > 0 && text != "" {
		text = strings.Repeat("  ", marks-1) + "- " + text
	}
	if text != "" || strings.Trim(line, " \t"+marker) == "" {
		out.line(text)
	}
}

// heading returns the level of a heading line, 2 to 6, and what it says; level 0 for any other
// line.
func heading(line string) (level int, title string) {
	line = strings.Trim(line, " \t"+marker)
	for level < 6 && len(line) > 2 && line[0] == '=' && line[len(line)-1] == '=' {
		line = line[1 : len(line)-1]
		level++
	}
	if level < 2 {
		return 0, ""
	}
	return level, line
}

// shown replaces links and tags by what shows of them, for a text that is read line by line then.
func (r *Renderer) shown(text string) string {
	return withoutTags(markup.ShowLinks(r.site, withoutBraces(text), r.link))
}
