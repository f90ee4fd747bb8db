package demo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/links"
	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// Tables are the names of the SQL tables of the demo snapshot.
var Tables = []string{"page", "redirect", "pagelinks", "linktarget", "page_props"}

// WriteTables writes all Tables, which a dump site publishes beside the dump of the same Options, each packed with bzip2. Like those of a real
// wiki they know what the wikitext does not say: the table pagelinks has the links that templates make, page_props the
// disambiguation pages.
func WriteTables(ctx context.Context, to map[string]io.Writer, opts Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	t := &tables{site: site(), rows: map[string][]string{}, targets: map[target]int{}}
	t.links, t.templates = links.NewExtractor(t.site), markup.NewTemplates(t.site)
	pages := plan(newWorld(opts.Seed, opts.Pages))
	if err := t.read(ctx, pages, opts.Meter("reading links", "pages", int64(len(pages)))); err != nil {
		return err
	}
	return t.write(to, opts.Meter("packing", "tables", int64(len(Tables))))
}

func (t *tables) read(ctx context.Context, pages []page, meter Meter) error {
	defer meter.Done()
	for i, p := range pages {
		if err := ctx.Err(); i%pagesPerStream == 0 && err != nil {
			return err
		}
		t.add(p)
		meter.Add(1)
	}
	return nil
}

// site has the naming rules that head tells readers of.
func site() *titles.Site {
	var dump struct {
		SiteInfo titles.SiteInfo `xml:"siteinfo"`
	}
	if err := xml.Unmarshal([]byte(head+tail), &dump); err != nil {
		panic(err)
	}
	dump.SiteInfo.Lang = "en"
	return titles.NewSite(dump.SiteInfo)
}

// target is a title that pages link to.
type target struct {
	ns    int
	title string
}

// tables collects the rows page by page.
type tables struct {
	site      *titles.Site
	links     *links.Extractor
	templates *markup.Templates

	rows      map[string][]string // by table
	targets   map[target]int
	pagelinks [][2]int // page id, target id
}

func (t *tables) add(p page) {
	own, err := t.site.ParsePageTitle(p.title)
	if err != nil {
		panic(err) // titles of the demo are valid
	}
	text := p.text()
	redirect, _, _, isRedirect := t.site.Redirect(p.redirect, text)
	t.row("page", p.id, p.ns, underscored(own.Text), map[bool]int{true: 1}[isRedirect], 0, 0, digits.Replace(p.timestamp),
		nil, p.revision, len(text), p.model, nil)
	if p.model != wikitext || p.deleted {
		return
	}
	// A wiki keeps no row for a target that is no title.
	if to, err := t.site.ParseTitle(redirect.Target); isRedirect && err == nil {
		t.row("redirect", p.id, to.NS, underscored(to.Text), to.Interwiki, redirect.Fragment)
	}
	if p.disambiguation {
		t.row("page_props", p.id, "disambiguation", "", nil)
	}
	seen := map[target]bool{}
	for _, to := range t.linked(own, text) {
		if !seen[to] {
			seen[to] = true
			t.pagelinks = append(t.pagelinks, [2]int{p.id, t.id(to)})
		}
	}
}

// linked gives the titles of namespace 0 in the text, the one that the template About makes of its third argument, and
// the one page of another namespace that articles name.
func (t *tables) linked(own titles.Title, text string) []target {
	var list []target
	for _, l := range t.links.Links(own, text) {
		list = append(list, target{nsMain, l.Target})
	}
	var level markup.TemplateLevel
	flat := level.Read(text)
	for i := range level.Calls {
		if call := t.templates.Read(flat, &level.Calls[i]); call != nil && call.Name == "About" {
			list = append(list, target{nsMain, call.Arg("3")})
		}
	}
	if strings.Contains(text, "[[Demowiki:About") {
		list = append(list, target{nsProject, "About"})
	}
	return list
}

// id gives the number of a link target. Numbers have gaps, as those of a wiki that has lost pages.
func (t *tables) id(to target) int {
	if id, ok := t.targets[to]; ok {
		return id
	}
	id := 100 + 3*len(t.targets)
	t.targets[to] = id
	t.row("linktarget", id, to.ns, underscored(to.title))
	return id
}

// write writes all tables. The rows of pagelinks stand in the order of their targets, as a wiki's may.
func (t *tables) write(to map[string]io.Writer, meter Meter) error {
	defer meter.Done()
	slices.SortFunc(t.pagelinks, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0])) })
	for _, l := range t.pagelinks {
		t.row("pagelinks", l[0], 0, l[1])
	}
	for _, name := range Tables {
		if err := writeTable(to[name], name, t.rows[name]); err != nil {
			return fmt.Errorf("write demo table %s: %w", name, err)
		}
		meter.Add(1)
	}
	return nil
}

// digits turns a timestamp of the dump into one of the database.
var digits = strings.NewReplacer("-", "", "T", "", ":", "", "Z", "")

func underscored(title string) string { return strings.ReplaceAll(title, " ", "_") }

// statementBytes is about how long an INSERT gets.
const statementBytes = 1 << 20

// writeTable writes a table of world.toml as mysqldump does, packed.
func writeTable(to io.Writer, table string, rows []string) error {
	var b bytes.Buffer
	columns := text.Tables[table]
	fmt.Fprintf(&b, "-- MySQL dump of the demo snapshot\n\nDROP TABLE IF EXISTS `%s`;\nCREATE TABLE `%s` (\n", table, table)
	for _, c := range columns {
		name, kind, _ := strings.Cut(c, " ")
		fmt.Fprintf(&b, "  `%s` %s,\n", name, kind)
	}
	key, _, _ := strings.Cut(columns[0], " ")
	fmt.Fprintf(&b, "  KEY `%s` (`%s`)\n) ENGINE=InnoDB DEFAULT CHARSET=binary;\n\nLOCK TABLES `%s` WRITE;\n", key, key, table)
	for len(rows) > 0 {
		from, n := b.Len(), 0
		for n < len(rows) && b.Len()-from < statementBytes {
			b.WriteString(map[bool]string{true: "INSERT INTO `" + table + "` VALUES ", false: ","}[n == 0] + rows[n])
			n++
		}
		rows = rows[n:]
		b.WriteString(";\n")
	}
	b.WriteString("UNLOCK TABLES;\n-- Dump completed\n")
	return (&multistream{out: to}).stream(b.Bytes())
}

var quoter = strings.NewReplacer(`\`, `\\`, `'`, `\'`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\x00", `\0`, "\x1a", `\Z`)

// row adds values to a table as mysqldump writes them; nil is NULL.
func (t *tables) row(table string, values ...any) {
	var parts []string
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			parts = append(parts, "NULL")
		case string:
			parts = append(parts, "'"+quoter.Replace(v)+"'")
		default:
			parts = append(parts, fmt.Sprint(v))
		}
	}
	t.rows[table] = append(t.rows[table], "("+strings.Join(parts, ",")+")")
}
