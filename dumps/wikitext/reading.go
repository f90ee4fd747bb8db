package wikitext

// reading is the way through one fragment.
type reading struct {
	x      *Extractor
	level  *level
	depth  int
	around place
	bodies []sub    // ahead
	notes  []hatArg // ahead
	where  tour
}

// at gives the place of pos. Positions come in rising order.
func (r *reading) at(pos int) place { return min(r.around, r.where.at(pos)) }

// upTo reads the bodies and hatnotes before pos.
func (r *reading) upTo(pos int) {
	for {
		switch {
		case len(r.notes) > 0 && r.notes[0].start < pos && (len(r.bodies) == 0 || r.notes[0].start < r.bodies[0].at):
			n := r.notes[0]
			r.notes = r.notes[1:]
			r.x.hatnote(r.level.flat[n.start:n.end], min(inTemplate, r.at(n.start)))
		case len(r.bodies) > 0 && r.bodies[0].at < pos:
			b := r.bodies[0]
			r.bodies = r.bodies[1:]
			r.x.body(b, r.depth, r.at(b.at))
		default:
			return
		}
	}
}
