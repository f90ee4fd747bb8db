package lumina

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/artifacts/dag"
	published "github.com/wikinav/wikinav/artifacts/lumina"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Set is the instances of a release, which are read as far as tasks are asked for. It needs nothing
// of the release but its files.
type Set struct {
	id             string // of the release
	manifestSHA256 string
	name           string
	opts           schemas.LuminaOptions
	files          release.Files
	book           *Book
	splits         []*split

	mu    sync.Mutex
	known map[string]place          // by instance id; with splits, under mu until whole
	knobs map[string]map[string]any // by instance id
}

var (
	_ family.Set       = (*Set)(nil)
	_ family.Described = (*Set)(nil)
	_ family.Keyed     = (*Set)(nil)
)

// split is a published list of instances, named <env>/<split>.
type split struct {
	family.Split
	env, of   string
	whole     bool               // all instances were read, else the first
	instances []*worlds.Instance // sorted by id
	tasks     []family.Task
}

type place struct {
	inst  *worlds.Instance
	split string
}

func openSet(r *open.Release, o schemas.LuminaOptions) (*Set, error) {
	s := &Set{
		id: r.Manifest().ID, manifestSHA256: r.ManifestSHA256(), name: r.Name(), opts: o,
		files: r.Part(published.Part), known: map[string]place{},
		knobs: map[string]map[string]any{},
	}
	var examples []*worlds.Instance
	for _, env := range schemas.LuminaEnvs {
		for _, name := range schemas.LuminaSplits {
			file := path.Base(schemas.LuminaPath(env, name))
			switch {
			case !s.files.Has(file):
			case name == schemas.LuminaFewshot: // the examples of every prompt are never played
				list, err := s.lines(env, name, 0)
				if err != nil {
					return nil, err
				}
				examples = append(examples, list...)
			default:
				n := int(s.files.Rows(file))
				sum := s.files.Digest(file).SHA256
				p := family.Split{Name: env + "/" + name, SHA256: sum, Requested: n, Got: n}
				s.splits = append(s.splits, &split{Split: p, env: env, of: name})
			}
		}
	}
	if s.splits == nil {
		return nil, fault.New(fault.NotFound, "the release has nothing of the family lumina").At(schemas.LuminaPath(schemas.LuminaList, schemas.LuminaTest), "").
			Hint("build it with a recipe that has [lumina], and release it again")
	}
	s.book = NewBook(examples)
	return s, nil
}

// read reads the first instances of a split, or all if most is 0.
func (s *Set) read(p *split, most int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.whole || most > 0 && most <= len(p.instances) {
		return nil
	}
	list, err := s.lines(p.env, p.of, most)
	if err == nil {
		s.add(p, list)
		p.whole = most == 0
	}
	return err
}

// readAll reads all splits: then nothing of s changes any more.
func (s *Set) readAll() error {
	for _, p := range s.splits {
		if err := s.read(p, 0); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) add(p *split, list []*worlds.Instance) {
	p.instances, p.tasks = list, nil
	for _, inst := range list {
		s.known[inst.ID] = place{inst, p.Name}
		for _, config := range s.opts.Oracle {
			p.tasks = append(p.tasks, family.Task{
				ID: taskID(inst.ID, config), Instance: inst.ID, Variant: config, Split: p.Name,
				Info: info{inst.ID, config, p.env, inst.Level, p.Name},
			})
		}
	}
}

// info is what a player may know of an instance before it plays.
type info struct {
	Instance string `json:"instance"`
	Config   string `json:"config" jsonschema:"the oracles that intervene: base for none, else of P (plan), S (state) and H (history)"`
	World    string `json:"world"`
	Level    string `json:"level"`
	Split    string `json:"split"`
}

// lines decodes the first instances of a file, of the world and split that its name says; all if
// most is 0.
func (s *Set) lines(env, name string, most int) ([]*worlds.Instance, error) {
	seen, list := map[string]int{}, []*worlds.Instance{}
	err := s.files.Each(path.Base(schemas.LuminaPath(env, name)), func(n int, line []byte) error {
		inst, err := s.decode(line, env, name)
		if err != nil {
			return err
		}
		if first, twice := seen[inst.ID]; twice {
			return fmt.Errorf("id %s stands on line %d already", fault.Quote(inst.ID), first)
		}
		if list, seen[inst.ID] = append(list, inst), n; n == most {
			return release.ErrEnough
		}
		return nil
	})
	if err == release.ErrEnough {
		err = nil
	}
	return list, err
}

// decode reads an instance, which must be of the world and split, and keeps its knobs.
func (s *Set) decode(line []byte, env, name string) (*worlds.Instance, error) {
	inst, err := worlds.Decode(line)
	if err == nil && (inst.Env != env || inst.Split != name) {
		err = fmt.Errorf("an instance of %s/%s", inst.Env, inst.Split)
	}
	var features struct {
		Knobs map[string]any `json:"knobs"`
	}
	if err == nil {
		err = json.Unmarshal(line, &features)
	}
	if err == nil {
		s.knobs[inst.ID] = features.Knobs
	}
	return inst, err
}

// Splits lists the splits by world. The split fewshot is none of them.
func (s *Set) Splits() []family.Split {
	list := make([]family.Split, len(s.splits))
	for i, p := range s.splits {
		list[i] = p.Split
	}
	return list
}

// Tasks lists the instances of a split, each in all configurations.
func (s *Set) Tasks(name string, most int) ([]family.Task, error) {
	for _, p := range s.splits {
		if p.Name != name {
			continue
		}
		if err := s.read(p, most); err != nil {
			return nil, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return family.First(p.tasks, most), nil
	}
	return nil, nil
}

// find returns an instance: that of a task that was listed, or else of all that there are.
func (s *Set) find(id string) (place, error) {
	known := func() (place, bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		p, ok := s.known[id]
		return p, ok
	}
	p, ok := known()
	if !ok {
		if err := s.readAll(); err != nil {
			return p, err
		}
		p, _ = known()
	}
	return p, nil
}

// Start begins an episode. The manner changes no word but by the user's own.
func (s *Set) Start(t family.Task, o family.Options, m family.Manner) (family.Episode, error) {
	rules := s.opts
	if o.Value != nil {
		rules = optionsOf(o)
	}
	if !slices.Contains(rules.Oracle, t.Variant) {
		return nil, fault.New(fault.Usage, "option oracle=%s: %s is played in configuration %s", strings.Join(rules.Oracle, ","), t.Instance, fault.Quote(t.Variant)).
			Hint("take the task of another configuration")
	}
	cfg, err := family.ParseConfig(t.Variant)
	if err != nil {
		return nil, err
	}
	p, err := s.find(t.Instance)
	if err != nil {
		return nil, err
	}
	if p.inst == nil {
		return nil, fault.New(fault.Usage, "the release has no instance %s to play", fault.Quote(t.Instance))
	}
	return New(p.inst, cfg, rules, s.book, m.Prompt)
}

// Key returns the calls that an optimal player begins with.
func (s *Set) Key(t family.Task) (k family.Key, err error) {
	p, err := s.find(t.Instance)
	if err != nil || p.inst == nil {
		return k, err
	}
	for _, c := range p.inst.Start.Optimal() {
		k.Targets = append(k.Targets, c.String())
	}
	k.Target = k.Targets[0]
	return k, nil
}

// Drawing draws the world in which an instance begins.
func (s *Set) Drawing(t family.Task) (dag.Drawing, error) {
	p, err := s.find(t.Instance)
	if err == nil && p.inst == nil {
		err = fault.New(fault.NotFound, "the release has no instance %s", fault.Quote(t.Instance))
	}
	if err != nil {
		return dag.Drawing{}, err
	}
	return worlds.Picture(p.inst), nil
}

// Difficulty returns the turns of an optimal player, in the worst case for a tree, and the knobs.
func (s *Set) Difficulty(instance string) (family.Difficulty, bool) {
	p, err := s.find(instance)
	if err != nil || p.inst == nil {
		return family.Difficulty{}, false
	}
	s.mu.Lock()
	knobs := s.knobs[instance]
	s.mu.Unlock()
	d := family.Difficulty{Length: p.inst.TStar, Called: "t_star"}
	for name, value := range knobs {
		d.Features = append(d.Features, family.Feature{Name: name, Value: fmt.Sprint(value)})
	}
	order.Sort(d.Features, func(a, b family.Feature) int { return strings.Compare(a.Name, b.Name) })
	return d, true
}

func (s *Set) Baselines() []family.Baseline {
	remembering := func(e family.Episode, seat family.Seat) func() (family.Reply, error) {
		return playing(depthFirst())(e, seat)
	}
	return []family.Baseline{
		{Name: "optimal", Kind: schemas.KindOracle, Says: "makes the call that the plan oracle names", Start: playing(optimalCall)},
		{Name: "random", Kind: schemas.KindLocal, Says: "draws a legal call", Start: playing(randomCall)},
		{
			Name: "greedy-manhattan", Kind: schemas.KindLocal, Says: "walks straight to the goal of a grid, through holes",
			Splits: s.splitsOf(schemas.LuminaGrid), Start: playing(manhattanCall),
		},
		{
			Name: "depth-first", Kind: schemas.KindLocal, Says: "descends a tree by children drawn at random, again and again",
			Splits: s.splitsOf(schemas.LuminaTree), Start: remembering,
		},
	}
}

// splitsOf lists the splits of a world; never empty: a player of a missing world plays none.
func (s *Set) splitsOf(env string) []string {
	names := []string{}
	for _, p := range s.splits {
		if p.env == env {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		names = append(names, env+"/"+schemas.LuminaTest)
	}
	return names
}

// playing makes a baseline of a way to choose calls. Each episode has a stream of its own.
func playing(choose func(*Episode, *rng.Stream) worlds.Call) func(family.Episode, family.Seat) func() (family.Reply, error) {
	return func(e family.Episode, seat family.Seat) func() (family.Reply, error) {
		stream := seat.Stream(seat.Task.Instance, seat.Task.Variant)
		return func() (family.Reply, error) {
			text := calls.Fence(choose(e.(*Episode), stream).String())
			return family.Reply{Text: &text}, nil
		}
	}
}

func optimalCall(e *Episode, _ *rng.Stream) worlds.Call { return e.best[0] }

// randomCall draws any legal call, ending ones too: what a player without insight achieves.
func randomCall(e *Episode, s *rng.Stream) worlds.Call {
	legal := e.state.Legal()
	return legal[s.Below(len(legal))]
}

// manhattanCall walks straight to the goal, through holes: rows first.
func manhattanCall(e *Episode, _ *rng.Stream) worlds.Call {
	v := view(e.state).(prompt.GridView)
	name := worlds.Done
	switch {
	case v.Pos[0] > v.Goal[0]:
		name = worlds.Up
	case v.Pos[0] < v.Goal[0]:
		name = worlds.Down
	case v.Pos[1] > v.Goal[1]:
		name = worlds.Left
	case v.Pos[1] < v.Goal[1]:
		name = worlds.Right
	}
	return worlds.Call{Name: name}
}

// depthFirst descends from the first fact to children drawn at random, and starts over at a
// leaf: it remembers nothing but where it is, and never concludes that the target is out of reach.
func depthFirst() func(e *Episode, s *rng.Stream) worlds.Call {
	at := ""
	return func(e *Episode, s *rng.Stream) worlds.Call {
		v := view(e.state).(prompt.TreeView)
		at = descend(v, at, s)
		for _, f := range v.Facts {
			if f.Value != nil && *f.Value == v.Target {
				return worlds.Call{Name: worlds.Found, ID: f.ID}
			}
		}
		return worlds.Call{Name: worlds.GetChildren, ID: at}
	}
}

// descend returns a child of the node at, or the first node where it has none.
func descend(v prompt.TreeView, at string, s *rng.Stream) string {
	for _, f := range v.Facts {
		if f.ID == at && len(f.Children) > 0 {
			return f.Children[s.Below(len(f.Children))]
		}
	}
	return v.Facts[0].ID
}
