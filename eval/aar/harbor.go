package aar

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// HarborCall is a line of the log of a Harbor task: a call of a tool, whose answer the judge
// repeats.
type HarborCall struct {
	Tool    string  `json:"tool"`
	Args    string  `json:"args"` // as the agent sent it
	Source  string  `json:"source"`
	SHA256  string  `json:"sha256"` // of the output after the cut
	Success bool    `json:"success"`
	Preview string  `json:"result_preview"`
	Chars   int     `json:"result_len"`
	URL     string  `json:"url,omitempty"`
	Output  *string `json:"output,omitempty"` // of Python, which nobody repeats
}

// Answered returns the line of a call that was answered.
func Answered(tool, args string, a aar.Answer) HarborCall {
	c := HarborCall{
		Tool: tool, Args: args, Source: a.Source, SHA256: digest.SHA256([]byte(a.Output)),
		Success: a.Code == "", Preview: preview(a.Output), Chars: utf8.RuneCountInString(a.Output),
	}
	if toolName(tool) == toolFetch {
		c.URL = addressIn([]byte(args))
	}
	if a.Source == aar.SourcePython {
		c.Output = &a.Output
	}
	return c
}

// HarborBudget is how many calls are answered of a leg with so many stops.
func HarborBudget(stops int) int { return budget(schemas.AARBudget, stops) }

// Words for who wrote the log of a Harbor task.
const (
	LogSidecar   = "sidecar"   // the tool server, where the agent cannot reach it
	LogContainer = "container" // a program in the agent's container: it can be forged
)

// Reward is what is said of a Harbor task: numbers, and the texts next to them.
type Reward struct {
	Numbers map[string]float64 `json:"numbers"` // finite; a rate without anything to share is absent
	Details HarborDetails      `json:"details"`
}

// HarborDetails is what a number does not say.
type HarborDetails struct {
	ErrorClass  string       `json:"error_class"`
	AnswerClass string       `json:"answer_class"`
	Log         string       `json:"log"`
	Trust       string       `json:"trust"`
	Missing     *string      `json:"log_missing"` // why there is no log; null where there is one
	Refused     []string     `json:"refused_calls"`
	Stops       []HarborStop `json:"stops"`
}

// HarborStop says whether a stop was done: null for one that needs no call.
type HarborStop struct {
	Index int    `json:"index"`
	Type  string `json:"stop_type"`
	Done  *bool  `json:"done"`
	Seen  *bool  `json:"value_seen"` // in some output; null for the last one
}

// trust says what a log is worth.
var trust = map[string]string{
	LogSidecar: "the tool server wrote the log in a container of its own; replay proves that the" +
		" outputs are those of the store",
	LogContainer: "the agent could write the log and read the store: replay proves that the outputs" +
		" are those of the store, not that the agent asked for them",
}

// JudgeHarbor judges an answer, nil for none, and the calls of a log by replay on the store that
// t answers from. Every call is a step: turns of the model are not seen. Calls beyond the budget
// do not count, nor does an answer after them.
func JudgeHarbor(l *schemas.AARLeg, answer *string, log []HarborCall, t *aar.Tools, mode string) Reward {
	var offered []string
	for _, s := range t.Offered() {
		offered = append(offered, s.Name)
	}
	if t.Python == nil { // the one who judges need not have it
		offered = append(offered, toolPython)
	}
	sc := &family.Scoring{
		Log:    &trace.Log{},
		Scores: &family.Scores{Counts: map[string]int{}},
	}
	j := newReplayer(sc, schemas.AAROptions{
		Budget: schemas.AARBudget, MaxOutput: schemas.TextLimit, Tools: offered,
	}, t.World, t.Cassette)
	e := &schemas.AAREpisode{Instance: aar.LegID(l), Attempt: 1, Outcome: schemas.OutcomeGaveUp}
	for i, c := range log {
		e.Turns = append(e.Turns, schemas.AARTurn{Turn: i + 1, Calls: []schemas.AARLogged{{
			ID: fmt.Sprint("call_", i+1), Tool: c.Tool, Args: c.Args, Source: c.Source,
			SHA256: c.SHA256, Chars: c.Chars, Preview: c.Preview, Output: c.Output,
		}}})
	}
	p, _ := j.replay(told{e, 0}, l)
	most := HarborBudget(len(l.Stops))
	if len(log) <= most {
		p.answer = answer
	}
	v := newVerdict(p, choices{rcr: rcrOffered, open: opener(t.World)})
	v.limited = v.answer == answerNone && len(log) >= most
	return j.reward(p, v, most, mode)
}

// reward writes a verdict down.
func (j *replayer) reward(p played, v *verdict, most int, mode string) Reward {
	r := Reward{
		Numbers: map[string]float64{
			"reward": one(v.right), "fa": one(v.right), "steps": float64(v.steps),
			"calls": float64(v.calls), "budget": float64(most), "step_limit_hit": one(v.limited),
		},
		Details: HarborDetails{
			ErrorClass: v.cause(), AnswerClass: v.answer, Log: mode, Trust: trust[mode],
			Refused: []string{}, Stops: []HarborStop{},
		},
	}
	for name, share := range map[string]part{"pvr": v.pages, "rcr": v.tools} { // each by itself
		if x, known := share.value(); known {
			r.Numbers[name] = x
		}
	}
	for _, d := range j.Scores.Disagreements {
		r.Details.Refused = append(r.Details.Refused,
			fmt.Sprintf("call %d: %s: the log has %s, the store %s", d.Step, d.Field, d.Log, d.Replay))
	}
	for i := range p.leg.Stops {
		r.Details.Stops = append(r.Details.Stops, j.stop(p, i))
	}
	return r
}

// stop judges one stop as the whole leg is judged.
func (j *replayer) stop(p played, i int) HarborStop {
	s := p.leg.Stops[i]
	out := HarborStop{Index: s.Index, Type: s.Type}
	yes := func(x part) *bool {
		if x.null() {
			return nil
		}
		done := x.done == x.of
		return &done
	}
	one := p
	one.leg = &schemas.AARLeg{Stops: []schemas.AARStop{s}}
	switch s.Type {
	case schemas.AARPage:
		out.Done = yes(pagesSeen(one, choices{open: opener(j.tools.World)}))
	case schemas.AARTool:
		done, _ := toolsDone(one, rcrOffered)
		out.Done = yes(done)
	}
	if i < len(p.leg.Stops)-1 {
		one.leg = &schemas.AARLeg{Stops: []schemas.AARStop{s, {}}} // all but the last one count
		out.Seen = yes(valuesSeen(one))
	}
	return out
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// ReadHarborLog reads the lines of a log, up to the first that is none.
func ReadHarborLog(data []byte) (log []HarborCall, err error) {
	for n, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if line == "" {
			continue
		}
		var c HarborCall
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return log, fmt.Errorf("line %d: %w", n+1, err)
		}
		log = append(log, c)
	}
	return log, nil
}

// GoldenCalls returns the calls of a leg's solution as a log has them.
func GoldenCalls(ctx context.Context, t *aar.Tools, l *schemas.AARLeg) (log []HarborCall, err error) {
	for i := range l.Stops {
		s := &l.Stops[i]
		if s.Type == schemas.AARPage && s.PageURL != nil {
			args, _ := json.Marshal(map[string]string{"url": *s.PageURL}) // of a text
			log = append(log, Answered(toolFetch, string(args), t.Call(ctx, toolFetch, args)))
		}
		calls, err := aar.Calls(s.Bridge.ToolChain)
		if err != nil {
			return nil, err
		}
		for _, c := range calls {
			log = append(log, Answered(c.Tool, string(c.Args), t.Call(ctx, c.Tool, c.Args)))
		}
	}
	return log, nil
}
