package sqldump

import (
	"encoding/hex"
	"fmt"
)

// span is where a value lies in the text of the row at hand.
type span struct {
	from, to int
	null     bool
}

// oneRow reads the values up to the closing parenthesis and hands them on. They are views of the row's text.
func (p *parser) oneRow() error {
	p.text, p.spans = p.text[:0], p.spans[:0]
	for c := byte(','); c != ')'; {
		if c != ',' || len(p.spans) == maxColumns {
			return fmt.Errorf("%q after value %d of a row", c, len(p.spans))
		}
		from := len(p.text)
		null, err := p.value(from)
		if err == nil {
			c, err = p.skipBlanks()
		}
		if err != nil {
			return err
		}
		p.spans = append(p.spans, span{from, len(p.text), null})
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
	for i, s := range p.spans {
		if p.places != nil {
			i = p.places[i]
		}
		p.row[i] = Value{Bytes: p.text[s.from:s.to:s.to], Null: s.null}
	}
	return nil
}

// value reads one value, whose text begins at from.
func (p *parser) value(from int) (null bool, err error) {
	c, err := p.skipBlanks()
	if err != nil {
		return false, err
	}
	if c == '\'' {
		return false, p.quoted(from)
	}
	p.back()
	if err := p.upTo(&ends, from+maxWritten); err != nil {
		return false, err
	}
	return p.bare(from)
}

// upTo takes what stands before the next byte of stop into the text, which may have limit bytes then.
func (p *parser) upTo(stop *[256]bool, limit int) error {
	for {
		if p.pos == p.end && !p.more() {
			return p.err
		}
		ahead, n := p.buf[p.pos:p.end], 0
		for n < len(ahead) && !stop[ahead[n]] {
			n++
		}
		p.text = append(p.text, ahead[:n]...)
		p.pos += n
		if len(p.text) > limit {
			return errTooLong
		}
		if n < len(ahead) {
			return nil
		}
	}
}

var (
	// ends are the bytes that end what is written without quotes.
	ends = [256]bool{',': true, ')': true, '(': true, ' ': true, '\n': true, '\r': true, '\t': true, '\'': true, ';': true}
	// marks are the bytes that mean something in quotes.
	marks = [256]bool{'\'': true, '\\': true}
)

var errTooLong = fmt.Errorf("a value is longer than %d bytes", maxValue)

// bare settles what was written without quotes: NULL, a number, a hexadecimal string, or the mark of a binary string.
func (p *parser) bare(from int) (null bool, err error) {
	word, n := p.text[from:], 0
	switch {
	case number(word):
		n = len(word)
	case string(word) == "NULL":
		null = true
	case string(word) == "_binary":
		p.text = p.text[:from]
		if err := p.expect('\''); err != nil {
			return false, err
		}
		return false, p.quoted(from)
	case len(word) > 2 && word[0] == '0' && word[1] == 'x':
		n, err = hex.Decode(word, word[2:])
	default:
		err = fmt.Errorf("%q is no value", word[:min(len(word), 40)])
	}
	if n > maxValue {
		err = errTooLong
	}
	p.text = p.text[:from+n]
	return null, err
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

// quoted reads a string behind its opening quote, whose text begins at from.
func (p *parser) quoted(from int) error {
	for {
		if err := p.upTo(&marks, from+maxValue); err != nil {
			return err
		}
		mark, err := p.next()
		if err != nil {
			return err
		}
		c, err := p.next()
		switch {
		case err != nil:
			return err
		case mark == '\\':
			c = escapes[c]
		case c != '\'': // a doubled quote is one
			p.back()
			return nil
		}
		p.text = append(p.text, c)
	}
}
