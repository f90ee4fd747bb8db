package sqldump

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// parser reads the statements of one file.
type parser struct {
	window
	begin func(Table) error
	visit func([]Value) error
	table Table
	rows  int64
	ended bool // the dump's own end was seen

	row    []Value // by column of the table
	places []int   // the column of each value of a row, nil for all in order
	text   []byte  // of the values of the row at hand, one after another, as they are meant
	spans  []span  // where each lies in it
}

var errNoEnd = errors.New("the dump's end is missing: no UNLOCK TABLES and no completion comment")

// file reads statements and comments to the end.
func (p *parser) file() error {
	for {
		c, err := p.skipBlanks()
		switch {
		case err == io.EOF && p.ended:
			return nil
		case err == io.EOF:
			return errNoEnd
		case err != nil:
			return err
		case c == ';':
			continue
		}
		if err := p.item(c); err != nil {
			return err
		}
	}
}

// item reads one comment or one statement, which begins with c.
func (p *parser) item(c byte) error {
	switch c {
	case '-':
		return p.lineComment()
	case '/':
		if err := p.expect('*'); err != nil {
			return err
		}
		return p.past("*/")
	}
	p.back()
	word, err := p.word()
	switch {
	case err != nil:
		return err
	case word == "":
		return fmt.Errorf("a statement begins with %q", c)
	case strings.EqualFold(word, "INSERT"):
		p.ended = false
		return p.insert()
	}
	return p.statement(word)
}

// lineComment reads a comment to the end of its line, of which the first dash is read.
func (p *parser) lineComment() error {
	if err := p.expect('-'); err != nil {
		return err
	}
	p.text = p.text[:0]
	for {
		c, err := p.next()
		p.ended = p.ended || string(p.text) == " Dump completed"
		switch {
		case err == io.EOF || err == nil && c == '\n':
			return nil
		case err != nil:
			return err
		case len(p.text) < maxName:
			p.text = append(p.text, c)
		}
	}
}

// past reads to the end of what ends.
func (p *parser) past(end string) error {
	for found := 0; found < len(end); {
		c, err := p.next()
		switch {
		case err != nil:
			return err
		case c == end[found]:
			found++
		case c == end[0]:
			found = 1
		default:
			found = 0
		}
	}
	return nil
}

// word reads letters, none perhaps; longer words than SQL has are cut.
func (p *parser) word() (string, error) {
	var b strings.Builder
	for {
		c, err := p.next()
		if err != nil {
			return "", err
		}
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			p.back()
			return b.String(), nil
		}
		if b.Len() < maxName {
			b.WriteByte(c)
		}
	}
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
			if _, err = p.next(); err != nil {
				return err
			}
			c = 'x' // what a comment on a column says does not matter
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
	case strings.EqualFold(word, "CREATE") && strings.HasPrefix(strings.ToUpper(strings.TrimSpace(rest)), "TABLE"):
		return p.create(rest)
	}
	return nil
}

// insert reads INTO name, perhaps the columns, VALUES, and the rows.
func (p *parser) insert() error {
	var head []byte
	for !rowsFollow(head) {
		c, err := p.next()
		if err != nil {
			return err
		}
		if head = append(head, c); len(head) > maxHead {
			return errors.New("INSERT without VALUES")
		}
	}
	if err := p.arrange(string(head[:len(head)-1])); err != nil {
		return err
	}
	for {
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
		if err := p.expect('('); err != nil {
			return err
		}
	}
}

// rowsFollow tells whether an INSERT's head ends in VALUES and the parenthesis of a row; blanks between are looked through
// as far as dumps have any.
func rowsFollow(head []byte) bool {
	tail, opened := bytes.CutSuffix(head[max(0, len(head)-2*maxName):], []byte("("))
	tail = bytes.TrimRight(tail, " \n\r\t")
	return opened && len(tail) >= len(values) && strings.EqualFold(string(tail[len(tail)-len(values):]), values)
}

const values = "VALUES"

// arrange compares an INSERT's head with the table, and finds the column of each value where the head names columns.
func (p *parser) arrange(head string) error {
	before, list, named := strings.Cut(head, "(")
	words := strings.Fields(before)
	if !named && len(words) > 0 {
		words = words[:len(words)-1] // VALUES
	}
	if len(words) == 0 || len(p.table.Columns) == 0 || unquoted(words[len(words)-1]) != p.table.Name {
		return fmt.Errorf("INSERT%.60s after the columns of table %q", head, p.table.Name)
	}
	p.places, p.row = nil, slices.Repeat([]Value{{Null: true}}, len(p.table.Columns))
	if !named {
		return nil
	}
	list, _, _ = strings.Cut(list, ")")
	for name := range strings.SplitSeq(list, ",") {
		at, err := p.table.Column(unquoted(strings.TrimSpace(name)))
		if err != nil {
			return err
		}
		if slices.Contains(p.places, at) {
			return fmt.Errorf("column %s stands twice in an INSERT", p.table.Columns[at])
		}
		p.places = append(p.places, at)
	}
	return nil
}

func (p *parser) expect(want byte) error {
	c, err := p.skipBlanks()
	if err == nil && c != want {
		err = fmt.Errorf("%q where %q is wanted", c, want)
	}
	return err
}
