package mango

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	mazes "github.com/wikinav/wikinav/artifacts/mango"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/mango/maze"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// base is the mazes of a release or folder, and what is published to ask about them.
type base struct {
	src     question.Source
	sha256  string // of the question files
	missing int    // mazes that were asked for and not made
	mazes   map[string]*shown
	listed  bool // there are question files
	asked   []published
}

// shown is a maze with its walk as prompts show it.
type shown struct {
	*maze.Maze
	walk string
	ends []int // where the text of the steps up to each one ends
}

// published is a question of a question file. Its prompt is before, the walk up to prefix, and
// after; of a maze without a file of steps it is before alone.
type published struct {
	maze          *shown
	id            string
	prefix        int
	before, after string
	whole         bool // the walk is in before
}

// files are the files of mazes, by name. each visits the lines of one and returns its SHA-256.
type files struct {
	names []string
	read  func(name string) ([]byte, error)
	each  func(name string, visit func(n int, line []byte) error) (sha256 string, err error)
}

func openRelease(r *open.Release) (*base, error) {
	f := r.Part(mazes.Part)
	if len(f.Names()) == 0 {
		return nil, fault.New(fault.NotFound, "the release has no mazes").At(name, "")
	}
	b, err := load(question.Of(r), files{f.Names(), f.Read, func(name string, visit func(int, []byte) error) (string, error) {
		return f.Digest(name).SHA256, f.Each(name, visit)
	}})
	if err != nil {
		return nil, err
	}
	b.missing, err = question.Missing(f, question.Any)
	return b, err
}

func openFolder(dir string) (*base, error) {
	names, err := filesOf(dir)
	if err != nil {
		return nil, err
	}
	read := func(name string) ([]byte, error) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fault.New(fault.NotFound, "%w", err).At(name, "").Hint("want a folder that wikinav mango import writes")
		}
		return data, nil
	}
	each := func(name string, visit func(int, []byte) error) (string, error) {
		data, err := read(name)
		if err != nil {
			return "", err
		}
		return digest.SHA256(data), eachLine(data, name, visit)
	}
	return load(question.Source{Name: filepath.Base(dir)}, files{names, read, each})
}

// eachLine visits the lines of a file that others wrote, who may leave out the last end of a line.
func eachLine(data []byte, file string, visit func(n int, line []byte) error) error {
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(data, '\n')
	}
	return jsonl.Each(bytes.NewReader(data), file, visit)
}

// filesOf lists the files below a folder, in the order of their names.
func filesOf(dir string) (names []string, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		err = fault.New(fault.NotFound, "%w", err).At(dir, "")
	}
	return names, err
}

// Endings of the files that are read here; package maze has the others.
const (
	edgesFile     = ".edges.json"
	stepsFile     = ".steps.jsonl"
	questionsFile = ".questions.jsonl"
)

// load reads every maze, and the questions that lie beside it.
func load(src question.Source, f files) (*base, error) {
	b := &base{src: src, mazes: map[string]*shown{}}
	var sums strings.Builder
	for _, file := range f.names {
		stem, ok := strings.CutSuffix(file, edgesFile)
		if !ok {
			continue
		}
		m, err := f.maze(stem)
		if err != nil {
			return nil, err
		}
		b.mazes[m.ID] = m
		if !slices.Contains(f.names, stem+questionsFile) {
			continue
		}
		sha, err := f.each(stem+questionsFile, b.adder())
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&sums, "%s  %s\n", sha, stem+questionsFile)
	}
	if len(b.mazes) == 0 {
		return nil, fault.New(fault.NotFound, "there are no mazes")
	}
	b.sha256 = digest.SHA256([]byte(sums.String()))
	return b, nil
}

func (f files) maze(stem string) (*shown, error) {
	m, err := maze.Read(path.Base(stem), func(suffix string) ([]byte, error) { return f.read(stem + suffix) })
	if err != nil || !slices.Contains(f.names, stem+stepsFile) {
		return &shown{Maze: m}, err
	}
	data, err := f.read(stem + stepsFile)
	if err != nil {
		return nil, err
	}
	s := &shown{Maze: m}
	var text strings.Builder
	err = maze.EachLine(data, func(line []byte) error {
		var step schemas.MangoStep
		if err := canon.Decode(line, canon.MaxLine, &step); err != nil {
			return err
		}
		if text.Len() > 0 {
			text.WriteString("\n\n")
		}
		fmt.Fprintf(&text, stepForm, step.Step, step.Act, step.Observation)
		s.ends = append(s.ends, text.Len())
		return nil
	})
	if err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(stem+stepsFile, "")
	}
	s.walk = text.String()
	return s, nil
}

// stepForm is a step of a walk as prompts show it. An empty line stands between two steps.
const stepForm = "STEP NUM: %d\nACT: %s\nOBSERVATION: %s"

// adder takes the questions of a file, each of which stands once.
func (b *base) adder() func(n int, line []byte) error {
	type key struct {
		maze, id string
		prefix   int
	}
	seen := map[key]int{}
	b.listed = true
	return func(n int, line []byte) error {
		var q schemas.MangoQuestion
		if !canon.DecodeCanonical(line, &q) { // others may write as they like
			q = schemas.MangoQuestion{}
			if err := json.Unmarshal(line, &q); err != nil {
				return err
			}
		}
		if q.MazeID == "" || q.QuestionID == "" {
			return fmt.Errorf("no maze_id or question_id")
		}
		m := b.mazes[q.MazeID]
		if m == nil || m.Skeleton(q.QuestionID) == nil {
			return fault.New(fault.Mismatch, "question %s of maze %s is in the question file and not in the mazes",
				fault.Quote(q.QuestionID), fault.Quote(q.MazeID))
		}
		k := key{q.MazeID, q.QuestionID, q.PrefixStep}
		if first, twice := seen[k]; twice {
			return fmt.Errorf("question %s with prefix %d stands on line %d already", fault.Quote(q.QuestionID), q.PrefixStep, first)
		}
		seen[k] = n
		return b.ask(q, m)
	}
}

// ask takes a question. The walk that its prompt repeats is kept once for the whole maze.
func (b *base) ask(q schemas.MangoQuestion, m *shown) error {
	p := published{maze: m, id: q.QuestionID, prefix: q.PrefixStep, before: q.Prompt, whole: true}
	if len(m.ends) > 0 && q.PrefixStep >= len(m.ends) {
		return fault.New(fault.Mismatch, "question %s is asked at prefix_step %d: the walk of maze %s ends at step %d",
			fault.Quote(q.QuestionID), q.PrefixStep, fault.Quote(q.MazeID), len(m.ends)-1)
	}
	if q.Prompt != "" && q.PrefixStep >= 0 && q.PrefixStep < len(m.ends) {
		before, after, found := strings.Cut(q.Prompt, m.walk[:m.ends[q.PrefixStep]])
		if !found {
			return fault.New(fault.Mismatch, "the prompt of question %s does not hold the walk of maze %s",
				fault.Quote(q.QuestionID), fault.Quote(q.MazeID))
		}
		p.before, p.after, p.whole = strings.Clone(before), strings.Clone(after), false
	}
	b.asked = append(b.asked, p)
	return nil
}

// prompt returns the words of the question with the walk up to step n.
func (p published) prompt(n int) string {
	if p.whole {
		return p.before
	}
	return p.before + p.maze.walk[:p.maze.ends[n]] + p.after
}

type asked struct {
	maze   *maze.Maze
	id     string
	prefix int
	class  string
}

type set struct {
	*question.Set
	base   *base
	values map[string]string
	of     map[string]asked

	// closed are the questions asked that their prefix does not answer under the scoring rule.
	closed map[string]bool
}

func (b *base) under(values map[string]string) (*set, error) {
	return b.build(values, values[optionRule])
}

// build lists the questions under values, in classes by a rule, as far as a prefix answers them.
func (b *base) build(values map[string]string, rule string) (*set, error) {
	s := &set{&question.Set{Family: name, Source: b.src, Unread: unread}, b, values, map[string]asked{}, map[string]bool{}}
	lists := map[string][]question.Question{}
	seen := map[string]bool{}
	for _, p := range b.asked {
		n, err := p.last(values[optionPrefix])
		if err != nil {
			return nil, err
		}
		k := p.maze.Skeleton(p.id)
		id := idOf(p.maze.ID, p.id, n)
		if seen[id] || n != p.prefix && k.Class(n, values[optionRule]) == schemas.MangoUnanswerable {
			continue
		}
		seen[id] = true
		class := k.Class(n, rule)
		if class == schemas.MangoUnanswerable {
			s.closed[id] = true
			continue
		}
		s.of[id] = asked{p.maze.Maze, p.id, n, class}
		lists[k.Task] = append(lists[k.Task], question.Question{
			Task: family.Task{ID: id, Instance: id, Info: info{p.maze.ID, k.Task, n}}, ID: id,
			Ask: func() []schemas.Message { return []schemas.Message{{Role: schemas.RoleUser, Content: p.prompt(n)}} },
		})
	}
	for _, task := range []string{schemas.MangoDF, schemas.MangoRF} {
		if list := lists[task]; len(list) > 0 {
			split := family.Split{Name: task, SHA256: b.sha256, Got: len(list), Requested: len(list) + b.missing}
			if err := s.Add(question.Split{Split: split, Questions: list}); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// last returns the last step that is shown: of a shorter walk, all.
func (p published) last(prefix string) (int, error) {
	if prefix == prefixFull {
		return p.prefix, nil
	}
	n, err := strconv.Atoi(prefix)
	if n = min(n, p.prefix); err == nil && n != p.prefix && p.whole {
		return 0, fault.New(fault.Usage, "option %s=%s: maze %s has no file of steps", optionPrefix, prefix, p.maze.ID).
			Hint("write the questions with wikinav mango questions --steps %s", prefix)
	}
	return n, err
}

func idOf(maze, id string, prefix int) string { return fmt.Sprintf("%s:%s@%d", maze, id, prefix) }

// info is what a player may know before it is asked.
type info struct {
	Maze       string `json:"maze_id"`
	Task       string `json:"task"`
	PrefixStep int    `json:"prefix_step"`
}
