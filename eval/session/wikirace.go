package session

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/eval/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Wikirace is the family of that name.
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
	instances map[string]schemas.WikiraceInstance
}

// Add puts a split behind those that are there.
func (w *Wikirace) Add(split string, instances []schemas.WikiraceInstance) {
	if w.instances == nil {
		w.bySplit, w.instances = map[string][]Info{}, map[string]schemas.WikiraceInstance{}
	}
	w.splits = append(w.splits, split)
	infos := make([]Info, len(instances))
	for i, inst := range instances {
		w.instances[inst.ID] = inst
		infos[i] = Info{inst.ID, inst.Split, pageOf(inst.Source), pageOf(inst.Target), inst.MaxSteps, inst.MaxLinks}
	}
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
func (w *Wikirace) Start(instance string, options json.RawMessage) (Game, error) {
	inst, ok := w.instances[instance]
	if !ok {
		return nil, errorf(CodeInstanceNotFound, "instance", "no instance %s", fault.Quote(instance))
	}
	opts, err := w.options(options)
	if err != nil {
		return nil, err
	}
	world, err := w.World(opts)
	if err != nil {
		return nil, err
	}
	return w.start(world, inst, opts)
}

func (w *Wikirace) start(world game.World, inst schemas.WikiraceInstance, opts schemas.GameOptions) (Game, error) {
	g, err := game.New(world, inst, opts)
	if errors.Is(err, fault.Usage) {
		return nil, errorf(CodeBadOption, "options", "%s", err)
	}
	if err != nil {
		return nil, err
	}
	if w.Exposed {
		g.Remember()
	}
	return &Race{family: w, world: world, inst: inst, opts: opts, game: g}, nil
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
	if err := game.CheckOptions(opts); err != nil {
		return opts, errorf(CodeBadOption, "options", "%s", err)
	}
	switch {
	case w.Fixed && opts != w.Options:
		return opts, errorf(CodeBadOption, "options", "the rules of this server are fixed")
	case game.TellsPlan(opts) && !w.Exposed:
		return opts, errorf(CodeBadOption, "options.oracle", "game option oracle=%s names an optimal link; this server exposes no oracle", opts.Oracle)
	}
	return opts, nil
}

// set changes one option. The types of JSON count: "7" is no number.
func set(opts *schemas.GameOptions, name string, value json.RawMessage) error {
	one, err := canon.Marshal(map[string]json.RawMessage{name: value})
	if err == nil && canon.Decode(one, maxOptions, opts) == nil {
		return nil
	}
	text := string(value)
	_ = json.Unmarshal(value, &text) // stays as it is unless it is a text
	if err := game.SetOption(opts, name, text); err != nil {
		return err
	}
	return fault.New(fault.Usage, "game option %s cannot be %s", name, fault.Quote(value))
}
