package maze

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// row is an object of an edges file before its keys are looked at.
type row map[string]json.RawMessage

var keysOf = map[string][]string{
	Shipped: {
		"src_node", "dst_node", "action", "seen_in_forward", "seen_in_reversed", "edge_min_step",
		"seen_in_forward_answerable", "seen_in_reversed_answerable", "edge_min_step_answerable",
	},
	V2023: {"prev_node", "node", "action", "seen_in_forward", "step_min_cutoff"},
}

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
	if err := r.checkKeys(keysOf[format]); err != nil {
		return e, fmt.Errorf("%w (format %s)", err, format)
	}
	if format == V2023 {
		return r.edge2023()
	}
	keys := keysOf[Shipped]
	for i, to := range []*string{&e.SrcNode, &e.DstNode, &e.Action} {
		if err := r.read(keys[i], to); err != nil {
			return e, err
		}
	}
	for i, to := range []*int{
		&e.SeenInForward, &e.SeenInReversed, &e.EdgeMinStep,
		&e.SeenInForwardAnswerable, &e.SeenInReversedAnswerable, &e.EdgeMinStepAnswerable,
	} {
		if err := r.read(keys[3+i], to); err != nil {
			return e, err
		}
	}
	return e, nil
}

// edge2023 gives the one step number of the older data its two meanings: the edge is known from there on, and was walked
// from there on if it was walked at all (specification 3.2).
func (r row) edge2023() (e schemas.MangoEdge, err error) {
	var walked bool
	var cutoff int
	for i, to := range []any{&e.SrcNode, &e.DstNode, &e.Action, &walked, &cutoff} {
		if err := r.read(keysOf[V2023][i], to); err != nil {
			return e, err
		}
	}
	forward := schemas.MangoNever
	if walked {
		forward = cutoff
	}
	e.MangoSteps = Steps(forward, cutoff)
	return e, nil
}

// Steps gives the numbers of an edge whose names are known when it is walked.
func Steps(forward, reversed int) schemas.MangoSteps {
	known := min(forward, reversed)
	return schemas.MangoSteps{
		SeenInForward: forward, SeenInReversed: reversed, EdgeMinStep: known,
		SeenInForwardAnswerable: forward, SeenInReversedAnswerable: reversed, EdgeMinStepAnswerable: known,
	}
}

func (r row) checkKeys(want []string) error {
	for _, key := range want {
		if _, ok := r[key]; !ok {
			return fmt.Errorf("key %q is missing", key)
		}
	}
	var foreign []string
	for key := range r { // sorted below
		if !slices.Contains(want, key) {
			foreign = append(foreign, key)
		}
	}
	if foreign != nil {
		return fmt.Errorf("key %s is not known", fault.Quote(slices.Min(foreign)))
	}
	return nil
}

// read refuses null, which the decoder would take for "leave it as it is".
func (r row) read(key string, to any) error {
	if string(r[key]) == "null" {
		return fmt.Errorf("%s is null", key)
	}
	if err := json.Unmarshal(r[key], to); err != nil {
		return fmt.Errorf("%s: %w", key, err)
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

func checkSurrogates(data []byte) error {
	text := string(data)
	for {
		at := strings.IndexByte(text, '\\')
		if at < 0 || at+1 >= len(text) {
			return nil
		}
		text = text[at:]
		first, ok := unicodeEscape(text)
		switch {
		case !ok:
			text = text[2:]
		case first < 0xd800 || first > 0xdfff:
			text = text[6:]
		default:
			second, ok := unicodeEscape(text[6:])
			if first > 0xdbff || !ok || second < 0xdc00 || second > 0xdfff {
				return fmt.Errorf("%s is half a surrogate pair", text[:6])
			}
			text = text[12:]
		}
	}
}

// unicodeEscape reads a leading \uXXXX.
func unicodeEscape(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range []byte(text[2:6]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c >= utf8.RuneSelf {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, true
}
