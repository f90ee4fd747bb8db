package schemas

// Leads is the beginning of every node's page as readers see it, sorted by page id: frozen text for prompts and mazes.
// 1: first layout.
var Leads = Artifact{Name: "leads", Version: 1, Files: []string{"leads.arrow"}}

// LeadsTable: text is NFC, its lines joined by LF, cut to the limit of the recipe in code points, "" where a page has
// nothing before its first heading but templates, tables and pictures; truncated tells that it was cut; sha256 is of
// the UTF-8 text as stored.
var LeadsTable = Table{"wikinav.leads/1", columns("page_id uint32, text string, truncated bool, sha256 binary")}
