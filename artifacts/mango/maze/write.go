package maze

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

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

const hexDigits = "0123456789abcdef"

// AppendString appends s as Python's json.dumps prints it: ASCII, short escapes where JSON has them, all else outside 0x20..0x7e
// as \u and four lower-case digits, above U+FFFF as a surrogate pair. s is UTF-8: every reader of names checks that, and a replaced
// character would give a wrong id, so that anything else panics.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !validAt(s[i:]):
			panic("maze: a name is not UTF-8: " + strconv.Quote(s))
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= 0x20 && r < 0x7f:
			b = append(b, byte(r))
		default:
			b = appendEscape(b, r)
		}
	}
	return append(b, '"')
}

func validAt(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	return size > 1
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendUnit(appendUnit(b, high), low)
	}
	return appendUnit(b, r)
}

func appendUnit(b []byte, u rune) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}

// object prints one object member by member, in Python's one-line form.
type object struct{ b []byte }

func (o *object) key(name string) {
	if last := len(o.b) - 1; o.b[last] != '{' {
		o.b = append(o.b, ", "...)
	}
	o.b = append(AppendString(o.b, name), ": "...)
}

func (o *object) text(name, value string) {
	o.key(name)
	o.b = AppendString(o.b, value)
}

func (o *object) number(name string, value int) {
	o.key(name)
	o.b = strconv.AppendInt(o.b, int64(value), 10)
}
