package env

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Protocol names the version of the lines. 1: first.
const Protocol = "wikinav.env/1"

// hello is the first line.
type hello struct {
	Protocol      string          `json:"protocol"`
	Program       string          `json:"program"`
	Release       string          `json:"release"`
	Family        string          `json:"family"`
	Splits        []string        `json:"splits"`
	Tasks         int             `json:"tasks"`
	Options       json.RawMessage `json:"options"`
	OptionsSHA256 string          `json:"options_sha256"`
	Interface     string          `json:"interface"`
	Text          bool            `json:"text"`
	Rewards       []string        `json:"rewards"`
	Slots         int             `json:"slots"`
	Oracle        bool            `json:"oracle"`
}

// request is a line of a client.
type request struct {
	Op     string  `json:"op"`
	Slots  []asked `json:"slots"`
	Split  string  `json:"split"`
	Offset int     `json:"offset"`
	Limit  *int    `json:"limit"`
}

// Ops of requests.
const (
	opReset = "reset"
	opStep  = "step"
	opList  = "list"
	opClose = "close"
)

// asked is what is asked of a slot. A reset has Instance or Seed or neither, a step the rest.
type asked struct {
	Slot     int     `json:"slot"`
	Instance *string `json:"instance"`
	Seed     *int64  `json:"seed"`

	Options json.RawMessage `json:"options"` // of a reset: what differs from the environment's rules

	Choice    *int              `json:"choice"`
	Title     *string           `json:"title"`
	Text      *string           `json:"text"`
	Back      bool              `json:"back"`
	Calls     []family.Call     `json:"calls"`
	Answer    *string           `json:"answer"`
	GiveUp    bool              `json:"give_up"`
	Stated    map[string]string `json:"stated"`
	Reasoning *string           `json:"reasoning"`
	Usage     *session.Usage    `json:"usage"`
	Cost      *string           `json:"cost"`
	Next      bool              `json:"next"` // begin another where this turn ends the episode
}

// maxRequest bounds a line of a client.
const maxRequest = 64 << 20

// Serve answers requests, a line each, in their order, until in ends, a client closes or ctx is
// done, all of which are a clean end. A line that is not a request is answered with an error.
func (e *Env) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	to, asked := bufio.NewWriterSize(out, 1<<16), &lines{in: bufio.NewReaderSize(in, 1<<16)}
	answer := e.hello()
	for closed := false; ; {
		_, err := to.Write(answer)
		if err = errors.Join(err, to.Flush()); err != nil {
			return fault.New(fault.Failure, "the client is gone: %w", err)
		}
		if closed {
			return nil
		}
		line, err := asked.next(ctx)
		if err != nil || ctx.Err() != nil {
			return endOf(err)
		}
		if answer, closed, err = e.answer(answer[:0], line); err != nil {
			return err
		}
	}
}

func endOf(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return fault.New(fault.Failure, "the input broke: %w", err)
}

// lines reads lines into one buffer.
type lines struct {
	in  *bufio.Reader
	buf []byte
}

// next returns a line, of one that is longer than maxRequest the beginning, which is longer, too.
// It returns nil once ctx is done: a signal ends what waits for input.
func (l *lines) next(ctx context.Context) (line []byte, err error) {
	read := make(chan error, 1)
	go func() { read <- l.read() }()
	select {
	case err = <-read:
		return bytes.TrimRight(l.buf, "\r\n"), err
	case <-ctx.Done():
		return nil, nil
	}
}

func (l *lines) read() error {
	for l.buf = l.buf[:0]; ; {
		part, err := l.in.ReadSlice('\n')
		if len(l.buf) <= maxRequest {
			l.buf = append(l.buf, part...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(l.buf) > 0:
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

func (e *Env) hello() (answer line) {
	h := e.Host
	o := hello{
		Protocol: Protocol, Program: e.Program, Release: e.Release, Family: h.Family.Name(),
		Splits: h.Splits(), Tasks: len(e.tasks), Options: h.Options.JSON,
		OptionsSHA256: digest.SHA256(h.Options.JSON),
		Interface:     h.Manner.Interface, Text: e.words, Slots: e.Slots, Oracle: h.Exposed,
	}
	for _, p := range e.pays {
		o.Rewards = append(o.Rewards, p.name)
	}
	answer.put("", o)
	return append(answer, '\n')
}

// answer appends the answer to a request, with its line end. An error ends the environment: what is
// played could not be kept.
func (e *Env) answer(dst line, asked []byte) (answer line, closed bool, err error) {
	var r request
	if err := canon.DecodeOpen(asked, maxRequest, &r); err != nil {
		return deny(dst, "", "the request cannot be read: %v", err), false, nil
	}
	switch r.Op {
	case opReset, opStep:
		dst, err = e.handle(dst, r)
	case opList:
		dst = e.list(dst, r)
	case opClose:
		return append(dst, `{"closed":true}`+"\n"...), true, nil
	default:
		dst = deny(dst, "op", "op is %s; want reset, step, list or close", fault.Quote(r.Op))
	}
	return dst, false, err
}

func badField(field, format string, args ...any) *family.Refusal {
	return family.Refuse(family.CodeBadField, field, format, args...)
}

// deny appends the answer to a request that changes nothing.
func deny(dst line, field, format string, args ...any) line {
	dst.fail(`{"error":`, badField(field, format, args...))
	return append(dst, '}', '\n')
}

// fail appends a field that says what is wrong.
func (l *line) fail(name string, r *family.Refusal) {
	l.put(name, struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Field   string `json:"field,omitempty"`
	}{r.Code, r.Message, r.Field})
}

// handle does what a request asks of its slots, and answers for each in their order.
func (e *Env) handle(dst line, r request) (line, error) {
	taken := map[int]bool{}
	for _, a := range r.Slots {
		switch {
		case a.Slot < 0 || a.Slot >= len(e.slots):
			return deny(dst, "slot", "slot is %d, the slots are 0 to %d", a.Slot, len(e.slots)-1), nil
		case taken[a.Slot]:
			return deny(dst, "slot", "slot %d stands twice in a request", a.Slot), nil
		}
		taken[a.Slot] = true
	}
	errs := make([]error, len(r.Slots))
	e.each(len(r.Slots), func(i int) { errs[i] = e.slots[r.Slots[i].Slot].do(r.Op, r.Slots[i]) })
	dst = append(dst, `{"slots":[`...)
	var ended []*slot
	for i, a := range r.Slots {
		s := e.slots[a.Slot]
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst = append(dst, s.out...); s.ended != nil {
			ended = append(ended, s)
		}
	}
	return append(dst, "]}\n"...), errors.Join(errors.Join(errs...), e.keep(ended))
}

// do does what is asked of a slot and writes its answer. What the client did wrong is part of that.
func (s *slot) do(op string, a asked) error {
	s.out, s.ended = s.out[:0], nil
	return s.object(func() error { return s.act(op, a) })
}

// object appends an answer of the slot, whose fields tell appends; a refusal takes their place.
func (s *slot) object(tell func() error) error {
	s.out = append(s.out, `{"slot":`...)
	s.out = strconv.AppendInt(s.out, int64(s.number), 10)
	head := len(s.out)
	err := tell()
	var refusal *family.Refusal
	if errors.As(err, &refusal) {
		s.out = s.out[:head]
		s.out.fail(`,"error":`, refusal)
		err = nil
	}
	s.out = append(s.out, '}')
	return err
}

func (s *slot) act(op string, a asked) error {
	if op == opReset {
		return s.reset(a)
	}
	r, err := a.reply(s.env.words)
	if err != nil {
		return err
	}
	turn := family.Turn{}
	if a.GiveUp {
		turn, err = s.giveUp()
	} else {
		turn, err = s.step(r)
	}
	if err != nil {
		return err
	}
	s.tell()
	s.tellTurn(turn)
	if !a.Next || s.Outcome() == "" {
		return nil
	}
	s.out = append(s.out, `,"next":`...)
	return s.object(func() error { return s.reset(asked{Options: a.Options}) })
}

func (s *slot) reset(a asked) error {
	if a.Instance != nil && a.Seed != nil {
		return badField("seed", "instance and seed stand together; a task is chosen by one of them")
	}
	if a.ways() > 0 {
		return badField("", "a reset has instance, seed and options, and this one has a turn")
	}
	t, drawn, err := s.choose(a.Instance, a.Seed)
	if err != nil {
		return err
	}
	if err = s.begin(t, a.Options); err != nil {
		return err
	}
	if drawn != nil {
		drawn.pass(s.env.tasks)
		s.draws = drawn
	}
	s.tell()
	s.tellTask()
	return nil
}

// maxSaid bounds the words of a step: its record is one line.
const maxSaid = 1 << 20

// size returns the bytes of the words of a step.
func (a asked) size() (n int) {
	for _, text := range []*string{a.Text, a.Title, a.Answer, a.Reasoning} {
		if text != nil {
			n += len(*text)
		}
	}
	for _, text := range a.Stated {
		n += len(text)
	}
	return n
}

// ways counts the ways in which a step says its turn.
func (a asked) ways() (n int) {
	words := a.Text != nil || a.Calls != nil
	for _, there := range []bool{
		a.Choice != nil, a.Title != nil, words, a.Back, a.Answer != nil, a.GiveUp,
	} {
		n += judge.One(there)
	}
	return n
}

// reply returns the turn that is asked for.
func (a asked) reply(words bool) (r family.Reply, err error) {
	switch n := a.ways(); {
	case a.Instance != nil || a.Seed != nil:
		return r, badField("instance", "instance and seed are of a reset, and this is a step")
	case n != 1:
		return r, badField("", "a step has one of choice, title, text, back, calls, answer and "+
			"give_up, not %d of them", n)
	case words && a.Text == nil && a.Calls == nil && !a.GiveUp:
		return r, badField("text", "this environment is played in words: send text, or calls of tools")
	case a.size() > maxSaid:
		return r, badField("text", "what is said in a step is longer than %d bytes", maxSaid)
	case a.Text != nil && a.Stated != nil:
		return r, badField("stated", "stated stands beside choice or title; a text holds its own")
	}
	r = family.Reply{
		Choice: a.Choice, Title: a.Title, Text: a.Text, Back: a.Back, Calls: a.Calls,
		Answer: a.Answer, Stated: a.Stated,
	}
	r.Said, err = session.Expense(a.Usage, a.Cost)
	r.Reasoning = a.Reasoning
	return r, err
}

// tell appends what a player may see now.
func (s *slot) tell() {
	s.out.put(`,"observation":`, s.Observe())
	if !s.env.words {
		return
	}
	messages := s.Messages()
	text := ""
	if n := len(messages); n > 0 && s.Outcome() == "" {
		text = messages[n-1].Content
	}
	s.out.put(`,"text":`, text)
	if s.Outcome() != "" {
		return
	}
	s.out.put(`,"messages":`, messages)
	if tools := s.Tools(); tools != nil {
		s.out.put(`,"tools":`, functions(tools))
	}
}

// functions returns tools in the form in which endpoints are told of them.
func functions(tools []family.Tool) []any {
	list := make([]any, len(tools))
	for i, t := range tools {
		list[i] = map[string]any{"type": "function", "function": map[string]any{
			"name": t.Name, "description": t.Description, "parameters": t.Schema,
		}}
	}
	return list
}

// tellTurn appends what the last turn brought.
func (s *slot) tellTurn(turn family.Turn) {
	sum, outcome := 0.0, s.Outcome()
	for _, p := range s.paid {
		sum += p
	}
	s.out = append(s.out, `,"reward":`...)
	s.out = strconv.AppendFloat(s.out, sum, 'g', -1, 64)
	if len(s.paid) > 1 {
		s.out = append(s.out, `,"rewards":{`...)
		for i, p := range s.env.pays {
			if i > 0 {
				s.out = append(s.out, ',')
			}
			s.out = append(strconv.AppendQuote(s.out, p.name), ':')
			s.out = strconv.AppendFloat(s.out, s.paid[i], 'g', -1, 64)
		}
		s.out = append(s.out, '}')
	}
	over := outcome != ""
	s.out = fmt.Appendf(s.out, `,"terminated":%v,"truncated":%v,"valid":%v,"counted":%v`,
		over && !truncated(outcome), over && truncated(outcome), turn.Valid, turn.Counted)
	if turn.Reason != "" {
		s.out.put(`,"reason":`, turn.Reason)
	}
	if over {
		s.out.put(`,"outcome":`, outcome)
		s.out = fmt.Appendf(s.out, `,"won":%v`, family.Won(s.Episode))
	}
	s.tellOracle()
}

// tellTask appends which task was begun.
func (s *slot) tellTask() {
	s.out.put(`,"instance":`, s.task.ID)
	s.out.put(`,"split":`, s.task.Split)
	s.tellOracle()
}

func (s *slot) tellOracle() {
	if o := s.oracle(); o != nil {
		s.out.put(`,"oracle":`, o)
	}
}

// list appends the tasks of a split, all without one.
func (e *Env) list(dst line, r request) line {
	tasks, ok := e.Host.Tasks(r.Split)
	limit := session.ListDefault
	if r.Limit != nil {
		limit = *r.Limit
	}
	switch {
	case !ok:
		return deny(dst, "split", "no split %s is played here", fault.Quote(r.Split))
	case r.Offset < 0 || limit < 0 || limit > session.ListMost:
		return deny(dst, "limit", "want an offset from 0, and a limit from 0 to %d", session.ListMost)
	}
	listing, err := session.List(tasks, r.Offset, limit)
	if err != nil {
		return deny(dst, "split", "%v", err)
	}
	dst.put("", listing)
	return append(dst, '\n')
}
