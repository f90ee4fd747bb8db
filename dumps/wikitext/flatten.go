package wikitext

import "strings"

// marker stands in flat text where a tag was. No title holds it, so it ends a link target as the tag would.
const marker = '\x7F'

// sub is the body of a tag that is wikitext on its own.
type sub struct {
	at   int    // offset of its marker in the flat text
	raw  int    // offset of body in the raw text
	body string // raw: step A is still to be done on it
	tag  *tag
}

// flattener is step A for one fragment: the page, or the body of a tag. Its work is linear because two searches
// that found nothing are never repeated: for the end of a tag, and for the closing tag of each name.
type flattener struct {
	raw     string
	out     []byte // flat text of raw[:copied]
	copied  int
	subs    []sub   // in order of position
	shifts  []shift // in order of position
	tagEnd  int     // just after the first `>` from where it was last looked for
	missing uint64  // bit i: no closing tag of tags[i] follows
}

// flatten gives the flat text of raw and leaves the bodies in f.subs. It returns raw itself where nothing is to
// be taken out.
func (f *flattener) flatten(raw string) string {
	if flat := f.flatView(raw); f.copied > 0 {
		return strings.Clone(flat)
	}
	return raw
}

// flatView is flatten without the copy: what it gives is overwritten by the next call.
func (f *flattener) flatView(raw string) string {
	*f = flattener{raw: raw, out: f.out[:0], subs: f.subs[:0], shifts: f.shifts[:0]}
	for i := 0; ; {
		next := strings.IndexByte(raw[i:], '<')
		if next < 0 {
			break
		}
		i = f.markup(i + next)
	}
	if f.copied == 0 {
		return raw
	}
	f.out = append(f.out, raw[f.copied:]...)
	return view(f.out)
}

// markup handles the `<` at offset i and gives the offset to go on from.
func (f *flattener) markup(i int) int {
	if strings.HasPrefix(f.raw[i:], "<!--") {
		return f.comment(i)
	}
	t, closing, nameEnd := tagAt(f.raw[i:])
	literal := i + 1
	if t == nil || closing && t.kind < tagHidden || !closing && f.missing&(1<<t.index) != 0 {
		return literal
	}
	end := f.endOfTag(i + nameEnd)
	switch {
	case end < 0:
		return literal
	case closing, t.kind == tagVanish:
		return f.cut(i, end)
	case f.raw[end-2] == '/':
		return f.empty(t, i, end)
	}
	return f.element(t, i, end)
}

// comment cuts a comment, with its whole line if it has the line for itself.
func (f *flattener) comment(i int) int {
	body := i + len("<!--")
	length := strings.Index(f.raw[body:], "-->")
	if length < 0 {
		return f.cut(i, len(f.raw))
	}
	end := f.cut(i, body+length+len("-->"))
	after := end + len(f.raw[end:]) - len(strings.TrimLeft(f.raw[end:], " \t"))
	// Looking back only when a line break follows keeps a run of comments after many blanks linear.
	if after == len(f.raw) || f.raw[after] != '\n' {
		return end
	}
	line := len(f.out)
	for line > 0 && (f.out[line-1] == ' ' || f.out[line-1] == '\t') {
		line--
	}
	if line > 0 && f.out[line-1] != '\n' {
		return end
	}
	f.out, f.copied = f.out[:line], after+1
	f.shift()
	return f.copied
}

// empty handles `<name ... />`, from start to end.
func (f *flattener) empty(t *tag, start, end int) int {
	f.cut(start, end)
	if t.kind != tagHidden {
		f.mark()
	}
	return end
}

// element handles an opening tag from start to bodyStart, and what it opens.
func (f *flattener) element(t *tag, start, bodyStart int) int {
	length, end := closingTag(f.raw[bodyStart:], t.name)
	switch {
	case length < 0 && t.kind == tagHidden:
		return f.cut(start, len(f.raw))
	case length < 0:
		f.missing |= 1 << t.index
		return start + 1
	case t.kind == tagHidden:
		return f.cut(start, bodyStart+end)
	}
	f.cut(start, bodyStart+end)
	if t.kind == tagSub {
		f.subs = append(f.subs, sub{len(f.out), bodyStart, f.raw[bodyStart : bodyStart+length], t})
	}
	f.mark()
	return f.copied
}

// cut drops raw[from:to] from the flat text and gives to.
func (f *flattener) cut(from, to int) int {
	f.out = append(f.out, f.raw[f.copied:from]...)
	f.copied = to
	f.shift()
	return to
}

// mark writes the marker of what was just cut. It stands for the beginning of that; what follows comes after.
func (f *flattener) mark() {
	f.out = append(f.out, marker)
	f.shifts[len(f.shifts)-1] = shift{len(f.out), f.copied - len(f.out)}
}

// endOfTag gives the offset after the first `>` at or after i, negative if there is none. Calls come with rising i.
func (f *flattener) endOfTag(i int) int {
	if f.tagEnd < 0 || f.tagEnd > i {
		return f.tagEnd
	}
	if next := strings.IndexByte(f.raw[i:], '>'); next >= 0 {
		f.tagEnd = i + next + 1
	} else {
		f.tagEnd = -1
	}
	return f.tagEnd
}
