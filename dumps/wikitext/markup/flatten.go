package markup

import (
	"cmp"
	"slices"
	"strings"
	"unsafe"
)

// Marker stands in flat text where a tag was. No title holds it, so it ends a link target as the
// tag would.
const Marker = '\x7F'

// Sub is the body of a tag that is wikitext on its own.
type Sub struct {
	At   int32  // offset of its marker in the flat text
	raw  int32  // offset of body in the raw text
	Body string // raw: step A is still to be done on it
	Tag  *tag
}

// Flattener is step A for one fragment: the page, or the body of a tag. Its work is linear because
// two searches that found nothing are never repeated: for the end of a tag, and for the closing tag
// of each name.
type Flattener struct {
	Raw     string
	out     []byte // flat text of raw[:copied]
	copied  int
	Subs    []Sub   // in order of position
	shifts  []shift // in order of position
	tagEnds finder
	missing uint64 // bit i: no closing tag of tags[i] follows
}

// Flatten returns the flat text of raw and leaves the bodies in f.subs. It returns raw itself where
// nothing is to be taken out.
func (f *Flattener) Flatten(raw string) string {
	if flat := f.FlatView(raw); f.copied > 0 {
		return strings.Clone(flat)
	}
	return raw
}

// FlatView is flatten without the copy: what it gives is overwritten by the next call.
func (f *Flattener) FlatView(raw string) string {
	*f = Flattener{Raw: raw, out: f.out[:0], Subs: f.Subs[:0], shifts: f.shifts[:0]}
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
	return View(f.out)
}

// markup handles the `<` at offset i and gives the offset to go on from.
func (f *Flattener) markup(i int) int {
	if strings.HasPrefix(f.Raw[i:], "<!--") {
		return f.comment(i)
	}
	t, closing, nameEnd := tagAt(f.Raw[i:])
	literal := i + 1
	if t == nil || closing && t.kind < tagHidden || !closing && f.missing&(1<<t.index) != 0 {
		return literal
	}
	end := f.tagEnds.find(f.Raw, i+nameEnd, '>') + 1
	switch {
	case end > len(f.Raw):
		return literal
	case closing, t.kind == tagVanish:
		return f.cut(i, end)
	case f.Raw[end-2] == '/':
		return f.empty(t, i, end)
	}
	return f.element(t, i, end)
}

// comment cuts a comment, with its whole line if it has the line for itself.
func (f *Flattener) comment(i int) int {
	body := i + len("<!--")
	length := strings.Index(f.Raw[body:], "-->")
	if length < 0 {
		return f.cut(i, len(f.Raw))
	}
	end := f.cut(i, body+length+len("-->"))
	after := end + len(f.Raw[end:]) - len(strings.TrimLeft(f.Raw[end:], " \t"))
	// Looking back only when a line break follows keeps a run of comments after many blanks linear.
	if after == len(f.Raw) || f.Raw[after] != '\n' {
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
func (f *Flattener) empty(t *tag, start, end int) int {
	f.cut(start, end)
	if t.kind != tagHidden {
		f.mark()
	}
	return end
}

// element handles an opening tag from start to bodyStart, and what it opens.
func (f *Flattener) element(t *tag, start, bodyStart int) int {
	length, end := closingTag(f.Raw[bodyStart:], t.Name)
	switch {
	case length < 0 && t.kind == tagHidden:
		return f.cut(start, len(f.Raw))
	case length < 0:
		f.missing |= 1 << t.index
		return start + 1
	case t.kind == tagHidden:
		return f.cut(start, bodyStart+end)
	}
	f.cut(start, bodyStart+end)
	if t.kind == tagSub {
		f.Subs = append(f.Subs, Sub{int32(len(f.out)), int32(bodyStart), f.Raw[bodyStart : bodyStart+length], t})
	}
	f.mark()
	return f.copied
}

// cut drops raw[from:to] from the flat text and gives to.
func (f *Flattener) cut(from, to int) int {
	f.out = append(f.out, f.Raw[f.copied:from]...)
	f.copied = to
	f.shift()
	return to
}

// mark writes the marker of what was just cut. It stands for the beginning of that; what follows
// comes after.
func (f *Flattener) mark() {
	f.out = append(f.out, Marker)
	f.shifts[len(f.shifts)-1] = shift{int32(len(f.out)), int32(f.copied - len(f.out))}
}

// ElementEnd returns the end of the comment, or of the element with one of those names, that begins
// at the `<` at i; i if none does. Calls come with rising i.
func (f *Flattener) ElementEnd(i int, names []string) int {
	if strings.HasPrefix(f.Raw[i:], "<!--") {
		if n := strings.Index(f.Raw[i:], "-->"); n >= 0 {
			return i + n + len("-->")
		}
		return len(f.Raw)
	}
	t, closing, nameEnd := tagAt(f.Raw[i:])
	if t == nil || closing || f.missing&(1<<t.index) != 0 || !slices.Contains(names, t.Name) {
		return i
	}
	end := f.tagEnds.find(f.Raw, i+nameEnd, '>') + 1
	if end > len(f.Raw) {
		return i
	}
	if f.Raw[end-2] == '/' {
		return end
	}
	if _, n := closingTag(f.Raw[end:], t.Name); n >= 0 {
		return end + n
	}
	f.missing |= 1 << t.index
	return i
}

// View returns the bytes of b as a string without a copy. The string changes with b, so it must
// neither outlive the next write to b nor be handed out.
func View(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// shift says that from offset flat on, up to the next shift, raw text is delta bytes ahead of flat
// text.
type shift struct{ flat, delta int32 }

// shift notes where the text after what was just cut comes from. Notes about text that a comment
// took back go.
func (f *Flattener) shift() {
	n := len(f.shifts)
	for n > 0 && int(f.shifts[n-1].flat) >= len(f.out) {
		n--
	}
	f.shifts = append(f.shifts[:n], shift{int32(len(f.out)), int32(f.copied - len(f.out))})
}

// RawOffset returns the offset in the raw text of the byte at offset flat of the flat text.
func (f *Flattener) RawOffset(flat int) int {
	i, _ := slices.BinarySearchFunc(f.shifts, flat, func(s shift, at int) int { return cmp.Compare(int(s.flat), at+1) })
	if i == 0 {
		return flat
	}
	return flat + int(f.shifts[i-1].delta)
}
