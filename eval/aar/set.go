package aar

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Set is the legs of a release and the world that they lead through. Lists are read, legs are
// decoded and the world is opened once somebody needs them.
type Set struct {
	source     family.Source
	rules      rules
	files      release.Files
	splits     []*split
	world      func() (*aar.World, error)
	strategies func() (*strategies, error)
	clock      func() time.Time // nil for that of the machine

	mu      sync.Mutex
	legs    map[string]*leg    // by instance id, of the splits that were read; all after readAll
	answers map[int]*aar.Tools // by the characters of their outputs
}

var _ family.Set = (*Set)(nil)

// split is a published list of legs, named <variant>-<level>.
type split struct {
	family.Split
	variant, level string
	tasks          []family.Task // nil until it is read
}

// leg is a line of a list, and what it says once it was decoded.
type leg struct {
	split  string
	decode func() (*schemas.AARLeg, error)
}

// newSet finds the lists of legs among the files of a release; keep has the release close the
// world.
func newSet(source family.Source, rules rules, files release.Files, keep func(io.Closer) error) (*Set, error) {
	s := &Set{source: source, rules: rules, files: files, legs: map[string]*leg{}}
	s.world = sync.OnceValues(func() (*aar.World, error) {
		w, err := aar.OpenWorld(files)
		if err == nil {
			err = keep(w)
		}
		return w, err
	})
	s.strategies = sync.OnceValues(s.newStrategies)
	for _, variant := range schemas.AARVariants {
		for _, level := range schemas.AARLevels {
			name := aar.LegsFile(variant, level)
			if !files.Has(name) {
				continue
			}
			missing, err := question.Missing(files, func(of string) bool { return of+".jsonl" == name })
			if err != nil {
				return nil, err
			}
			n := int(files.Rows(name))
			s.splits = append(s.splits, &split{variant: variant, level: level, Split: family.Split{
				Name: splitName(variant, level), SHA256: files.Digest(name).SHA256,
				Got: n, Requested: n + missing,
			}})
		}
	}
	if s.splits == nil || !files.Has(aar.TextsFile) {
		return nil, fault.New(fault.NotFound, "the release has no legs of the family %s",
			Family{}.Name()).At(aar.Part.Folder(), "").Hint("build it with page texts and legs, and release it again")
	}
	return s, nil
}

// read reads the list of a split.
func (s *Set) read(p *split) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.tasks != nil {
		return nil
	}
	legs, tasks := map[string]*leg{}, []family.Task{}
	err := s.files.Each(aar.LegsFile(p.variant, p.level), func(_ int, line []byte) error {
		id, err := p.idOf(line)
		if err == nil && legs[id] != nil {
			err = fmt.Errorf("the leg %s stands twice", id)
		}
		legs[id] = p.leg(id, bytes.Clone(line))
		tasks = append(tasks, family.Task{
			ID: id, Instance: id, Split: p.Name, Info: info{p.Name, p.variant, p.level},
		})
		return err
	})
	if err == nil {
		p.tasks = tasks
		maps.Copy(s.legs, legs)
	}
	return err
}

// readAll reads all lists: then nothing of them changes any more.
func (s *Set) readAll() error {
	for _, p := range s.splits {
		if err := s.read(p); err != nil {
			return err
		}
	}
	return nil
}

// sampleMark stands before the name of a sample in a line, and can stand in no text of it: there
// its quotes would be escaped.
var (
	sampleMark = []byte(`"sample_id":"`)
	sampleForm = regexp.MustCompile(`^sample_([0-9]{3,})$`)
)

// idOf returns the instance of a line, which is not decoded for that.
func (p *split) idOf(line []byte) (string, error) {
	_, rest, _ := bytes.Cut(line[max(0, bytes.LastIndex(line, sampleMark)):], sampleMark)
	name, _, _ := bytes.Cut(rest, []byte{'"'})
	m := sampleForm.FindSubmatch(name)
	if m == nil {
		return "", fmt.Errorf("sample_id is %s, want sample_ and 3 digits", fault.Quote(string(name)))
	}
	return instanceID(p.variant, p.level, string(m[1])), nil
}

func (p *split) leg(id string, line []byte) *leg {
	return &leg{p.Name, sync.OnceValues(func() (*schemas.AARLeg, error) {
		l, err := aar.DecodeLine(line)
		if err != nil {
			return nil, fault.New(fault.Malformed, "%w", err).At(aar.LegsFile(p.variant, p.level), id)
		}
		return l, nil
	})}
}

func splitName(variant, level string) string { return variant + "-" + level }

func instanceID(variant, level, number string) string {
	return strings.Join([]string{Family{}.Name(), variant, level, number}, "-")
}

// info is what a player may know of a leg before it plays.
type info struct {
	Split   string `json:"split"`
	Variant string `json:"variant" jsonschema:"linear, or dag where steps branch and meet again"`
	Level   string `json:"level"`
}

// leg returns a leg by its instance id, of which the split is part.
func (s *Set) leg(id string) (*schemas.AARLeg, error) {
	for _, p := range s.splits {
		if strings.HasPrefix(id, instanceID(p.variant, p.level, "")) {
			if err := s.read(p); err != nil {
				return nil, err
			}
		}
	}
	s.mu.Lock()
	l, ok := s.legs[id]
	s.mu.Unlock()
	if !ok {
		return nil, fault.New(fault.NotFound, "the release has no leg %s", fault.Quote(id))
	}
	return l.decode()
}

// tools returns what answers calls, with outputs of so many characters at most.
func (s *Set) tools(limit int) (*aar.Tools, error) {
	w, err := s.world()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answers == nil {
		s.answers = map[int]*aar.Tools{}
	}
	if s.answers[limit] == nil {
		s.answers[limit] = &aar.Tools{
			World: w, Cassette: s.rules.cassette, Python: s.rules.python, Max: limit,
		}
	}
	return s.answers[limit], nil
}

// Drawing draws the stops of a leg.
func (s *Set) Drawing(t family.Task) (dag.Drawing, error) {
	l, err := s.leg(t.Instance)
	if err != nil {
		return dag.Drawing{}, err
	}
	return aar.Draw(l), nil
}

// Key returns the digit.
func (s *Set) Key(t family.Task) (family.Key, error) {
	l, err := s.leg(t.Instance)
	if err != nil {
		return family.Key{}, err
	}
	return family.Key{Target: strconv.Itoa(l.Passcode)}, nil
}

func (s *Set) Splits() []family.Split {
	list := make([]family.Split, len(s.splits))
	for i, p := range s.splits {
		list[i] = p.Split
	}
	return list
}

func (s *Set) Tasks(name string, most int) ([]family.Task, error) {
	i := slices.IndexFunc(s.splits, func(p *split) bool { return p.Name == name })
	if i < 0 {
		return nil, nil
	}
	err := s.read(s.splits[i])
	return family.First(s.splits[i].tasks, most), err
}

func (s *Set) now() time.Time {
	if s.clock == nil {
		return time.Now()
	}
	return s.clock()
}

// budget returns the turns of a leg of k stops under a rule.
func budget(rule string, k int) int {
	if rule == schemas.AARBudgetLong {
		return max(10, 3*k)
	}
	return max(10, 3*k/2)
}
