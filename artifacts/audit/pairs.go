package audit

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
)

// PairSet is the pairs of pages of a file, and what repeats among them.
type PairSet struct {
	Family        string `json:"family"`
	Set           string `json:"set"`
	N             int    `json:"n"`
	Pairs         int    `json:"pairs"` // different ones
	SourcesTwice  int    `json:"sources_twice"`
	TargetsTwice  int    `json:"targets_twice"`
	BothEnds      int    `json:"pages_as_source_and_target"`
	SharedOnPaths []Met  `json:"shared_on_paths"` // pages on the paths of more than one in twenty

	asked []pair
}

// Met is a page and in how many of the lists or paths of a set it is.
type Met struct {
	Node  uint32 `json:"node"`
	Title string `json:"title"`
	N     int    `json:"n"`
	Share string `json:"share"`
}

// Overlap is what two sets share: instances of A whose pair, reversed pair, source or target is one
// of B, and those whose pair lies on a path that B reveals.
type Overlap struct {
	A        string `json:"a"`
	B        string `json:"b"`
	Train    bool   `json:"train"` // one is to train on, the other one is not
	Pairs    int    `json:"pairs"`
	Reversed int    `json:"reversed"`
	Sources  int    `json:"sources"`
	Targets  int    `json:"targets"`
	OnPaths  int    `json:"on_paths"`
}

// Against is what a set shares with an earlier release of the same wiki.
type Against struct {
	Release  string `json:"release"`
	Date     string `json:"snapshot_date"`
	Family   string `json:"family"`
	Set      string `json:"set"`
	N        int    `json:"n"`
	Shared   int    `json:"shared"`   // with the same key, or for records without pairs the same bytes
	Reversed int    `json:"reversed"` // whose pair the earlier release asks the other way round
	Share    string `json:"share"`
}

// pair is two nodes, the source first.
type pair struct{ source, target uint32 }

func (p pair) turned() pair { return pair{p.target, p.source} }

// pairSets reads the pairs of every part that has any.
func (a *auditor) pairSets() (list []*PairSet, train map[*PairSet]bool, err error) {
	train = map[*PairSet]bool{}
	for _, p := range a.parts {
		paired, ok := p.(release.Paired)
		if !ok {
			continue
		}
		files := a.r.Part(p)
		for _, name := range lineFiles(p, files) {
			s := &PairSet{Family: p.Source().Name, Set: setOf(name)}
			if err := a.readPairs(s, paired, files, name); err != nil {
				return nil, nil, err
			}
			list = append(list, s)
			_, train[s] = p.(release.Contaminator)
		}
	}
	return list, train, nil
}

// lineFiles lists the files of a part that hold records as JSON lines.
func lineFiles(p release.Part, f release.Files) (names []string) {
	for _, name := range f.Names() {
		if kind, ok := p.Kind(name); ok && kind.Rows && kind.Table == nil &&
			strings.Contains(name, ".jsonl") {
			names = append(names, name)
		}
	}
	return names
}

func setOf(name string) string { set, _, _ := strings.Cut(name, "."); return set }

func (a *auditor) readPairs(s *PairSet, paired release.Paired, f release.Files, name string) error {
	met := map[uint32]int{}
	err := paired.EachAsked(f, name, func(x *release.Asked) error {
		s.asked = append(s.asked, pair{x.Source.Node, x.Target.Node})
		for i, path := range x.Paths {
			for _, u := range path {
				first := i == 0 || !slices.ContainsFunc(x.Paths[:i],
					func(p []uint32) bool { return slices.Contains(p, u) })
				if first && u != x.Source.Node && u != x.Target.Node {
					met[u]++
				}
			}
		}
		return a.ctx.Err()
	})
	s.N = len(s.asked)
	s.SharedOnPaths = a.oftenMet(met, s.N)
	s.repeats()
	return err
}

// oftenMet lists the pages that more than one of so many records in twenty meets, the most frequent
// first.
func (a *auditor) oftenMet(met map[uint32]int, records int) []Met {
	list := []Met{}
	for u, n := range met { // sorted below
		if n > 1 && n*sharedShare > records {
			list = append(list, Met{u, a.title(u), n, number(float64(n) / float64(records))})
		}
	}
	slices.SortFunc(list, func(x, y Met) int {
		return cmp.Or(cmp.Compare(y.N, x.N), cmp.Compare(x.Node, y.Node))
	})
	return list[:min(len(list), mostShared)]
}

func (s *PairSet) repeats() {
	pairs, sources, targets := map[pair]int{}, map[uint32]int{}, map[uint32]int{}
	for _, p := range s.asked {
		pairs[p]++
		sources[p.source]++
		targets[p.target]++
	}
	s.Pairs = len(pairs)
	for u, n := range sources { // counts
		if n > 1 {
			s.SourcesTwice++
		}
		if targets[u] > 0 {
			s.BothEnds++
		}
	}
	for _, n := range targets { // a count
		if n > 1 {
			s.TargetsTwice++
		}
	}
}

// overlaps holds every two sets against each other; pairs that share nothing are left out.
func (a *auditor) overlaps(list []*PairSet, train map[*PairSet]bool) ([]Overlap, error) {
	out := []Overlap{}
	revealed, err := a.revealed()
	if err != nil {
		return nil, err
	}
	for i, x := range list {
		for j, y := range list {
			if i == j || train[x] == train[y] && j < i || train[y] && !train[x] {
				continue // from the side of what is trained on, else from that of the first
			}
			o := x.against(y, revealed[y.Family+"/"+y.Set])
			o.Train = train[x] != train[y]
			if o.Pairs+o.Reversed+o.Sources+o.Targets+o.OnPaths > 0 {
				out = append(out, o)
			}
		}
	}
	return out, nil
}

func (s *PairSet) against(y *PairSet, onPaths map[pair]bool) Overlap {
	o := Overlap{A: s.Family + "/" + s.Set, B: y.Family + "/" + y.Set}
	pairs, sources, targets := map[pair]bool{}, map[uint32]bool{}, map[uint32]bool{}
	for _, p := range y.asked {
		pairs[p], sources[p.source], targets[p.target] = true, true, true
	}
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	for _, p := range s.asked {
		count(&o.Pairs, pairs[p])
		count(&o.Reversed, pairs[p.turned()])
		count(&o.Sources, sources[p.source])
		count(&o.Targets, targets[p.target])
		count(&o.OnPaths, onPaths[p] && !pairs[p])
	}
	return o
}

// revealed lists, by set, the pairs of pages on the paths of each record, in their order, that end
// at its target: who learns one of them learns a piece of the answer.
func (a *auditor) revealed() (map[string]map[pair]bool, error) {
	out := map[string]map[pair]bool{}
	for _, p := range a.parts {
		scorer, ok := p.(release.Scorer)
		files := a.r.Part(p)
		if !ok || len(files.Names()) == 0 {
			continue
		}
		list, err := scorer.Scored(files)
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			key := p.Source().Name + "/" + x.Group
			if out[key] == nil {
				out[key] = map[pair]bool{}
			}
			for _, u := range x.Witness {
				if u != x.Target {
					out[key][pair{u, x.Target}] = true
				}
			}
		}
	}
	return out, nil
}

// against counts what the release shares with an earlier one.
func (a *auditor) against(old *release.Release) (list []Against, err error) {
	m := old.Manifest()
	for _, p := range a.parts {
		paired, _ := p.(release.Paired)
		files, before := a.r.Part(p), old.Part(p)
		asked := map[string]bool{}
		for _, name := range lineFiles(p, before) {
			err := eachKey(paired, before, name, m.Wiki,
				func(key, _ string) error { asked[key] = true; return a.ctx.Err() })
			if err != nil {
				return nil, err
			}
		}
		for _, name := range lineFiles(p, files) {
			x := Against{Release: m.ID, Date: m.SnapshotDate, Family: p.Source().Name, Set: setOf(name)}
			err := eachKey(paired, files, name, m.Wiki, func(key, turned string) error {
				x.N++
				if asked[key] {
					x.Shared++
				}
				if turned != "" && asked[turned] {
					x.Reversed++
				}
				return a.ctx.Err()
			})
			if err != nil {
				return nil, err
			}
			x.Share = number(float64(x.Shared) / float64(max(1, x.N)))
			list = append(list, x)
		}
	}
	return list, nil
}

// eachKey visits what names the records of a file in every release of a wiki: the pages of their
// pair and of the reversed one, or the digest of their bytes.
func eachKey(paired release.Paired, f release.Files, name, wiki string,
	visit func(key, turned string) error,
) error {
	if paired == nil {
		return f.Each(name, func(_ int, line []byte) error {
			return visit(digest.SHA256(withoutGraph(line)), "")
		})
	}
	return paired.EachAsked(f, name, func(x *release.Asked) error {
		turned := release.Asked{Source: x.Target, Target: x.Source, Under: x.Under}
		return visit(x.Key(wiki), turned.Key(wiki))
	})
}

// withoutGraph takes out of a record what says which build it is of: the same record may come from
// two.
func withoutGraph(line []byte) []byte {
	var record map[string]json.RawMessage
	if json.Unmarshal(line, &record) != nil {
		return line
	}
	for name := range record { // each goes or stays by itself
		if strings.HasSuffix(name, "_sha256") {
			delete(record, name)
		}
	}
	again, err := json.Marshal(record)
	if err != nil {
		return line
	}
	return again
}
