package schemas

// Texts is every article as its readers see it, in page-id order: headings, paragraphs, lists,
// tables and the infobox as plain lines. Ingest writes it on demand. 1: first layout.
var Texts = Artifact{Name: "texts", Version: 1, Files: []string{"texts.arrow"}}

// TextsTable: text is NFC, its lines joined by LF without one at the end, at most TextLimit code
// points, cut at the end of a line (of a word, where one line is longer); chars counts the code
// points of the whole text; truncated reports whether it was cut; short_description is "" where the
// page has none.
var TextsTable = Table{"wikinav.texts/1", columns(`
	page_id uint32, title string, short_description string, text string, chars uint32, truncated bool`)}

// KeyTexts is the key in the metadata of the table that says whether texts were read: TextsOn, or
// TextsOff where it has no rows because of that.
const (
	KeyTexts = "wikinav.texts"
	TextsOn  = "on"
	TextsOff = "off"
)

// TextsAuto leaves the choice to the size of the wiki: on below TextsAutoPages pages.
const (
	TextsAuto      = "auto"
	TextsAutoPages = 1_000_000
)

// TextLimit is the longest text of a page, in code points.
const TextLimit = 8000

// Text is a row of TextsTable.
type Text struct {
	PageID           uint32
	Title            string
	ShortDescription string
	Text             string
	Chars            uint32
	Truncated        bool
}
