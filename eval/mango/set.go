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
	"sync"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	mazes "github.com/wikinav/wikinav/artifacts/mango"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/eval/mango/maze"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/wording"
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

	part bool // only the first mazes and questions are read
	// take, unless nil, takes each question in place of asked; release.ErrEnough ends the reading.
	take func(p published) error
}

// shown is a maze with its walk as prompts show it.
type shown struct {
	*maze.Maze
	walk string
	ends []int // where the text of the steps up to each one ends

	words  int                    // of all observations of the walk
	unsure func() map[string]bool // places whose names are easily taken for another
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

// openRelease looks at the names of the files alone.
func openRelease(r *open.Release, values map[string]string) (*shelf, error) {
	f := r.Part(mazes.Part)
	stems := files{names: f.Names()}.mazes()
	if len(stems) == 0 {
		return nil, fault.New(fault.NotFound, "the release has no mazes").At(name, "")
	}
	missing, err := question.Missing(f, question.Any)
	if err != nil {
		return nil, err
	}
	each := func(name string, visit func(int, []byte) error) (string, error) {
		return f.Digest(name).SHA256, f.Each(name, visit)
	}
	s := &shelf{values: values, splits: []family.Split{}}
	s.read = func(b *base) error {
		b.src, b.missing = question.Of(r), missing
		return b.load(files{f.Names(), f.Read, each})
	}
	var sums strings.Builder
	for _, stem := range stems {
		if file := (files{names: f.Names()}).questions(stem); file != "" {
			fmt.Fprintf(&sums, sumForm, f.Digest(file).SHA256, file)
		}
	}
	for _, task := range tasks {
		if sums.Len() > 0 {
			sha := digest.SHA256([]byte(sums.String()))
			s.splits = append(s.splits, family.Split{Name: task, SHA256: sha, Requested: missing})
		}
	}
	return s, nil
}

func openFolder(dir string, values map[string]string) (*shelf, error) {
	names, err := filesOf(dir)
	if err != nil {
		return nil, err
	}
	read := func(name string) ([]byte, error) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fault.New(fault.NotFound, "%w", err).At(filepath.Join(dir, name), "").
				Hint("want a folder that wikinav mango import writes")
		}
		return data, nil
	}
	each := func(name string, visit func(int, []byte) error) (string, error) {
		data, err := read(name)
		if err != nil {
			return "", err
		}
		lines, err := jsonl.Unpacked(data, name)
		if err != nil {
			return "", fault.New(fault.Malformed, "%w", err).At(name, "")
		}
		return digest.SHA256(data), eachLine(lines, name, visit)
	}
	s := &shelf{values: values, read: func(b *base) error {
		b.src.Name = filepath.Base(dir)
		return b.load(files{names, read, each})
	}}
	all, err := s.whole()
	if err == nil {
		s.splits = all.Splits()
	}
	return s, err
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
		err = fault.Opening(dir, err)
	}
	return names, err
}

// Endings of the files that are read here; package maze has the others.
const (
	edgesFile     = ".edges.json"
	stepsFile     = ".steps.jsonl"
	questionsFile = ".questions.jsonl"
)

// sumForm is a question file in the text whose digest names the splits.
const sumForm = "%s  %s\n"

// mazes lists the names of the mazes, which are those of their files without the endings.
func (f files) mazes() (stems []string) {
	for _, file := range f.names {
		if stem, ok := strings.CutSuffix(file, edgesFile); ok {
			stems = append(stems, stem)
		}
	}
	return stems
}

// questions returns the question file of a maze, packed or as others write them, "" for none.
func (f files) questions(stem string) string {
	for _, file := range []string{stem + questionsFile, stem + questionsFile + jsonl.PackedSuffix} {
		if slices.Contains(f.names, file) {
			return file
		}
	}
	return ""
}

// load reads every maze, and the questions that lie next to it.
func (b *base) load(f files) error {
	b.mazes = map[string]*shown{}
	var sums strings.Builder
	for _, stem := range f.mazes() {
		m, err := f.maze(stem)
		if err == nil && !b.part {
			err = m.ReadAll()
		}
		if err != nil {
			return err
		}
		b.mazes[m.ID] = m
		file := f.questions(stem)
		if file == "" {
			continue
		}
		sha, err := f.each(file, b.adder())
		if err == release.ErrEnough {
			return nil
		}
		if err == nil {
			err = m.ReadAll()
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, sumForm, sha, file)
	}
	if len(b.mazes) == 0 {
		return fault.New(fault.NotFound, "there are no mazes")
	}
	b.sha256 = digest.SHA256([]byte(sums.String()))
	return nil
}

func (f files) maze(stem string) (*shown, error) {
	m, err := maze.Open(path.Base(stem), func(suffix string) ([]byte, error) { return f.read(stem + suffix) })
	s := &shown{Maze: m, unsure: sync.OnceValue(func() map[string]bool { return confusing(m.Places()) })}
	if err != nil || !slices.Contains(f.names, stem+stepsFile) {
		return s, err
	}
	data, err := f.read(stem + stepsFile)
	if err != nil {
		return nil, err
	}
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
		s.words += len(strings.Fields(step.Observation))
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
		if m != nil {
			if err := m.ReadTo(q.Task, q.QuestionID); err != nil {
				return err
			}
		}
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
	if b.take != nil {
		return b.take(p)
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

// walk returns the walk up to step n, and question what is asked of it; where no walk is told
// apart, the question is all.
func (p published) walk(n int) string {
	if p.whole {
		return ""
	}
	return strings.Trim(p.maze.walk[:p.maze.ends[n]], "\n")
}

func (p published) question() string {
	if p.whole {
		return p.before
	}
	return strings.Trim(p.after, "\n")
}

type asked struct {
	maze   *maze.Maze
	id     string
	prefix int
	class  string
}

// set is the questions that were read, under options.
type set struct {
	*question.Set
	base   *base
	values map[string]string
	of     map[string]asked
	lists  map[string][]question.Question // by task

	// closed are the questions asked that their prefix does not answer under the scoring rule.
	closed map[string]bool
}

func (b *base) under(values map[string]string) *set {
	s := &set{
		&question.Set{Family: name, Source: b.src, Unread: unread}, b, values,
		map[string]asked{},
		map[string][]question.Question{},
		map[string]bool{},
	}
	s.Right = func(q question.Question, _ family.Manner, text string) bool {
		steps, ok := answer.Text(text)
		at := s.of[q.ID]
		return ok && at.maze.Judge(at.id, steps, maze.MovesLegal).Strict
	}
	return s
}

// build lists the questions under values, in classes by a rule, as far as a prefix answers them.
func (b *base) build(values map[string]string, rule string) (*set, error) {
	s := b.under(values)
	for _, p := range b.asked {
		if err := s.add(p, rule); err != nil {
			return nil, err
		}
	}
	return s, s.seal()
}

// add lists a question. One that stands there already is left out: a prefix can make two of them
// one.
func (s *set) add(p published, rule string) error {
	n, err := p.last(s.values[optionPrefix])
	if err != nil {
		return err
	}
	k := p.maze.Skeleton(p.id)
	id, class := idOf(p.maze.ID, p.id, n), k.Class(n, rule)
	if s.closed[id] || s.of[id].maze != nil ||
		n != p.prefix && k.Class(n, s.values[optionRule]) == schemas.MangoUnanswerable {
		return nil
	}
	if class == schemas.MangoUnanswerable {
		s.closed[id] = true
		return nil
	}
	s.of[id] = asked{p.maze.Maze, p.id, n, class}
	ask := func() []schemas.Message {
		return []schemas.Message{{Role: schemas.RoleUser, Content: p.prompt(n)}}
	}
	task := family.Task{ID: id, Instance: id, Split: k.Task, Info: info{p.maze.ID, k.Task, n}}
	fields := func() wording.Values {
		return wording.Values{fieldWalk: p.walk(n), fieldQuestion: p.question()}
	}
	q := question.Question{Task: task, ID: id, Ask: ask, Fields: fields, Right: s.of[id].golden}
	s.lists[k.Task] = append(s.lists[k.Task], q)
	return nil
}

// tasks of questions are their splits, in this order.
var tasks = []string{schemas.MangoDF, schemas.MangoRF}

// seal makes splits of the lists.
func (s *set) seal() error {
	for _, task := range tasks {
		if list := s.lists[task]; len(list) > 0 {
			n := len(list)
			split := family.Split{Name: task, SHA256: s.base.sha256, Got: n, Requested: n + s.base.missing}
			if err := s.Add(question.Split{Split: split, Questions: list}); err != nil {
				return err
			}
		}
	}
	return nil
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
