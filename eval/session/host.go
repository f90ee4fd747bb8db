package session

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Host is what the games of a server have in common. It must not change once a game was started.
type Host struct {
	Family  family.Family
	Set     family.Set
	Options family.Options // the rules of a game that asks for no others
	Manner  family.Manner
	Fixed   bool // no game may ask for others
	Exposed bool // the oracle may be asked: in a game, in its trace, and by options that reveal what it knows
	Replies bool // a turn may be a raw reply, which the family's parser reads
	Strict  bool // a choice that is not listed is the client's error, and not a model's turn
	Log     Log  // nil: games are kept nowhere
	// Show returns what a client is shown of a game: all of it if whole, else what its last turn
	// brought. nil shows what the episode observes.
	Show func(e family.Episode, whole bool) any
	Now  func() time.Time
	// NewID names a game. Names must not come again, not even after a restart; nil draws them.
	NewID func() string

	splits []string
	tasks  []family.Task // in order
	pinned bool          // only some instances were offered
	byID   map[string]family.Task
}

// Log keeps finished games. It is safe for concurrent use.
type Log interface {
	// Keep returns once the game is on disk, or with the reason why it is not; then the game is
	// kept nowhere. A second call for a game that is kept does nothing.
	Keep(g Finished) error
}

type Finished struct {
	Episode        family.Episode
	Task           family.Task
	Options        family.Options
	Game, Client   string
	Spoken         bool // every turn came as a raw reply
	Started, Ended time.Time
}

// Offer chooses what is played: the splits that names stand for, all that are not closed by
// default, and of these, if there are any, the given instances alone. Errors: fault.Usage.
func (h *Host) Offer(splits, instances []string) error {
	for _, s := range h.Set.Splits() {
		if s.Closed && slices.Contains(splits, s.Name) {
			return fault.New(fault.Usage, "split %s is not served: the names of its instances would tell their answer", fault.Quote(s.Name)).
				Hint("let play have it: --split %s", s.Name)
		}
	}
	var err error
	if h.splits, h.tasks, err = play.Choose(h.Set, splits, instances, 0); err != nil {
		return err
	}
	h.pinned, h.byID = len(instances) > 0, map[string]family.Task{}
	for _, t := range h.tasks {
		h.byID[t.ID] = t
	}
	return nil
}

// Splits lists the splits that are played, in the release's order.
func (h *Host) Splits() []string { return h.splits }

// Pinned returns the id of the only task on offer, "" if nobody asked for one alone.
func (h *Host) Pinned() string {
	if !h.pinned || len(h.tasks) != 1 {
		return ""
	}
	return h.tasks[0].ID
}

// Only returns the host with one of its tasks alone on offer; false for a task that h does not
// offer.
func (h *Host) Only(id string) (*Host, bool) {
	t, ok := h.byID[id]
	if !ok {
		return nil, false
	}
	one := *h
	one.splits, one.tasks, one.pinned = []string{t.Split}, []family.Task{t}, true
	one.byID = map[string]family.Task{id: t}
	return &one, true
}

// Tasks lists the tasks of a split, "" for all, in order and shared; false for an unknown split.
func (h *Host) Tasks(split string) ([]family.Task, bool) {
	if split == "" {
		return h.tasks, true
	}
	from := slices.IndexFunc(h.tasks, func(t family.Task) bool { return t.Split == split })
	if from < 0 {
		return nil, slices.Contains(h.splits, split)
	}
	rest := h.tasks[from:]
	if to := slices.IndexFunc(rest, func(t family.Task) bool { return t.Split != split }); to >= 0 {
		rest = rest[:to]
	}
	return rest, true
}

// How many tasks a listing shows unless more or fewer are asked for, and at most.
const (
	ListDefault = 100
	ListMost    = 1000
)

type Listing struct {
	Total int               `json:"total"`
	Items []json.RawMessage `json:"items"`
}

func List(tasks []family.Task, offset, limit int) (Listing, error) {
	out, from := Listing{len(tasks), []json.RawMessage{}}, min(offset, len(tasks))
	for _, t := range tasks[from:min(from+limit, len(tasks))] {
		item, err := Item(t)
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// Item returns what a listing shows of a task: its id and its Info, as a JSON object.
func Item(t family.Task) (json.RawMessage, error) {
	data, err := json.Marshal(t.Info)
	if err != nil {
		return nil, err
	}
	var named struct{ ID *string }
	if err := json.Unmarshal(data, &named); err != nil || named.ID != nil {
		return data, err
	}
	item := canon.AppendString([]byte(`{"id":`), t.ID)
	if rest := bytes.TrimPrefix(data, []byte("{")); len(rest) > len("}") && len(rest) < len(data) {
		return append(append(item, ','), rest...), nil
	}
	return append(item, '}'), nil // nothing else may be known
}

type Request struct {
	Instance string          // id of a task
	Options  json.RawMessage // what differs from the host's rules; empty for nothing
	Client   string          // whose game it is, "" for Anonymous
}

// Anonymous is the client of games whose client did not say who it is.
const Anonymous = "anonymous"

// clientID is the form of a client's name, which becomes part of the name of a directory.
var clientID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func CheckClient(name string) error {
	if !clientID.MatchString(name) {
		return family.Refuse(family.CodeBadField, "client_id", "client_id is up to 64 letters, digits, dots, hyphens and underscores, and starts with a letter or digit")
	}
	return nil
}

// Start begins a game. Errors of the client's are *family.Refusal.
func (h *Host) Start(r Request) (*Session, error) {
	if r.Client == "" {
		r.Client = Anonymous
	}
	if err := CheckClient(r.Client); err != nil {
		return nil, err
	}
	task, ok := h.byID[r.Instance]
	if !ok {
		return nil, family.Refuse(family.CodeInstanceNotFound, "instance", "no instance %s", fault.Quote(r.Instance))
	}
	options, err := h.Merge(r.Options)
	if err != nil {
		return nil, err
	}
	if h.Manner.Prompt != nil {
		if _, err := family.WordsOf(h.Family, options, h.Manner); err != nil {
			return nil, family.Refuse(family.CodeBadOption, "options", "%s", err)
		}
	}
	s := &Session{ID: h.newID(), Client: r.Client, host: h, task: task, options: options}
	if s.game, err = s.fresh(); err != nil {
		return nil, err
	}
	s.started = h.Now()
	s.last = s.started
	return s, nil
}

// Try begins a game that nobody plays, which shows whether the release has what the rules need; nil
// if there is none to play. Errors: fault.Usage.
func (h *Host) Try() (family.Episode, error) {
	if len(h.tasks) == 0 {
		return nil, nil
	}
	s, err := h.Start(Request{Instance: h.tasks[0].ID})
	var refused *family.Refusal
	switch {
	case errors.As(err, &refused):
		return nil, fault.New(fault.Usage, "%w", err)
	case err != nil:
		return nil, err
	}
	return s.game, nil
}

func (h *Host) show(e family.Episode, whole bool) any {
	if h.Show != nil {
		return h.Show(e, whole)
	}
	return e.Observe()
}

func (h *Host) newID() string {
	if h.NewID != nil {
		return h.NewID()
	}
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return "g-" + hex.EncodeToString(b[:])
}

const maxOptions = 4 << 10

// Merge returns the rules of a game that asks for changes: the object that the client sent, laid
// over that of the host's rules, so that the types of JSON count. Errors of the client's are
// *family.Refusal.
func (h *Host) Merge(changes json.RawMessage) (family.Options, error) {
	if len(changes) == 0 {
		return h.Options, nil
	}
	var given, rules map[string]json.RawMessage
	if err := canon.Decode(changes, maxOptions, &given); err != nil || given == nil {
		return family.Options{}, family.Refuse(family.CodeBadOption, "options", "options is no object of rules by their names")
	}
	if err := canon.Decode(h.Options.JSON, canon.MaxLine, &rules); err != nil {
		return family.Options{}, err
	}
	maps.Copy(rules, given)
	merged, err := canon.Marshal(rules)
	if err != nil {
		return family.Options{}, err
	}
	options, err := h.Family.ReadOptions(merged)
	switch {
	case errors.Is(err, fault.Usage):
		return options, family.Refuse(family.CodeBadOption, "options", "%s", err)
	case err != nil:
		return options, err
	case h.Fixed && string(options.JSON) != string(h.Options.JSON):
		return options, family.Refuse(family.CodeBadOption, "options", "the rules of this server are fixed")
	}
	if is, asked := h.Masks(h.Options), h.Masks(options); is != asked {
		rule := cmp.Or(is, asked)
		name, _, _ := strings.Cut(rule, "=")
		return options, family.Refuse(family.CodeBadOption, "options."+name,
			"option %s is of a server as a whole, whose lists go by it: leave %s out, or start another server",
			rule, name)
	}
	if rule := h.Reveals(options); rule != "" && !h.Exposed {
		name, _, _ := strings.Cut(rule, "=")
		return options, family.Refuse(family.CodeBadOption, "options."+name, "option %s tells what only an oracle knows; this server exposes no oracle", rule)
	}
	return options, nil
}

// Masks returns the rule of o that hides what things are called, "" for none.
func (h *Host) Masks(o family.Options) string { return family.Masks(h.Family, o) }

// Reveals returns the rule of o that tells a player what only an oracle knows, "" for none.
func (h *Host) Reveals(o family.Options) string {
	if f, ok := h.Family.(family.Revealing); ok {
		return f.Reveals(o)
	}
	return ""
}
