package schemas

// SnapshotArtifact says which wiki and day the pages are from. 1: first layout.
var SnapshotArtifact = Artifact{Name: "snapshot", Version: 1, Files: []string{"snapshot.json"}}

// SnapshotSchema names the record's version. 1: first layout.
const SnapshotSchema = "wikinav.snapshot/1"

// Snapshot identifies the wiki text that a build reads.
type Snapshot struct {
	Schema         string `json:"schema"`
	Wiki           string `json:"wiki"`
	Date           string `json:"date"` // YYYYMMDD
	Language       string `json:"language"`
	SiteName       string `json:"site_name"`
	Base           string `json:"base"`
	SiteInfoSHA256 string `json:"siteinfo_sha256"` // of the canonical JSON of the dump's siteinfo
	IndexChecked   bool   `json:"index_checked"`   // the pages were compared with a multistream index
	Unicode        string `json:"unicode"`         // version of the tables behind title rules
}

// CatalogArtifact is the SQLite file for people who would rather ask in SQL.
// 1: pages and instances. 2: features of wikirace instances. 3: labels of pages.
// 4: every family, with all columns of its records; decimals are doubles.
// 5: foreign keys, and views with titles; parts that are published alone.
var CatalogArtifact = Artifact{Name: "catalog", Version: 5, Files: []string{"catalog.sqlite"}}
