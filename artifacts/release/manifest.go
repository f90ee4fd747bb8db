package release

import (
	"encoding/json"

	"github.com/wikinav/wikinav/schemas"
)

// Schema names the manifest's layout. 1: first layout.
const Schema = "wikinav.manifest/1"

// Names of the two files that describe all others.
const (
	ManifestName = "manifest.json"
	SumsName     = "SHA256SUMS"
)

// Manifest describes a release completely. Its file holds the canonical JSON of this type and not a byte more.
// Lists and maps are empty, never null. No field holds a clock, host, user, path of a machine or duration;
// Release is the only place for a date.
type Manifest struct {
	Schema       string                     `json:"schema"`
	ID           string                     `json:"id"` // see the function ID
	Wiki         string                     `json:"wiki"`
	Language     string                     `json:"language"`
	SnapshotDate string                     `json:"snapshot_date"` // YYYY-MM-DD
	Dump         Dump                       `json:"dump"`
	SideInputs   []SideInput                `json:"side_inputs"`
	Generator    schemas.Code               `json:"generator"`
	Recipe       json.RawMessage            `json:"recipe"`        // the whole recipe, an object
	RecipeSHA256 string                     `json:"recipe_sha256"` // of the recipe, or of its graph table
	Seed         int64                      `json:"seed"`
	Params       map[string]json.RawMessage `json:"params"` // stage -> object
	Stages       []StageEntry               `json:"stages"` // in pipeline order
	Counts       map[string]int64           `json:"counts"` // the funnel; <stage>_<counter> repeats a counter of Stages
	Graph        GraphEntry                 `json:"graph"`
	Splits       map[string]SplitEntry      `json:"splits"`
	Files        []FileEntry                `json:"files"` // sorted by path
	Warnings     []Warning                  `json:"warnings"`
	Licence      Licence                    `json:"licence"`
	Supersedes   *string                    `json:"supersedes"` // id of the release that this one replaces
	Carried      *Carried                   `json:"carried,omitempty"`
	Release      Label                      `json:"release"`
}

// Kinds of dumps.
const (
	DumpClassic        = "classic"
	DumpContentCurrent = "content_current"
	DumpDemo           = "demo"  // written by wikinav itself
	DumpEdges          = "edges" // an edge list, no dump at all
)

// Dump is what the build read.
type Dump struct {
	Kind           string     `json:"kind"`
	BaseURL        string     `json:"base_url"` // "" for files that came from no server
	Files          []DumpFile `json:"files"`
	SiteinfoSHA256 string     `json:"siteinfo_sha256"`
}

// DumpFile is one file of the dump. SHA1 and MD5 are the publisher's, null where it gives none.
type DumpFile struct {
	Name     string  `json:"name"` // without any directory
	Bytes    int64   `json:"bytes"`
	SHA1     *string `json:"sha1"`
	MD5      *string `json:"md5"`
	SHA256   string  `json:"sha256"`
	Verified string  `json:"verified"` // "sums" or "none"
}

// SideInput is a file besides the dump that the data depends on.
type SideInput struct {
	Role    string `json:"role"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
	Licence string `json:"licence"`
}

// StageEntry repeats a stage's receipt: what it read and wrote, as SHA-256 by name, and what it counted.
type StageEntry struct {
	Stage    string            `json:"stage"`
	Version  int               `json:"version"`
	Key      string            `json:"key"`
	Inputs   map[string]string `json:"inputs"`
	Outputs  map[string]string `json:"outputs"`
	Counters map[string]int64  `json:"counters"`
}

// GraphEntry describes the graph. TargetCount is the size of the build's target set, ColumnCount the number of distance
// columns that the release carries.
type GraphEntry struct {
	Nodes       int64  `json:"nodes"`
	Edges       int64  `json:"edges"`
	SHA256      string `json:"sha256"`
	SCC         SCC    `json:"scc"`
	TargetCount int    `json:"target_count"`
	ColumnCount int    `json:"column_count"`
}

// DrawnTargets returns the number of targets that pairs are drawn from: all but those that have a
// column for the sake of listed pairs alone.
func (m *Manifest) DrawnTargets() int {
	for _, s := range m.Stages {
		if s.Stage == schemas.Targets.Name {
			return m.Graph.TargetCount - int(s.Counters["listed_only"])
		}
	}
	return m.Graph.TargetCount
}

// SCC describes the components of the graph before the largest was taken. Largest holds up to ten sizes, descending.
type SCC struct {
	Components int   `json:"components"`
	Largest    []int `json:"largest"`
}

// SplitEntry describes a split. SHA256 is that of its JSON-lines file, IDsSHA256 that of its list of ids.
type SplitEntry struct {
	N         int    `json:"n"`
	Requested int    `json:"requested"`
	Status    string `json:"status"` // schemas.StatusOK or schemas.StatusShort
	Distances []int  `json:"distances"`
	IDsSHA256 string `json:"ids_sha256"`
	SHA256    string `json:"sha256"`
}

// FileEntry describes one file. Rows, Schema and LogicalSHA256 are null where a file has no such thing.
type FileEntry struct {
	Path          string  `json:"path"`
	Bytes         int64   `json:"bytes"`
	SHA256        string  `json:"sha256"`
	XXH64         string  `json:"xxh64"`
	Rows          *int64  `json:"rows"`
	Schema        *string `json:"schema"`
	LogicalSHA256 *string `json:"logical_sha256"`
	MediaType     string  `json:"media_type"`
	Role          string  `json:"role"`
}

// Warning is an audit code that was raised. Measured and Threshold are null for codes that measure nothing.
type Warning struct {
	Code      string         `json:"code"`
	Measured  *schemas.Ratio `json:"measured"`
	Threshold *schemas.Ratio `json:"threshold"`
}

// Licence names the licence of the whole and of each part. A file belongs to the first part whose glob matches its path.
type Licence struct {
	SPDX  string        `json:"spdx"`
	Parts []LicencePart `json:"parts"`
}

// LicencePart is a set of files under one licence; Glob is a pattern of path.Match.
type LicencePart struct {
	Glob        string `json:"glob"`
	SPDX        string `json:"spdx"`
	Attribution string `json:"attribution"`
}

// Label is what a release is called and when it was published ("" until it is). The id does not cover it.
type Label struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	Published string `json:"published"` // YYYY-MM-DD
}

// File finds the entry of the file at path.
func (m *Manifest) File(path string) (FileEntry, bool) {
	for _, f := range m.Files {
		if f.Path == path {
			return f, true
		}
	}
	return FileEntry{}, false
}
