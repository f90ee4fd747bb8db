package sqldump

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// create takes name and columns from what follows CREATE.
func (p *parser) create(rest string) error {
	head, body, ok := strings.Cut(rest, "(")
	words := strings.Fields(head)
	if !ok || len(words) < 2 {
		return errors.New("CREATE TABLE without columns")
	}
	p.table = Table{Name: unquoted(words[len(words)-1])}
	for _, part := range parts(body) {
		if name, ok := columnName(part); ok {
			p.table.Columns = append(p.table.Columns, name)
		}
	}
	if n := len(p.table.Columns); n == 0 || n > maxColumns {
		return fmt.Errorf("table %s has %d columns, want 1 to %d", p.table.Name, n, maxColumns)
	}
	return p.begin(p.table)
}

// parts cuts the body of a CREATE TABLE at its commas, those in parentheses and quotes apart, up to the closing one.
func parts(body string) []string {
	var list []string
	var quote byte
	depth, from := 0, 0
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ')':
			return append(list, body[from:i])
		case c == ',' && depth == 0:
			list, from = append(list, body[from:i]), i+1
		}
	}
	return append(list, body[from:])
}

// noColumns begin the parts of a CREATE TABLE that are no columns.
var noColumns = []string{"PRIMARY", "KEY", "UNIQUE", "INDEX", "CONSTRAINT", "FOREIGN", "FULLTEXT", "SPATIAL", "CHECK"}

func columnName(part string) (string, bool) {
	word := strings.Fields(part)
	if len(word) == 0 || slices.Contains(noColumns, strings.ToUpper(word[0])) {
		return "", false
	}
	return unquoted(word[0]), true
}

// unquoted is a name without its backticks.
func unquoted(name string) string { return strings.Trim(name, "`") }
