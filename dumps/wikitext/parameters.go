package wikitext

import (
	"cmp"
	"slices"
	"strings"
)

// coordinatesKey is the key of the point where the thing is that a page is about.
const coordinatesKey = "coordinates"

// coordinateParameters are the names under which infoboxes hold it.
var coordinateParameters = map[string]bool{"coordinates": true, "coords": true, "coord": true, "coordinate": true}

// infobox takes the parameters of an infobox as they stand in the flat text.
func (x *Facts) infobox(c *call) {
	x.counts.Infoboxes++
	if !x.templates.fill(x.flat, c) {
		return
	}
	// Reading a value fills the template anew, so its arguments are set aside.
	x.args = append(x.args[:0], x.templates.t.Args...)
	for _, a := range x.args {
		from, to := unmarked(x.flat, a.at, a.to)
		if from == to {
			x.counts.Empty++
			continue
		}
		x.parameter(a.Key, from, to)
	}
}

// unmarked narrows flat[from:to] to what is left without white space and markers at its ends.
func unmarked(flat string, from, to int) (int, int) {
	for {
		from, to = trimmed(flat, from, to)
		switch {
		case from < to && flat[from] == marker:
			from++
		case from < to && flat[to-1] == marker:
			to--
		default:
			return from, to
		}
	}
}

func withoutMarkers(s string) string { return strings.ReplaceAll(s, string(marker), "") }

// parameter takes the value flat[from:to] of a parameter.
func (x *Facts) parameter(name string, from, to int) {
	name = strings.TrimSpace(withoutMarkers(name))
	key, source := strings.ToLower(strings.ReplaceAll(name, " ", "_")), "infobox:"+name
	i, ok := x.callAt(from, to)
	if !ok {
		v, ok := x.plain(from, to)
		x.add(from, to, key, source, v, ok && key != "")
		return
	}
	c := &x.level.calls[i]
	called := x.name(c)
	switch date := dateTemplates[called]; {
	case called == "Coord":
		x.taken[i] = true
		if coordinateParameters[key] {
			key = coordinatesKey
		}
	case date.fixed:
		key = date.key
	case date.key == "" && !isConvert(called):
		v, ok := x.plain(from, to)
		x.add(from, to, key, source, v, ok && key != "")
		return
	}
	v, ok := x.single(c)
	added := x.add(from, to, key, source, v, ok && key != "")
	x.titled = x.titled || added && key == coordinatesKey
}

// callAt finds the call that is exactly flat[from:to].
func (x *Facts) callAt(from, to int) (int, bool) {
	i := x.firstCall(from)
	return i, i < len(x.level.calls) && x.level.calls[i].start == from && x.level.calls[i].end == to
}

// firstCall gives the index of the first call that begins at or after from.
func (x *Facts) firstCall(from int) int {
	i, _ := slices.BinarySearchFunc(x.level.calls, from, func(c call, at int) int { return cmp.Compare(c.start, at) })
	return i
}
