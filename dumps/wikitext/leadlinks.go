package wikitext

import "strings"

// withoutLinks leaves the label of a link, or its target where it has none. Pictures, categories and links to the same
// page in other languages go whole: they do not show in the text.
func (s *Site) withoutLinks(text string) string {
	if !strings.ContainsAny(text, "[]") {
		return text
	}
	w := linkWriter{site: s, text: text}
	w.Grow(len(text))
	w.marks.find(text, s)
	for i := 0; ; {
		n := strings.IndexAny(text[i:], "[]")
		if n < 0 {
			w.WriteString(text[i:])
			return w.String()
		}
		w.WriteString(text[i : i+n])
		i = w.bracket(i + n)
	}
}

// linkWriter writes what shows of the links of a text.
type linkWriter struct {
	strings.Builder
	site    *Site
	text    string
	marks   marks
	next    int // index in marks.brackets
	closing int // first `]` or line break from where it was last looked for
}

// bracket writes what shows of the bracket at i and gives the offset to go on from. The label of a link comes next, for
// it may hold other links; the brackets that close it then vanish.
func (w *linkWriter) bracket(i int) int {
	rest := w.text[i:]
	switch {
	case strings.HasPrefix(rest, "]]"):
		return i + 2
	case strings.HasPrefix(rest, "[["):
		return w.link(i)
	case rest[0] == '[' && beginsURL(rest[1:]):
		return w.external(i)
	}
	w.WriteByte(rest[0])
	return i + 1
}

func (w *linkWriter) link(i int) int {
	start := i + 2
	if w.site.opensHidden(w.text[start:]) {
		return w.end(i)
	}
	target, labelled := w.text[start:], false
	if n := strings.IndexAny(target, "|[]{}<\n"); n >= 0 {
		labelled = target[n] == '|'
		target = target[:n]
	}
	start += len(target)
	if labelled && !strings.HasPrefix(w.text[start:], "|]]") {
		return start + 1
	}
	w.WriteString(strings.TrimPrefix(strings.TrimSpace(target), ":"))
	if labelled {
		start++
	}
	return start
}

// end gives the offset after the `]]` that balances the `[[` at i; that of the line's end where none does, which is as
// far as an editor's slip should reach.
func (w *linkWriter) end(i int) int {
	all := w.marks.brackets
	for w.next < len(all) && all[w.next].start < i {
		w.next++
	}
	if w.next < len(all) && all[w.next].start == i && all[w.next].end > 0 {
		return all[w.next].end + 2
	}
	if n := strings.IndexByte(w.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(w.text)
}

// opensHidden tells whether the text after a `[[` names a picture, a category or another language's page.
func (s *Site) opensHidden(text string) bool {
	name, ok := s.linkPrefix(text)
	if !ok {
		return false
	}
	if key, known := s.namespace(name); known {
		return key == nsFile || key == nsCategory
	}
	return s.prefixes[strings.ToLower(name)] == toLanguage
}

func beginsURL(text string) bool {
	for _, scheme := range urlSchemes {
		if len(text) > len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// external leaves the label alone. A bracket that its line does not close is a character.
func (w *linkWriter) external(i int) int {
	if w.closing <= i { // a mark still ahead is not looked for again
		w.closing = len(w.text)
		if n := strings.IndexAny(w.text[i:], "]\n"); n >= 0 {
			w.closing = i + n
		}
	}
	if w.closing == len(w.text) || w.text[w.closing] == '\n' {
		w.WriteByte('[')
		return i + 1
	}
	if _, label, ok := strings.Cut(w.text[i+1:w.closing], " "); ok {
		w.WriteString(label)
	}
	return w.closing + 1
}
