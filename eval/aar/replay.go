package aar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// told is an episode as a log has it.
type told struct {
	*schemas.AAREpisode
	line int
}

// readEpisodes reads a log's episodes in the order of its lines. Two of one attempt are
// fault.Mismatch: nobody knows which was played.
func readEpisodes(log *trace.Log) (list []told, err error) {
	err = log.Main(func(n int, line []byte) error {
		e, err := decodeEpisode(line)
		if err == nil {
			err = checkEpisode(e)
		}
		list = append(list, told{e, n})
		return err
	})
	if err != nil {
		return nil, err
	}
	first := map[string]int{}
	for _, e := range list {
		item := itemOf(e.Instance, e.Attempt)
		if n, twice := first[item]; twice {
			return nil, fault.New(fault.Mismatch, "attempt %d at %s stands on line %d already",
				e.Attempt, fault.Quote(e.Instance), n).At(log.Path, fmt.Sprintf("line %d", e.line)).
				Hint("keep the episode that was played")
		}
		first[item] = e.line
	}
	return list, nil
}

// checkEpisode refuses what no episode can have been written as.
func checkEpisode(e *schemas.AAREpisode) error {
	switch {
	case e.Instance == "":
		return fmt.Errorf("an episode needs an instance")
	case e.Attempt < 1 || e.Attempt > trace.MaxAttempts:
		return fmt.Errorf("attempt is %d, want 1 to %d", e.Attempt, trace.MaxAttempts)
	case !trace.Countable(e.Millis):
		return fmt.Errorf("ms is %d, want 0 to %d", e.Millis, trace.MaxCount)
	}
	for i, t := range e.Turns {
		if err := trace.CheckUsage(t.Usage); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	return trace.CheckUsage(e.Usage)
}

// replayer repeats the calls of episodes on the release.
type replayer struct {
	*family.Scoring
	options   schemas.AAROptions // of the run
	rule      string             // by which turns are counted: one of the budgets
	tools     *aar.Tools
	offered   map[string]bool
	absent    bool   // the run had a cassette, which is not at hand
	unchecked bool   // the calls were answered by another harness
	late      string // SHA-256 of the answer to a call that came too late
}

// errLogged is what stands for an answer that the judge cannot compute.
var errLogged = &aar.ToolError{Code: "as_logged"}

// newReplayer takes the tools that the run had. What a cassette or Python answered is taken as
// logged, unless the cassette is at hand.
func newReplayer(sc *family.Scoring, o schemas.AAROptions, w *aar.World,
	c *aar.Cassette,
) *replayer {
	j := &replayer{Scoring: sc, options: o, rule: o.Budget, offered: map[string]bool{}}
	j.tools = &aar.Tools{World: w, Cassette: c, Max: o.MaxOutput}
	if j.absent = c == nil && o.Cassette != ""; j.absent {
		j.tools.Cassette = aar.NewCassette()
	}
	if slices.Contains(o.Tools, toolPython) {
		j.tools.Python = func(context.Context, string, time.Duration) (aar.Printed, error) {
			return aar.Printed{}, errLogged
		}
	}
	for _, s := range j.tools.Offered() {
		j.offered[s.Name] = slices.Contains(o.Tools, s.Name)
	}
	j.unchecked = sc.Log.Import != nil && sc.Log.Import.Unchecked
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	j.late = digest.SHA256([]byte(j.tools.Call(gone, toolFetch, []byte("{}")).Output))
	return j
}

// Names of tools that the judge treats by themselves.
const (
	toolFetch  = "fetch_webpage"
	toolPython = "python_execute_code"
)

// replay returns what the release confirms of an episode, and how it ended.
func (j *replayer) replay(e told, l *schemas.AARLeg) (p played, outcome string) {
	most, own := budget(j.rule, len(l.Stops)), budget(j.options.Budget, len(l.Stops))
	p = played{leg: l, answer: j.answerOf(e), steps: min(len(e.Turns), most)}
	p.offers = func(tool string) bool { return j.unchecked || j.offered[tool] }
	at := newProgress(l, p.offers, opener(j.tools.World))
	for i, t := range e.Turns[:p.steps] {
		if t.Turn != i+1 {
			j.note(e, i+1, "turn", fmt.Sprint(t.Turn), fmt.Sprint(i+1))
		}
		if p.answer != nil && i == len(e.Turns)-1 && len(t.Calls) > 0 && !j.unchecked {
			j.note(e, i+1, "calls", fmt.Sprint(len(t.Calls)), "none runs beside the answer")
			break
		}
		p.made += len(t.Calls)
		calls, steps := j.turn(e, i+1, t.Calls, at)
		p.calls, p.taken = append(p.calls, calls...), append(p.taken, steps...)
		if len(t.Calls) == 0 && !(p.answer != nil && i == len(e.Turns)-1) {
			p.taken = append(p.taken, false)
		}
	}
	if p.length = at.steps(); p.answer != nil {
		p.taken = append(p.taken, at.ends(*p.answer))
	}
	if len(e.Turns) > own && !j.unchecked {
		j.note(e, own+1, "turns", fmt.Sprint(len(e.Turns)), fmt.Sprintf("the budget is %d", own))
		p.answer = nil
	}
	outcome = j.outcome(e, p.answer, len(e.Turns) >= own)
	if len(e.Turns) > most {
		p.answer = nil
	}
	p.limited = p.answer == nil && (outcome == schemas.OutcomeStepLimit || len(e.Turns) >= most)
	if outcome == schemas.OutcomeAnswered && p.answer == nil {
		outcome = schemas.OutcomeStepLimit
	}
	return p, outcome
}

// answerOf returns the answer that an episode ended with. One that its last reply does not state
// is none.
func (j *replayer) answerOf(e told) *string {
	if e.Answer == nil || e.Outcome != schemas.OutcomeAnswered {
		if e.Answer != nil {
			j.note(e, 0, "answer", fault.Quote(*e.Answer), "none: the outcome is "+fault.Quote(e.Outcome))
		}
		return nil
	}
	if j.unchecked {
		return e.Answer
	}
	if len(e.Turns) == 0 {
		j.note(e, 0, "answer", fault.Quote(*e.Answer), "none: there is no turn")
		return nil
	}
	last := e.Turns[len(e.Turns)-1]
	if run := j.Log.Run; last.Reply == "" && (run == nil ||
		run.Rules.Interface != schemas.InterfaceChat) {
		return e.Answer // of a program
	}
	stated := readAnswer(last.Reply)
	switch {
	case stated == nil:
		j.note(e, len(e.Turns), "answer", fault.Quote(*e.Answer), "none: the reply states none")
		return nil
	case *e.Answer != *stated:
		j.note(e, len(e.Turns), "answer", fault.Quote(*e.Answer), fault.Quote(*stated))
	}
	return stated
}

// outcomeIncomplete is that of an episode that stops before its end.
const outcomeIncomplete = "incomplete"

// outcome returns how an episode ended, by its answer and its turns.
func (j *replayer) outcome(e told, answer *string, out bool) string {
	got := outcomeIncomplete
	switch {
	case answer != nil:
		got = schemas.OutcomeAnswered
	case e.Outcome != schemas.OutcomeGaveUp && j.BrokenOff(e.Outcome) == e.Outcome:
		return e.Outcome
	case e.Outcome == schemas.OutcomeTimeout, e.Outcome == schemas.OutcomeGaveUp:
		return e.Outcome
	case out || j.unchecked && e.Outcome == schemas.OutcomeStepLimit:
		got = schemas.OutcomeStepLimit
	}
	if got != e.Outcome && !(j.unchecked && got == outcomeIncomplete) {
		j.note(e, 0, "outcome", fault.Quote(e.Outcome), got)
	}
	return got
}

// turn returns the calls of a turn that count, and of each call whether it was optimal.
func (j *replayer) turn(e told, turn int, list []schemas.AARLogged, at *progress) (out []accepted, optimal []bool) {
	for n, c := range list {
		confirm := j.confirm
		if j.unchecked {
			confirm = j.take
		}
		got, ok := confirm(e, turn, n, c)
		if ok {
			out = append(out, got)
		}
		optimal = append(optimal, ok && at.take(got))
	}
	return out, optimal
}

// take takes a call of another harness as it is told. Its page counts if the release has it.
func (j *replayer) take(_ told, _, _ int, c schemas.AARLogged) (accepted, bool) {
	got := accepted{tool: toolName(c.Tool), args: []byte(c.Args), output: c.Preview}
	if got.tool == toolFetch {
		got.url = addressIn(got.args)
	}
	return got, true
}

func addressIn(args []byte) string {
	var a struct{ URL string }
	_ = json.Unmarshal(args, &a) // arguments of another form have no address
	return a.URL
}

// tooManyCalls is the answer to a call beyond those of a turn that are answered.
func tooManyCalls() aar.Answer {
	return aar.Answer{
		Output: aar.ErrorObject(aar.TooManyCalls, fmt.Sprintf("at most %d calls of a turn are answered",
			maxCalls)),
		Source: aar.SourceNone, Code: aar.TooManyCalls,
	}
}

// confirm repeats a call and returns it as the release answers it; false for one that the log has
// otherwise, and for one that did not run.
func (j *replayer) confirm(e told, turn, n int, c schemas.AARLogged) (accepted, bool) {
	place := fmt.Sprintf("call %d", n+1)
	a := tooManyCalls()
	switch {
	case n >= maxCalls:
	case c.Source == aar.SourceNone && c.SHA256 == j.late:
		return accepted{}, false
	default:
		a = j.tools.Call(context.Background(), c.Tool, []byte(c.Args))
		if j.logged(c, a) {
			return j.asLogged(e, turn, place, c, a.Source)
		}
	}
	j.compare(e, turn, place+", source", c.Source, a.Source)
	if sum := digest.SHA256([]byte(a.Output)); c.SHA256 != sum {
		j.note(e, turn, place+", sha256", fault.Quote(c.SHA256), sum)
		j.Scores.Counts[countRefused]++
		return accepted{}, false
	}
	j.comparePreview(e, turn, place, c, a.Output)
	got := accepted{tool: toolName(c.Tool), args: []byte(c.Args), output: a.Output}
	if got.tool == toolFetch && a.Code == "" {
		got.url = addressIn(got.args)
	}
	return got, a.Source != aar.SourceNone
}

// logged reports whether a call was answered by what the judge does not have.
func (j *replayer) logged(c schemas.AARLogged, a aar.Answer) bool {
	switch spec, _ := aar.FindSpec(c.Tool); {
	case a.Code == errLogged.Code:
		return true
	case !j.absent || a.Source == aar.SourceCassette:
		return j.absent
	default: // the cassette may have answered for a tool that is native in part
		return a.Source == aar.SourceNative && a.Code != "" && c.Source == aar.SourceCassette &&
			spec.Offline != "native"
	}
}

// asLogged takes the output of a call as the log has it, if the log agrees with itself.
func (j *replayer) asLogged(e told, turn int, place string, c schemas.AARLogged,
	source string,
) (accepted, bool) {
	if c.Source != aar.SourceLive && c.Source != aar.SourceCassette {
		j.compare(e, turn, place+", source", c.Source, source)
	}
	got := accepted{tool: toolName(c.Tool), args: []byte(c.Args), output: c.Preview}
	if c.Output == nil && source == aar.SourcePython {
		j.note(e, turn, place+", output", "none", "what the program printed")
		j.Scores.Counts[countRefused]++
		return accepted{}, false
	}
	if c.Output != nil {
		if sum := digest.SHA256([]byte(*c.Output)); c.SHA256 != sum {
			j.note(e, turn, place+", sha256", fault.Quote(c.SHA256), sum)
			j.Scores.Counts[countRefused]++
			return accepted{}, false
		}
		j.comparePreview(e, turn, place, c, *c.Output)
		got.output = *c.Output
	}
	j.Scores.Counts[countLogged+source]++
	return got, true
}

func (j *replayer) comparePreview(e told, turn int, place string, c schemas.AARLogged,
	output string,
) {
	runes := []rune(output)
	j.compare(e, turn, place+", preview", c.Preview, string(runes[:min(len(runes), previewChars)]))
	j.compare(e, turn, place+", chars", fmt.Sprint(c.Chars), fmt.Sprint(len(runes)))
}

func (j *replayer) compare(e told, turn int, field, log, replay string) {
	if log != replay {
		j.note(e, turn, field, judge.Text(log), judge.Text(replay))
	}
}

// maxListed bounds the disagreements that are kept; the others are counted.
const maxListed = 1000

func (j *replayer) note(e told, turn int, field, log, replay string) {
	if len(j.Scores.Disagreements) >= maxListed {
		j.Scores.Unlisted++
		return
	}
	j.Scores.Disagreements = append(j.Scores.Disagreements, family.Disagreement{
		Line: e.line, Item: itemOf(e.Instance, e.Attempt), Instance: e.Instance, Attempt: e.Attempt,
		Step: turn, Field: field, Log: log, Replay: replay,
	})
}
