package maze

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// row is an object of an edges file before its keys are looked at.
type row map[string]json.RawMessage

// DecodeEdges reads an edges file of either version and checks it. The keys of the first object say which version it is.
// The order of keys has no meaning; the order of rows has, and is kept.
func DecodeEdges(game string, data []byte) (format string, edges []schemas.MangoEdge, err error) {
	var rows []row
	if err := decode(data, &rows); err != nil {
		return "", nil, fault.New(fault.Malformed, "mango: edges: %s: %w", game, err)
	}
	if len(rows) == 0 {
		return "", nil, fault.New(fault.Malformed, "mango: edges: %s: no edges", game)
	}
	format = formatOf(rows[0])
	seen := map[[3]string]bool{}
	for i, r := range rows {
		e, err := r.edge(format)
		if err == nil {
			err = check(e)
		}
		id := [3]string{e.SrcNode, e.Action, e.DstNode}
		if err == nil && seen[id] {
			err = errors.New("the edge stands twice")
		}
		if err != nil {
			return "", nil, fault.New(fault.Malformed, "mango: edges: %s: row %d: %w", game, i, err)
		}
		seen[id] = true
		edges = append(edges, e)
	}
	return format, edges, nil
}

// formatOf gives the version that has the keys of r, or else the version to name in the error.
func formatOf(r row) string {
	if _, ok := r["prev_node"]; ok {
		return V2023
	}
	return Shipped
}

func (r row) edge(format string) (e schemas.MangoEdge, err error) {
	if format == Shipped {
		return e, r.read(&e, format)
	}
	var old edge2023
	err = r.read(&old, format)
	return old.edge(), err
}

type edge2023 struct {
	SrcNode string `json:"prev_node"`
	DstNode string `json:"node"`
	Action  string `json:"action"`
	Walked  bool   `json:"seen_in_forward"`
	Cutoff  int    `json:"step_min_cutoff"`
}

// edge gives the one step number of the older data its two meanings: the edge is known from there on, and was walked
// from there on if it was walked at all (specification 3.2).
func (e edge2023) edge() schemas.MangoEdge {
	forward := schemas.MangoNever
	if e.Walked {
		forward = e.Cutoff
	}
	return schemas.MangoEdge{SrcNode: e.SrcNode, DstNode: e.DstNode, Action: e.Action, MangoSteps: Steps(forward, e.Cutoff)}
}

// Steps gives the numbers of an edge whose names are known when it is walked.
func Steps(forward, reversed int) schemas.MangoSteps {
	known := min(forward, reversed)
	return schemas.MangoSteps{
		SeenInForward: forward, SeenInReversed: reversed, EdgeMinStep: known,
		SeenInForwardAnswerable: forward, SeenInReversedAnswerable: reversed, EdgeMinStepAnswerable: known,
	}
}

// read fills the fields of a struct, each from its key, and refuses missing and foreign keys. It refuses null, too, which the decoder
// would take for "leave it as it is".
func (r row) read(to any, format string) error {
	v := reflect.ValueOf(to).Elem()
	foreign := maps.Clone(r)
	for _, f := range fieldsOf(v.Type()) {
		if _, ok := r[f.key]; !ok {
			return fmt.Errorf("key %q is missing (format %s)", f.key, format)
		}
		delete(foreign, f.key)
	}
	if len(foreign) > 0 {
		return fmt.Errorf("key %s is not known (format %s)", fault.Quote(slices.Min(slices.Collect(maps.Keys(foreign)))), format)
	}
	for _, f := range fieldsOf(v.Type()) {
		if string(r[f.key]) == "null" {
			return fmt.Errorf("%s is null", f.key)
		}
		if err := json.Unmarshal(r[f.key], v.FieldByIndex(f.index).Addr().Interface()); err != nil {
			return fmt.Errorf("%s: %w", f.key, err)
		}
	}
	return nil
}

// check holds an edge to the invariants of the format.
func check(e schemas.MangoEdge) error {
	f, r, fa, ra := e.SeenInForward, e.SeenInReversed, e.SeenInForwardAnswerable, e.SeenInReversedAnswerable
	for _, n := range []int{f, r, e.EdgeMinStep, fa, ra, e.EdgeMinStepAnswerable} {
		if n < 0 || n > schemas.MangoNever {
			return fmt.Errorf("step %d is not in 0..%d", n, schemas.MangoNever)
		}
	}
	switch {
	case e.SrcNode == "" || e.DstNode == "" || e.Action == "":
		return errors.New("an empty name")
	case e.EdgeMinStep != min(f, r):
		return fmt.Errorf("edge_min_step is %d, want %d", e.EdgeMinStep, min(f, r))
	case e.EdgeMinStepAnswerable != min(fa, ra):
		return fmt.Errorf("edge_min_step_answerable is %d, want %d", e.EdgeMinStepAnswerable, min(fa, ra))
	case fa < f || ra < r:
		return errors.New("answerable before it was seen")
	case min(f, r) == schemas.MangoNever:
		return errors.New("never seen in either direction")
	}
	return nil
}

// decode is the strict decoder of the project, and refuses one thing more: half a surrogate pair, which Go reads as U+FFFD,
// so that two names could become one.
func decode(data []byte, v any) error {
	if err := checkSurrogates(data); err != nil {
		return err
	}
	return canon.Decode(data, maxFile, v)
}

// escapes matches the escapes of JSON text one after another; its group is half a surrogate pair.
var escapes = regexp.MustCompile(`(?is)\\u(?:d[89ab]..\\ud[c-f]|(d[89a-f]))..|\\.`)

func checkSurrogates(data []byte) error {
	for _, at := range escapes.FindAllSubmatchIndex(data, -1) {
		if at[2] >= 0 {
			return fmt.Errorf("%s is half a surrogate pair", data[at[0]:at[1]])
		}
	}
	return nil
}
