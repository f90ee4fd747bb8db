// Package webpage writes pages that people open from a folder: a Page is sections of paragraphs,
// tables and figures, and is written as one HTML file or as Markdown, from the same blocks.
//
// The HTML is self-contained: it asks for nothing outside of itself, which its content security
// policy forbids besides. It is whole without scripts; these add sorting and searching to tables.
// It has light and dark colours, fits into 320 pixels (what is wider scrolls in its own box), and is
// used by keyboard alone. Text of strangers does nothing but show: markup is escaped, characters
// that turn the direction of a line or control a terminal are shown as U+FFFD, and each title has a
// direction of its own.
//
// Equal pages have equal bytes. Producers alone link the package, for html/template keeps every
// method of every type in a program; package style has the colours for everybody.
package webpage

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"

	"github.com/wikinav/wikinav/artifacts/webpage/style"
)

//go:embed page.html table.js
var files embed.FS

var (
	pages   = template.Must(template.New("").ParseFS(files, "page.html"))
	tableJS = string(must(files.ReadFile("table.js")))
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Page is one file.
type Page struct {
	Title, Subtitle string
	Language        string // of the words; "" for English
	Pages           []Link // the files of the same folder that belong together, this one included
	Sections        []Section
	Scripts         []string // besides that of tables; trusted
	Style           string   // besides that of all pages; trusted
}

// Link leads to a file in the same folder.
type Link struct {
	Text, Href string
	Here       bool // it is the page itself
}

// Section is a part of a page with a heading. Its ID is unique in the page: a fragment of its URL.
type Section struct {
	ID, Title string
	Blocks    []Block
}

// Block is a piece of a section.
type Block interface {
	HTML() (template.HTML, error)
	Markdown() string
}

// WriteHTML writes the page as one self-contained file.
func (p *Page) WriteHTML(w io.Writer) error {
	codes := append([]string{tableJS}, p.Scripts...)
	view := struct {
		*Page
		Language, Policy string
		Style            template.CSS
		Code             []template.JS
	}{Page: p, Language: p.Language, Style: template.CSS(style.CSS + p.Style)}
	if view.Language == "" {
		view.Language = "en"
	}
	var hashes []string
	for _, code := range codes {
		view.Code = append(view.Code, template.JS(code))
		sum := sha256.Sum256([]byte(code))
		hashes = append(hashes, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	view.Policy = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; " +
		"style-src 'unsafe-inline'; script-src " + strings.Join(hashes, " ")
	shown := *p
	shown.Title, shown.Subtitle = Plain(p.Title), Plain(p.Subtitle)
	view.Page = &shown
	return pages.ExecuteTemplate(w, "page", view)
}

// WriteMarkdown writes the page as Markdown.
func (p *Page) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# " + inline(p.Title) + "\n\n")
	if p.Subtitle != "" {
		b.WriteString(inline(p.Subtitle) + "\n\n")
	}
	for _, s := range p.Sections {
		b.WriteString("## " + inline(s.Title) + "\n\n" + markdown(s.Blocks))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown joins blocks; those that Markdown has no form for are passed over.
func markdown(blocks []Block) string {
	var b strings.Builder
	for _, block := range blocks {
		if text := block.Markdown(); text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	return b.String()
}

// fill fills one of the templates of blocks.
func fill(name string, data any) (template.HTML, error) {
	var b bytes.Buffer
	err := pages.ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}
