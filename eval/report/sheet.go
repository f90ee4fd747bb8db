package report

import (
	"bytes"
	"fmt"
	"strings"
)

// Sheet is what is said of one score: what it is of, its tables, and remarks.
type Sheet struct {
	Title  string // of the Markdown form
	Head   [][2]string
	Tables []Table
	Notes  []Note
	Width  int // characters of a line of a table as text; 0: any
}

// PageWidth is that of a table where no other is asked for.
const PageWidth = 100

type Note struct {
	Text  string
	Lines []string
}

func (s Sheet) Text() []byte {
	var b bytes.Buffer
	for _, h := range s.Head {
		fmt.Fprintf(&b, "%-8s %s\n", h[0], Printable(h[1]))
	}
	for _, t := range s.Tables {
		t.writeText(&b, s.Width)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "\n%s\n", Printable(n.Text))
		for _, line := range quoted(n.Lines) {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	return b.Bytes()
}

func (s Sheet) Markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n", escapedCells([]string{s.Title})[0])
	for _, h := range s.Head {
		fmt.Fprintf(&b, "- %s: %s\n", h[0], escapedCells(h[1:])[0])
	}
	for _, t := range s.Tables {
		t.WriteMarkdown(&b)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "\n%s\n", escapedCells([]string{n.Text})[0])
		if len(n.Lines) > 0 {
			fmt.Fprintf(&b, "\n- %s\n", strings.Join(escapedCells(n.Lines), "\n- "))
		}
	}
	return b.Bytes()
}
