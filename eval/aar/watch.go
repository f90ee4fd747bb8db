package aar

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

var (
	_ family.Watched  = (*Episode)(nil)
	_ family.Measured = (*Episode)(nil)
	_ family.Judged   = (*Episode)(nil)
)

// Watch tells how far the golden chain was followed.
func (e *Episode) Watch() family.Watch {
	at := e.at()
	obtained, _ := at.states()
	made := 0
	for _, is := range obtained {
		made += judge.One(is)
	}
	w := family.Watch{Left: e.Left(), Place: fmt.Sprintf("%d of %d stops obtained", made,
		len(obtained)-1)}
	if e.outcome == "" {
		w.Menu = at.menu(strconv.Itoa(e.leg.Passcode))
	}
	if n := len(e.turns); n > 0 {
		w.Done = done(e.turns[n-1].Calls)
	}
	if e.answer != nil {
		w.Done = answerLabel + *e.answer
	}
	return w
}

// Left returns the golden calls that were not made and the answer: 0 after the right one, and nil
// after a wrong one.
func (e *Episode) Left() *int {
	switch {
	case e.answer == nil:
		left := e.at().left()
		return &left
	case e.Won():
		return new(int)
	}
	return nil
}

// Won reports whether the right digit was handed in.
func (e *Episode) Won() bool {
	_, right := judgeAnswer(e.answer, e.leg.Passcode)
	return right
}

// Optimal reports whether all calls of the last turn were optimal, or its answer was.
func (e *Episode) Optimal() bool { return e.well }

const answerLabel = "answer "

// left counts the golden calls that were not made, each once, and the answer.
func (p *progress) left() int {
	keys := map[string]bool{}
	for _, list := range p.golden {
		for _, c := range list {
			keys[c.key] = keys[c.key] || !p.made[c.key]
		}
	}
	n := 1
	for _, missing := range keys {
		n += judge.One(missing)
	}
	return n
}

// menu lists the optimal calls, or the answer where none is left.
func (p *progress) menu(right string) (list []family.Choice) {
	for _, b := range p.optimal() {
		list = append(list, family.Choice{Label: b.tool + " " + string(b.args), Optimal: true})
	}
	if list == nil {
		list = []family.Choice{{Label: answerLabel + right, Optimal: true}}
	}
	return list
}

func done(calls []schemas.AARLogged) string {
	var list []string
	for _, c := range calls {
		list = append(list, c.Tool+" "+c.Args)
	}
	return strings.Join(list, "\n")
}
