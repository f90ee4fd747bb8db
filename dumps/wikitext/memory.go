package wikitext

import (
	"strings"
	"unsafe"
)

// view gives the bytes of b as a string without a copy. The string changes with b, so it must neither outlive the next
// write to b nor be handed out.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// arena makes copies of short strings, many to one allocation.
type arena struct{ strings.Builder }

// keep gives a copy of s that stays as it is.
func (a *arena) keep(s string) string {
	const chunk = 8 << 10
	if a.Cap()-a.Len() < len(s) { // never grow: that would copy what is there
		a.Builder = strings.Builder{}
		a.Grow(max(chunk, len(s)))
	}
	at := a.Len()
	a.WriteString(s)
	return a.String()[at:]
}

// nameTable remembers what written names of templates come to: the same few come again and again.
type nameTable map[string]string

// title is Site.templateName. The result shares no memory with written.
func (n nameTable) title(s *Site, written string) string {
	const most, longest = 4096, 80 // hostile text must not fill the memory
	if title, ok := n[written]; ok {
		return title
	}
	title := strings.Clone(s.templateName(written))
	if len(written) > longest {
		return title
	}
	if len(n) == most {
		clear(n)
	}
	n[strings.Clone(written)] = title
	return title
}
