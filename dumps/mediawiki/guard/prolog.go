package guard

import (
	"bytes"
	"io"
	"regexp"
	"strings"
)

var encoding = regexp.MustCompile(`^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']`)

// prolog consumes what may stand before the root and checks that the root is a MediaWiki export's. The root's tag stays.
func (s *Scanner) prolog() error {
	if s.has("\xFF\xFE") || s.has("\xFE\xFF") {
		return coded(s.wrong("the file is UTF-16, only UTF-8 is read"), CodeUTF16)
	}
	if s.has("\uFEFF") {
		s.r += len("\uFEFF")
	}
	for {
		s.blanks()
		switch {
		case s.has("<?"):
			if err := s.instruction(); err != nil {
				return err
			}
		case s.has("<!--"):
			if err := s.skip("<!--", "-->", "a comment"); err != nil {
				return err
			}
		case s.has("<!"):
			return s.wrong("document type declaration, which no MediaWiki export holds")
		default:
			return s.root()
		}
	}
}

func (s *Scanner) instruction() error {
	s.ensure(s.lim.Tag)
	m := encoding.FindSubmatch(s.rest()[:min(len(s.rest()), 200)])
	if m != nil && !strings.EqualFold(string(m[1]), "utf-8") {
		return s.wrong("encoding %s, only UTF-8 is read", quote(m[1]))
	}
	return s.skip("<?", "?>", "a processing instruction")
}

func (s *Scanner) root() error {
	if !s.ensure(1) {
		return s.cut("the prolog: no root element")
	}
	if !s.has("<") {
		return s.wrong("text before the root element: %s", s.excerpt())
	}
	raw, err := s.tag()
	if err != nil {
		return err
	}
	if name, _ := cutName(raw[1:]); string(local(name)) != "mediawiki" {
		return s.wrong("root element %s, expected mediawiki", quote(name))
	}
	return nil
}

// trailer accepts white space only, to the very end of the input.
func (s *Scanner) trailer() error {
	s.blanks()
	if !s.ensure(1) {
		if s.failed() != nil {
			return s.failed()
		}
		return io.EOF
	}
	return coded(s.wrong("after the end of the root element: %s", s.excerpt()), CodeTrailing)
}

// excerpt quotes what comes next, however the input is cut into reads.
func (s *Scanner) excerpt() string {
	s.ensure(40)
	return quote(s.rest()[:min(len(s.rest()), 40)])
}

func (s *Scanner) blanks() {
	for s.ensure(1) {
		rest := s.rest()
		s.r += len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
		if s.r < s.w {
			return
		}
	}
}
