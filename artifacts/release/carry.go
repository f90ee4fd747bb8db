package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Carrier is a part whose records a later release can take over. A part with records that is none
// is refused by its name, unless its records are to be drawn anew.
type Carrier interface {
	Part
	// Carry writes the files of the part: records of the older release, and in the place of those
	// that are lost the build's own.
	Carry(c *Carrying) error
	// Renamed returns a record of the older release as a later one has it whose pages are called
	// otherwise, in a form in which the two are compared.
	Renamed(line []byte, to *Pages) ([]byte, error)
}

// Related is a Carrier with records that depend on others of their release, and not on the graph
// alone.
type Related interface {
	// Alone returns a record without what it says of others.
	Alone(line []byte) ([]byte, error)
	// Bars returns a test of records that hold, by the parameters of the stage and what models are
	// scored on: the state of one that has no place next to these, else "".
	Bars(params json.RawMessage, scored []Scored) func(line []byte) (state string, err error)
}

// StateRedrawn is that of records of a part that is drawn anew.
const StateRedrawn = "redrawn"

// Carry says from where and how a release takes records over.
type Carry struct {
	Old    *Release
	Parts  []Part   // all that there are
	Redraw []string // stages whose records are those of the build all the same
	// Fates says what became of the pairs: package carry has it.
	Fates func(ctx context.Context, old, now *Release, parts []Part) (*Fates, error)
	// Catalog writes the catalogue of a release whose other tables are there; nil for a program
	// that cannot.
	Catalog func(ctx context.Context, path string, r *Release) error
}

// Fates is what became of an older release.
type Fates struct {
	Nodes  []uint32            // by node of the older graph: that of the later one, or Gone
	States map[string][]string // of the records of each file, which is named FOLDER/FILE without its ending
	Kept   func(state string) (renamed, kept bool)
}

// Pages calls pages of an older graph as a later one does.
type Pages struct {
	Nodes []uint32
	Graph *graph.Graph
	Wiki  string
}

// Name puts the node, id and title of the later graph in place of those of the older one.
func (p *Pages) Name(list ...*schemas.PageRef) error {
	for _, ref := range list {
		u, err := p.node(ref.Node)
		if err != nil {
			return err
		}
		ref.Node, ref.PageID, ref.Title = u, p.Graph.PageIDs[u], p.Graph.Title(u)
	}
	return nil
}

// Move puts nodes of the later graph in place of those of the older one.
func (p *Pages) Move(lists ...[]uint32) error {
	for _, list := range lists {
		for i := range list {
			u, err := p.node(list[i])
			if err != nil {
				return err
			}
			list[i] = u
		}
	}
	return nil
}

func (p *Pages) node(u uint32) (uint32, error) {
	if int(u) >= len(p.Nodes) || p.Nodes[u] == Gone {
		return 0, fault.New(fault.Mismatch, "node %d of a record that holds is none of the later graph", u)
	}
	return p.Nodes[u], nil
}

// Carrying is what a part takes records over with.
type Carrying struct {
	Pages
	Old, Now Files // of the older release, and of the build
	Set      *distances.Set

	w     *writer
	part  Part
	fates *Fates
	entry CarriedPart
}

// Scored gathers what models are scored on, of the parts that are written.
func (c *Carrying) Scored() (list []Scored, err error) {
	for _, b := range c.w.in.Parts {
		if s, ok := b.Part.(Scorer); ok {
			pairs, err := s.Scored(b.Files)
			if err != nil {
				return nil, err
			}
			list = append(list, pairs...)
		}
	}
	return list, nil
}

// Context is cancelled when nobody waits for the release any more.
func (c *Carrying) Context() context.Context { return c.w.ctx }

// Write writes a file of the part.
func (c *Carrying) Write(name string, fill func(io.Writer) (arrowio.Summary, error)) error {
	return c.w.create(c.part.Folder()+"/"+name, fill)
}

// Text writes a file of lines.
func (c *Carrying) Text(name string, text []byte, rows int) error {
	return c.Write(name, func(out io.Writer) (arrowio.Summary, error) {
		_, err := out.Write(text)
		return arrowio.Summary{Rows: int64(rows)}, err
	})
}

// Whole takes all files of the part over as they are, with what the older release says of the stage
// that wrote them: for records that are true whatever the later graph is.
func (c *Carrying) Whole() error {
	if c.entry.Redrawn {
		for _, name := range c.Now.Names() {
			if err := c.w.copyOne(Built{c.part, c.Now}, name); err != nil {
				return err
			}
		}
		return nil
	}
	old, stage := c.w.opts.Carry.Old.m, c.part.Source().Name
	c.entry.Whole = old.wholeOf(stage)
	if c.entry.Whole == nil {
		i := slices.IndexFunc(old.Stages, func(s StageEntry) bool { return s.Stage == stage })
		if i < 0 {
			return fault.New(fault.Mismatch, "the older release has %s/ and no stage %s", c.part.Folder(), stage).
				At(ManifestName, "stages")
		}
		c.entry.Whole = &WholePart{Params: old.Params[stage], Stage: old.Stages[i]}
	}
	for _, name := range c.Old.Names() {
		if err := c.w.copyOne(Built{c.part, c.Old}, name); err != nil {
			return err
		}
		if k, _ := c.part.Kind(name); k.Schema != "" && strings.HasSuffix(name, ".jsonl") {
			n := int(c.Old.Rows(name))
			c.entry.Splits[strings.TrimSuffix(name, ".jsonl")] = CarriedSplit{Had: n, Kept: n, Lost: map[string]int{}}
		}
	}
	return nil
}

// Records is how records of a part are taken over one by one.
type Records[R any] struct {
	Schema string
	ID     func(*R) *string
	Ends   func(*R) (source, target schemas.PageRef)
	Slot   func(set string, x *R) TallyKey // the quota that it counts for
	Rename func(*R, *Pages) error          // calls its pages as the later graph does
	Again  func(*R) error                  // of the build, under another id: what follows from the id
	Bar    func(set string, x *R) string   // a state that bars a record that holds otherwise; nil for none
	Column bool                            // every target has a distance column in a release
}

// Renamed is documented at Carrier.
func (how Records[R]) Renamed(line []byte, to *Pages) ([]byte, error) {
	x, err := jsonl.DecodeLine[R](line, how.Schema)
	if err == nil {
		err = how.Rename(&x, to)
	}
	if err != nil {
		return nil, err
	}
	return canon.Marshal(&x)
}

// slots is the places of a part while they are filled.
type slots[R any] struct {
	*Carrying
	how       Records[R]
	reuse     string
	lists     map[string][]R
	room      map[TallyKey]int
	got, lost map[TallyKey]int
	drawn     map[TallyKey]int
	next      map[string]int // by the beginning of ids
	pairs     map[[2]uint32]bool
	ends      [2]map[uint32]bool
	missing   map[uint32]bool // targets without a column
}

// Take takes the records of all files of JSON lines of a part over: those of the older release that
// hold, and in the slots of the others records of the build, in the order of their draw. It returns
// the records of each file in the order of their ids, and the quotas.
func Take[R any](c *Carrying, how Records[R]) (map[string][]R, []schemas.Quota, error) {
	s := &slots[R]{
		Carrying: c, how: how, lists: map[string][]R{}, room: map[TallyKey]int{}, got: map[TallyKey]int{},
		lost: map[TallyKey]int{}, drawn: map[TallyKey]int{}, next: map[string]int{}, pairs: map[[2]uint32]bool{},
		ends: [2]map[uint32]bool{{}, {}}, missing: map[uint32]bool{},
	}
	for _, step := range []func() error{s.measure, s.keep, s.fill} {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	for _, list := range s.lists { // each by itself
		order.Sort(list, func(a, b R) int { return strings.Compare(*how.ID(&a), *how.ID(&b)) })
	}
	quotas, err := s.quotas()
	return s.lists, quotas, err
}

// measure compares what the two releases ask for, and finds how many records each slot holds.
func (s *slots[R]) measure() error {
	var old, now struct {
		Reuse string `json:"reuse"`
	}
	_ = json.Unmarshal(s.Old.Params, &old) // a stage without such a rule has other parameters
	_ = json.Unmarshal(s.Now.Params, &now)
	stage := s.part.Source().Name
	if s.reuse = now.Reuse; old != now && !s.entry.Redrawn {
		return fault.New(fault.Usage,
			"%s: pages are used again by the rule %s in the build, and %s in the release of --carry",
			stage, fault.Quote(now.Reuse), fault.Quote(old.Reuse)).
			Hint("build with --set %s.reuse=%s", stage, old.Reuse)
	}
	was, err := s.Old.Quotas()
	if err != nil {
		return err
	}
	is, err := s.Now.Quotas()
	if err != nil {
		return err
	}
	asked := map[TallyKey]int{}
	for _, q := range is {
		key := TallyKey{q.Of, q.Distance}
		asked[key], s.room[key] = q.Requested, q.Got
	}
	if s.entry.Redrawn {
		was = nil
	}
	for _, q := range was {
		key := TallyKey{q.Of, q.Distance}
		if asked[key] != q.Requested {
			return fault.New(fault.Usage, "%s: the build asks for %d of %s, the release of --carry for %d", stage,
				asked[key], q.What(), q.Requested).
				Hint("build with the splits of that release: its recipe.toml has them, for --recipe")
		}
		s.room[key] = q.Got
	}
	maps.Copy(s.next, s.w.opts.Carry.Old.m.LastOf(stage))
	return nil
}

// LastOf returns the greatest numbers that ids of a stage have had up to m, as far as it says.
func (m *Manifest) LastOf(stage string) map[string]int {
	if m.Carried == nil {
		return nil
	}
	return m.Carried.Parts[stage].Last
}

// keep takes over what holds.
func (s *slots[R]) keep() error {
	err := s.each(s.Old, func(set string, n int, x *R, count *CarriedSplit) error {
		states := s.fates.States[s.part.Folder()+"/"+set]
		count.Had++
		Used(s.next, *s.how.ID(x))
		switch {
		case s.entry.Redrawn:
			count.Lost[StateRedrawn]++
			return nil
		case n > len(states):
			return errors.New("a record that was not compared")
		}
		return s.keepOne(set, states[n-1], *x, count)
	})
	if err != nil {
		return err
	}
	s.entry.Last = maps.Clone(s.next)
	return s.needColumns()
}

// each visits the records of all files of one of the two, with what is counted of their file.
func (s *slots[R]) each(f Files, visit func(set string, n int, x *R, count *CarriedSplit) error) error {
	id := func(x *R) string { return *s.how.ID(x) }
	for _, name := range f.Names() {
		set, isLines := strings.CutSuffix(name, ".jsonl")
		if !isLines {
			continue
		}
		count := s.entry.Splits[set]
		if count.Lost == nil {
			count.Lost = map[string]int{}
		}
		err := EachLineOf(f, name, s.how.Schema, id, func(n int, x *R) error { return visit(set, n, x, &count) })
		if err != nil {
			return err
		}
		s.entry.Splits[set] = count
	}
	return nil
}

// Used notes in last, by the beginning of ids, that the number of an id is used.
func Used(last map[string]int, id string) {
	if stem, n := numberOf(id); n > 0 {
		last[stem] = max(last[stem], n)
	}
}

func (s *slots[R]) keepOne(set, state string, x R, count *CarriedSplit) error {
	slot := s.how.Slot(set, &x)
	renamed, kept := s.fates.Kept(state)
	if kept {
		if err := s.how.Rename(&x, &s.Pages); err != nil {
			return err
		}
		if s.how.Bar != nil {
			if bar := s.how.Bar(set, &x); bar != "" {
				state, kept = bar, false
			}
		}
	}
	if !kept {
		count.Lost[state]++
		s.lost[slot]++
		return nil
	}
	if count.Kept++; renamed {
		count.Renamed++
	}
	if _, target := s.how.Ends(&x); s.how.Column {
		if _, err := s.Set.Column(target.Node); err != nil {
			s.missing[target.Node] = true
		}
	}
	s.put(set, slot, x)
	return nil
}

// put enters a record.
func (s *slots[R]) put(set string, slot TallyKey, x R) {
	source, target := s.how.Ends(&x)
	s.lists[set] = append(s.lists[set], x)
	s.got[slot]++
	s.pairs[[2]uint32{source.Node, target.Node}] = true
	s.ends[0][source.Node], s.ends[1][target.Node] = true, true
}

func (s *slots[R]) needColumns() error {
	if len(s.missing) == 0 {
		return nil
	}
	first := slices.Sorted(maps.Keys(s.missing))[0]
	return fault.New(fault.NotFound,
		"%d targets of records of %s/ that the release of --carry has have no distance column in the build, "+
			"%s among them",
		len(s.missing), s.part.Folder(), fault.Quote(s.Graph.Title(first))).
		Hint("build with --targets and that release")
}

// fill fills the slots that are left.
func (s *slots[R]) fill() error {
	for _, name := range s.Now.Names() {
		if set, isLines := strings.CutSuffix(name, ".jsonl"); isLines && s.lists[set] == nil {
			s.lists[set] = []R{}
		}
	}
	return s.each(s.Now, func(set string, _ int, x *R, count *CarriedSplit) error {
		if err := s.w.ctx.Err(); err != nil {
			return err
		}
		slot := s.how.Slot(set, x)
		if s.got[slot] >= s.room[slot] || !s.free(set, x) {
			return nil
		}
		count.Drawn++
		s.drawn[slot]++
		return s.fillOne(set, slot, *x)
	})
}

// free reports whether the rule of the draw lets a record stand with those that are there.
func (s *slots[R]) free(set string, x *R) bool {
	if s.how.Bar != nil && s.how.Bar(set, x) != "" {
		return false
	}
	source, target := s.how.Ends(x)
	switch {
	case s.pairs[[2]uint32{source.Node, target.Node}]:
		return false
	case s.reuse == "none" && s.ends[0][source.Node]:
		return false
	case s.reuse == "none" || s.reuse == "targets":
		return !s.ends[1][target.Node]
	}
	return true
}

// fillOne enters a record of the build under a number that no release before has used.
func (s *slots[R]) fillOne(set string, slot TallyKey, x R) error {
	id := s.how.ID(&x)
	stem, _ := numberOf(*id)
	s.next[stem]++
	if now := fmt.Sprintf("%s%04d", stem, s.next[stem]); now != *id {
		*id = now
		if err := s.how.Again(&x); err != nil {
			return err
		}
	}
	s.put(set, slot, x)
	return nil
}

// quotas says what each slot got.
func (s *slots[R]) quotas() ([]schemas.Quota, error) {
	list, err := s.Now.Quotas()
	for i, q := range list {
		key := TallyKey{q.Of, q.Distance}
		why := fmt.Sprintf("release %s has %d, of which %d are lost; the build's own draw filled %d",
			s.w.m.Carried.ID, s.got[key]-s.drawn[key]+s.lost[key], s.lost[key], s.drawn[key])
		now := schemas.NewQuota(q.Of, q.Requested, s.got[key], why, q.Counts)
		now.Distance, now.Mode = q.Distance, q.Mode
		list[i] = now
	}
	return list, err
}

// Quotas writes quotas.json.
func (c *Carrying) Quotas(list []schemas.Quota) error {
	return c.Text(schemas.QuotasFile, canon.MustMarshal(list), len(list))
}

// recordWriter writes rows of records as Parquet: flat.Codec is one.
type recordWriter[R any] interface {
	WriteParquet(out io.Writer, list []R) (arrowio.Summary, error)
}

// WriteRecords writes records as JSON lines, and laid flat.
func WriteRecords[R any](c *Carrying, set string, codec recordWriter[R], list []R) error {
	err := c.Write(set+".jsonl", func(out io.Writer) (arrowio.Summary, error) {
		return arrowio.Summary{Rows: int64(len(list))}, jsonl.Write(out, list)
	})
	if err != nil {
		return err
	}
	return c.Write(set+".parquet", func(out io.Writer) (arrowio.Summary, error) {
		return codec.WriteParquet(out, list)
	})
}

// carriers returns which parts of the build take records over, and refuses those that cannot.
func (w *writer) carriers() (list []int, err error) {
	old := w.opts.Carry.Old
	built := map[string]bool{}
	for i, b := range w.in.Parts {
		stage := b.Part.Source().Name
		built[stage] = true
		files := old.Part(b.Part)
		_, can := b.Part.(Carrier)
		if !hasRecords(b.Part, files) || !can && w.opts.Carry.redraws(stage) {
			continue
		}
		if !can {
			return nil, fault.New(fault.Usage, "the records of %s cannot be carried: %s", stage, whyNot(b.Part)).
				Hint("--redraw %s publishes those of the build", stage)
		}
		list = append(list, i)
	}
	for _, stage := range w.opts.Carry.Redraw {
		if !built[stage] {
			return nil, fault.New(fault.Usage, "--redraw %s: the build has no such family", fault.Quote(stage)).
				Choose(stage, slices.Sorted(maps.Keys(built)))
		}
	}
	for _, p := range w.opts.Carry.Parts {
		if stage := p.Source().Name; !built[stage] && hasRecords(p, old.Part(p)) {
			return nil, fault.New(fault.Usage, "the release of --carry has %s/, and the build has not", p.Folder()).
				Hint("build %s, too", stage)
		}
	}
	// What is held apart from other parts comes when they are written.
	order.Sort(list, func(i, j int) int { return w.rank(i) - w.rank(j) })
	return list, nil
}

// rank is 1 for a part that depends on others, else 0.
func (w *writer) rank(i int) int {
	if _, ok := w.in.Parts[i].Part.(Related); ok {
		return 1
	}
	return 0
}

func (c *Carry) redraws(stage string) bool { return slices.Contains(c.Redraw, stage) }

// Redrawn lists the stages whose records m has from its own build though old has some.
func (m *Manifest) Redrawn(old *Manifest, parts []Part) (stages []string) {
	for _, p := range parts {
		stage := p.Source().Name
		if hasRecords(p, old.folderBelow(nil, p.Folder())) && len(m.folder(p.Folder())) > 0 &&
			(!m.carries(stage) || m.Carried.Parts[stage].Redrawn) {
			stages = append(stages, stage)
		}
	}
	return stages
}

// Uncarried is a part whose records cannot be taken over, and which says why.
type Uncarried interface{ WhyNotCarried() string }

func whyNot(p Part) string {
	if u, ok := p.(Uncarried); ok {
		return u.WhyNotCarried()
	}
	return "this version of wikinav does not know how"
}

// hasRecords reports whether a part has records, and not tables about pages alone.
func hasRecords(p Part, f Files) bool {
	return slices.ContainsFunc(f.Names(), func(name string) bool {
		return strings.HasSuffix(strings.TrimSuffix(name, jsonl.PackedSuffix), ".jsonl")
	})
}

// copyOrCarry writes the files of all parts: those of the build, and where an older release is
// named its records.
func (w *writer) copyOrCarry(g *graph.Graph) error {
	if w.opts.Carry == nil {
		return w.copyParts(nil)
	}
	carriers, err := w.carriers()
	if err == nil {
		err = w.copyParts(carriers)
	}
	if err != nil {
		return err
	}
	set, err := distances.Open(w.in.Root, w.in.Distances.Path, w.in.Distances.Files, g.Len(), w.in.Graph.Digest.SHA256)
	if err != nil {
		return err
	}
	return errors.Join(w.carry(g, set, carriers), set.Close())
}

func (w *writer) carry(g *graph.Graph, set *distances.Set, carriers []int) error {
	var parts []Part
	for _, i := range carriers {
		parts = append(parts, w.in.Parts[i].Part)
	}
	carry := w.opts.Carry
	now := &Release{root: w.root, m: w.m, graph: g, set: set}
	fates, err := carry.Fates(w.ctx, carry.Old, now, parts)
	if err != nil {
		return err
	}
	w.m.Carried = carry.Old.CarriedBy(fates)
	for k, i := range carriers {
		c := &Carrying{
			Pages: Pages{fates.Nodes, g, w.m.Wiki}, Old: carry.Old.Part(w.in.Parts[i].Part), Now: w.in.Parts[i].Files,
			Set: set, w: w, part: w.in.Parts[i].Part, fates: fates,
			entry: CarriedPart{
				Last: map[string]int{}, Splits: map[string]CarriedSplit{},
				Redrawn: carry.redraws(parts[k].Source().Name),
			},
		}
		if err := w.carryPart(c, &w.in.Parts[i]); err != nil {
			return err
		}
	}
	return nil
}

// carryPart has a part take its records over; from then on its files are those of the release.
func (w *writer) carryPart(c *Carrying, b *Built) error {
	if err := b.Part.(Carrier).Carry(c); err != nil {
		return inFile(b.Part.Folder(), err)
	}
	if len(c.entry.Splits) > 0 {
		w.m.Carried.Parts[b.Part.Source().Name] = c.entry
	}
	b.Files = w.m.filesOf(w.root, b.Part)
	return w.enterSplits(*b)
}

// CarriedBy describes an older release from which records are taken over, without the parts.
func (r *Release) CarriedBy(f *Fates) *Carried {
	m := r.m
	c := &Carried{
		ID: m.ID, Name: m.Release.Name, Version: m.Release.Version, ManifestSHA256: r.sha,
		Graphs: []DrawnFrom{{m.Graph.SHA256, m.RecipeSHA256}}, Parts: map[string]CarriedPart{},
	}
	if m.Carried != nil {
		for _, d := range m.Carried.Graphs {
			if d.GraphSHA256 != m.Graph.SHA256 {
				c.Graphs = append(c.Graphs, d)
			}
		}
	}
	for u, v := range f.Nodes {
		c.Renumbered = c.Renumbered || v != Gone && v != uint32(u)
	}
	return c
}

// remakeCatalog writes the catalogue from the tables of the release, because that of the build has
// the build's own draw.
func (w *writer) remakeCatalog() error {
	name := filepath.Join(w.dir, ".catalog.sqlite")
	defer os.Remove(name)
	if err := w.opts.Carry.Catalog(w.ctx, name, &Release{root: w.root, m: w.m}); err != nil {
		return err
	}
	sum, err := digest.File(w.ctx, name)
	if err != nil {
		return err
	}
	made := File{Path: name, Digest: sum}
	return w.create(catalogPath, w.copyFrom(made, func(f File) (*os.File, error) { return os.Open(f.Path) }))
}

// mayCarry refuses an older release whose records would be out of place.
func (in *Input) mayCarry(carry *Carry) error {
	if carry == nil {
		return nil
	}
	old := carry.Old.m
	if old.Wiki != in.Wiki {
		return fault.New(fault.Usage, "--carry: its wiki is %s, that of the build %s", old.Wiki, in.Wiki).
			Hint("name a release of an older snapshot of %s", in.Wiki)
	}
	then, _ := old.Since()
	now, _ := in.Since()
	if then.SHA256 != now.SHA256 {
		return fault.New(fault.Usage,
			"--carry: the pairs of one of the two are fresh since a release, and those of the other are not").
			Hint("build with the same --fresh-since as that release, or without")
	}
	return nil
}
