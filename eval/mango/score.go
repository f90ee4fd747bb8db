package mango

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/eval/mango/maze"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// outcomeIllFormed is the outcome of a question whose reply holds no list of steps.
const outcomeIllFormed = "ill_formed"

// Counts of scores, besides those of every family of questions.
const (
	countMazes        = "mazes"
	countUnanswerable = "unanswerable" // replies to questions that their prefix does not answer
	countUnreadable   = "unreadable"   // records
	countDuplicates   = "duplicates"   // records, after the first of their question
	countSkipped      = "skipped"      // files that hold no sample
)

// Names that rows are told apart by.
const (
	byModel     = "model"
	byScoredFor = "scored_for" // the other model that the questions of the row were scored for
	byClass     = "class"
	byPrefix    = "prefix"
)

// answers are a log's: replies of each model by question, of a run under "", and those of no model.
type answers struct {
	models  map[string]map[string]question.Reply
	read    func(reply string) ([]answer.Step, bool)
	records []record
	skipped []string
}

// Score judges the answers of a run, a file of replies or answers, or a folder of samples. Only
// questions that were asked are in a row: the set's under the run's options, a file's that the
// request names, or, of mazes without such a list, those answered, each at one prefix.
func (s *set) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	played, err := s.optionsOf(log)
	if err != nil {
		return nil, err
	}
	how, err := scoring(played[optionRule]).Read(req.Options)
	if err != nil {
		return nil, err
	}
	a, err := readAnswers(log, how[optionModel])
	if err != nil {
		return nil, err
	}
	b, err := s.base.asking(how[optionQuestions], a.records)
	if err != nil {
		return nil, err
	}
	asked, err := b.build(played, how[optionRule])
	if err != nil {
		return nil, err
	}
	req.Partial = req.Partial || !b.listed
	sc, err := asked.Begin(log, req)
	if err != nil {
		return nil, err
	}
	if how[optionQuestions] != "" {
		sc.Scores.Options[optionQuestions] = b.sha256
	}
	if !b.listed {
		sc.More = []string{judge.FlagUnlisted}
	}
	j := &scorer{set: asked, how: how, sc: sc, scored: map[string]map[string]result{}}
	if err := j.sort(a, b.listed); err != nil {
		return nil, err
	}
	for _, model := range sorted(a.models) {
		if err := j.score(model, a); err != nil {
			return nil, err
		}
	}
	j.compareModels(sorted(a.models))
	return sc.End()
}

// optionsOf returns the options that a log was answered under.
func (s *set) optionsOf(log *trace.Log) (map[string]string, error) {
	if log.Run == nil {
		return s.values, nil
	}
	values, err := rules.ReadJSON(log.Run.Rules.Options)
	if err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(log.Path, trace.RunFile)
	}
	return values, nil
}

func readAnswers(log *trace.Log, model string) (*answers, error) {
	a := &answers{models: map[string]map[string]question.Reply{}, read: func(reply string) ([]answer.Step, bool) {
		return answer.Parse(json.RawMessage(reply))
	}}
	replies := log.Dir != ""
	var err error
	switch {
	case replies:
	case isFolder(log.Path):
		a.records, a.skipped, err = readSamples(log.Path, model)
		return a, err
	default:
		if replies, err = isReplies(log.Path); err != nil {
			return nil, err
		}
	}
	if replies {
		a.read = answer.Text
		a.models[""], err = question.Read(log)
		return a, err
	}
	a.records, err = readRecords(log.Path)
	if model != "" {
		a.records = slices.DeleteFunc(a.records, func(r record) bool { return r.Unreadable == "" && r.Model != model })
	}
	return a, err
}

// asking returns b with the questions that count: those of a file, whose digest then names the
// splits, or, of mazes without any list of questions, those that the records answer.
func (b *base) asking(file string, records []record) (*base, error) {
	own := *b
	switch {
	case file != "":
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fault.Opening(file, err)
		}
		own.asked, own.missing, own.sha256 = nil, 0, digest.SHA256(data)
		return &own, eachLine(data, file, own.adder())
	case b.listed:
		return b, nil
	}
	for _, r := range records {
		if m := b.mazes[r.MazeID]; m != nil && m.Skeleton(r.QuestionID) != nil {
			own.asked = append(own.asked, published{maze: m, id: r.QuestionID, prefix: r.PrefixStep, whole: true})
		}
	}
	return &own, nil
}

type scorer struct {
	*set
	how    map[string]string
	sc     *question.Scoring
	scored map[string]map[string]result // answers that could be read, by model and question
}

// sort puts records to their models. A question that is answered twice by one model is an error, or
// counted; without a list of questions, at another prefix, too: nothing says that it was asked
// again.
func (j *scorer) sort(a *answers, listed bool) error {
	counts, s := j.sc.Scores.Counts, j.sc.Scores
	counts[countMazes], counts[countSkipped] = len(j.base.mazes), len(a.skipped)
	for _, name := range a.skipped {
		s.Notes = append(s.Notes, "skipped, it holds no sample: "+name)
	}
	for _, name := range []string{countUnreadable, countDuplicates, question.CountUnknown} {
		counts[name] = 0
	}
	seen := map[[2]string]bool{}
	var unknown, again []string
	for _, r := range a.records {
		if r.Unreadable != "" {
			counts[countUnreadable]++
			s.Notes = append(s.Notes, "unreadable: "+r.Place+": "+r.Unreadable)
			continue
		}
		id, once := j.known(r), r.id()
		if !listed {
			once = idOf(r.MazeID, r.QuestionID, 0)
		}
		if id == "" || j.of[id].maze == nil && !j.closed[id] {
			unknown = append(unknown, r.Place)
			continue
		}
		if seen[[2]string{r.Model, once}] {
			if j.how[optionDuplicates] != duplicatesFirst {
				return fault.New(fault.Malformed, "model %s answers question %s of %s at prefix %d twice",
					fault.Quote(r.Model), r.QuestionID, r.MazeID, r.PrefixStep).At(j.sc.Log.Path, r.Place).
					Hint("--option duplicates=first keeps the first")
			}
			counts[countDuplicates]++
			again = append(again, r.Place)
			continue
		}
		seen[[2]string{r.Model, once}] = true
		if a.models[r.Model] == nil {
			a.models[r.Model] = map[string]question.Reply{}
		}
		a.models[r.Model][id] = question.Reply{ID: id, Reply: string(r.Response)}
	}
	j.sc.CountUnknown(unknown)
	j.sc.NotePlaces("answered before, and the first answer counts", again)
	if len(a.models) == 0 {
		a.models[""] = nil
	}
	return nil
}

// result is what a row is made of.
type result struct {
	maze string
	maze.Verdict
}

func (j *scorer) score(model string, a *answers) error {
	s, list, replies := j.sc.Scores, map[string]result{}, a.models[model]
	j.scored[model] = list
	for _, option := range []string{optionRule, optionMoves, optionDuplicates} {
		s.Options[option] = j.how[option]
	}
	answered := len(replies)
	maps.DeleteFunc(replies, func(id string, _ question.Reply) bool { return j.closed[id] })
	s.Counts[countUnanswerable] += answered - len(replies)
	var by []family.Group
	switch {
	case len(a.models) > 1:
		by = []family.Group{{Name: byModel, Value: model}}
	case s.Model == nil && model != "":
		s.Model = &schemas.Player{Name: model, Kind: schemas.KindForeign}
	}
	return question.Score(j.sc, question.Judge[result]{
		Verdict: func(q question.Question, r *question.Reply) (result, string, error) {
			at := j.of[q.ID]
			v := result{maze: at.maze.ID}
			if r == nil {
				return v, "", nil
			}
			steps, ok := a.read(r.Reply)
			if !ok {
				return v, outcomeIllFormed, nil
			}
			v.Verdict = at.maze.Judge(at.id, steps, j.how[optionMoves])
			list[q.ID] = v
			if v.Strict {
				return v, question.OutcomeRight, nil
			}
			return v, question.OutcomeWrong, nil
		},
		Groups: func(q question.Question) [][]family.Group {
			at := j.of[q.ID]
			class := family.Group{Name: byClass, Value: at.class}
			prefix := family.Group{Name: byPrefix, Value: strconv.Itoa(at.prefix)}
			return [][]family.Group{{class}, {class, prefix}, {prefix}}
		},
		Metrics: func(_ []family.Group, list []question.Verdict[result]) (map[string]judge.Metric, int) {
			t := tally{}
			for _, v := range list {
				t.add(v.Value, v.Outcome)
			}
			return t.metrics(), len(list)
		},
		Success: func(v result) bool { return v.Strict },
	}, replies, by)
}

// compareModels adds a row for each model and each other, on the questions that were scored for
// both, so that neither gains by questions that the other could not be scored on.
func (j *scorer) compareModels(models []string) {
	for _, split := range j.Splits() {
		for _, a := range models {
			for _, b := range models {
				if a != b {
					j.addPair(split, a, b, schemas.MangoEasy)
					j.addPair(split, a, b, schemas.MangoHard)
				}
			}
		}
	}
}

func (j *scorer) addPair(split family.Split, a, b, class string) {
	t, n := tally{}, 0
	for id, v := range j.scored[a] { // exact sums
		at := j.of[id]
		if _, both := j.scored[b][id]; both && at.class == class && at.maze.Skeleton(at.id).Task == split.Name {
			t.add(v, question.OutcomeRight)
			n++
		}
	}
	j.sc.Scores.Rows = append(j.sc.Scores.Rows, family.Row{
		Split: split.Name, SplitSHA256: split.SHA256, Frozen: judge.Frozen(split.SHA256), N: n,
		By:      []family.Group{{Name: byModel, Value: a}, {Name: byScoredFor, Value: b}, {Name: byClass, Value: class}},
		Metrics: t.metrics(), Outcomes: map[string]int{}, Flags: []string{},
	})
}
