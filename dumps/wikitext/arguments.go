package wikitext

import (
	"strconv"
	"strings"
)

// arguments reads the parts after the name. Of several with the same key the last one stays.
func (x *Templates) arguments(flat string, parts []part) {
	x.t.Args = x.t.Args[:0]
	positional := 0
	for _, p := range parts {
		a := Argument{at: p.start, to: p.end}
		if p.equals >= 0 {
			a.Key = strings.TrimSpace(flat[p.start:p.equals])
			a.at = p.equals + 1
		} else {
			positional++
			a.Key = strconv.Itoa(positional)
		}
		a.at, a.to = trimmed(flat, a.at, a.to)
		a.Value = flat[a.at:a.to]
		x.t.Args = append(x.t.Args, a)
	}
	x.lastOfEachKey()
}

// trimmed narrows flat[from:to] to what is left without white space at its ends.
func trimmed(flat string, from, to int) (int, int) {
	for from < to && isSpace(flat[from]) {
		from++
	}
	for from < to && isSpace(flat[to-1]) {
		to--
	}
	return from, to
}

func (x *Templates) lastOfEachKey() {
	const small = 128
	if len(x.seen) > small { // clearing costs the capacity, and most templates have few arguments
		x.seen = map[string]int{}
	}
	clear(x.seen)
	args := x.t.Args
	for i := range args {
		x.seen[args[i].Key] = i
	}
	if len(x.seen) == len(args) {
		return
	}
	kept := args[:0]
	for i, a := range args {
		if x.seen[a.Key] == i {
			kept = append(kept, a)
		}
	}
	x.t.Args = kept
}
