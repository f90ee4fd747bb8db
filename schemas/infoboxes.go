package schemas

// Infoboxes is the infobox of each article that has one, in page-id order. 1: first layout.
var Infoboxes = Artifact{Name: "infoboxes", Version: 1, Files: []string{"infoboxes.arrow"}}

// InfoboxesTable: template is a page's first infobox, without namespace or redirects followed.
var InfoboxesTable = Table{"wikinav.infoboxes/1", columns("page_id uint32, template string")}
