// Package report compares runs that were scored: tables, differences between two runs on the same games, success against distance and
// against each difficulty feature, and people against models.
//
// It owns the forms, JSON, Markdown and SVG. It promises that equal scores give equal bytes: no clock, no random id, no map order. It scores
// nothing: every number comes from package judge, or is a count of its results.
//
// Rules: wikirace specification, 10 and 12; publishing specification, 18.
package report

import (
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// Schema names the record's version. 1: first layout. 2: comparisons tell whether both runs had the same options. 3: interventions.
const Schema = "wikirace.report/3"

// Run is a scored run under the name that the report shows.
type Run struct {
	Name    string
	Scores  *judge.Scores
	Options *schemas.GameOptions // nil for games without a run
}

// Report is what is said of several runs.
type Report struct {
	Schema      string       `json:"schema"`
	Release     string       `json:"release"`
	ManifestID  string       `json:"manifest_id"`
	Runs        []Row        `json:"runs"`        // a row per run and split
	Comparisons []Comparison `json:"comparisons"` // of each two runs on each split that both played
	Distances   Curve        `json:"distances"`
	Features    []Curve      `json:"features"`
	Human       []HumanRow   `json:"human,omitempty"`

	Interventions []Intervention `json:"interventions,omitempty"` // of runs that are configurations of one player
}

// Row is one run on one split. Rows with other options are of another game.
type Row struct {
	Run           string                  `json:"run"`
	Split         string                  `json:"split"`
	OptionsSHA256 string                  `json:"options_sha256"`
	N             int                     `json:"n"`
	Metrics       map[string]judge.Metric `json:"metrics"`
	Flags         []string                `json:"flags"`
}

// Input is what a report is made from.
type Input struct {
	Release judge.Release
	Banned  []schemas.ConstrainedInstance // of games with a ban, in place of the release's splits
	Runs    []Run
	Human   *judge.Scores // games of people, nil for none
	Seed    int64         // of the bootstrap
	Partial bool          // the runs were scored without the games that are missing
}

// set is a list of instances that runs are compared on.
type set struct {
	name    string
	ids     []string
	lengths []int
}

func (in Input) sets() []set {
	if in.Banned != nil {
		s := set{name: judge.BannedSet}
		for _, inst := range in.Banned {
			s.ids, s.lengths = append(s.ids, inst.ID), append(s.lengths, inst.ConstrainedLength)
		}
		return []set{s}
	}
	var out []set
	for _, split := range in.Release.Splits {
		s := set{name: split.Name}
		for _, inst := range split.Instances {
			s.ids, s.lengths = append(s.ids, inst.ID), append(s.lengths, inst.Distance)
		}
		out = append(out, s)
	}
	return out
}

// features gives the features of each instance, and the name of the distance that games are told apart by.
func (in Input) features() (distance string, of map[string]map[string]value) {
	of = map[string]map[string]value{}
	for _, inst := range in.Banned {
		of[inst.ID] = banFeatures(inst)
	}
	if in.Banned != nil {
		return "constrained_length", of
	}
	for _, s := range in.Release.Splits {
		for _, inst := range s.Instances {
			of[inst.ID] = features(inst.Features)
		}
	}
	return "distance", of
}

// New makes the report.
func New(in Input) *Report {
	r := &Report{Schema: Schema, Release: in.Release.Name, ManifestID: in.Release.ID, Runs: []Row{}, Comparisons: []Comparison{}, Features: []Curve{}}
	for _, run := range in.Runs {
		for _, s := range run.Scores.Summaries {
			r.Runs = append(r.Runs, Row{run.Name, s.Split, s.OptionsSHA256, s.N, s.Metrics, s.Flags})
		}
	}
	r.Comparisons = append(r.Comparisons, compareAll(in)...)
	r.Interventions = interventions(in)
	distance, features := in.features()
	r.Distances = byDistance(distance, in.Runs)
	r.Features = append(r.Features, byFeatures(in.Runs, features)...)
	if in.Human != nil {
		for _, run := range in.Runs {
			r.Human = append(r.Human, againstPeople(in.Human, run, in.Seed))
		}
	}
	return r
}
