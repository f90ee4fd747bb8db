package sqldump

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

type parser struct {
	ctx    context.Context
	in     *bufio.Reader
	begin  func(Table) error
	visit  func([]Value) error
	table  Table
	offset int64 // bytes of text that were read
	rows   int64
	ended  bool // the dump's own end was seen
	row    []Value
	buf    []byte // of the values of a row
}

var errNoEnd = errors.New("the dump's end is missing: no UNLOCK TABLES and no completion comment")

// file reads statements and comments to the end.
func (p *parser) file() error {
	for {
		c, err := p.next()
		switch {
		case err == io.EOF && p.ended:
			return nil
		case err == io.EOF:
			return errNoEnd
		case err != nil:
			return err
		case c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ';':
			continue
		}
		p.back()
		if err := p.item(); err != nil {
			return err
		}
	}
}

// item reads one comment or one statement.
func (p *parser) item() error {
	head, err := p.in.Peek(2)
	if err != nil && err != io.EOF {
		return err
	}
	switch string(head) {
	case "--":
		return p.lineComment()
	case "/*":
		return p.blockComment()
	}
	word, err := p.word()
	if err != nil {
		return err
	}
	if strings.EqualFold(word, "INSERT") {
		return p.insert()
	}
	return p.statement(word)
}

func (p *parser) next() (byte, error) {
	c, err := p.in.ReadByte()
	if err == nil {
		p.offset++
	}
	return c, err
}

func (p *parser) back() {
	if p.in.UnreadByte() == nil {
		p.offset--
	}
}

func (p *parser) lineComment() error {
	line, err := p.in.ReadString('\n')
	p.offset += int64(len(line))
	p.ended = p.ended || strings.HasPrefix(line, "-- Dump completed")
	if err == io.EOF {
		return nil
	}
	return err
}

func (p *parser) blockComment() error {
	var before byte
	for {
		c, err := p.next()
		if err != nil {
			return err
		}
		if before == '*' && c == '/' {
			return nil
		}
		before = c
	}
}

// word reads letters; at anything else it stops.
func (p *parser) word() (string, error) {
	var b strings.Builder
	for {
		c, err := p.next()
		if err != nil {
			return "", err
		}
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			p.back()
			break
		}
		b.WriteByte(c)
	}
	if b.Len() == 0 {
		c, _ := p.next()
		return "", fmt.Errorf("a statement begins with %q", c)
	}
	return b.String(), nil
}

// statement reads to the semicolon outside quotes, and looks into CREATE TABLE and UNLOCK TABLES.
func (p *parser) statement(word string) error {
	var b strings.Builder
	var quote byte
	for {
		c, err := p.next()
		if err != nil {
			return err
		}
		switch {
		case quote != 0 && c == '\\' && quote != '`':
			if c, err = p.next(); err != nil {
				return err
			}
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == ';':
			return p.ready(word, b.String())
		}
		if b.Len() < maxStatement {
			b.WriteByte(c)
		}
	}
}

func (p *parser) ready(word, rest string) error {
	switch {
	case strings.EqualFold(word, "UNLOCK"):
		p.ended = true
	case strings.EqualFold(word, "CREATE") && strings.Contains(strings.ToUpper(rest[:min(len(rest), 20)]), "TABLE"):
		return p.create(rest)
	}
	return nil
}

// create takes name and columns from a CREATE TABLE as mysqldump writes it: a column a line, its name in backticks first.
func (p *parser) create(rest string) error {
	head, body, ok := strings.Cut(rest, "(")
	if !ok {
		return errors.New("CREATE TABLE without columns")
	}
	p.table = Table{Name: between(head)}
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "`") {
			p.table.Columns = append(p.table.Columns, between(line))
		}
	}
	if n := len(p.table.Columns); n == 0 || n > maxColumns {
		return fmt.Errorf("table %s has %d columns", p.table.Name, n)
	}
	return p.begin(p.table)
}

// between gives what stands in the first backticks.
func between(s string) string {
	_, rest, _ := strings.Cut(s, "`")
	name, _, _ := strings.Cut(rest, "`")
	return name
}

// insert reads INTO `name` VALUES rows.
func (p *parser) insert() error {
	var head strings.Builder
	for !strings.HasSuffix(strings.ToUpper(head.String()), "VALUES") {
		c, err := p.next()
		if err != nil {
			return err
		}
		if head.WriteByte(c); head.Len() > 1<<16 {
			return errors.New("INSERT without VALUES")
		}
	}
	if between(head.String()) != p.table.Name {
		return fmt.Errorf("rows of table %q after the columns of %q", between(head.String()), p.table.Name)
	}
	for {
		if err := p.expect('('); err != nil {
			return err
		}
		if err := p.oneRow(); err != nil {
			return err
		}
		c, err := p.skipBlanks()
		if err != nil || c == ';' {
			return err
		}
		if c != ',' {
			return fmt.Errorf("%q after a row, want a comma or a semicolon", c)
		}
	}
}

func (p *parser) skipBlanks() (byte, error) {
	for {
		c, err := p.next()
		if err != nil || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c, err
		}
	}
}

func (p *parser) expect(want byte) error {
	c, err := p.skipBlanks()
	if err == nil && c != want {
		err = fmt.Errorf("%q where %q is wanted", c, want)
	}
	return err
}

// oneRow reads the values up to the closing parenthesis and hands them on.
func (p *parser) oneRow() error {
	p.row, p.buf = p.row[:0], p.buf[:0]
	var ends []int
	for {
		null, err := p.value()
		if err != nil {
			return err
		}
		p.row, ends = append(p.row, Value{Null: null}), append(ends, len(p.buf))
		c, err := p.skipBlanks()
		if err != nil {
			return err
		}
		if c == ')' {
			break
		}
		if c != ',' || len(p.row) == maxColumns {
			return fmt.Errorf("%q after value %d of a row", c, len(p.row))
		}
	}
	if len(p.row) != len(p.table.Columns) {
		return fmt.Errorf("a row of %d values, the table has %d columns", len(p.row), len(p.table.Columns))
	}
	from := 0
	for i, end := range ends {
		p.row[i].Bytes, from = p.buf[from:end], end
	}
	if p.rows++; p.rows%4096 == 0 && p.ctx.Err() != nil {
		return p.ctx.Err()
	}
	return p.visit(p.row)
}

// value appends one value to buf and tells whether it is NULL.
func (p *parser) value() (null bool, err error) {
	c, err := p.skipBlanks()
	if err != nil {
		return false, err
	}
	if c == '\'' {
		return false, p.quoted()
	}
	p.back()
	from := len(p.buf)
	for {
		if c, err = p.next(); err != nil {
			return false, err
		}
		if c == ',' || c == ')' || c == ' ' || c == '\'' {
			p.back()
			break
		}
		if p.buf = append(p.buf, c); len(p.buf)-from > maxValue {
			return false, errTooLong
		}
	}
	return p.bare(from)
}

var errTooLong = fmt.Errorf("a value is longer than %d bytes", maxValue)

// bare settles what was written without quotes: NULL, a number, a hexadecimal string, or the mark of a binary string.
func (p *parser) bare(from int) (null bool, err error) {
	word := string(p.buf[from:])
	switch {
	case word == "NULL":
		p.buf = p.buf[:from]
		return true, nil
	case word == "_binary":
		p.buf = p.buf[:from]
		if err := p.expect('\''); err != nil {
			return false, err
		}
		return false, p.quoted()
	case strings.HasPrefix(word, "0x"):
		p.buf, err = hex.AppendDecode(p.buf[:from], []byte(word[2:]))
		return false, err
	case word != "" && strings.Trim(word, "+-.0123456789eE") == "":
		return false, nil
	}
	return false, fmt.Errorf("%q is no value", word[:min(len(word), 40)])
}

// escapes are what MySQL writes after a backslash.
var escapes = map[byte]byte{'0': 0, 'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'Z': 26}

// quoted appends a string; the opening quote is read already.
func (p *parser) quoted() error {
	from := len(p.buf)
	for {
		c, err := p.next()
		if err != nil {
			return err
		}
		switch c {
		case '\\':
			if c, err = p.next(); err != nil {
				return err
			}
			if e, ok := escapes[c]; ok {
				c = e
			}
		case '\'':
			if c, err = p.next(); err != nil {
				return err
			}
			if c != '\'' { // a doubled quote is one
				p.back()
				return nil
			}
		}
		if p.buf = append(p.buf, c); len(p.buf)-from > maxValue {
			return errTooLong
		}
	}
}
