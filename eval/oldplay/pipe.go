package play

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// lines is another program: it reads an observation a line and writes a choice a line, the number of a link, "back" or "quit"; in a game
// with a ban also NO_PATH, or the JSON object that a model would reply. After the last turn it reads the observation of the end, and answers nothing.
type lines struct{ terminal }

func newLines(s Setup) *lines { return &lines{newTerminal(s)} }

func (*lines) Name() string       { return "lines" }
func (*lines) Kind() string       { return schemas.KindPipe }
func (*lines) plays1()            {}
func (l *lines) Start(Seat) Agent { return l }

func (l *lines) Act(_ context.Context, o game.Observation) (Answer, error) {
	if _, err := fmt.Fprintf(l.out, "%s\n", canon.MustMarshal(o)); err != nil {
		return Answer{}, err
	}
	text, err := l.read()
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Reply: text}
	n, err := strconv.Atoi(text)
	switch {
	case text == "quit":
		return answer, ErrGaveUp
	case text == "back":
		answer.Move = game.Back()
	case text == schemas.NoPathAnswer && o.Banned != "":
		answer.Move = game.Move{NoPath: true}
	case strings.HasPrefix(text, "{") && o.Banned != "":
		answer.Move = reply.Structured{}.Read(text, o)
	case err != nil:
		answer.Move = game.NoMove(game.ReasonUnparsed)
	default:
		answer.Move = game.Pick(n)
	}
	return answer, nil
}

func (l *lines) End(o game.Observation) { fmt.Fprintf(l.out, "%s\n", canon.MustMarshal(o)) }
