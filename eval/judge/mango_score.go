package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// MangoScoresSchema names the version of MangoScores. 1: first layout.
const MangoScoresSchema = "mango.scores/1"

// MangoRequest says how answers are scored.
type MangoRequest struct {
	Mazes     []*MangoMaze
	Questions []MangoQuestionKey // what was asked; an answer that is not there is missing. nil for no such list
	Rule      string             // of schemas.MangoRules
	Moves     string             // MangoMovesLegal or MangoMovesMaze
	KeepFirst bool               // of two records of one question, keep the first; else that is an error
}

// MangoScores is what came of a file of answers.
type MangoScores struct {
	Schema     string      `json:"schema"`
	Rule       string      `json:"rule"`
	Moves      string      `json:"moves"`
	Mazes      int         `json:"mazes"`
	Rows       []MangoRow  `json:"rows"`  // by model, task, class, prefix
	Pairs      []MangoPair `json:"pairs"` // of models, on the questions scored for both
	Unreadable []string    `json:"unreadable"`
	Skipped    []string    `json:"skipped"` // files that hold no answer
}

// mangoJudge is the work on one file of answers.
type mangoJudge struct {
	MangoRequest
	mazes  map[string]*MangoMaze
	seen   map[mangoSeen]bool
	cells  map[mangoCell]*mangoTally
	models []string
	scored []mangoScored
	bad    []string
}

// mangoSeen is what a record is one of.
type mangoSeen struct {
	model string
	MangoQuestionKey
}

// mangoScored is a scored answer, kept for the comparison of models.
type mangoScored struct {
	mangoSeen
	task, class string
	MangoVerdict
}

// ScoreMango scores answers in order. A question that is answered twice by one model is an error unless KeepFirst.
func ScoreMango(answers []MangoAnswer, r MangoRequest) (*MangoScores, error) {
	j := &mangoJudge{
		MangoRequest: r, mazes: map[string]*MangoMaze{}, seen: map[mangoSeen]bool{}, cells: map[mangoCell]*mangoTally{},
		bad: []string{},
	}
	for _, m := range r.Mazes {
		j.mazes[m.ID] = m
	}
	for _, a := range answers {
		if err := j.answer(a); err != nil {
			return nil, err
		}
	}
	if err := j.addMissing(); err != nil {
		return nil, err
	}
	return &MangoScores{
		Schema: MangoScoresSchema, Rule: r.Rule, Moves: r.Moves, Mazes: len(r.Mazes), Rows: j.rows(), Pairs: j.pairs(),
		Unreadable: j.bad, Skipped: []string{},
	}, nil
}

// answer puts a record into its class; the order of the questions asked here is that of the specification (8.2).
func (j *mangoJudge) answer(a MangoAnswer) error {
	if a.Unreadable != "" {
		j.bad = append(j.bad, a.Place+": "+a.Unreadable)
		j.book(a, func(t *mangoTally) { t.unreadable++ })
		return nil
	}
	maze := j.mazes[a.MazeID]
	if maze == nil || maze.skeletons[a.QuestionID] == nil || maze.skeletons[a.QuestionID].task != a.Task {
		j.book(a, func(t *mangoTally) { t.unknown++ })
		return nil
	}
	seen := mangoSeen{a.Model, MangoQuestionKey{a.MazeID, a.QuestionID, a.PrefixStep}}
	if j.seen[seen] {
		if !j.KeepFirst {
			return fault.New(fault.Malformed, "model %s answers question %s of %s at prefix %d twice",
				fault.Quote(a.Model), a.QuestionID, a.MazeID, a.PrefixStep).At("", a.Place).Hint("--duplicates first keeps the first")
		}
		j.book(a, func(t *mangoTally) { t.duplicates++ })
		return nil
	}
	j.seen[seen] = true
	j.addModel(a.Model)
	j.known(a, maze)
	return nil
}

// known scores an answer to a question that the maze has.
func (j *mangoJudge) known(a MangoAnswer, maze *MangoMaze) {
	class := maze.skeletons[a.QuestionID].class(a.PrefixStep, j.Rule)
	if class == schemas.MangoUnanswerable {
		j.book(a, func(t *mangoTally) { t.unanswerable++ })
		return
	}
	steps, ok := ParseMangoResponse(a.Response)
	if !ok {
		j.bookClass(a, class, func(t *mangoTally) { t.maze(a.MazeID).illFormed++ })
		return
	}
	v := maze.Judge(a.QuestionID, steps, j.Moves)
	j.bookClass(a, class, func(t *mangoTally) { t.maze(a.MazeID).add(v) })
	key := mangoSeen{a.Model, MangoQuestionKey{a.MazeID, a.QuestionID, a.PrefixStep}}
	j.scored = append(j.scored, mangoScored{key, a.Task, class, v})
}

func (j *mangoJudge) addModel(model string) {
	if i, found := slices.BinarySearch(j.models, model); !found {
		j.models = slices.Insert(j.models, i, model)
	}
}

// addMissing books the questions that a model was asked and has no record for.
func (j *mangoJudge) addMissing() error {
	models := j.models
	if len(models) == 0 {
		models = []string{""}
	}
	for _, q := range j.Questions {
		maze := j.mazes[q.MazeID]
		if maze == nil || maze.skeletons[q.QuestionID] == nil {
			return fault.New(fault.Mismatch, "question %s of maze %s is in the question file and not in the mazes", fault.Quote(q.QuestionID), fault.Quote(q.MazeID))
		}
		s := maze.skeletons[q.QuestionID]
		for _, model := range models {
			if !j.seen[mangoSeen{model, q}] {
				j.miss(MangoAnswer{Model: model, MazeID: q.MazeID, QuestionID: q.QuestionID, Task: s.task, PrefixStep: q.PrefixStep}, s)
			}
		}
	}
	return nil
}

func (j *mangoJudge) miss(a MangoAnswer, s *mangoSkeleton) {
	class := s.class(a.PrefixStep, j.Rule)
	if class == schemas.MangoUnanswerable {
		j.book(a, func(t *mangoTally) { t.unanswerable++ })
		return
	}
	j.bookClass(a, class, func(t *mangoTally) { t.maze(a.MazeID).missing++ })
}

// mangoCell is a row of the scores.
type mangoCell struct {
	model, task, class string
	prefix             int // allPrefixes for all
}

const (
	allPrefixes = -1
	allClasses  = "all"
)

// book counts a in the rows of its task that hold all classes.
func (j *mangoJudge) book(a MangoAnswer, count func(*mangoTally)) {
	for _, prefix := range []int{allPrefixes, a.PrefixStep} {
		count(j.cell(mangoCell{a.Model, a.Task, allClasses, prefix}))
	}
}

// bookClass counts a there, and in the rows of its class.
func (j *mangoJudge) bookClass(a MangoAnswer, class string, count func(*mangoTally)) {
	j.book(a, count)
	for _, prefix := range []int{allPrefixes, a.PrefixStep} {
		count(j.cell(mangoCell{a.Model, a.Task, class, prefix}))
	}
}

func (j *mangoJudge) cell(c mangoCell) *mangoTally {
	if j.cells[c] == nil {
		j.cells[c] = &mangoTally{mazes: map[string]*mangoSums{}}
	}
	return j.cells[c]
}

func (c mangoCell) String() string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%08d", c.model, c.task, c.class, c.prefix+1)
}

// rows gives the rows in order: model, task, then all, easy and hard, then all prefixes and each.
func (j *mangoJudge) rows() []MangoRow {
	cells := make([]mangoCell, 0, len(j.cells))
	for c := range j.cells { // sorted below
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b mangoCell) int { return strings.Compare(a.String(), b.String()) })
	rows := []MangoRow{}
	for _, c := range cells {
		rows = append(rows, j.row(c, j.cells[c]))
	}
	return rows
}
