package retell

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// table is an episode and what is known of its task.
type table struct {
	family.Episode
	set  family.Set
	task family.Task
}

// watch looks at the episode. One that cannot be watched is a question: one turn, and what is right
// to say.
func (t *table) watch(success bool) family.Watch {
	if w, ok := t.Episode.(family.Watched); ok {
		return w.Watch()
	}
	w := family.Watch{Left: new(1)}
	switch {
	case t.Outcome() == "":
		w.Menu = t.key()
	case success:
		w.Left = new(int)
	default:
		w.Left = nil
	}
	return w
}

func (t *table) key() []family.Choice {
	keyed, ok := t.set.(family.Keyed)
	if !ok {
		return nil
	}
	k, err := keyed.Key(t.task)
	if err != nil {
		return nil
	}
	right := k.Targets
	if len(right) == 0 && k.Target != "" {
		right = []string{k.Target}
	}
	return family.Mark(k.Choices, right)
}

// play makes the turns that next returns, until there is none or the episode is over.
func (t *Told) play(e *table, next func() (family.Reply, bool)) {
	var known []schemas.Message
	w := e.watch(false)
	for e.Outcome() == "" {
		r, more := next()
		if !more {
			break
		}
		asked := e.Messages()
		n := Turn{
			Step: e.Step(), Place: w.Place, Menu: w.Menu, Before: w.Left, Messages: fresh(known, asked),
			Reasoning: reasoning(r),
		}
		if r.Text != nil {
			n.Reply = *r.Text
		}
		known = asked
		turn, err := e.Act(r)
		if err != nil { // no player was refused what the log holds
			t.Untold = "step " + strconv.Itoa(n.Step) + " cannot be made again: " + err.Error()
			break
		}
		w = e.watch(t.Success)
		n.Valid, n.Reason, n.After, n.Done = turn.Valid, turn.Reason, w.Left, said(r)
		if turn.Valid {
			n.Done = cmp.Or(w.Done, n.Done)
		}
		t.Turns = append(t.Turns, n)
	}
	t.Final, t.Ended = w.Place, e.Outcome()
}

// fresh returns the messages that follow those that were known, but for the player's own; all where
// the dialogue was begun anew.
func fresh(known, asked []schemas.Message) []schemas.Message {
	same := func(a, b schemas.Message) bool { return a.Role == b.Role && a.Content == b.Content }
	if n := len(known); n > 0 && len(asked) > n && slices.EqualFunc(known, asked[:n], same) {
		asked = slices.DeleteFunc(slices.Clone(asked[n:]), func(m schemas.Message) bool {
			return m.Role == schemas.RoleAssistant
		})
	}
	return append([]schemas.Message{}, asked...)
}

// said returns a reply as a person would put it.
func said(r family.Reply) string {
	var list []string
	if r.Text != nil && *r.Text != "" {
		list = append(list, *r.Text)
	}
	for _, c := range r.Calls {
		args := string(c.Arguments)
		_ = json.Unmarshal(c.Arguments, &args) // else they are shown as they are
		list = append(list, c.Name+" "+args)
	}
	switch {
	case r.Answer != nil && len(list) == 0:
		list = append(list, "answer "+*r.Answer)
	case r.Title != nil:
		list = append(list, *r.Title)
	case r.Choice != nil && *r.Choice >= 0:
		list = append(list, strconv.Itoa(*r.Choice))
	case r.Back:
		list = append(list, "back")
	}
	return strings.Join(list, "\n")
}

// reasoning returns what a player thought, and what it said beside its choice.
func reasoning(r family.Reply) string {
	var list []string
	if r.Reasoning != nil && *r.Reasoning != "" {
		list = append(list, *r.Reasoning)
	}
	for _, text := range r.Stated {
		if text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return strings.Join(list, "\n\n")
}

// line is what records of all families have in common: an item with its turns, or that is one.
type line struct {
	turn
	Steps  []turn `json:"steps"`
	Turns  []turn `json:"turns"`
	Answer *string
	Infra  *string
}

type turn struct {
	Reply     *string         `json:"reply"`
	Reasoning *string         `json:"reasoning"`
	Usage     *schemas.Usage  `json:"usage"`
	Served    *schemas.Served `json:"served"`
	Calls     []struct {
		ID   string `json:"id"`
		Tool string `json:"tool"`
		Args string `json:"args"`
	} `json:"calls"`
}

func (t turn) asReply() family.Reply {
	r := family.Reply{Text: t.Reply, Said: family.Said{
		Reasoning: t.Reasoning, Usage: t.Usage,
		Served: t.Served,
	}}
	for _, c := range t.Calls {
		r.Calls = append(r.Calls, family.Call{
			ID: c.ID, Name: c.Tool,
			Arguments: canon.AppendString(nil, c.Args),
		})
	}
	return r
}

// replies reads the replies of an item from its lines.
func (r *Run) replies(it *item) ([]family.Reply, error) {
	if s, ok := r.Set.(family.Retold); ok {
		return s.Replies(it.main, it.side)
	}
	var l line
	if err := json.Unmarshal(it.main, &l); err != nil {
		return nil, err
	}
	turns := append(l.Steps, l.Turns...)
	if turns == nil && l.Reply != nil && l.Infra == nil {
		turns = []turn{l.turn}
	}
	list := make([]family.Reply, len(turns))
	for i, t := range turns {
		list[i] = t.asReply()
	}
	if n := len(list); n > 0 && l.Answer != nil && len(list[n-1].Calls) == 0 {
		list[n-1].Answer = l.Answer
	}
	return list, nil
}
