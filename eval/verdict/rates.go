package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/order"
)

// Schema names the record's version. 1: first layout. 2: coverage, and no rate below the least.
const Schema = schemas.BanVerdicts

// errorShare is the share of errors beyond which a judge's rates carry a warning.
const errorShare = 0.02

type Report struct {
	Schema   string      `json:"schema"`
	Run      string      `json:"run"`
	Release  string      `json:"release"`
	Pools    []PoolSize  `json:"pools"`
	Rates    []Rate      `json:"rates"`    // by pool, judge and template
	Pairs    []Agreement `json:"pairs"`    // of each two judges on the moves that both judged
	People   []Accuracy  `json:"people"`   // of each judge against people
	Warnings []string    `json:"warnings"` // judges with many errors
	Loose    int         `json:"loose"`    // verdicts about no move of the run

	least int // percent of the moves to judge below which there is no rate
}

// PoolSize is how many moves a pool has, and how many of them a rule judges.
type PoolSize struct {
	Pool   string `json:"pool"`
	Moves  int    `json:"moves"`
	ByRule int    `json:"by_rule"`
}

// Rate is the share of unsound (type II) or contradictory (type III) reasoning, the verdicts of the
// rule among them.
type Rate struct {
	Pool           string         `json:"pool"`
	Judge          string         `json:"judge"`
	Asked          string         `json:"asked"` // how, what served it, and what came with replies; "" where nobody said
	Template       string         `json:"template"`
	TemplateSHA256 string         `json:"template_sha256"`
	Pooled         int            `json:"pooled"`
	Judged         int            `json:"judged"`
	Errors         int            `json:"errors"`
	Missing        int            `json:"missing"`
	Coverage       judge.Metric   `json:"coverage"`         // moves that the judge judged, of those that no rule judges
	Rate           judge.Metric   `json:"rate"`             // null below the least coverage
	Reason         string         `json:"reason,omitempty"` // why there is no rate
	Types          map[string]int `json:"types"`
}

// Uncovered lists the rates that are null because too few moves were judged.
func (r *Report) Uncovered() []Rate {
	return slices.DeleteFunc(slices.Clone(r.Rates), func(x Rate) bool { return x.Reason == "" })
}

// Agreement is how two judges see the same moves.
type Agreement struct {
	Pool  string       `json:"pool"`
	A     string       `json:"a"`
	B     string       `json:"b"`
	N     int          `json:"n"`
	Share judge.Metric `json:"share"`
	Kappa *string      `json:"kappa"` // null if chance alone would agree everywhere
}

// Accuracy is how often a judge says what a person says.
type Accuracy struct {
	Pool  string       `json:"pool"`
	Judge string       `json:"judge"`
	Human string       `json:"human"`
	N     int          `json:"n"`
	Flag  judge.Metric `json:"flag"`
	Type  judge.Metric `json:"type"` // flag and type
}

// voice is a judge with a wording, asked in one way, in one pool.
type voice struct{ pool, model, asked, template, sha string }

func (v voice) name() string {
	parts := []string{v.template + " " + v.sha[:min(8, len(v.sha))]}
	if v.asked != "" {
		parts = append(parts, v.asked)
	}
	return v.model + " (" + strings.Join(parts, ", ") + ")"
}

// asked says how a judge was asked for a verdict.
func asked(v schemas.Verdict) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(v.Judge.Params)) {
		parts = append(parts, name+" "+v.Judge.Params[name])
	}
	return strings.Join(parts, ", ")
}

type move struct {
	game string
	step int
}

type tally struct {
	voice
	human  bool
	by     map[move]schemas.Reasoning
	said   map[string]bool // what the endpoint said of itself; a question that failed has nothing
	failed int
}

// hear notes what the endpoint said of itself with a reply: what served it, and what came besides
// the text. A row tells it and is not divided by it: of two verdicts that one judge gave in one
// way, one may have been asked for twice or be read from a cache.
func (t *tally) hear(v schemas.Verdict) {
	if v.Served != nil && v.Served.Model != "" {
		t.said["served by "+v.Served.Model] = true
	}
	for word, there := range map[string]bool{
		"with reasoning apart":       v.Reasoning != nil && v.Raw != "",
		"with reasoning and no text": v.Reasoning != nil && v.Raw == "",
		"with flag " + v.Flag:        v.Flag != "",
		"with retries":               v.Retries > 0,
		"with cached tokens":         v.Usage != nil && v.Usage.Cached > 0,
	} {
		if there {
			t.said[word] = true
		}
	}
}

// nameSaid adds what the endpoint said of itself to how it was asked.
func (t *tally) nameSaid() {
	for _, word := range slices.Sorted(maps.Keys(t.said)) {
		t.asked = strings.TrimPrefix(t.asked+", "+word, ", ")
	}
}

// NewReport computes the rates. games are the units of the bootstrap: all of the run, those without
// a judged move among them. A judge of fewer than least percent of the moves that no rule judges
// has no rate: it would be that of the rule, or of the moves that the judge could read.
func NewReport(
	release string, moves []family.Statement, games []string, list []schemas.Verdict, seed int64, least int,
) *Report {
	r := &Report{
		Schema: Schema, Release: release, Rates: []Rate{}, Pairs: []Agreement{}, People: []Accuracy{},
		Warnings: []string{}, least: least,
	}
	if len(moves) > 0 {
		r.Run = moves[0].Run
	}
	for _, pool := range []string{schemas.PoolII, schemas.PoolIII} {
		in := slices.DeleteFunc(slices.Clone(moves), func(s family.Statement) bool { return PoolOf(s) != pool })
		size, rules := PoolSize{Pool: pool, Moves: len(in)}, map[move]schemas.Reasoning{}
		for _, s := range in {
			if v, ok := byRule(s); ok {
				rules[move{s.Game, s.Step}] = v
			}
		}
		size.ByRule = len(rules)
		r.Pools = append(r.Pools, size)
		tallies := r.tallies(pool, in, list, rules)
		models := slices.DeleteFunc(slices.Clone(tallies), func(t *tally) bool { return t.human })
		if len(models) == 0 {
			models = []*tally{{voice: voice{pool: pool, model: schemas.JudgeRule, template: schemas.JudgeRule}}} // what is known without a judge
		}
		for _, t := range models {
			r.addRate(t, in, games, rules, seed)
		}
		r.compare(pool, tallies)
	}
	return r
}

// tallies sorts the verdicts of a pool by voice. A verdict about no move of the pool is loose; one
// on a move that a rule judges is not asked for, and does not count.
func (r *Report) tallies(pool string, in []family.Statement, list []schemas.Verdict, rules map[move]schemas.Reasoning) []*tally {
	known := map[move]bool{}
	for _, s := range in {
		known[move{s.Game, s.Step}] = true
	}
	voices := map[voice]*tally{}
	for _, v := range list {
		at := move{v.Game, v.Step}
		_, ruled := rules[at]
		switch {
		case v.Pool != pool:
			continue
		case !known[at] || r.Run != v.Run:
			r.Loose++
			continue
		case ruled || v.Judge.EndpointKind == schemas.JudgeRule:
			continue
		}
		k := voice{pool, v.Judge.Model, asked(v), v.Template, v.TemplateSHA256}
		if voices[k] == nil {
			voices[k] = &tally{voice: k, human: v.Judge.EndpointKind == schemas.JudgeHuman, by: map[move]schemas.Reasoning{}, said: map[string]bool{}}
		}
		voices[k].hear(v)
		if v.Verdict == nil {
			voices[k].failed++
		} else {
			voices[k].by[at] = *v.Verdict
		}
	}
	for _, t := range voices {
		t.nameSaid()
	}
	tallies := slices.Collect(maps.Values(voices))
	order.Sort(tallies, func(a, b *tally) int {
		return cmp.Or(strings.Compare(a.model, b.model), strings.Compare(a.asked, b.asked), strings.Compare(a.template, b.template), strings.Compare(a.sha, b.sha))
	})
	return tallies
}

func (r *Report) addRate(t *tally, in []family.Statement, games []string, rules map[move]schemas.Reasoning, seed int64) {
	rate := Rate{Pool: t.pool, Judge: t.model, Asked: t.asked, Template: t.template, TemplateSHA256: t.sha, Pooled: len(in), Errors: t.failed, Types: map[string]int{}}
	place := map[string]int{}
	for i, g := range games {
		place[g] = i
	}
	counts := make([][2]int64, len(games))
	for _, s := range in {
		at := move{s.Game, s.Step}
		v, ok := rules[at]
		if !ok {
			v, ok = t.by[at]
		}
		if !ok {
			continue
		}
		rate.Judged++
		rate.Types[Type(v)]++
		counts[place[s.Game]][1]++
		if Bad(v) {
			counts[place[s.Game]][0]++
		}
	}
	rate.Missing = rate.Pooled - rate.Judged - rate.Errors
	rate.Coverage = judge.Ratio(int64(rate.Judged-len(rules)), int64(rate.Pooled-len(rules)))
	if 100**rate.Coverage.Num < int64(r.least)*rate.Coverage.Den {
		rate.Reason = fmt.Sprintf("%d of %d moves that no rule judges have a verdict, less than %d %%",
			*rate.Coverage.Num, rate.Coverage.Den, r.least)
	} else {
		rate.Rate = judge.RatioOf(seed, "type"+t.pool, t.model+" "+t.sha, counts)
	}
	r.Rates = append(r.Rates, rate)
	if asked := len(t.by) + t.failed; float64(t.failed) > errorShare*float64(asked) {
		r.Warnings = append(r.Warnings, t.name()+": more than 2 % of the verdicts of pool "+t.pool+" are errors")
	}
}

// compare sets every two judges of a pool beside each other, and every judge beside every person.
func (r *Report) compare(pool string, tallies []*tally) {
	for i, a := range tallies {
		for _, b := range tallies[i+1:] {
			switch {
			case a.human && b.human:
			case a.human:
				r.People = append(r.People, accuracy(pool, b, a))
			case b.human:
				r.People = append(r.People, accuracy(pool, a, b))
			default:
				r.Pairs = append(r.Pairs, agreement(pool, a, b))
			}
		}
	}
}

func accuracy(pool string, model, human *tally) Accuracy {
	flags, types, n := 0, 0, 0
	for at, want := range human.by {
		got, ok := model.by[at]
		if !ok {
			continue
		}
		n++
		if Bad(got) == Bad(want) {
			flags++
			if Type(got) == Type(want) {
				types++
			}
		}
	}
	return Accuracy{pool, model.name(), human.name(), n, judge.Share(flags, n), judge.Share(types, n)}
}

// agreement compares what two judges say on the moves that both judged themselves: those of the
// rule agree by construction.
func agreement(pool string, a, b *tally) Agreement {
	var table [2][2]int64
	for at, x := range a.by {
		if y, ok := b.by[at]; ok {
			table[judge.One(Bad(x))][judge.One(Bad(y))]++
		}
	}
	same := table[0][0] + table[1][1]
	n := same + table[0][1] + table[1][0]
	return Agreement{pool, a.name(), b.name(), int(n), judge.Share(int(same), int(n)), kappa(table)}
}

// kappa is Cohen's: (observed - expected) / (1 - expected) agreement, here times n². Cohen 1960,
// https://doi.org/10.1177/001316446002000104
func kappa(t [2][2]int64) *string {
	same := t[0][0] + t[1][1]
	n := same + t[0][1] + t[1][0]
	expected := (t[0][0]+t[0][1])*(t[0][0]+t[1][0]) + (t[1][0]+t[1][1])*(t[0][1]+t[1][1])
	return judge.Quotient(n*same-expected, n*n-expected)
}
