package play

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// human is a person at a terminal, who is shown the prompts that a model gets and types the replies. "quit" gives the game up; the end of the
// input ends the run, which can be resumed.
type human struct{ terminal }

// terminal is a line at a time from somebody outside.
type terminal struct {
	in      *bufio.Reader
	out     io.Writer
	lenient bool
}

func newTerminal(s Setup) terminal { return terminal{bufio.NewReader(s.In), s.Out, s.Lenient} }
func newHuman(s Setup) *human      { return &human{newTerminal(s)} }

func (*human) Name() string { return "human" }
func (*human) Kind() string { return schemas.KindHuman }
func (*human) plays1()      {}

func (h *human) Reads(opts schemas.GameOptions) (wording, parsing schemas.Versioned) {
	return render.Version(opts), parser(opts, h.lenient).Version()
}

func (h *human) Start(seat Seat) Agent {
	var s Speaker = h
	if game.HasBan(seat.Options) {
		s = chooser{h}
	}
	return &sitter{Talk(seat.Options, h.lenient, s), h.out}
}

// chooser is a person in a game with a ban, who types a title and gives no reasons.
type chooser struct{ *human }

func (c chooser) Say(ctx context.Context, messages []schemas.Message) (Said, error) {
	said, err := c.human.Say(ctx, messages)
	if err == nil {
		said.Text = string(canon.MustMarshal(map[string]string{"next_page": said.Text, "reasoning": "", "restriction_reasoning": ""}))
	}
	return said, err
}

// Say shows the last message of the prompt: what stands before it was shown before.
func (h *human) Say(_ context.Context, messages []schemas.Message) (Said, error) {
	if _, err := fmt.Fprintf(h.out, "%s\n> ", messages[len(messages)-1].Content); err != nil {
		return Said{}, err
	}
	line, err := h.read()
	if err != nil {
		return Said{}, err
	}
	fmt.Fprintln(h.out)
	if strings.EqualFold(line, "quit") {
		return Said{}, ErrGaveUp
	}
	return Said{Text: line}, nil
}

// maxTyped bounds one line of input.
const maxTyped = 1 << 16

// read gives the next line without its end and the blanks around it.
func (t terminal) read() (string, error) {
	var line []byte
	for {
		b, err := t.in.ReadByte()
		switch {
		case err == io.EOF && len(line) > 0, err == nil && b == '\n':
			return strings.ToValidUTF8(strings.TrimSpace(string(line)), "\uFFFD"), nil
		case err == io.EOF:
			return "", fault.New(fault.Interrupted, "the input ended")
		case err != nil:
			return "", err
		case len(line) == maxTyped:
			return "", fault.New(fault.Malformed, "a line of input is longer than %d bytes", maxTyped)
		}
		line = append(line, b)
	}
}

// sitter tells a person how the game ended.
type sitter struct {
	Agent
	out io.Writer
}

func (s *sitter) End(o game.Observation) {
	fmt.Fprintf(s.out, "Game over: %s after %d steps.\n\n", o.Outcome, o.Step-1)
}
