package ingest

import (
	"encoding/binary"

	"github.com/wikinav/wikinav/dumps/wikitext/facts"
	"github.com/wikinav/wikinav/dumps/wikitext/links"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
)

// The payloads of the sorters, private to one run: varints, and strings with their length in front.

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendRecord(b []byte, f *record) []byte {
	b = binary.AppendVarint(b, int64(f.ns))
	b = appendString(b, f.title)
	b = appendBool(b, f.isRedirect)
	b = appendString(b, f.model)
	b = binary.AppendUvarint(b, f.revID)
	b = appendString(b, f.revTime)
	b = binary.AppendUvarint(b, uint64(f.textBytes))
	b = append(b, f.textSHA256[:]...)
	b = binary.AppendUvarint(b, uint64(f.flags))
	b = binary.AppendUvarint(b, uint64(len(f.links)))
	for _, l := range f.links {
		b = append(appendString(b, l.Target), l.Provenance)
	}
	b = append(b, f.selfLinks)
	b = appendAnchors(b, f.anchors)
	b = appendBool(appendString(b, f.lead), f.truncated)
	b = binary.AppendUvarint(b, uint64(len(f.facts)))
	for _, v := range f.facts {
		b = appendStrings(b, v.Key, v.Kind, v.Value, v.Unit, v.Raw, v.Source)
		b = binary.AppendUvarint(b, uint64(v.Offset))
	}
	b = appendString(b, f.infobox)
	b = binary.AppendUvarint(b, uint64(len(f.templates)))
	for _, h := range f.templates {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return b
}

func appendStrings(b []byte, list ...string) []byte {
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

func decodeRecord(id uint32, payload []byte) record {
	d := decoder{string(payload)}
	f := record{id: id, ns: int16(d.varint()), title: d.string(), isRedirect: d.byte() == 1, model: d.string()}
	f.revID, f.revTime = d.uvarint(), d.string()
	f.textBytes = uint32(d.uvarint())
	copy(f.textSHA256[:], d.take(len(f.textSHA256)))
	f.flags = uint16(d.uvarint())
	f.links = make([]links.Link, d.uvarint())
	for i := range f.links {
		f.links[i] = links.Link{Target: d.string(), Provenance: d.byte()}
	}
	f.selfLinks = d.byte()
	f.anchors = d.anchors()
	f.lead, f.truncated = d.string(), d.byte() == 1
	f.facts = make([]facts.Fact, d.uvarint())
	for i := range f.facts {
		v := &f.facts[i]
		for _, s := range []*string{&v.Key, &v.Kind, &v.Value, &v.Unit, &v.Raw, &v.Source} {
			*s = d.string()
		}
		v.Offset = int(d.uvarint())
	}
	f.infobox = d.string()
	f.templates = make([]uint64, d.uvarint())
	for i := range f.templates {
		f.templates[i] = d.hash()
	}
	return f
}

// appendAnchors writes links as differences: they ascend.
func appendAnchors(b []byte, list []links.Anchor) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	last := uint32(0)
	for _, a := range list {
		b = binary.AppendUvarint(b, uint64(a.Link-last))
		b = binary.AppendUvarint(b, uint64(a.At))
		b = appendString(append(b, a.Provenance), a.Text)
		last = a.Link
	}
	return b
}

func (d *decoder) anchors() []links.Anchor {
	list := make([]links.Anchor, d.uvarint())
	last := uint32(0)
	for i := range list {
		last += uint32(d.uvarint())
		list[i] = links.Anchor{Link: last, At: uint32(d.uvarint()), Provenance: d.byte(), Text: d.string()}
	}
	return list
}

// titleEnd ends the title in a key, so that keys sort by title and then by namespace: titles hold no control characters.
const titleEnd = 0

// appendTitleKey is the key under which a page's title is looked at: no two pages have the same.
func appendTitleKey(b []byte, f *record) []byte {
	b = append(append(b, f.title...), titleEnd)
	return binary.BigEndian.AppendUint16(b, uint16(f.ns))
}

// titleOf is the title in such a key.
func titleOf(key []byte) []byte { return key[:len(key)-3] }

// appendRedirect is the payload under a title: the page id, and the redirect's target if there is one.
func appendRedirect(b []byte, f *record) []byte {
	b = binary.AppendUvarint(b, uint64(f.id))
	b = appendBool(b, f.isRedirect)
	b = appendString(b, f.redirect.Target)
	b = appendString(b, f.redirect.Fragment)
	return append(b, byte(f.redirect.Kind))
}

func decodeRedirect(payload []byte) (id uint32, isRedirect bool, r titles.Redirect) {
	d := decoder{string(payload)}
	id, isRedirect = uint32(d.uvarint()), d.byte() == 1
	r.Target, r.Fragment = d.string(), d.string()
	r.Kind = schemas.TargetKind(d.byte())
	return id, isRedirect, r
}

// decoder reads what this package wrote a moment ago in the same process; a malformed payload is a bug and panics. It
// works on one string, of which the strings that it gives are parts: a record costs one copy, not one for each link.
type decoder struct{ s string }

func (d *decoder) take(n int) string {
	out := d.s[:n]
	d.s = d.s[n:]
	return out
}

func (d *decoder) byte() byte { return d.take(1)[0] }

func (d *decoder) uvarint() uint64 {
	var v uint64
	for shift := 0; ; shift += 7 {
		b := d.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
}

func (d *decoder) varint() int64 {
	v := d.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (d *decoder) hash() uint64 { return binary.LittleEndian.Uint64([]byte(d.take(8))) }

func (d *decoder) string() string { return d.take(int(d.uvarint())) }
