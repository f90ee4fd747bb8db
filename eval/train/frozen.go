package train

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Kind is a way in which what is trained on and what is frozen overlap.
type Kind struct {
	Name      string
	Forbidden bool
	Says      string // one sentence for documents
}

// Overlaps lists the kinds. Those of pairs of pages are those of the published one-step sets.
var Overlaps = []Kind{
	{"pair", true, "the same source and target"},
	{"reversed_pair", true, "the same pair, the other way round"},
	{"target", true, "the same target"},
	{"instance", true, "the same leg, maze or world"},
	{"prompt", true, "the first turn, word for word"},
	{"source", false, "the same source"},
	{"source_is_eval_target", false, "the source is a target there"},
	{"target_is_eval_source", false, "the target is a source there"},
	{"source_on_witness", false, "the source is on a published path there"},
	{"part", false, "a page or stop of a leg or maze that one there has, too"},
}

// Forbidden lists the kinds of overlap that training data may not have.
func Forbidden() (names []string) {
	for _, k := range Overlaps {
		if k.Forbidden {
			names = append(names, k.Name)
		}
	}
	return names
}

// Frozen is what a release has that models are scored on.
type Frozen struct {
	Name       string         `json:"release"`
	ManifestID string         `json:"manifest_id"`
	Wiki       string         `json:"wiki"`
	Pages      string         `json:"pages"`     // what names a page: page_id or title
	Counts     map[string]int `json:"instances"` // by family and split
	Unread     []string       `json:"unread"`    // families that do not say what their tasks are about

	pairs                     map[string]bool
	sources, targets, witness map[string]bool
	instances, parts, prompts map[string]bool // prompts is nil unless they were read
}

// What names a page.
const (
	byPageID = "page_id"
	byTitle  = "title"
)

// Freeze reads what a release has that is scored, of all families, for training data of a wiki.
// Pages are compared by their ids, or by their titles if the release is of another wiki.
func Freeze(r *open.Release, wiki string, families []family.Family) (*Frozen, error) {
	m := r.Manifest()
	f := &Frozen{
		Name: r.Name(), ManifestID: m.ID, Wiki: m.Wiki, Pages: byPageID,
		Counts: map[string]int{}, Unread: []string{}, pairs: map[string]bool{},
		sources: map[string]bool{}, targets: map[string]bool{}, witness: map[string]bool{},
		instances: map[string]bool{}, parts: map[string]bool{},
	}
	if m.Wiki != wiki {
		f.Pages = byTitle
	}
	for _, p := range artifacts.All {
		if err := f.readPart(r, p); err != nil {
			return nil, err
		}
	}
	for _, fam := range families {
		if err := f.readFamily(r, fam); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// readPart reads the pairs of pages of a part, with the paths that it publishes.
func (f *Frozen) readPart(r *open.Release, p release.Part) error {
	paired, ok := p.(release.Paired)
	files := r.Part(p)
	if !ok {
		return nil
	}
	w, err := r.World()
	if err != nil {
		return err
	}
	for _, name := range files.Names() {
		kind, known := p.Kind(name)
		if !known || !kind.Rows || kind.Table != nil || !strings.Contains(name, ".jsonl") {
			continue
		}
		set, _, _ := strings.Cut(name, ".")
		err := paired.EachAsked(files, name, func(a *release.Asked) error {
			f.Counts[p.Source().Name+"/"+set]++
			f.add(a.Source, a.Target)
			for _, path := range a.Paths {
				for _, u := range path {
					if int64(u) >= int64(w.Len()) {
						return fault.New(fault.Mismatch, "node %d in a graph of %d", u, w.Len()).At(name, "")
					}
					f.witness[f.page(schemas.PageRef{Node: u, PageID: w.PageID(u), Title: w.Title(u)})] = true
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *Frozen) add(source, target schemas.PageRef) {
	s, t := f.page(source), f.page(target)
	f.pairs[pairKey(s, t)], f.sources[s], f.targets[t] = true, true, true
}

// page names a page.
func (f *Frozen) page(p schemas.PageRef) string {
	if f.Pages == byTitle {
		return p.Title
	}
	return strconv.FormatUint(uint64(p.PageID), 10)
}

func pairKey(source, target string) string { return source + "\x00" + target }

// readFamily reads the tasks of a family that are no pairs of pages.
func (f *Frozen) readFamily(r *open.Release, fam family.Family) error {
	set, _, err := openSet(fam, r, nil)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	marked, ok := set.(family.Marked)
	if !ok {
		f.Unread = append(f.Unread, fam.Name())
		return nil
	}
	return eachTask(set, func(t family.Task) error {
		m, err := marked.Marks(t)
		if err != nil {
			return err
		}
		if m.Source != nil && m.Target != nil {
			f.add(*m.Source, *m.Target)
		} else {
			f.Counts[fam.Name()+"/"+t.Split]++
		}
		f.keep(fam.Name(), m)
		return nil
	})
}

func (f *Frozen) keep(fam string, m family.Marks) {
	if m.Instance != "" {
		f.instances[fam+" "+m.Instance] = true
	}
	for _, part := range m.Parts {
		f.parts[fam+" "+part] = true
	}
}

// eachTask visits the tasks of all splits, those that are closed as well.
func eachTask(set family.Set, visit func(family.Task) error) error {
	for _, split := range set.Splits() {
		tasks, err := set.Tasks(split.Name, 0)
		if err != nil {
			return err
		}
		for _, t := range tasks {
			if err := visit(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// openSet opens what a release has of a family; options are those of its defaults where nil.
func openSet(
	fam family.Family, r *open.Release, options []string,
) (family.Set, family.Options, error) {
	o, err := fam.Options(options)
	if err == nil {
		o, err = family.Settle(fam, r, o)
	}
	if err != nil {
		return nil, o, err
	}
	set, err := fam.Open(r, o)
	return set, o, err
}

// Shares lists the kinds in which a task of a family overlaps with what is frozen, in the order of
// Overlaps; prompts are compared apart.
func (f *Frozen) Shares(fam string, m family.Marks) (kinds []string) {
	is := map[string]bool{"instance": m.Instance != "" && f.instances[fam+" "+m.Instance]}
	for _, part := range m.Parts {
		is["part"] = is["part"] || f.parts[fam+" "+part]
	}
	if m.Source != nil && m.Target != nil {
		s, t := f.page(*m.Source), f.page(*m.Target)
		is["pair"], is["reversed_pair"] = f.pairs[pairKey(s, t)], f.pairs[pairKey(t, s)]
		is["source"], is["target"] = f.sources[s], f.targets[t]
		is["source_is_eval_target"], is["target_is_eval_source"] = f.targets[s], f.sources[t]
		is["source_on_witness"] = f.witness[s]
	}
	for _, k := range Overlaps {
		if is[k.Name] {
			kinds = append(kinds, k.Name)
		}
	}
	return kinds
}

// forbids returns the first kind that is forbidden, "" for none.
func forbids(kinds []string) string {
	for _, k := range Overlaps {
		for _, name := range kinds {
			if k.Forbidden && name == k.Name {
				return name
			}
		}
	}
	return ""
}

// ReadPrompts adds the first turns of all tasks under the default options of each family, and under
// those that it is trained with, by its name.
func (f *Frozen) ReadPrompts(
	r *open.Release, families []family.Family, trained map[string]family.Options,
) error {
	f.prompts = map[string]bool{}
	for _, fam := range families {
		set, o, err := openSet(fam, r, nil)
		if fault.KindOf(err) == fault.NotFound {
			continue
		}
		if err == nil {
			err = f.readPrompts(set, o)
		}
		if given, ok := trained[fam.Name()]; ok && err == nil && !bytes.Equal(given.JSON, o.JSON) {
			if set, err = fam.Open(r, given); err == nil {
				err = f.readPrompts(set, given)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readPrompts passes over tasks that nobody can begin, as with options that name what is not at
// hand: they have no prompt.
func (f *Frozen) readPrompts(set family.Set, o family.Options) error {
	return eachTask(set, func(t family.Task) error {
		if e, err := set.Start(t, o, chat); err == nil {
			f.prompts[promptKey(e.Messages())] = true
		}
		return nil
	})
}
