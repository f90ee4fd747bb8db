package dbpedia

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/names"
)

// ReadEntityTypes visits the rows of a table of title and class, for wikis that DBpedia does not
// know. Blank lines, those that begin with # and a header of these two words are passed over;
// anything else that is no row is a fault.Malformed with its line: who writes a table can mend it.
func ReadEntityTypes(ctx context.Context, path string, visit func(title, class string) error) (rows int64, err error) {
	return readRows(ctx, path, []string{"title", "class"}, func(number int64, cells []string) error {
		title, err := names.Title(cells[0])
		if err != nil {
			return packed.Malformed("", number, "%s is no title: %v", fault.Quote(cells[0]), err)
		}
		return visit(title, cells[1])
	})
}

// ReadManual visits the rows of a table of page id and label, likewise.
func ReadManual(ctx context.Context, path string, visit func(pageID uint32, label string) error) (rows int64, err error) {
	return readRows(ctx, path, []string{"page_id", "label"}, func(number int64, cells []string) error {
		id, err := strconv.ParseUint(cells[0], 10, 32)
		if err != nil || id == 0 {
			return packed.Malformed("", number, "%s is no page id", fault.Quote(cells[0]))
		}
		if _, ok := schemas.LabelBit(cells[1]); !ok {
			return packed.Malformed("", number, "no label %s", fault.Quote(cells[1])).Hint("labels: %s", strings.Join(schemas.LabelNames, ", "))
		}
		return visit(uint32(id), cells[1])
	})
}

func readRows(ctx context.Context, path string, header []string, visit func(number int64, cells []string) error) (rows int64, err error) {
	err = packed.InFile(ctx, path, func(text io.Reader) (at int64, err error) {
		rows, at, err = rowsOf(ctx, text, header, visit)
		return at, err
	})
	return rows, err
}

// rowsOf returns the number of rows, and the line at which it stopped.
func rowsOf(ctx context.Context, text io.Reader, header []string, visit func(number int64, cells []string) error) (rows, at int64, err error) {
	at, err = packed.Scan(ctx, text, maxLine, func(l packed.Line) error {
		if l.Number == 1 {
			l.Text = strings.TrimPrefix(l.Text, "\ufeff")
		}
		cells := strings.Split(l.Text, "\t")
		switch {
		case l.TooLong:
			return errors.New(whyTooLong)
		case l.Comment() || l.Blank() || rows == 0 && slices.Equal(cells, header):
			return nil
		case !utf8.ValidString(l.Text):
			return errors.New(whyUTF8)
		case len(cells) != len(header) || cells[0] == "" || len(cells) == 2 && cells[1] == "":
			return fmt.Errorf("%d columns, want %s", len(cells), strings.Join(header, " TAB "))
		}
		rows++
		return visit(l.Number, cells)
	})
	return rows, at, err
}

// Spelling finds the class that a name means, whatever its capitals and separators: `body_of_water`
// is BodyOfWater. Names that are classes already are taken first.
type Spelling struct {
	exact   map[string]bool
	letters map[string]string
}

// NewSpelling knows the classes that c can level.
func NewSpelling(c Classes) *Spelling {
	s := &Spelling{exact: map[string]bool{}, letters: map[string]string{}}
	classes := c.Table.Classes()
	if c.Ontology != nil {
		classes = append(classes, c.Ontology.Classes()...)
	}
	for _, class := range classes {
		s.exact[class] = true
		if key := lettersOf(class); s.letters[key] == "" {
			s.letters[key] = class
		}
	}
	return s
}

// Class returns the class, and the name as it is where none is meant.
func (s *Spelling) Class(name string) string {
	name = strings.TrimPrefix(name, ontologyPrefix)
	if class := s.letters[lettersOf(name)]; !s.exact[name] && class != "" {
		return class
	}
	return name
}

// lettersOf keeps letters and digits, in small letters.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.:/", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
