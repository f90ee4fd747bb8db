package train

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Why a walk is given up, as reports count it.
const (
	noWay   = "no_way"    // a turn without a reply that leads on
	noWrong = "no_wrong"  // a turn at which nothing could go wrong
	lost    = "lost"      // the walk ended before success
	noPose  = "not_posed" // the family makes no task of the pair
)

// Lesson is a family with what can be played of a release.
type Lesson struct {
	Family  family.Family
	Set     family.Set
	Options family.Options
}

var chat = family.Manner{Interface: schemas.InterfaceChat}

// course is how a walk goes.
type course struct {
	kind   string
	wrong  int         // moves in a row
	stream *rng.Stream // of all that is drawn
}

// play plays a walk of a task. It returns why there is none, "" where there is one.
func (l Lesson) play(t family.Task, id string, c course) (*Walk, []Row, string, error) {
	e, err := l.Set.Start(t, l.Options, chat)
	if err != nil {
		return nil, nil, "", err
	}
	taught, ok := e.(family.Taught)
	if !ok {
		return nil, nil, "", fault.New(fault.Usage, "family %s does not say how it is played well",
			fault.Quote(l.Family.Name()))
	}
	p := &player{Lesson: l, course: c, episode: taught.(teachable), row: -1}
	p.walk = &Walk{
		Schema: schemas.TrainWalkSchema, ID: id, Family: l.Family.Name(), Kind: c.kind, Parts: []string{},
		Left: left(e), Moves: []Move{},
	}
	if c.kind == Recovery {
		p.wrongFrom, p.walk.Wrong = c.stream.Below(max(1, p.walk.Left)), c.wrong
	}
	why, err := p.run()
	p.walk.Rows, p.walk.Outcome = len(p.rows), e.Outcome()
	return p.walk, p.rows, why, err
}

type teachable interface {
	family.Episode
	family.Taught
}

// left returns the turns of an optimal player from here: 1 where an episode does not measure them,
// as that of a question, whose one turn is all.
func left(e family.Episode) int {
	m, ok := e.(family.Measured)
	if !ok {
		return 1
	}
	if n := m.Left(); n != nil {
		return *n
	}
	return 0
}

// player is a walk under way.
type player struct {
	Lesson
	course
	episode   teachable
	walk      *Walk
	wrongFrom int // right moves before the first wrong one
	rows      []Row
	row       int               // that grows, -1 for none
	said      []schemas.Message // of that row, as the episode repeats them
}

// run plays to the end, or the first turn of a single move.
func (p *player) run() (why string, err error) {
	for turn := 0; p.episode.Outcome() == ""; turn++ {
		lesson, err := p.episode.Lesson()
		if err != nil {
			return "", err
		}
		wrong := turn >= p.wrongFrom && turn < p.wrongFrom+p.walk.Wrong
		choice, none := lesson.Right, noWay
		if wrong {
			choice, none = lesson.Wrong, noWrong
		}
		if len(choice) == 0 {
			return none, nil
		}
		if err := p.turn(choice[p.stream.Below(len(choice))], wrong); err != nil {
			return "", err
		}
		if p.kind == Step {
			return "", nil
		}
	}
	if !family.Won(p.episode) {
		return lost, nil
	}
	return "", nil
}

// turn makes a move, which must be understood, and lead on unless it is wrong.
func (p *player) turn(r family.Reply, wrong bool) error {
	before, asked, tools := left(p.episode), p.episode.Messages(), toolsOf(p.episode)
	turn, err := p.episode.Act(r)
	if err != nil {
		return err
	}
	if !turn.Valid {
		return fmt.Errorf("%s: the reply %s is not understood: %s", p.walk.ID,
			canon.MustMarshal(moveOf(r, wrong)), turn.Reason)
	}
	m, ok := p.episode.(family.Measured)
	if ok && (m.Optimal() == wrong || !wrong && left(p.episode) != before-1) {
		return fmt.Errorf("%s: a move that is to be wrong: %v, is optimal: %v, and leaves %d turns of %d",
			p.walk.ID, wrong, m.Optimal(), left(p.episode), before)
	}
	p.walk.Moves = append(p.walk.Moves, moveOf(r, wrong))
	p.write(asked, replyMessage(r, len(p.walk.Moves)), tools, before, wrong)
	return nil
}

// write adds a turn to the row whose dialogue it goes on with, or begins one. A wrong move begins
// none: without a turn that is learnt, it is nothing to train on.
func (p *player) write(
	asked []schemas.Message, reply schemas.Message, tools string, before int, wrong bool,
) {
	goesOn := p.said != nil && len(asked) >= len(p.said) && equal(asked[:len(p.said)], p.said)
	p.said = append(slices.Clone(asked), reply)
	if !goesOn || p.row < 0 {
		p.row = -1
		if wrong && !grows(p.episode, p.said) {
			return
		}
		p.rows = append(p.rows, Row{
			Schema: schemas.TrainRowSchema, Walk: p.walk.ID, Family: p.walk.Family,
			Kind: p.walk.Kind, Tools: tools,
		})
		p.row = len(p.rows) - 1
	}
	row := &p.rows[p.row]
	for len(row.Train) < len(asked) {
		row.Train = append(row.Train, false)
	}
	row.Train = append(row.Train, !wrong)
	row.Messages, row.Turn, row.Left = p.said, len(p.walk.Moves), before
	row.ID = fmt.Sprintf("%s-%02d", p.walk.ID, row.Turn)
}

// grows reports whether the dialogue of an episode goes on from what was said.
func grows(e family.Episode, said []schemas.Message) bool {
	if e.Outcome() != "" {
		return false
	}
	next := e.Messages()
	return len(next) > len(said) && equal(next[:len(said)], said)
}

// equal reports whether dialogues are the same, down to the ids of calls (replyMessage).
func equal(a, b []schemas.Message) bool {
	return slices.EqualFunc(a, b, func(x, y schemas.Message) bool {
		return x.Role == y.Role && x.Content == y.Content && x.ToolCallID == y.ToolCallID &&
			slices.Equal(x.ToolCalls, y.ToolCalls)
	})
}

// replyMessage returns a reply as dialogues hold it. Calls are named as their episodes name those
// without a name: by turn and place.
func replyMessage(r family.Reply, turn int) schemas.Message {
	m := schemas.Message{Role: schemas.RoleAssistant}
	if r.Text != nil {
		m.Content = *r.Text
	}
	for i, c := range r.Calls {
		m.ToolCalls = append(m.ToolCalls, schemas.ToolCall{
			ID: fmt.Sprintf("call_%d_%d", turn, i+1), Type: schemas.ToolFunction,
			Function: schemas.CalledByName{Name: c.Name, Arguments: string(c.Arguments)},
		})
	}
	return m
}

const toolForm = `{"type":"function","function":` +
	`{"name":%s,"description":%s,"parameters":%s}}`

// toolsOf returns the tools of a turn in the form that endpoints and chat templates take.
func toolsOf(e family.Episode) string {
	var list []string
	for _, t := range e.Tools() {
		list = append(list, fmt.Sprintf(toolForm, canon.AppendString(nil, t.Name),
			canon.AppendString(nil, t.Description), json.RawMessage(t.Schema)))
	}
	if list == nil {
		return ""
	}
	return "[" + strings.Join(list, ",") + "]"
}
