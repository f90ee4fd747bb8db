package maze

import (
	"crypto/sha256"
	"encoding/hex"
)

// Step is one move of a path.
type Step struct{ From, Action, To string }

// PairText gives the canonical text of an RF skeleton.
func PairText(src, dst string) []byte {
	o := object{[]byte{'{'}}
	o.text("dst_node", dst)
	o.text("src_node", src)
	return append(o.b, '}')
}

// PathText gives the canonical text of a DF skeleton, into b.
func PathText(b []byte, path []Step) []byte {
	b = append(b, '[')
	for i, s := range path {
		if i > 0 {
			b = append(b, ", "...)
		}
		o := object{append(b, '{')}
		o.text("action", s.Action)
		o.text("node", s.To)
		o.text("prev_node", s.From)
		b = append(o.b, '}')
	}
	return append(b, ']')
}

// PairID gives the id of an RF skeleton.
func PairID(src, dst string) string { return hashed(PairText(src, dst)) }

// PathID gives the id of a DF skeleton.
func PathID(path []Step) string { return hashed(PathText(nil, path)) }

func hashed(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
