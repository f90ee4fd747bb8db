package schemas

// Import says what became of the games of a foreign file: import.json beside them. Games + the sum of Rejected = Rows.
type Import struct {
	Schema     string         `json:"schema"`
	Source     string         `json:"source"` // "import:<format>"
	FileSHA256 string         `json:"file_sha256"`
	Human      bool           `json:"human"`  // played without menus and without a limit
	Steps      bool           `json:"steps"`  // every click is known; else paths alone
	Clicks     bool           `json:"clicks"` // back clicks are among them; else they were resolved before
	Rows       int            `json:"rows"`   // games in the file
	Games      int            `json:"games"`  // kept
	Rejected   map[string]int `json:"rejected"`
	Invalid    map[string]int `json:"invalid"` // steps of kept games that the graph does not allow, by reason
	Types      map[string]int `json:"types"`   // of unfinished games, where the file tells them

	// Of games on another graph, which ours cannot check: paths number the pages in Pages, not nodes.
	Unchecked bool     `json:"unchecked,omitempty"`
	Pages     []string `json:"pages,omitempty"`
}
