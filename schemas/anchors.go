package schemas

// LinkAnchors is what readers see of every link of Links, before resolution and whatever a recipe keeps.
// 1: first layout.
var LinkAnchors = Artifact{Name: "link_anchors", Version: 1, Files: []string{"link-anchors.arrow"}}

// LinkAnchorsTable: link is a row of links.arrow; at the place of an occurrence among all those of the page's links;
// provenance its one bit. Rows are in order of link and at. Of occurrences of a link with the same provenance and anchor the first
// has a row; every link has one at least, or the table says in its metadata that anchors are off and has none.
var LinkAnchorsTable = Table{"wikinav.link_anchors/1", columns(`
	link uint64, at uint32, provenance uint8, anchor string`)}

// Anchors is each page's links in order, with what readers see of them. 1: first layout.
var Anchors = Artifact{Name: "anchors", Version: 1, Files: []string{"anchors.arrow", "further-anchors.arrow"}}

// AnchorsTable has one row for each edge of linkgraph.arrow, apart from those self loops that a recipe keeps and that come from a page's
// links to itself alone. Rows are in order of src_page_id and order, which counts a page's rows from 0: by the first
// occurrence that the recipe keeps. Provenance is the OR over all occurrences; anchor is that of the first, via the title of
// the redirect that it names, "" if it names the target.
var AnchorsTable = Table{"wikinav.anchors/1", columns(`
	src_page_id uint32, target_page_id uint32, order uint32, provenance uint8, anchor string, via string`)}

// FurtherAnchorsTable has the other anchors of an edge that the recipe keeps: neither empty nor that in AnchorsTable, each
// once, in the order of the text. src_page_id and order are those of the edge's row there.
var FurtherAnchorsTable = Table{"wikinav.further_anchors/1", columns("src_page_id uint32, order uint32, anchor string")}

// KeyAnchors is the key in the metadata of the three tables that tells whether anchors were read: AnchorsOn, or AnchorsOff where the
// table has no rows because of that.
const (
	KeyAnchors = "wikinav.anchors"
	AnchorsOn  = "on"
	AnchorsOff = "off"
)

// AnchorsAuto leaves the choice to the size of the wiki: on below AnchorsAutoPages pages.
const (
	AnchorsAuto      = "auto"
	AnchorsAutoPages = 1_000_000
)
