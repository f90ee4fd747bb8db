package webpage

import (
	"bytes"
	"errors"
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Text is a paragraph.
type Text string

func (t Text) HTML() (template.HTML, error) { return fill("text", Plain(string(t))) }
func (t Text) Markdown() string             { return inline(string(t)) }

// Heading stands over some blocks of a section; ID may be empty.
type Heading struct{ ID, Words string }

func (h Heading) HTML() (template.HTML, error) {
	return fill("heading", Heading{h.ID, Plain(h.Words)})
}
func (h Heading) Markdown() string { return "### " + inline(h.Words) }

// Warning is a paragraph that nobody shall pass over.
type Warning string

func (w Warning) HTML() (template.HTML, error) { return fill("warning", Plain(string(w))) }
func (w Warning) Markdown() string             { return "> **Warning:** " + inline(string(w)) }

// List is points.
type List []string

func (l List) HTML() (template.HTML, error) {
	shown := make([]string, len(l))
	for i, text := range l {
		shown[i] = Plain(text)
	}
	return fill("list", shown)
}

func (l List) Markdown() string {
	var b strings.Builder
	for _, text := range l {
		b.WriteString("- " + inline(text) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Details is folded until somebody opens it, or follows a link to its ID. Markdown has it unfolded,
// or not at all.
type Details struct {
	ID       string // of what is folded; unique in the page, or ""
	Summary  string
	Open     bool
	Blocks   []Block
	HTMLOnly bool
}

func (d Details) HTML() (template.HTML, error) {
	d.ID, d.Summary = Plain(d.ID), Plain(d.Summary)
	return fill("details", d)
}

func (d Details) Markdown() string {
	if d.HTMLOnly {
		return ""
	}
	return "#### " + inline(d.Summary) + "\n\n" + strings.TrimSuffix(markdown(d.Blocks), "\n\n")
}

// Ready is a block that was filled before: what HTML of another one returned. Markdown has none of
// it.
type Ready template.HTML

func (r Ready) HTML() (template.HTML, error) { return template.HTML(r), nil }
func (Ready) Markdown() string               { return "" }

// Figure is a drawing with its title and the numbers that it shows. The SVG is trusted, and that of
// who made it; Markdown has a link to File, if there is one.
type Figure struct {
	Title string
	SVG   []byte
	File  string // the drawing in the folder of the page; "" for none
	Table *Table // nil where the numbers stand near it
}

func (f Figure) HTML() (template.HTML, error) {
	f.Title = Plain(f.Title)
	return fill("figure", f)
}

// Picture is as that of a Drawing.
func (f Figure) Picture() template.HTML { return inlined(f.SVG) }

func (f Figure) Markdown() string {
	text := ""
	if f.File != "" {
		text = "![" + inline(f.Title) + "](" + f.File + ")"
	}
	if f.Table != nil {
		text = strings.TrimPrefix(text+"\n\n"+f.Table.Markdown(), "\n\n")
	}
	return text
}

// Drawing is an SVG, which is trusted, in a box that scrolls, and sentences below it. Markdown has
// the sentences.
type Drawing struct {
	Title string // for those who do not see it
	SVG   []byte
	Notes []string
}

func (d Drawing) HTML() (template.HTML, error) {
	d.Title = Plain(d.Title)
	notes, err := List(d.Notes).HTML()
	if err != nil || len(d.Notes) == 0 {
		notes = ""
	}
	box, err2 := fill("drawing", d)
	return box + notes, errors.Join(err, err2)
}

// Picture is the SVG without what only a file of its own has before it.
func (d Drawing) Picture() template.HTML { return inlined(d.SVG) }

func (d Drawing) Markdown() string { return List(d.Notes).Markdown() }

func inlined(svg []byte) template.HTML {
	return template.HTML(svg[max(0, bytes.Index(svg, []byte("<svg"))):])
}

// Table is rows of cells. With an ID people can sort it, which is unique in the page and must be
// there for Search.
type Table struct {
	ID, Caption string
	Search      bool
	Columns     []Column
	Rows        [][]Cell
}

// Add adds a row.
func (t *Table) Add(cells ...Cell) { t.Rows = append(t.Rows, cells) }

// Column is a heading. Cells of a column of numbers stand to the right and sort as numbers.
type Column struct {
	Name   string
	Number bool
	Doc    string // what it means, shown on demand
}

// Names makes columns: a name with a # before it is that of numbers.
func Names(names ...string) (list []Column) {
	for _, name := range names {
		plain, number := strings.CutPrefix(name, "#")
		list = append(list, Column{Name: plain, Number: number})
	}
	return list
}

// Cell is what stands in a table. Sort is what it sorts by where that is not its text: of a column
// of numbers a number without separators.
type Cell struct {
	Text  string
	Sort  string
	Href  string // within the page, or to a page of the same folder
	Title bool   // the name of a page, in a direction of its own
	ID    string // which the URL of the cell ends with; unique in the page
	More  []Block
}

// Cells makes cells of texts.
func Cells(texts ...string) (list []Cell) {
	for _, text := range texts {
		list = append(list, Cell{Text: text})
	}
	return list
}

// Int is a cell with a whole number, with commas between thousands.
func Int(n int64) Cell {
	text := Thousands(n)
	if plain := strconv.FormatInt(n, 10); plain != text {
		return Cell{Text: text, Sort: plain}
	}
	return Cell{Text: text}
}

func (t Table) HTML() (template.HTML, error) {
	t.Caption = Plain(t.Caption)
	shown := make([]Column, len(t.Columns))
	for i, c := range t.Columns {
		shown[i] = Column{Name: Plain(c.Name), Number: c.Number, Doc: Plain(c.Doc)}
	}
	t.Columns = shown
	return fill("table", t)
}

// Body is the rows. It is written by hand: pages have 100,000 cells.
func (t Table) Body() (template.HTML, error) {
	var b strings.Builder
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for i, c := range row {
			if err := c.write(&b, i < len(t.Columns) && t.Columns[i].Number); err != nil {
				return "", err
			}
		}
		b.WriteString("</tr>\n")
	}
	return template.HTML(b.String()), nil
}

func (c Cell) write(b *strings.Builder, number bool) error {
	b.WriteString("<td")
	if number {
		b.WriteString(` class="n"`)
	}
	attribute(b, "id", c.ID)
	attribute(b, "data-v", c.Sort)
	b.WriteByte('>')
	text := template.HTMLEscapeString(Plain(c.Text))
	if c.Title {
		text = `<span class="t" dir="auto">` + text + `</span>`
	}
	if c.Href != "" && near.MatchString(c.Href) {
		b.WriteString("<a")
		attribute(b, "href", c.Href)
		text = ">" + text + "</a>"
	}
	b.WriteString(text)
	for _, block := range c.More {
		inner, err := block.HTML()
		if err != nil {
			return err
		}
		b.WriteString(string(inner))
	}
	b.WriteString("</td>")
	return nil
}

// near is a place in a page, or a page in the same folder: what a cell may lead to.
var near = regexp.MustCompile(`^([A-Za-z0-9_-][A-Za-z0-9._-]*\.html)?(#.+)?$`)

func attribute(b *strings.Builder, name, value string) {
	if value != "" {
		b.WriteString(" " + name + `="` + template.HTMLEscapeString(Plain(value)) + `"`)
	}
}

func (t Table) Markdown() string {
	var b strings.Builder
	if t.Caption != "" {
		b.WriteString(inline(t.Caption) + "\n\n")
	}
	for _, c := range t.Columns {
		b.WriteString("| " + inline(c.Name) + " ")
	}
	b.WriteString("|\n")
	for _, c := range t.Columns {
		if c.Number {
			b.WriteString("| ---: ")
		} else {
			b.WriteString("| --- ")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		for _, c := range row {
			b.WriteString("| " + inline(c.Text) + " ")
		}
		b.WriteString("|\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Thousands writes n with commas between thousands.
func Thousands(n int64) string {
	digits, sign := strconv.FormatInt(n, 10), ""
	if n < 0 {
		digits, sign = digits[1:], "-"
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Plain is text that does nothing but show: control characters, those that turn the direction of
// what follows, and line ends are U+FFFD, so that a reader sees that something is there.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// special are the characters that Markdown reads anything into within a line or a cell.
var special = regexp.MustCompile("[\\\\`*_{}\\[\\]<>#|~&!]|^[-+=]|^([0-9]+)[.)]")

// inline is text as one line of Markdown that shows it and nothing else.
func inline(text string) string {
	return special.ReplaceAllStringFunc(Plain(text), func(s string) string {
		if len(s) > 1 { // a number that would begin a list
			return s[:len(s)-1] + `\` + s[len(s)-1:]
		}
		return `\` + s
	})
}
