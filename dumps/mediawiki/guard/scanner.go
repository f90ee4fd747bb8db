package guard

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

type Kind uint8

// The kinds of tokens. An empty-element tag gives a Start and an End.
const (
	Start Kind = iota
	End
	Text
)

// Token is one piece of the document. Its slices live until the next call of Scanner.Next.
type Token struct {
	Kind  Kind
	Name  []byte // local name, of a Start or an End
	Raw   []byte // the bytes in the file; none for the End of an empty-element tag
	Depth int    // open elements around it: 0 for the root's tags
	Over  string // the limit that the tag breaks, "" when none
	attrs []attr
}

// Attr gives the value of the attribute with this local name.
func (t *Token) Attr(name string) (value string, ok bool) {
	for _, a := range t.attrs {
		if string(a.name) == name {
			return Unescape(a.value), true
		}
	}
	return "", false
}

// has reports whether an attribute with this local name was read.
func (t *Token) has(name []byte) bool {
	return slices.ContainsFunc(t.attrs, func(a attr) bool { return bytes.Equal(a.name, name) })
}

// Scanner cuts a document into tokens and checks that it is well-formed. Comments and processing instructions are left out.
// Memory: one window of twice Limits.Tag; text arrives in pieces.
type Scanner struct {
	window
	lim      Limits
	part     Part
	stack    stack
	tok      Token
	started  bool
	emptyTag bool // the End of an empty-element tag is due
	done     error
}

// NewScanner reads the given part of a document from src.
func NewScanner(src io.Reader, part Part, lim Limits) *Scanner {
	s := &Scanner{lim: lim, part: part, stack: stack{ends: []int{0}}}
	s.src, s.buf = src, make([]byte, 2*lim.Tag)
	if !part.Opens {
		s.started = true
		s.stack.push([]byte("mediawiki"), lim.Depth)
	}
	return s
}

// Next gives the next token; io.EOF after the part ended as it must. Every other error is final, and is a *SyntaxError or
// the error of the underlying reader.
func (s *Scanner) Next() (*Token, error) {
	if s.done != nil {
		return nil, s.done
	}
	tok, err := s.next()
	s.done = err
	return tok, err
}

func (s *Scanner) next() (*Token, error) {
	if s.emptyTag {
		s.emptyTag = false
		if s.stack.depth == 1 && !s.part.Closes {
			return nil, s.wrong("empty root element where pages must follow")
		}
		return s.end(s.tok.Name), nil
	}
	if !s.started {
		if err := s.prolog(); err != nil {
			return nil, err
		}
		s.started = true
		return s.startTag()
	}
	for s.stack.depth > 0 {
		if !s.ensure(lookahead) && len(s.rest()) == 0 {
			return nil, s.openEnd()
		}
		tok, err := s.piece()
		if tok != nil || err != nil {
			return tok, err
		}
	}
	return nil, s.trailer()
}

// piece consumes one piece of the document; a nil token without error is a comment or an instruction.
func (s *Scanner) piece() (*Token, error) {
	switch {
	case s.buf[s.r] != '<':
		return s.text()
	case s.has("</"):
		return s.endTag()
	case s.has("<!--"):
		return nil, s.skip("<!--", "-->", "a comment")
	case s.has("<?"):
		return nil, s.skip("<?", "?>", "a processing instruction")
	case s.has("<!"):
		return nil, s.wrong("CDATA section or declaration, which no MediaWiki export holds")
	}
	return s.startTag()
}

func (s *Scanner) text() (*Token, error) {
	n, wrong := textRun(s.rest(), s.ended())
	if n == 0 {
		return nil, s.wrong("%s", wrong)
	}
	s.tok = Token{Kind: Text, Raw: s.buf[s.r : s.r+n], Depth: s.stack.depth, attrs: s.tok.attrs[:0]}
	s.r += n
	return &s.tok, nil
}

func (s *Scanner) skip(open, mark, what string) error {
	s.r += len(open)
	if !s.skipPast(mark) {
		return s.cut(what)
	}
	return nil
}

// openEnd judges the end of the input inside the root.
func (s *Scanner) openEnd() error {
	switch {
	case s.failed() != nil:
		return s.failed()
	case s.stack.depth == 1 && !s.part.Closes:
		return io.EOF
	}
	return s.wrong("unexpected end: %q is not closed", s.stack.top())
}

// wrong is a SyntaxError at the window's start. Where the input itself failed within reach, that is the cause.
func (s *Scanner) wrong(format string, args ...any) error {
	if s.failed() != nil && len(s.rest()) < lookahead {
		return s.failed()
	}
	return &SyntaxError{Offset: s.Offset(), What: fmt.Sprintf(format, args...)}
}

// cut is the error of an input that ends inside of something.
func (s *Scanner) cut(what string) error {
	if s.failed() != nil {
		return s.failed()
	}
	return &SyntaxError{Offset: s.Offset(), What: "unexpected end inside " + what}
}

// coded gives err, a SyntaxError, a code.
func coded(err error, code string) error {
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		syntax.Code = code
	}
	return err
}

// stack holds the names of the open elements. Names beyond the limit of depth are counted, not kept: such a page is
// malformed whatever follows, and memory must not grow with it.
type stack struct {
	names []byte
	ends  []int // 0, and the end of each kept name in names
	depth int
}

func (s *stack) push(name []byte, limit int) {
	if s.depth < limit {
		s.names = append(s.names, name...)
		s.ends = append(s.ends, len(s.names))
	}
	s.depth++
}

// closes says whether an end tag of this name fits, and which element is open.
func (s *stack) closes(name []byte) (open []byte, ok bool) {
	switch {
	case s.depth == 0:
		return nil, false
	case s.depth >= len(s.ends):
		return nil, true
	}
	return s.top(), bytes.Equal(s.top(), name)
}

func (s *stack) top() []byte { return s.names[s.ends[len(s.ends)-2]:] }

// parent is the local name of the innermost element whose name is kept; "" outside of the root.
func (s *stack) parent() []byte {
	if len(s.ends) < 2 {
		return nil
	}
	return local(s.top())
}

func (s *stack) pop() {
	if s.depth == len(s.ends)-1 {
		s.ends = s.ends[:s.depth]
		s.names = s.names[:s.ends[s.depth-1]]
	}
	s.depth--
}

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
		return s.wrong("encoding %q, only UTF-8 is read", m[1])
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
		return s.wrong("root element %q, expected mediawiki", name)
	}
	return nil
}

// trailer accepts white space only, to the very end of the input.
func (s *Scanner) trailer() error {
	if s.blanks(); !s.ensure(1) {
		return s.err // io.EOF, or what the input failed with
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
