package importer

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
)

// readSnap reads the games of Wikispeedia as SNAP publishes them, finished and unfinished: five or
// six fields a row. The hashed addresses of the players become numbers.
func readSnap(data []byte) (*File, error) {
	f := &File{Human: true, Steps: true, Clicks: true}
	people := players{}
	eachRow(data, func(n int, row string) {
		g := snapGame(strings.Split(row, "\t"))
		g.Where = fmt.Sprintf("line %d", n)
		address, _, _ := strings.Cut(row, "\t")
		g.Player = people.number(address)
		f.Games = append(f.Games, g)
	})
	return f, nil
}

// players numbers people in order of their first appearance.
type players map[string]int

func (p players) number(name string) string {
	if p[name] == 0 {
		p[name] = len(p) + 1
	}
	return fmt.Sprintf("player-%d", p[name])
}

func snapGame(fields []string) Game {
	if len(fields) != 5 && len(fields) != 6 {
		return Game{Reject: RejectFieldCount}
	}
	for _, number := range fields[1:3] {
		if _, err := strconv.ParseUint(number, 10, 53); err != nil {
			return Game{Reject: RejectBadNumber}
		}
	}
	g := Game{}
	names := strings.Split(fields[3], ";")
	if len(fields) == 6 {
		gaveUp := schemas.OutcomeGaveUp
		g.Outcome, g.Type = &gaveUp, fields[5]
	} else if fields[4] != "NULL" && !slices.Contains([]string{"1", "2", "3", "4", "5"}, fields[4]) {
		return Game{Reject: RejectBadNumber}
	}
	if g.Reject = g.walk(names); g.Reject != "" {
		return g
	}
	if len(fields) == 6 {
		var ok bool
		if g.Target, ok = pageName(fields[4]); !ok {
			g.Reject = RejectBadText
		}
	}
	return g
}

// readNodes reads a game a line, pages joined by semicolons, back clicks resolved before.
func readNodes(data []byte) (*File, error) {
	f := &File{Human: true}
	eachRow(data, func(n int, row string) {
		g := Game{Where: fmt.Sprintf("line %d", n), Player: "player"}
		g.Reject = g.walk(strings.Split(row, ";"))
		if g.Reject == "" && slices.ContainsFunc(g.Clicks, func(c Click) bool { return c.Back }) {
			g.Reject = RejectBadText
		}
		f.Games = append(f.Games, g)
	})
	return f, nil
}

// eachRow visits the rows that are neither blank nor comments, with their line numbers from 1.
func eachRow(data []byte, visit func(n int, row string)) {
	n := 0
	for row := range strings.Lines(string(data)) {
		n++
		row = strings.TrimRight(row, "\r\n")
		if strings.TrimSpace(row) != "" && !strings.HasPrefix(row, "#") {
			visit(n, row)
		}
	}
}

// walk takes start and clicks from the names of a path, and the last page as the target.
func (g *Game) walk(names []string) (reject string) {
	if names[0] == "" {
		return RejectEmptyPath
	}
	for i, name := range names {
		c := Click{Back: name == "<"}
		if !c.Back {
			title, ok := pageName(name)
			if !ok {
				return RejectBadText
			}
			c.Title, g.Target = title, title
		}
		if i > 0 {
			g.Clicks = append(g.Clicks, c)
		} else if g.Start = c.Title; c.Back {
			return RejectUnderflow
		}
	}
	return ""
}

var blanks = strings.NewReplacer("__", ": ", "_", " ")

// pageName decodes a name once: percent signs, then underscores, of which two in a row stand for a
// colon and a blank. A name with other percent signs is taken as it stands.
func pageName(name string) (string, bool) {
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return blanks.Replace(name), name != "" && utf8.ValidString(name)
}
