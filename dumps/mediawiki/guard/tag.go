package guard

import (
	"bytes"
	"unicode/utf8"
)

// attr is an attribute of the tag in the window; both parts are slices of it.
type attr struct {
	name  []byte // local
	value []byte // as it stands in the file
}

// tag reads the tag at the start of the window, which begins with '<', and gives its bytes up to and including '>'.
func (s *Scanner) tag() ([]byte, error) {
	if raw := plainTag(s.rest()[:min(s.w-s.r, s.lim.Tag)]); raw != nil {
		return raw, nil
	}
	var quoted byte
	for i := 1; ; i++ {
		if i >= s.lim.Tag {
			return nil, s.wrong("tag longer than %d bytes", s.lim.Tag)
		}
		if i >= s.w-s.r && !s.ensure(i+1) {
			return nil, s.cut("a tag")
		}
		switch c := s.buf[s.r+i]; {
		case c == '<':
			return nil, s.wrong(`"<" inside the tag %.40q`, s.buf[s.r:s.r+i+1])
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'':
			quoted = c
		case c == '>':
			return s.buf[s.r : s.r+i+1], nil
		}
	}
}

// plainTag gives the tag at the start of b when it has no attributes and ends in b; nil leaves the matter open.
func plainTag(b []byte) []byte {
	end := bytes.IndexByte(b[:min(len(b), 40)], '>')
	if end < 0 {
		return nil
	}
	for _, c := range b[1:end] {
		if c == '<' || c == '"' || c == '\'' {
			return nil
		}
	}
	return b[:end+1]
}

// startTag consumes a start tag or an empty-element tag.
func (s *Scanner) startTag() (*Token, error) {
	raw, err := s.tag()
	if err != nil {
		return nil, err
	}
	body := raw[1 : len(raw)-1]
	empty := bytes.HasSuffix(body, []byte("/"))
	if empty {
		body = body[:len(body)-1]
	}
	name, rest := cutName(body)
	if name == nil {
		return nil, s.wrong("no element name in %.40q", raw)
	}
	s.tok = Token{Kind: Start, Name: local(name), Raw: raw, Depth: s.stack.depth, attrs: s.tok.attrs[:0]}
	if open := s.stack.parent(); misplaced(s.tok.Name, open) {
		return nil, s.wrong("%s element inside %q, where an export has none", s.tok.Name, open)
	}
	if err := s.attributes(rest); err != nil {
		return nil, err
	}
	s.stack.push(name, s.lim.Depth)
	if s.stack.depth > s.lim.Depth {
		s.tok.Over = "elements nested deeper than the limit"
	}
	s.emptyTag = empty
	s.r += len(raw)
	return &s.tok, nil
}

// misplaced reports whether an element of which a page is made stands where it would be passed over, as a page inside a page would.
// Parent is "" for the root. Other elements may stand anywhere.
func misplaced(name, parent []byte) bool {
	switch string(name) {
	case "mediawiki":
		return len(parent) > 0
	case "siteinfo", "page":
		return string(parent) != "mediawiki"
	case "title", "ns", "redirect", "revision":
		return string(parent) != "page"
	case "text": // content is a further slot of a revision, logitem what exports of logs hold
		return string(parent) != "revision" && string(parent) != "content" && string(parent) != "logitem"
	}
	return false
}

func (s *Scanner) attributes(b []byte) error {
	for {
		trimmed := bytes.TrimLeft(b, " \t\r\n")
		if len(trimmed) == 0 {
			return nil
		}
		name, rest := cutName(trimmed)
		value, rest, ok := cutValue(rest)
		if name == nil || !ok || len(trimmed) == len(b) {
			return s.wrong("malformed attribute near %.40q", trimmed)
		}
		if s.tok.has(local(name)) {
			return s.wrong("attribute %q for the second time", name)
		}
		if n, wrong := textRun(value, true); wrong != "" || n < len(value) {
			return s.wrong("attribute %q: %s", name, wrong)
		}
		if len(s.tok.attrs) < s.lim.Attributes {
			s.tok.attrs = append(s.tok.attrs, attr{local(name), value})
		} else {
			s.tok.Over = "more attributes than the limit"
		}
		b = rest
	}
}

// cutValue reads `= "value"` at the start of b.
func cutValue(b []byte) (value, rest []byte, ok bool) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) == 0 || b[0] != '=' {
		return nil, nil, false
	}
	b = bytes.TrimLeft(b[1:], " \t\r\n")
	if len(b) == 0 || b[0] != '"' && b[0] != '\'' {
		return nil, nil, false
	}
	end := bytes.IndexByte(b[1:], b[0])
	if end < 0 {
		return nil, nil, false
	}
	return b[1 : 1+end], b[2+end:], true
}

// endTag consumes an end tag and checks that it closes the innermost element.
func (s *Scanner) endTag() (*Token, error) {
	raw, err := s.tag()
	if err != nil {
		return nil, err
	}
	name, rest := cutName(raw[2 : len(raw)-1])
	if name == nil || len(bytes.TrimSpace(rest)) > 0 {
		return nil, s.wrong("malformed end tag %.40q", raw)
	}
	if s.stack.depth == 1 && !s.part.Closes {
		return nil, s.wrong("end tag %q where pages must follow", raw)
	}
	if open, ok := s.stack.closes(name); !ok {
		return nil, s.wrong("end tag %q where %q is open", raw, open)
	}
	tok := s.end(name)
	tok.Raw = raw
	s.r += len(raw)
	return tok, nil
}

// end gives the End token of the innermost element.
func (s *Scanner) end(name []byte) *Token {
	s.stack.pop()
	s.tok = Token{Kind: End, Name: local(name), Depth: s.stack.depth, attrs: s.tok.attrs[:0]}
	return &s.tok
}

// cutName splits b after the XML name at its start; name is nil when there is none.
func cutName(b []byte) (name, rest []byte) {
	i := 0
	for i < len(b) && nameByte(b[i], i == 0) {
		i++
	}
	if i == 0 || !utf8.Valid(b[:i]) {
		return nil, b
	}
	return b[:i], b[i:]
}

func nameByte(c byte, first bool) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == ':', c >= 0x80:
		return true
	case c >= '0' && c <= '9', c == '-', c == '.':
		return !first
	}
	return false
}

// local cuts the namespace prefix off: exports are matched by local names.
func local(name []byte) []byte { return name[bytes.LastIndexByte(name, ':')+1:] }
