package ingest

import (
	"encoding/binary"

	"github.com/wikinav/wikinav/dumps/wikitext/facts"
	"github.com/wikinav/wikinav/dumps/wikitext/links"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// coder lays values behind each other, or takes them from where it laid them a moment ago in the
// same process: varints, and strings with their length in front. One function describes both ways;
// malformed bytes are a bug and panic. It reads from one string, of which the strings that it
// returns are parts: a record costs one copy, not one for each link.
type coder struct {
	out     []byte
	in      string
	reading bool
}

func reader(payload []byte) *coder { return &coder{in: string(payload), reading: true} }

func (c *coder) take(n int) string {
	out := c.in[:n]
	c.in = c.in[n:]
	return out
}

func number[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int16 | ~int](c *coder, v *T) {
	if !c.reading {
		c.out = binary.AppendUvarint(c.out, uint64(*v))
		return
	}
	var n uint64
	for shift := 0; ; shift += 7 {
		b := c.take(1)[0]
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			*v = T(n)
			return
		}
	}
}

func (c *coder) flag(v *bool) {
	n := uint8(one(*v))
	number(c, &n)
	*v = n == 1
}

func (c *coder) strings(list ...*string) {
	for _, s := range list {
		n := len(*s)
		number(c, &n)
		if c.reading {
			*s = c.take(n)
		} else {
			c.out = append(c.out, *s...)
		}
	}
}

// bytes codes b, whose length is known.
func (c *coder) bytes(b []byte) {
	if c.reading {
		copy(b, c.take(len(b)))
	} else {
		c.out = append(c.out, b...)
	}
}

// list codes the elements one by one, as each does.
func list[T any](c *coder, all *[]T, each func(*T)) {
	n := len(*all)
	number(c, &n)
	if c.reading {
		*all = make([]T, n)
	}
	for i := range *all {
		each(&(*all)[i])
	}
}

// record codes all of f but its id and its redirect, which are elsewhere.
func (c *coder) record(f *record) {
	number(c, &f.ns)
	c.flag(&f.isRedirect)
	c.strings(&f.title, &f.model, &f.revTime, &f.lead, &f.infobox)
	number(c, &f.revID)
	number(c, &f.textBytes)
	c.bytes(f.textSHA256[:])
	number(c, &f.flags)
	number(c, &f.selfLinks)
	c.flag(&f.truncated)
	c.strings(&f.text.ShortDescription, &f.text.Text)
	number(c, &f.text.Chars)
	c.flag(&f.text.Truncated)
	list(c, &f.links, func(l *links.Link) {
		c.strings(&l.Target)
		number(c, &l.Provenance)
	})
	last := uint32(0)
	list(c, &f.anchors, func(a *links.Anchor) {
		step := a.Link - last // links ascend
		number(c, &step)
		last += step
		a.Link = last
		number(c, &a.At)
		number(c, &a.Provenance)
		c.strings(&a.Text)
	})
	list(c, &f.facts, func(v *facts.Fact) {
		c.strings(&v.Key, &v.Kind, &v.Value, &v.Unit, &v.Raw, &v.Source)
		number(c, &v.Offset)
	})
	list(c, &f.templates, func(h *uint64) { number(c, h) })
}

func appendRecord(b []byte, f *record) []byte {
	c := coder{out: b}
	c.record(f)
	return c.out
}

func decodeRecord(id uint32, payload []byte) record {
	f := record{id: id}
	reader(payload).record(&f)
	return f
}

// titleEnd ends the title in a key, so that keys sort by title and then by namespace: titles hold
// no control characters.
const titleEnd = 0

// appendTitleKey is the key under which a page's title is looked at: no two pages have the same.
func appendTitleKey(b []byte, f *record) []byte {
	b = append(append(b, f.title...), titleEnd)
	return binary.BigEndian.AppendUint16(b, uint16(f.ns))
}

// titleOf is the title in such a key.
func titleOf(key []byte) []byte { return key[:len(key)-3] }

// redirect codes the payload under a title: the page id, and the redirect's target if there is one.
func (c *coder) redirect(id *uint32, isRedirect *bool, r *titles.Redirect) {
	number(c, id)
	c.flag(isRedirect)
	c.strings(&r.Target, &r.Fragment)
	number(c, (*uint8)(&r.Kind))
}

func appendRedirect(b []byte, f *record) []byte {
	c := coder{out: b}
	c.redirect(&f.id, &f.isRedirect, &f.redirect)
	return c.out
}

func decodeRedirect(payload []byte) (id uint32, isRedirect bool, r titles.Redirect) {
	reader(payload).redirect(&id, &isRedirect, &r)
	return id, isRedirect, r
}
