// Package maze reads and writes mazes in the published MANGO layout: the edges of both data versions, the lists of locations
// and moves, walkthroughs, and the rows of skeletons (mango specification 3, 4.4, 5).
//
// It promises that
//   - what it reads is whole and means one thing: every key is there once, text is UTF-8, step numbers hold together, and an
//     edge stands once; the first thing that does not hold is an error with the game and the row;
//   - what it writes has the bytes that the published files have: Python's JSON, keys in the published order, and so the
//     edges of a shipped game come out as they went in;
//   - ids are the SHA-256 of Python's canonical text, whatever the characters.
//
// It never decides what is easy or reachable: skeletons are made in stages/mango.
//
// Memory: a game at a time.
package maze

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

// Formats of published edges.
const (
	Shipped = "shipped" // 2024: names in lower case, six step numbers an edge
	V2023   = "v2023"   // 2023: names in original case, one step number an edge
)

var Formats = []string{Shipped, V2023}

// Maze is one game as read from a folder.
type Maze struct {
	Name        string // of the game: <Name>.edges.json
	Format      string // of its edges
	Edges       []schemas.MangoEdge
	Walkthrough *Walkthrough // nil where there is none
}

// Suffixes of the files of a game.
const (
	EdgesFile       = ".edges.json"
	LocationsFile   = ".locations.json"
	ActionsFile     = ".actions.json"
	DFFile          = ".all2all.jsonl"
	RFFile          = ".all_pairs.jsonl"
	WalkthroughFile = ".walkthrough"
	ExtraFile       = ".extra.jsonl"
	RecordFile      = ".maze.json"
	StepsFile       = ".steps.jsonl"
	QuestionsFile   = ".questions.jsonl.gz"
)

// nameOf gives the game that an edges file is of.
func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), EdgesFile) }

// Locations lists the places of edges in order of first appearance, source before destination.
func Locations(edges []schemas.MangoEdge) []string {
	var names []string
	for _, e := range edges {
		names = append(names, e.SrcNode, e.DstNode)
	}
	return once(names)
}

// Moves lists the actions of edges in order of first appearance.
func Moves(edges []schemas.MangoEdge) []string {
	var names []string
	for _, e := range edges {
		names = append(names, e.Action)
	}
	return once(names)
}

// once drops repeated names.
func once(names []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(name string) bool {
		twice := seen[name]
		seen[name] = true
		return twice
	})
}

// Step is one move of a path.
type Step struct {
	Action string `json:"action"`
	To     string `json:"node"`
	From   string `json:"prev_node"`
}

// PairText gives the canonical text of an RF skeleton.
func PairText(src, dst string) []byte {
	return appendValue(nil, reflect.ValueOf(struct {
		Dst string `json:"dst_node"`
		Src string `json:"src_node"`
	}{dst, src}), "")
}

// PathText gives the canonical text of a DF skeleton.
func PathText(path []Step) []byte { return appendValue(nil, reflect.ValueOf(path), "") }

// PairID gives the id of an RF skeleton.
func PairID(src, dst string) string { return digest.SHA256(PairText(src, dst)) }

// PathID gives the id of a DF skeleton.
func PathID(path []Step) string { return digest.SHA256(PathText(path)) }
