package schemas

import "encoding/json"

// ReceiptSchema names the version of a stage's receipt. 1: first layout. 2: with a digest of its
// own.
const ReceiptSchema = "wikinav.receipt/2"

// Receipt proves that a stage finished: it is written last, after every output that it lists was
// synced. It holds nothing that differs between two runs of the same computation.
type Receipt struct {
	Schema       string           `json:"schema"`
	Stage        string           `json:"stage"`
	StageVersion int              `json:"stage_version"`
	Key          string           `json:"key"`
	Code         Code             `json:"code"` // information; not part of the key
	Params       json.RawMessage  `json:"params"`
	Inputs       []ReceiptInput   `json:"inputs"`  // sorted by name
	Outputs      []ReceiptOutput  `json:"outputs"` // sorted by path
	Counters     map[string]int64 `json:"counters"`
	Warnings     []Warning        `json:"warnings"` // sorted by code
	SHA256       string           `json:"sha256"`   // of the canonical JSON of the receipt with "" here
}

// Code says which program wrote a receipt or a release. VCSRevision is "" when the binary holds no
// version control data.
type Code struct {
	Module      string `json:"module"`
	Version     string `json:"version"`
	VCSRevision string `json:"vcs_revision"`
	Dirty       bool   `json:"dirty"`
	Go          string `json:"go"`
}

// ReceiptInput is one file that was read, as <artifact>/<file>; for a file from outside,
// <artifact>/<role>.
type ReceiptInput struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// ReceiptOutput is one file that was written; path is relative to the receipt. Rows is -1 where a
// file has no rows.
type ReceiptOutput struct {
	Path          string `json:"path"`
	SHA256        string `json:"sha256"`
	XXH64         string `json:"xxh64"`
	Bytes         int64  `json:"bytes"`
	Rows          int64  `json:"rows"`
	LogicalSHA256 string `json:"logical_sha256"` // "" where a file has no logical form
}

// Ratio is an exact fraction: artifacts hold no floats.
type Ratio struct {
	Num int64 `json:"num"`
	Den int64 `json:"den"`
}

// Warning tells of a ratio outside its threshold. It does not stop a build.
type Warning struct {
	Code      string `json:"code"`
	Measured  Ratio  `json:"measured"`
	Threshold Ratio  `json:"threshold"`
}

// BuildSchema names the version of builds/<name>.json. 1: first layout.
const BuildSchema = "wikinav.build/1"

// Build names the results that make up a build: what status, inspect and release read, and plan
// compares with.
type Build struct {
	Schema string            `json:"schema"`
	Stages map[string]string `json:"stages"` // stage -> key
	Recipe Recipe            `json:"recipe"`
	Seed   int64             `json:"seed"`
	Source []SourceFile      `json:"source"` // what the build read from outside; [] for the demo
}

// SourceFile is an input file from outside, known by name and content, never by path.
type SourceFile struct {
	Role     string `json:"role"` // dump, index, targets
	Name     string `json:"name"`
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`
	Verified string `json:"verified"` // VerifiedSums or VerifiedNone
}

// Words for how a source file was checked against published sums.
const (
	VerifiedSums = "sums"
	VerifiedNone = "none"
)
