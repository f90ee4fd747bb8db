package session

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Wikirace is the family of that name, and under options with a ban that of games under a ban.
type Wikirace struct {
	World   func(schemas.GameOptions) (game.World, error) // of games under these options
	Resolve func(title string) (uint32, bool)             // exact titles first, then aliases
	Options schemas.GameOptions                           // the rules of a game that asks for no others
	Fixed   bool                                          // no game may ask for others
	Exposed bool                                          // the oracle may be asked: in a game, and by options that name an optimal link
	Replies bool                                          // moves may be raw replies

	splits    []string
	list      []Info
	bySplit   map[string][]Info
	instances map[string]*instance
}

// instance is a task, and what its games share.
type instance struct {
	task    game.Task
	fencing sync.Once
	err     error // of fencing
}

// fenced gives the task as its games share it. The search that a ban takes is made once, by whoever comes first.
func (i *instance) fenced(w game.World) (game.Task, error) {
	i.fencing.Do(func() { i.task, i.err = i.task.Fenced(w) })
	return i.task, i.err
}

// Banned tells whether games have a ban.
func (w *Wikirace) Banned() bool { return game.HasBan(w.Options) }

// Add puts a split behind those that are there.
func (w *Wikirace) Add(split string, instances []schemas.WikiraceInstance) {
	tasks, infos := make([]game.Task, len(instances)), make([]Info, len(instances))
	for i, inst := range instances {
		tasks[i] = game.TaskOf(inst)
		infos[i] = Info{inst.ID, inst.Split, pageOf(inst.Source), pageOf(inst.Target), inst.MaxSteps, inst.MaxLinks}
	}
	w.add(split, tasks, infos)
}

// AddTasks puts a split of games under a ban behind those that are there. Their limits are told as the host's rules have them.
func (w *Wikirace) AddTasks(split string, tasks []game.Task) {
	infos := make([]Info, len(tasks))
	for i, t := range tasks {
		infos[i] = Info{t.ID, split, pageOf(t.Source), pageOf(t.Target), w.Options.MaxSteps, w.Options.MaxLinks}
	}
	w.add(split, tasks, infos)
}

func (w *Wikirace) add(split string, tasks []game.Task, infos []Info) {
	if w.instances == nil {
		w.bySplit, w.instances = map[string][]Info{}, map[string]*instance{}
	}
	for _, t := range tasks {
		w.instances[t.ID] = &instance{task: t}
	}
	w.splits = append(w.splits, split)
	w.bySplit[split] = infos
	w.list = append(w.list, infos...)
}

func pageOf(p schemas.PageRef) game.Page { return game.Page{PageID: p.PageID, Title: p.Title} }

// Splits lists the splits.
func (w *Wikirace) Splits() []string { return w.splits }

// List gives the instances of a split, "" for all.
func (w *Wikirace) List(split string) ([]Info, bool) {
	if split == "" {
		return w.list, true
	}
	list, ok := w.bySplit[split]
	return list, ok
}

// Start begins a game.
func (w *Wikirace) Start(id string, options json.RawMessage) (Game, error) {
	inst, ok := w.instances[id]
	if !ok {
		return nil, errorf(CodeInstanceNotFound, "instance", "no instance %s", fault.Quote(id))
	}
	opts, err := w.options(options)
	if err != nil {
		return nil, err
	}
	world, err := w.World(opts)
	if err != nil {
		return nil, err
	}
	task, err := inst.fenced(world)
	if err != nil {
		return nil, err
	}
	return w.start(world, task, opts)
}

func (w *Wikirace) start(world game.World, task game.Task, opts schemas.GameOptions) (Game, error) {
	g, err := game.Start(world, task, opts)
	if errors.Is(err, fault.Usage) {
		return nil, errorf(CodeBadOption, "options", "%s", err)
	}
	if err != nil {
		return nil, err
	}
	if w.Exposed {
		g.Remember()
	}
	return &Race{family: w, world: world, task: task, opts: opts, game: g}, nil
}

// maxOptions bounds the text of a game's options.
const maxOptions = 4 << 10

// options gives the rules of a game that asks for changes.
func (w *Wikirace) options(changes json.RawMessage) (schemas.GameOptions, error) {
	opts := w.Options
	if len(changes) == 0 {
		return opts, nil
	}
	var given map[string]json.RawMessage
	if err := canon.Decode(changes, maxOptions, &given); err != nil {
		return opts, errorf(CodeBadOption, "options", "options is no object of rules by their names")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if err := set(&opts, name, given[name]); err != nil {
			return opts, errorf(CodeBadOption, "options", "%s", err)
		}
	}
	opts = game.Canonical(opts)
	if err := game.CheckOptions(opts); err != nil {
		return opts, errorf(CodeBadOption, "options", "%s", err)
	}
	switch {
	case w.Fixed && game.OptionsSHA256(opts) != game.OptionsSHA256(w.Options):
		return opts, errorf(CodeBadOption, "options", "the rules of this server are fixed")
	case game.TellsOracle(opts) && !w.Exposed:
		return opts, errorf(CodeBadOption, "options.oracle", "game option oracle=%s tells what only an oracle knows; this server exposes no oracle", opts.Oracle)
	}
	return opts, nil
}

// set changes one option. The types of JSON count: "7" is no number.
func set(opts *schemas.GameOptions, name string, value json.RawMessage) error {
	text := string(value)
	_ = json.Unmarshal(value, &text) // stays as it is unless it is a text
	changed := *opts
	if err := game.SetOption(&changed, name, text); err != nil {
		return err
	}
	var typed schemas.GameOptions
	one, err := canon.Marshal(map[string]json.RawMessage{name: value})
	if err == nil && canon.Decode(one, maxOptions, &typed) == nil {
		*opts = changed
		return nil
	}
	return fault.New(fault.Usage, "game option %s cannot be %s", name, fault.Quote(value))
}
