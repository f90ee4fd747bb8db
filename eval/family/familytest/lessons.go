package familytest

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

// lessons plays every task as its lessons say: by right replies alone, by the last of them, and
// with a wrong reply wherever one can be taken back. The judge of the family, who knows no lesson,
// must count each as a success, and each wrong move as one that was not optimal. Tasks of closed
// splits are nobody's to learn.
func (s Subject) lessons(t *testing.T) {
	var tasks []family.Task
	for _, split := range s.Set.Splits() {
		list, err := s.Set.Tasks(split.Name, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !split.Closed {
			tasks = append(tasks, list...)
		}
	}
	first := func(list []family.Reply) family.Reply { return list[0] }
	last := func(list []family.Reply) family.Reply { return list[len(list)-1] }
	wrong := 0
	for name, p := range map[string]Player{ // each by itself
		"first": taught(t, first, nil), "last": taught(t, last, nil), "erring": taught(t, first, &wrong),
	} {
		wrong = 0
		dir := s.playRun(t, tasks, s.chatRun(t, name), chat, p)
		scores, err := s.Score(t, dir, family.Request{Splits: s.openSplits()})
		if err != nil {
			t.Fatal(err)
		}
		optimal, counted := 0, 0
		for _, r := range scores.Results {
			if !r.Success {
				t.Errorf("%s: %s ends as %s, no success", name, r.Task, r.Outcome)
			}
			optimal, counted = optimal+r.Optimal, counted+r.Counted
		}
		if len(scores.Results) != len(tasks) || counted > 0 && counted-optimal != wrong {
			t.Errorf("%s: %d results of %d tasks, %d of %d turns optimal, and %d were wrong",
				name, len(scores.Results), len(tasks), optimal, counted, wrong)
		}
	}
}

var chat = family.Manner{Interface: schemas.InterfaceChat}

// chatRun is a run of a model, whose replies are words.
func (s Subject) chatRun(t *testing.T, name string) schemas.Run {
	run := s.run(name, schemas.KindLocal)
	words, err := s.Family.Words(s.Options, chat)
	if err != nil {
		t.Fatal(err)
	}
	run.Rules.Interface = chat.Interface
	run.Rules.Prompt, run.Rules.Parser = words.Prompt, words.Parser
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
	return run
}

func (s Subject) openSplits() (names []string) {
	for _, split := range s.Set.Splits() {
		if !split.Closed {
			names = append(names, split.Name)
		}
	}
	return names
}

// taught replies as lessons say; one wrong reply of an episode is counted, unless wrong is nil.
func taught(t *testing.T, choose func([]family.Reply) family.Reply, wrong *int) Player {
	return func(e family.Episode, seat family.Seat) func() (family.Reply, error) {
		erred := wrong == nil
		return func() (family.Reply, error) {
			lesson, err := e.(family.Taught).Lesson()
			if err != nil || len(lesson.Right) == 0 {
				t.Fatalf("%s: a turn without a right reply, %v", seat.Task.ID, err)
			}
			list := lesson.Right
			if !erred && len(lesson.Wrong) > 0 {
				erred, list = true, lesson.Wrong
				*wrong++
			}
			r := choose(list)
			r.PromptSHA256 = prompt.Hash(e.Messages())
			return r, nil
		}
	}
}

// marks checks that the marks of tasks tell instances apart, and are the same when asked again.
func (s Subject) marks(t *testing.T) {
	marked, ok := s.Set.(family.Marked)
	if !ok {
		t.Fatal("the set does not say what its tasks are about: nothing can be kept apart from them")
	}
	for _, task := range s.all() {
		m, err := marked.Marks(task)
		if err != nil {
			t.Fatal(err)
		}
		again, err := marked.Marks(task)
		if err != nil || again.Instance != m.Instance || !slices.Equal(again.Parts, m.Parts) {
			t.Errorf("%s: %+v, then %+v, %v", task.ID, m, again, err)
		}
		if (m.Source == nil || m.Target == nil) && m.Instance == "" {
			t.Errorf("%s: neither a pair of pages nor an instance", task.ID)
		}
	}
	if _, err := marked.Marks(family.Task{ID: "no such task", Instance: "no such task"}); err == nil {
		t.Error("a task that there is not has marks")
	}
}
