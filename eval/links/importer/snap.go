package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/names"
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
	path := strings.Split(fields[3], ";")
	if len(fields) == 6 {
		gaveUp := schemas.OutcomeGaveUp
		g.Outcome, g.Type = &gaveUp, fields[5]
	} else if fields[4] != "NULL" && !slices.Contains([]string{"1", "2", "3", "4", "5"}, fields[4]) {
		return Game{Reject: RejectBadNumber}
	}
	if g.Reject = g.walk(path); g.Reject != "" {
		return g
	}
	if len(fields) == 6 {
		if g.Target = fields[4]; names.Readings(g.Target) == nil {
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
func (g *Game) walk(path []string) (reject string) {
	if path[0] == "" {
		return RejectEmptyPath
	}
	for i, name := range path {
		c := Click{Back: name == "<"}
		if !c.Back {
			if names.Readings(name) == nil {
				return RejectBadText
			}
			c.Title, g.Target = name, name
		}
		if i > 0 {
			g.Clicks = append(g.Clicks, c)
		} else if g.Start = c.Title; c.Back {
			return RejectUnderflow
		}
	}
	return ""
}
