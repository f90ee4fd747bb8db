package release

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Carried says which records a release took over from an older one. They are what they were there,
// but for what names a page: its node where the pages are numbered anew, and its title where it is
// another.
type Carried struct {
	ID             string                 `json:"id"` // of the older release
	Name           string                 `json:"name"`
	Version        string                 `json:"version"`
	ManifestSHA256 string                 `json:"manifest_sha256"`
	Renumbered     bool                   `json:"renumbered"` // pages of both graphs have other nodes here
	Graphs         []DrawnFrom            `json:"graphs"`     // that its records were drawn from
	Parts          map[string]CarriedPart `json:"parts"`      // by stage
}

// DrawnFrom is a graph that is not the release's own.
type DrawnFrom struct {
	GraphSHA256  string `json:"graph_sha256"`
	RecipeSHA256 string `json:"recipe_sha256"`
}

// CarriedPart is what was taken over of a part.
type CarriedPart struct {
	// Last is by the beginning of ids the greatest number that the older release, or one that it
	// took records over from, has used: a record is carried if its number is not above, and newly
	// drawn if it is.
	Last   map[string]int          `json:"last"`
	Splits map[string]CarriedSplit `json:"splits"` // by file, without the ending
	// Redrawn says that no record of the older release was to be taken over; numbers go on all the
	// same.
	Redrawn bool       `json:"redrawn"`
	Whole   *WholePart `json:"whole"` // of a part whose files are all those of the older release; else null
}

// CarriedSplit counts the records of a file. Those of the older release are kept or lost.
type CarriedSplit struct {
	Had     int            `json:"had"`
	Kept    int            `json:"kept"`
	Renamed int            `json:"renamed"` // of those that were kept
	Lost    map[string]int `json:"lost"`    // by state
	Drawn   int            `json:"drawn"`   // new ones, from the draw of this release's build
}

// WholePart is what the older release says of the stage that wrote the files.
type WholePart struct {
	Params json.RawMessage `json:"params"`
	Stage  StageEntry      `json:"stage"`
}

// numberOf parts an id into its beginning and its number, which is 0 where it has none.
func numberOf(id string) (stem string, n int) {
	i := strings.LastIndexByte(id, '-') + 1
	n, err := strconv.Atoi(id[i:])
	if err != nil || n < 1 {
		return id, 0
	}
	return id[:i], n
}

// CarriedID reports whether the manifest declares that the record with this id of a stage was taken
// over.
func (m *Manifest) CarriedID(stage, id string) bool {
	if m.Carried == nil {
		return false
	}
	stem, n := numberOf(id)
	return n > 0 && n <= m.Carried.Parts[stage].Last[stem]
}

// MayBeOf reports whether a record of a stage may be drawn from a graph: that of the release, or of
// a carried record one that the manifest declares.
func (m *Manifest) MayBeOf(stage, id, graph string) bool {
	return graph == m.Graph.SHA256 || m.CarriedID(stage, id) &&
		slices.ContainsFunc(m.Carried.Graphs, func(d DrawnFrom) bool { return d.GraphSHA256 == graph })
}

// wholeOf returns what is said of a stage whose files are those of an older release; nil for any
// other.
func (m *Manifest) wholeOf(stage string) *WholePart {
	if m.Carried == nil {
		return nil
	}
	return m.Carried.Parts[stage].Whole
}

// carries reports whether records of a stage were taken over, so that its files are not what the
// stage of the build wrote.
func (m *Manifest) carries(stage string) bool {
	if m.Carried == nil {
		return false
	}
	_, ok := m.Carried.Parts[stage]
	return ok
}
