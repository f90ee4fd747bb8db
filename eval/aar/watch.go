package aar

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

var _ family.Watched = (*Episode)(nil)

// Watch tells how far the golden chain was followed.
func (e *Episode) Watch() family.Watch {
	at := e.at()
	obtained, _ := at.states()
	left, made := at.left(), 0
	for _, is := range obtained {
		made += judge.One(is)
	}
	w := family.Watch{Left: &left, Place: fmt.Sprintf("%d of %d stops obtained", made,
		len(obtained)-1)}
	right := strconv.Itoa(e.leg.Passcode)
	if e.outcome == "" {
		w.Menu = at.menu(right)
	}
	if n := len(e.turns); n > 0 {
		w.Done = done(e.turns[n-1].Calls)
	}
	if e.answer != nil {
		w.Done = answerLabel + *e.answer
		if w.Left = nil; strings.TrimSpace(*e.answer) == right {
			w.Left = new(int)
		}
	}
	return w
}

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
