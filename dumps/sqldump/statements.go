package sqldump

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// parser reads the statements of one file.
type parser struct {
	*window
	begin func(Table) error
	visit func([]Value) error
	table Table
	rows  int64
	ended bool // the dump's own end was seen

	row    []Value // by column of the table
	places []int   // the column of each value of a row, nil for all in order
	spans  []span  // of the values of the row at hand
}

var errNoEnd = errors.New("the dump's end is missing: no UNLOCK TABLES and no completion comment")

// file reads statements and comments to the end.
func (p *parser) file() error {
	for {
		p.keep()
		c, err := p.next()
		switch {
		case err == io.EOF && p.ended:
			return nil
		case err == io.EOF:
			return errNoEnd
		case err != nil:
			return err
		case blank(c) || c == ';':
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
	if p.starts("--") {
		return p.lineComment()
	}
	if p.starts("/*") {
		return p.blockComment()
	}
	word, err := p.word()
	switch {
	case err != nil:
		return err
	case word == "":
		c, _ := p.next()
		return fmt.Errorf("a statement begins with %q", c)
	case strings.EqualFold(word, "INSERT"):
		p.ended = false
		return p.insert()
	}
	return p.statement(word)
}

func (p *parser) starts(with string) bool {
	for p.end-p.pos < len(with) && p.more() {
	}
	return strings.HasPrefix(string(p.buf[p.pos:min(p.end, p.pos+len(with))]), with)
}

// lineComment reads a comment to the end of its line.
func (p *parser) lineComment() error {
	p.ended = p.starts("-- Dump completed") || p.ended
	for {
		p.keep()
		switch c, err := p.next(); {
		case err == io.EOF || err == nil && c == '\n':
			return nil
		case err != nil:
			return err
		}
	}
}

func (p *parser) blockComment() error {
	p.pos += len("/*")
	var before byte
	for {
		p.keep()
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
		p.keep()
	}
}

// statement reads to the semicolon outside quotes, and looks into CREATE TABLE and UNLOCK TABLES.
func (p *parser) statement(word string) error {
	var b strings.Builder
	var quote byte
	for {
		p.keep()
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
	var head strings.Builder
	for {
		p.keep()
		c, err := p.next()
		if err != nil {
			return err
		}
		if c == '(' && rowsFollow(head.String()) {
			p.back()
			break
		}
		if head.WriteByte(c); head.Len() > maxHead {
			return errors.New("INSERT without VALUES")
		}
	}
	if err := p.arrange(head.String()); err != nil {
		return err
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

// rowsFollow tells whether an INSERT's head ends in VALUES; blanks behind it are looked through as far as dumps have any.
func rowsFollow(head string) bool {
	tail := strings.TrimRight(head[max(0, len(head)-2*maxName):], " \n\r\t")
	return len(tail) >= len(values) && strings.EqualFold(tail[len(tail)-len(values):], values)
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
