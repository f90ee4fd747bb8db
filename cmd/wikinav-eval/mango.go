package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// mango is the family whose answers are scored against mazes.
const mango = "mango"

// mangoFlags say how answers to questions on mazes are scored; release, trajectories, partial and json are those of score.
type mangoFlags struct {
	mazes      string
	questions  string
	rule       string
	moves      string
	duplicates string
	model      string
}

func (f *mangoFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.mazes, "mazes", "", "mango: directory of imported mazes, in place of a release")
	flags.StringVar(&f.questions, "questions", "", "mango: file of the questions that were asked (default: those beside the mazes)")
	flags.StringVar(&f.rule, "rule", schemas.MangoRules[0], "mango: what easy means: "+strings.Join(schemas.MangoRules, ", "))
	flags.StringVar(&f.moves, "moves", judge.MangoMovesLegal, "mango: closest move among those of the place (legal) or all (maze)")
	flags.StringVar(&f.duplicates, "duplicates", "error", "mango: second answer to a question: error, or first to keep the first")
	flags.StringVar(&f.model, "model", "", "mango: name of the model of a folder of samples")
}

func (f *mangoFlags) check(dir, answers string) error {
	switch {
	case answers == "":
		return fault.New(fault.Usage, "--trajectories is required")
	case (dir == "") == (f.mazes == ""):
		return fault.New(fault.Usage, "want --release or --mazes")
	case !slices.Contains(schemas.MangoRules, f.rule):
		return fault.New(fault.Usage, "--rule %s: want one of %v", fault.Quote(f.rule), schemas.MangoRules)
	case f.moves != judge.MangoMovesLegal && f.moves != judge.MangoMovesMaze:
		return fault.New(fault.Usage, "--moves %s: want %s or %s", fault.Quote(f.moves), judge.MangoMovesLegal, judge.MangoMovesMaze)
	case f.duplicates != "error" && f.duplicates != "first":
		return fault.New(fault.Usage, "--duplicates %s: want error or first", fault.Quote(f.duplicates))
	}
	return nil
}

// scoreMango scores answers to questions on mazes.
func (f *scoreFlags) scoreMango(cmd *cobra.Command) error {
	if err := f.mango.check(f.dir, f.trajectories); err != nil {
		return err
	}
	answers, skipped, err := readMangoAnswers(f.trajectories, f.mango.model)
	if err != nil {
		return err
	}
	files, err := f.mango.open(f.dir)
	if err != nil {
		return err
	}
	mazes, questions, err := files.load()
	if err != nil {
		return err
	}
	if f.mango.questions != "" {
		if questions, err = readMangoQuestions(f.mango.questions); err != nil {
			return err
		}
	}
	if f.partial {
		questions = nil
	}
	scores, err := judge.ScoreMango(answers, judge.MangoRequest{
		Mazes: mazes, Questions: questions, Rule: f.mango.rule, Moves: f.mango.moves, KeepFirst: f.mango.duplicates == "first",
	})
	if err != nil {
		return fault.New(fault.KindOf(err), "%w", err).At(f.trajectories, "")
	}
	scores.Skipped = append(scores.Skipped, skipped...)
	for _, name := range skipped {
		fmt.Fprintf(cmd.ErrOrStderr(), "wikinav-eval: score: %s: skipped, it holds no sample\n", printable(name))
	}
	return f.publish(cmd, scores, "", func() report.Sheet { return mangoSheet(scores) })
}

// readMangoAnswers reads a file of records, or a folder in MANGO's own layout.
func readMangoAnswers(name, model string) (answers []judge.MangoAnswer, skipped []string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, fault.New(fault.NotFound, "%w", err).At(name, "")
	}
	if !info.IsDir() {
		data, err := os.ReadFile(name)
		return judge.ReadMangoAnswers(data), nil, err
	}
	folder := os.DirFS(name)
	err = fs.WalkDir(folder, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, file)
		if err != nil {
			return err
		}
		a, ok := judge.ReadMangoSample(data, model)
		if !ok {
			skipped = append(skipped, file)
			return nil
		}
		a.Place = file
		answers = append(answers, a)
		return nil
	})
	return answers, skipped, err
}

func readMangoQuestions(name string) ([]judge.MangoQuestionKey, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err).At(name, "")
	}
	questions, err := judge.ReadMangoQuestions(data)
	if err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(name, "")
	}
	return questions, nil
}

// mazeFiles are the files of mazes, by path.
type mazeFiles struct {
	names []string
	read  func(name string) ([]byte, error)
}

// open lists the files of a release, which are compared with their digests as they are read, or those of a folder.
func (f *mangoFlags) open(dir string) (*mazeFiles, error) {
	if dir == "" {
		return folderMazes(f.mazes)
	}
	r, err := release.Open(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	sums := map[string]string{}
	files := &mazeFiles{}
	for _, e := range r.Manifest().Files {
		if strings.HasPrefix(e.Path, mango+"/") {
			sums[e.Path] = e.SHA256
			files.names = append(files.names, e.Path)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err).At(dir, "")
	}
	files.read = func(name string) ([]byte, error) {
		data, err := root.ReadFile(name)
		if err == nil && digest.SHA256(data) != sums[name] {
			err = fault.New(fault.Mismatch, "the SHA-256 is not that of the manifest").At(name, "")
		}
		return data, err
	}
	return files, nil
}

func folderMazes(dir string) (*mazeFiles, error) {
	folder := os.DirFS(dir)
	files := &mazeFiles{read: func(name string) ([]byte, error) {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, fault.New(fault.NotFound, "%w", err).At(name, "").Hint("--mazes wants what wikinav mango import writes")
		}
		return data, nil
	}}
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files.names = append(files.names, name)
		}
		return err
	})
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err).At(dir, "")
	}
	return files, nil
}

const edgesSuffix, questionsSuffix = ".edges.json", ".questions.jsonl"

// load reads every maze, and the questions that lie beside them.
func (f *mazeFiles) load() ([]*judge.MangoMaze, []judge.MangoQuestionKey, error) {
	var mazes []*judge.MangoMaze
	var questions []judge.MangoQuestionKey
	for _, name := range f.names {
		base, ok := strings.CutSuffix(name, edgesSuffix)
		if !ok {
			continue
		}
		m, err := judge.ReadMangoMaze(path.Base(base), func(suffix string) ([]byte, error) { return f.read(base + suffix) })
		if err != nil {
			return nil, nil, err
		}
		mazes = append(mazes, m)
		if !slices.Contains(f.names, base+questionsSuffix) {
			continue
		}
		data, err := f.read(base + questionsSuffix)
		if err != nil {
			return nil, nil, err
		}
		asked, err := judge.ReadMangoQuestions(data)
		if err != nil {
			return nil, nil, fault.New(fault.Malformed, "%w", err).At(base+questionsSuffix, "")
		}
		questions = append(questions, asked...)
	}
	if len(mazes) == 0 {
		return nil, nil, fault.New(fault.NotFound, "there are no mazes")
	}
	return mazes, questions, nil
}

// mangoSheet shows a row per model, task, class and prefix: counts, and each metric over the parsed and over all answers, as
// micro and macro average.
func mangoSheet(s *judge.MangoScores) report.Sheet {
	t := newTable("model task class prefix n scored ill-formed missing unanswerable unknown steps", nil, append([]string{"score of"}, mangoMetrics...)...)
	for _, r := range s.Rows {
		prefix := "all"
		if r.Prefix != nil {
			prefix = fmt.Sprint(*r.Prefix)
		}
		names := []string{r.Model, r.Task, r.Class, prefix}
		for _, n := range []int{r.Questions, r.Scored, r.IllFormed, r.Missing, r.Unanswerable, r.Unknown} {
			names = append(names, strconv.Itoa(n))
		}
		names = append(names, dash(r.AnswerLength))
		parsed := averages(r, func(m judge.MangoMetric) judge.MangoAverage { return m.Parsed })
		all := averages(r, func(m judge.MangoMetric) judge.MangoAverage { return m.All })
		t.add(names, nil, nil, append([]string{"parsed"}, parsed...)...)
		t.add(make([]string, len(names)), nil, nil, append([]string{"all"}, all...)...)
	}
	sheet := report.Sheet{Title: "Scores of mazes", Tables: []report.Table{t.Table}}
	sheet.Head = [][2]string{{"rule", s.Rule}, {"moves", s.Moves}, {"mazes", strconv.Itoa(s.Mazes)}}
	if len(s.Unreadable) > 0 {
		sheet.Notes = []report.Note{{Text: "unreadable:", Lines: s.Unreadable}}
	}
	return sheet
}

var mangoMetrics = []string{"strict", "loose", "reasoning"}

// averages gives micro / macro of each metric.
func averages(r judge.MangoRow, of func(judge.MangoMetric) judge.MangoAverage) []string {
	var cells []string
	for _, name := range mangoMetrics {
		a := of(r.Metrics[name])
		cells = append(cells, dash(a.Micro)+" / "+dash(a.Macro))
	}
	return cells
}

func dash(value *string) string {
	if value == nil {
		return "-"
	}
	return *value
}
