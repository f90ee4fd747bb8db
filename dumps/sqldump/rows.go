package sqldump

import (
	"encoding/hex"
	"fmt"
)

// span is where a value of the row at hand lies, counted from the window's mark.
type span struct {
	from, to int
	null     bool
}

// oneRow reads the values up to the closing parenthesis and hands them on. They are views of the window.
func (p *parser) oneRow() error {
	p.keep()
	p.spans = p.spans[:0]
	for {
		s, err := p.value()
		if err != nil {
			return err
		}
		p.spans = append(p.spans, s)
		c, err := p.skipBlanks()
		if err != nil {
			return err
		}
		if c == ')' {
			break
		}
		if c != ',' || len(p.spans) == maxColumns {
			return fmt.Errorf("%q after value %d of a row", c, len(p.spans))
		}
	}
	if err := p.lay(); err != nil {
		return err
	}
	if err := p.visit(p.row); err != nil {
		return err
	}
	p.rows++
	return nil
}

// lay puts the values into their columns.
func (p *parser) lay() error {
	want := len(p.table.Columns)
	if p.places != nil {
		want = len(p.places)
	}
	if len(p.spans) != want {
		return fmt.Errorf("a row of %d values for %d columns", len(p.spans), want)
	}
	text := p.buf[p.mark:p.pos]
	for i, s := range p.spans {
		if p.places != nil {
			i = p.places[i]
		}
		p.row[i] = Value{Bytes: text[s.from:s.to:s.to], Null: s.null}
	}
	return nil
}

// value reads one value.
func (p *parser) value() (span, error) {
	c, err := p.skipBlanks()
	if err != nil {
		return span{}, err
	}
	if c == '\'' {
		return p.quoted()
	}
	p.back()
	from := p.pos - p.mark
	for {
		n := written(p.buf[p.pos:p.end])
		if p.pos += n; p.pos-p.mark-from > maxWritten {
			return span{}, errTooLong
		}
		if p.pos < p.end {
			return p.bare(from, p.pos-p.mark)
		}
		if !p.more() {
			return span{}, p.err
		}
	}
}

// written counts the bytes before the end of what is written without quotes.
func written(b []byte) int {
	for i, c := range b {
		if ends[c] {
			return i
		}
	}
	return len(b)
}

// ends are the bytes that end what is written without quotes.
var ends = [256]bool{',': true, ')': true, '(': true, ' ': true, '\n': true, '\r': true, '\t': true, '\'': true, ';': true}

var errTooLong = fmt.Errorf("a value is longer than %d bytes", maxValue)

// bare settles what was written without quotes: NULL, a number, a hexadecimal string, or the mark of a binary string.
func (p *parser) bare(from, to int) (span, error) {
	word := p.buf[p.mark+from : p.mark+to]
	switch {
	case number(word):
		if len(word) > maxValue {
			return span{}, errTooLong
		}
		return span{from: from, to: to}, nil
	case string(word) == "NULL":
		return span{from: from, to: from, null: true}, nil
	case string(word) == "_binary":
		if err := p.expect('\''); err != nil {
			return span{}, err
		}
		return p.quoted()
	case len(word) > 2 && word[0] == '0' && word[1] == 'x':
		n, err := hex.Decode(word, word[2:])
		if n > maxValue {
			err = errTooLong
		}
		return span{from: from, to: from + n}, err
	}
	return span{}, fmt.Errorf("%q is no value", word[:min(len(word), 40)])
}

func number(word []byte) bool {
	for _, c := range word {
		if (c < '0' || c > '9') && c != '-' && c != '.' && c != '+' && c != 'e' && c != 'E' {
			return false
		}
	}
	return len(word) > 0 && (word[0] != 'e' && word[0] != 'E')
}

// escapes are what MySQL writes after a backslash; any other byte means itself.
var escapes = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
	}
	t['0'], t['n'], t['r'], t['t'], t['b'], t['Z'] = 0, '\n', '\r', '\t', '\b', 26
	return t
}()

// quoted reads a string behind its opening quote. What escapes shorten is moved together where it stands, so that a
// string costs no memory of its own.
func (p *parser) quoted() (span, error) {
	from := p.pos - p.mark
	to := from // of what was written, counted from the mark like from
	for {
		if p.pos == p.end && !p.more() {
			return span{}, p.err
		}
		n := plain(p.buf[p.pos:p.end])
		if p.mark+to < p.pos {
			copy(p.buf[p.mark+to:], p.buf[p.pos:p.pos+n])
		}
		p.pos, to = p.pos+n, to+n
		if to-from > maxValue {
			return span{}, errTooLong
		}
		if p.pos == p.end {
			continue
		}
		c, more, err := p.special()
		if err != nil {
			return span{}, err
		}
		if !more {
			return span{from: from, to: to}, nil
		}
		p.buf[p.mark+to] = c
		to++
	}
}

// plain counts the bytes before the next quote or backslash.
func plain(b []byte) int {
	for i, c := range b {
		if c == '\'' || c == '\\' {
			return i
		}
	}
	return len(b)
}

// special reads a quote or an escape: the byte that it means, or that the string ends there.
func (p *parser) special() (c byte, more bool, err error) {
	quote, err := p.next()
	if err != nil {
		return 0, false, err
	}
	if c, err = p.next(); err != nil {
		return 0, false, err
	}
	if quote == '\\' {
		return escapes[c], true, nil
	}
	if c == '\'' { // a doubled quote is one
		return c, true, nil
	}
	p.back()
	return 0, false, nil
}
