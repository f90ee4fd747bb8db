package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// narrow makes the rows of a table fit a width: without columns of details, then with lists on
// several lines, then without intervals, then with its widest columns cut, and at last without
// columns. The flags stand last and stay.
type narrow struct {
	rows    [][]string
	width   int
	details []int
	left    []string // what was left out
}

func (n *narrow) fit() {
	for _, column := range slices.Backward(n.details) {
		n.drop(column)
	}
	n.fold()
	n.dropIntervals()
	n.cut()
	for n.over() > 0 && len(n.rows[0]) > 2 {
		n.drop(len(n.rows[0]) - 2)
	}
}

// widths returns the characters of each column.
func (n *narrow) widths() []int {
	var widths []int
	for _, row := range n.rows {
		widths = append(widths, make([]int, max(0, len(row)-len(widths)))...)
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// over returns the characters by which the longest line is too long.
func (n *narrow) over() int {
	if n.width == 0 {
		return 0
	}
	line := -2
	for _, w := range n.widths() {
		line += w + 2
	}
	return line - n.width
}

// drop leaves a column out if the table is too wide.
func (n *narrow) drop(column int) {
	if n.over() <= 0 {
		return
	}
	n.left = append(n.left, n.rows[0][column])
	for i, row := range n.rows {
		n.rows[i] = slices.Delete(row, column, column+1)
	}
}

// foldedTo is the width to which a list is folded.
const foldedTo = 12

// fold writes lists over several lines, from the last column on, so that no flag is lost.
func (n *narrow) fold() {
	for column := len(n.widths()) - 1; column > 0 && n.over() > 0; column-- {
		var rows [][]string
		for _, row := range n.rows {
			lines := []string{row[column]}
			if !strings.Contains(row[column], "[") {
				lines = packed(strings.SplitAfter(row[column], ", "))
			}
			for i, line := range lines {
				if i > 0 {
					row = make([]string, len(row))
				}
				row[column] = line
				rows = append(rows, row)
			}
		}
		n.rows = rows
	}
}

// packed joins items while they fit into foldedTo.
func packed(items []string) (lines []string) {
	for _, item := range items {
		last := len(lines) - 1
		if last >= 0 && utf8.RuneCountInString(lines[last]+item) <= foldedTo {
			lines[last] += item
		} else {
			lines = append(lines, item)
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// dropIntervals leaves them out from the last column on.
func (n *narrow) dropIntervals() {
	for column := len(n.widths()) - 1; n.over() > 0; column-- {
		if column < 0 {
			return
		}
		had := false
		for _, row := range n.rows[1:] {
			value, _, has := strings.Cut(row[column], " [")
			if has && strings.HasSuffix(row[column], "]") {
				row[column], had = value, true
			}
		}
		if had {
			n.left = append(n.left, "intervals of "+n.rows[0][column])
		}
	}
}

// leastCut is the least that is left of a text that is cut.
const leastCut = 12

// cut shortens the widest column but the last until the table fits or none is wider than leastCut.
func (n *narrow) cut() {
	for n.over() > 0 {
		widths := n.widths()
		column := 0
		for i, w := range widths[:len(widths)-1] {
			if w > widths[column] {
				column = i
			}
		}
		if widths[column] <= leastCut {
			return
		}
		text := "the ends of " + n.rows[0][column]
		if !slices.Contains(n.left, text) {
			n.left = append(n.left, text)
		}
		for _, row := range n.rows {
			row[column] = shorten(row[column], max(leastCut, widths[column]-n.over()))
		}
	}
}

// wrapped breaks a text into lines of at most so many characters, where it has blanks.
func wrapped(text string, width int) string {
	var b strings.Builder
	line := 0
	for i, word := range strings.Fields(text) {
		size := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case line+1+size > width:
			b.WriteString("\n")
			line = 0
		default:
			b.WriteString(" ")
			line++
		}
		b.WriteString(word)
		line += size
	}
	return b.String() + "\n"
}

func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
