package schemas

// LinkTables are the SQL tables that the links of a graph can come from.
// 1: pagelinks, and linktarget where pagelinks names its targets by number.
var LinkTables = Artifact{Name: "linktables", Version: 1, Files: []string{"*-pagelinks.sql.*", "*-linktarget.sql.*"}}

// PageTables are SQL tables that repeat the dump on its pages. 1: page and redirect, one or both.
var PageTables = Artifact{Name: "pagetables", Version: 1, Files: []string{"*-page.sql.*", "*-redirect.sql.*"}}

// PageLinks is every link of the table pagelinks from a page of namespace 0 to a title of namespace 0, in page-id order.
// 1: pagelinks.arrow of LinksTable, and pagelink-titles.arrow of LinkTitlesTable; the provenance is ProvBody throughout.
var PageLinks = Artifact{Name: "pagelinks", Version: 1, Files: []string{PageLinksFile, PageLinkTitlesFile}}

const (
	PageLinksFile      = "pagelinks.arrow"
	PageLinkTitlesFile = "pagelink-titles.arrow"
)

// Crosscheck is where dump and SQL tables disagree. 1: one Difference a line.
var Crosscheck = Artifact{Name: "crosscheck", Version: 1, Files: []string{CrosscheckFile}}

const CrosscheckFile = "crosscheck.jsonl"

// Difference is one disagreement between the dump and a table about a page. Dump and Table are what each says, "" where
// it knows no such page.
type Difference struct {
	Kind   string `json:"kind"` // a counter of the stage's receipt without its prefix
	PageID uint32 `json:"page_id"`
	Dump   string `json:"dump"`
	Table  string `json:"table"`
}
