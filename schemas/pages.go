package schemas

// Dump is what ingest reads: the files of one dump, or those of the demo.
// 1: pages-articles XML, bzip2 multistream with its index when the demo writes it; perhaps the table page_props.
var Dump = Artifact{Name: "dump", Version: 1, Files: []string{"*.xml.bz2", "*-index.txt.bz2", "*-page_props.sql.*"}}

// Pages is one record per page of the dump, sorted by page id. 1: first layout. 2: self_links.
var Pages = Artifact{Name: "pages", Version: 2, Files: []string{"pages.arrow", "skipped.jsonl"}}

// PagesTable: title is the text form with its namespace prefix; rev_time is RFC 3339; text_sha256 is of the UTF-8 text;
// self_links is the provenance of the page's links to itself, 0 if it has none: links.arrow does not hold them.
// A node of the graph is a page of namespace 0 that is no redirect and whose model is wikitext.
var PagesTable = Table{"wikinav.pages/2", columns(`
	page_id uint32, ns int16, title string, is_redirect bool, model string, rev_id uint64, rev_time string,
	text_bytes uint32, text_sha256 binary, flags uint16, self_links uint8`)}

// Flags of a page. They describe; what is done about them is the recipe's to say.
const (
	FlagDisambiguation uint16 = 1 << iota
	FlagList
	FlagDate
	FlagTextDeleted
	FlagNonWikitext
)

// ModelWikitext is the content model of pages that have links.
const ModelWikitext = "wikitext"

// Redirects is one record per redirect page, sorted by title. 1: first layout.
var Redirects = Artifact{Name: "redirects", Version: 1, Files: []string{"redirects.arrow"}}

// RedirectsTable: target_title is the normalised target with its namespace prefix and without fragment; kind
// is a TargetKind. page_id is the redirect's own.
var RedirectsTable = Table{"wikinav.redirects/1", columns(`
	title string, page_id uint32, target_title string, fragment string, kind uint8`)}

// TargetKind says where a redirect points before any look-up.
type TargetKind uint8

const (
	TargetMain TargetKind = iota // a title of namespace 0
	TargetOther
	TargetInterwiki
	TargetInvalid
)

// Links is every kept link of every page, in page-id order, then in the order of first occurrence.
// 1: links.arrow, and link-titles.arrow with the target's title in the same row.
var Links = Artifact{Name: "links", Version: 1, Files: []string{"links.arrow", "link-titles.arrow"}}

// LinksTable: target is the xxhash64 of the normalised main-namespace title before resolution, unique within a page;
// provenance is the OR over its occurrences. Eight bytes a target keep a 400-million-link wiki in streaming reach.
var LinksTable = Table{"wikinav.links/1", columns("page_id uint32, target uint64, provenance uint8")}

// LinkTitlesTable is row by row parallel to LinksTable. It serves people (inspect links), and linkgraph where two titles
// have the same hash.
var LinkTitlesTable = Table{"wikinav.link_titles/1", columns("title string")}

// Provenance says where in the text a link stands: a set of bits.
type Provenance = uint8

// The provenance bits; each occurrence has exactly one, an edge the OR of its occurrences.
const (
	ProvBody Provenance = 1 << iota
	ProvTemplateArgs
	ProvTables
	ProvRefs
	ProvCaptions
)

// ProvenanceNames lists the names that recipes use, in order of the bits.
var ProvenanceNames = []string{"body", "template_args", "tables", "refs", "captions"}

// EdgeList is a graph given as text, in place of a dump. 1: a file of edges, perhaps one of nodes.
var EdgeList = Artifact{Name: "edges", Version: 1, Files: []string{"*"}}
