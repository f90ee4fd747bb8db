package stagetest

import (
	"testing"

	"github.com/wikinav/wikinav/stages"
)

func TestASoundStagePassesTheSuite(t *testing.T) {
	env := New(t)
	env.GiveSnapshot()
	Run(t, toy{name: "second.txt"}, env)
}

func TestTheSuiteFindsEachBreachOfTheContract(t *testing.T) {
	const wellFormed, outputs, workers, input, ended, write = 0, 1, 2, 3, 4, 5
	for _, c := range []struct {
		breach string
		rule   int
		stage  toy
	}{
		{"version 0", wellFormed, toy{spec: func(s *stages.Spec) { s.Version = 0 }}},
		{"no name", wellFormed, toy{spec: func(s *stages.Spec) { s.Name = "" }}},
		{"no outputs", wellFormed, toy{spec: func(s *stages.Spec) { s.Outputs = nil }}},
		{"an input twice", wellFormed, toy{spec: func(s *stages.Spec) { s.Inputs = append(s.Inputs, s.Inputs...) }}},
		{"a float in the params", wellFormed, toy{spec: func(s *stages.Spec) { s.Params = map[string]float64{"x": 0.5} }}},
		{"params that are no object", wellFormed, toy{spec: func(s *stages.Spec) { s.Params = 7 }}},
		{"an undeclared output", outputs, toy{name: "second.json"}},
		{"an output twice", outputs, toy{name: "first.txt"}},
		{"an unportable name", outputs, toy{name: "Second.txt"}},
		{"no output", outputs, toy{writesNothing: true}},
		{"an undeclared input", outputs, toy{spec: func(s *stages.Spec) { s.Inputs = nil }}},
		{"bytes by workers", workers, toy{byWorkers: true}},
		{"counters by workers", workers, toy{countWorkers: true}},
		{"a missing input passed over", input, toy{deafToInput: true}},
		{"an ended context passed over", ended, toy{deafToContext: true}},
		{"an ended context hidden", ended, toy{hidesCause: true}},
		{"a failed write passed over", write, toy{deafToWrites: true}},
	} {
		if c.stage.name == "" {
			c.stage.name = "second.txt"
		}
		env := New(t)
		env.GiveSnapshot()
		if err := rules[c.rule].check(c.stage, env); err == nil {
			t.Errorf("%s: the rule %q found nothing", c.breach, rules[c.rule].name)
		} else {
			t.Logf("%s: %v", c.breach, err)
		}
	}
}
