package maze

import (
	"strconv"

	"github.com/wikinav/wikinav/schemas"
)

// AppendEdges appends an edges file: an array with indent 4, as json.dumps(edges, indent=4) prints it, without a last newline.
func AppendEdges(b []byte, edges []schemas.MangoEdge) []byte {
	b = append(b, '[')
	for i, e := range edges {
		b = append(appendComma(b, i), "\n    {"...)
		for k, name := range []string{e.SrcNode, e.DstNode, e.Action} {
			b = AppendString(appendMember(b, Shipped, k), name)
		}
		for k, n := range numbers(e.MangoSteps) {
			b = strconv.AppendInt(appendMember(b, Shipped, 3+k), int64(n), 10)
		}
		b = append(b, "\n    }"...)
	}
	return append(b, "\n]"...)
}

func appendMember(b []byte, format string, k int) []byte {
	b = append(appendComma(b, k), "\n        "...)
	return append(AppendString(b, keysOf[format][k]), ": "...)
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// numbers gives the six integers of an edge in the published order.
func numbers(s schemas.MangoSteps) [6]int {
	return [6]int{
		s.SeenInForward, s.SeenInReversed, s.EdgeMinStep,
		s.SeenInForwardAnswerable, s.SeenInReversedAnswerable, s.EdgeMinStepAnswerable,
	}
}

// AppendList appends a list of locations or moves, sorted by code point, indent 4.
func AppendList(b []byte, names []string) []byte {
	b = append(b, '[')
	for i, name := range sortedSet(names) {
		b = append(appendComma(b, i), "\n    "...)
		b = AppendString(b, name)
	}
	return append(b, "\n]"...)
}

// AppendDF appends a line of all2all.jsonl.
func AppendDF(b []byte, r *schemas.MangoDFRow) []byte {
	o := object{append(b, '{')}
	o.text("src_node", r.SrcNode)
	o.text("dst_node", r.DstNode)
	o.number("diff_shortest", r.DiffShortest)
	o.key("path_details")
	o.b = append(o.b, '[')
	for i, m := range r.PathDetails {
		if i > 0 {
			o.b = append(o.b, ", "...)
		}
		o.b = appendMove(o.b, m)
	}
	o.b = append(o.b, ']')
	o.number("step_count", r.StepCount)
	o.text("id", r.ID)
	o.labels(r.MangoLabels)
	return append(o.b, "}\n"...)
}

func appendMove(b []byte, m schemas.MangoMove) []byte {
	o := object{append(b, '{')}
	o.text("prev_node", m.PrevNode)
	o.text("node", m.Node)
	o.text("action", m.Action)
	for k, n := range numbers(m.MangoSteps) {
		o.number(keysOf[Shipped][3+k], n)
	}
	return append(o.b, '}')
}

// AppendRF appends a line of all_pairs.jsonl.
func AppendRF(b []byte, r *schemas.MangoRFRow) []byte {
	o := object{append(b, '{')}
	o.text("src_node", r.SrcNode)
	o.text("dst_node", r.DstNode)
	o.number("num_paths", r.NumPaths)
	o.text("id", r.ID)
	o.labels(r.MangoLabels)
	return append(o.b, "}\n"...)
}

func (o *object) labels(l schemas.MangoLabels) {
	o.number("min_step_forward", l.MinStepForward)
	o.number("min_step_total", l.MinStepTotal)
	o.number("min_step_forward_answerable", l.MinStepForwardAnswerable)
	o.number("min_step_total_answerable", l.MinStepTotalAnswerable)
}
