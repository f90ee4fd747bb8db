package probe

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// questions asks so many of each class; in their world node 0 links to node 1 and not back.
func questions(each int) (*gametest.World, []schemas.ProbeInstance) {
	w := gametest.Parse("A->B B->C C->A")
	page := func(u uint32) schemas.PageRef {
		return schemas.PageRef{Node: u, PageID: w.PageID(u), Title: w.Title(u)}
	}
	var list []schemas.ProbeInstance
	for _, class := range schemas.ProbeClasses {
		for i := range each {
			q := schemas.ProbeInstance{Schema: schemas.ProbeInstanceSchema, ID: fmt.Sprintf("pr-%s-%04d", class, i+1), Class: class, Source: page(1), Target: page(0), Gold: schemas.GoldNo, Distance: 2}
			if class == schemas.ProbeConnected {
				q.Source, q.Target, q.Gold, q.Distance = page(0), page(1), schemas.GoldYes, 1
			}
			list = append(list, q)
		}
	}
	return w, list
}

func subject(t *testing.T, w *gametest.World, list []schemas.ProbeInstance) familytest.Subject {
	t.Helper()
	split := family.Split{Name: "probe", Got: len(list), Requested: len(list)}
	s, err := newSet(question.Source{Name: "r", ID: "id", ManifestSHA256: "sha"}, split, list, func() (world, error) { return w, nil })
	if err != nil {
		t.Fatal(err)
	}
	o, err := Family.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	wrong := "maybe"
	return familytest.Subject{Family: Family, Options: o, Set: s, Run: schemas.Run{ReleaseID: "id", ManifestSHA256: "sha"}, Wrong: family.Reply{Text: &wrong}}
}

func TestTheProbeIsAFamily(t *testing.T) {
	w, list := questions(3)
	familytest.Check(t, subject(t, w, list))
}

// file writes a line for each reply.
func file(t *testing.T, replies ...question.Reply) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	var text strings.Builder
	for _, r := range replies {
		text.Write(canon.MustMarshal(r))
		text.WriteByte('\n')
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// of returns a metric of the whole, or that of a class.
func of(s *family.Scores, metric, class string) string {
	for _, r := range s.Rows {
		if class == "" && len(r.By) == 0 || len(r.By) == 1 && r.By[0].Value == class {
			if v := r.Metrics[metric].Value; v != nil {
				return *v
			}
		}
	}
	return "-"
}

func TestTheProbeHasItsAnchors(t *testing.T) {
	w, list := questions(200)
	sub := subject(t, w, list)
	for _, c := range []struct {
		name           string
		reply          func(schemas.ProbeInstance) string
		all, parsed    string
		connected, any string // accuracy of a class
	}{
		{"always yes", func(schemas.ProbeInstance) string { return `\boxed{yes}` }, "3.33333e-01", "3.33333e-01", "1.00000e+00", "0"},
		{"always no", func(schemas.ProbeInstance) string { return `\boxed{No.}` }, "0", "0", "0", "1.00000e+00"},
		{"perfect", func(q schemas.ProbeInstance) string { return `so \boxed{\text{` + q.Gold + `}}` }, "1.00000e+00", "1.00000e+00", "1.00000e+00", "1.00000e+00"},
		{"unparsed", func(schemas.ProbeInstance) string { return "maybe" }, "0", "-", "0", "0"},
		{"half of the yes unparsed", func(q schemas.ProbeInstance) string {
			if q.Class == schemas.ProbeConnected && q.ID > "pr-connected-0100" {
				return ""
			}
			return `\boxed{` + q.Gold + `}`
		}, "6.66667e-01", "1.00000e+00", "5.00000e-01", "1.00000e+00"},
	} {
		var replies []question.Reply
		for _, q := range list {
			replies = append(replies, question.Reply{ID: q.ID, Reply: c.reply(q)})
		}
		s, err := sub.Score(t, file(t, replies...), family.Request{})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{of(s, metricF1All, ""), of(s, metricF1Parsed, ""), of(s, metricAccuracy, schemas.ProbeConnected), of(s, metricAccuracy, schemas.ProbeD3)}
		if want := []string{c.all, c.parsed, c.connected, c.any}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
		n := s.Counts
		if int64(n["tp"]+n["fp"]+n["fn"]+n["tn"]) != *s.Rows[0].Metrics[metricParseRate].Num || s.Rows[0].Missing != 0 || n["unknown"] != 0 {
			t.Errorf("%s: counts %+v", c.name, n)
		}
	}
}

func TestMissingUnknownAndFailedRepliesAreCounted(t *testing.T) {
	w, list := questions(200)
	sub := subject(t, w, list)
	path := file(t, question.Reply{ID: "pr-d2-0001", Reply: `\boxed{no}`}, question.Reply{ID: "other"})
	s, err := sub.Score(t, path, family.Request{})
	if err != nil || s.Rows[0].Missing != 999 || s.Counts["unknown"] != 1 || s.Counts["tn"] != 1 || s.Rows[0].N != 1000 {
		t.Errorf("got %+v, %v", s.Rows[0], err)
	}
	s, err = sub.Score(t, path, family.Request{Partial: true})
	if err != nil || s.Rows[0].N != 1 || of(s, metricAccuracy, "") != "1.00000e+00" || !s.Rows[0].Has(judge.FlagPartial) {
		t.Errorf("partial: got %+v, %v", s.Rows[0], err)
	}
	why := "no route"
	path = file(t, question.Reply{ID: "pr-d2-0001", Infra: &why})
	s, err = sub.Score(t, path, family.Request{})
	if !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "line 1") || s.Rows[0].N != 1000 || s.Rows[0].Infra != 0 {
		t.Errorf("a file claims that the endpoint failed: %+v, %v", s, err)
	}
}

func TestRepliesUnderAnotherWordingAreCounted(t *testing.T) {
	w, list := questions(1)
	sub := subject(t, w, list)
	other := strings.Repeat("0", 64)
	dir := sub.Play(t, familytest.Tasks(t, sub.Set, "probe")[:2], "random", schemas.KindLocal, sub.Set.Baselines()[0].Start)
	s, err := sub.Score(t, dir, family.Request{})
	if err != nil || s.Counts["prompted"] != 2 || s.Counts["foreign"] != 0 {
		t.Errorf("our wording: %v, %v", s.Counts, err)
	}
	s, err = sub.Score(t, file(t, question.Reply{ID: list[0].ID, PromptSHA256: &other}), family.Request{})
	if err != nil || s.Counts["prompted"] != 0 || s.Counts["foreign"] != 1 {
		t.Errorf("another wording: %v, %v", s.Counts, err)
	}
}

func TestAGoldenAnswerThatTheGraphContradictsIsAMismatch(t *testing.T) {
	w, list := questions(2)
	list[1].Gold = schemas.GoldNo
	if _, err := subject(t, w, list).Score(t, file(t), family.Request{}); !errors.Is(err, fault.Mismatch) {
		t.Errorf("got %v", err)
	}
}

func TestRepliesThatStandTwiceOrAskForASecondAttemptAreRefused(t *testing.T) {
	w, list := questions(1)
	sub := subject(t, w, list)
	r := question.Reply{ID: list[0].ID}
	if _, err := sub.Score(t, file(t, r, r), family.Request{}); !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("twice: %v", err)
	}
	if _, err := sub.Score(t, file(t, r), family.Request{Attempts: 2}); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "is asked once") {
		t.Errorf("a second attempt: %v", err)
	}
}

// The ids of the questions name their class, and thereby the answer.
func TestNobodyIsToldTheClassOfAQuestion(t *testing.T) {
	w, list := questions(20)
	sub := subject(t, w, list)
	tasks := familytest.Tasks(t, sub.Set, "probe")
	firsts := map[string]bool{}
	for i, task := range tasks {
		if strings.Contains(task.ID, "pr-") {
			t.Errorf("task %s", task.ID)
		}
		if i < 20 {
			firsts[strings.Split(task.Instance, "-")[1]] = true
		}
	}
	if len(firsts) < 3 {
		t.Errorf("the first twenty questions are of the classes %v", firsts)
	}
	e, err := sub.Set.Start(tasks[0], sub.Options, family.Manner{})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(canon.MustMarshal(e.Observe())); strings.Contains(text, "pr-") || strings.Contains(text, "connected") {
		t.Errorf("the question tells its class: %s", text)
	}
}

func TestTheFirstParserReadsBoxesAlone(t *testing.T) {
	for reply, want := range map[string]string{
		`\boxed{yes}`: "yes", `\boxed{ YES }`: "yes", `\boxed{"no"}`: "no", `\boxed{\text{No}}`: "no", `\boxed{\text{yes.}}`: "yes", `\boxed{no.}`: "no",
		`\boxed{yes} but \boxed{no}`: "no", `\boxed{no} then \boxed{yes`: "no", `\boxed{maybe}`: "", `\boxed{yes no}`: "", `boxed{yes}`: "", "yes": "",
		`\boxed{}`: "", `\boxed{{yes}}`: "", `\boxed{no} \boxed{?}`: "", "": "", `\boxed{`: "",
	} {
		if got, _ := (first{}).Read(reply); got != want {
			t.Errorf("%q: got %q, want %q", reply, got, want)
		}
	}
	// Runs of version 1 are told by this digest.
	if got, want := (first{}).Version().SHA256, "70c8b4898a865bf515322637ff873a71ce96da0e977de0bfe96526e43747347a"; got != want {
		t.Errorf("the first parser is %s, was %s", got, want)
	}
}

func TestTheSecondParserReadsWhatModelsWrite(t *testing.T) {
	data, err := os.ReadFile("testdata/replies-2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rules, gained, n := map[string]int{}, 0, 0
	for line := range strings.Lines(string(data)) {
		var c struct{ Reply, Want, Rule string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		said, rule := second{}.Read(c.Reply)
		if said != c.Want || rule != c.Rule {
			t.Errorf("%q: got %q by %s, want %q by %s", c.Reply, said, rule, c.Want, c.Rule)
		}
		if before, _ := (first{}).Read(c.Reply); before == "" && c.Want != "" {
			gained++
		}
		rules[rule]++
		n++
	}
	for _, rule := range []string{ruleTag, ruleWhole, rulePhrase, ruleLine, ruleSentence, ruleAmbiguous, ruleNone} {
		if rules[rule] < 5 {
			t.Errorf("%d replies of rule %s", rules[rule], rule)
		}
	}
	if n < 120 || gained < 60 {
		t.Errorf("%d replies, of which version 1 lost %d", n, gained)
	}
}

func TestScoresCountRepliesByTheRuleThatReadThem(t *testing.T) {
	w, list := questions(1)
	path := file(t, question.Reply{ID: list[0].ID, Reply: "Yes."}, question.Reply{ID: list[1].ID, Reply: "The answer is no"})
	s, err := subject(t, w, list).Score(t, path, family.Request{})
	if err != nil || s.Counts["read_by_whole"] != 1 || s.Counts["read_by_phrase"] != 1 || s.Counts[question.OutcomeUnparsed] != 0 {
		t.Errorf("got %v, %v", s.Counts, err)
	}
}

func TestRepliesOfAnotherHarnessAreImported(t *testing.T) {
	w, list := questions(1)
	sub := subject(t, w, list)
	why := "x"
	path := file(t, question.Reply{ID: list[0].ID, Reply: `\boxed{yes}`}, question.Reply{ID: list[1].ID, Reply: "unsure"}, question.Reply{ID: "nobody"}, question.Reply{ID: list[2].ID, Infra: &why})
	read := Family.(family.Importer).Imports()[0].Read
	if _, err := read(sub.Set, path, family.ImportRequest{Run: sub.Run, Options: sub.Options}); !errors.Is(err, fault.Usage) {
		t.Errorf("no model: %v", err)
	}
	im, err := read(sub.Set, path, family.ImportRequest{Run: sub.Run, Options: sub.Options, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if i := im.Import; i.Rows != 4 || i.Games != 2 || i.Rejected["unknown_instance"] != 1 || i.Rejected["infra"] != 1 || i.Invalid["unparsed"] != 1 || im.Run.Model.Name != "m" || fmt.Sprint(im.Run.Splits) != "[probe]" {
		t.Errorf("got %+v, %+v", i, im.Run)
	}
	dir := t.TempDir()
	for name, records := range map[string][]any{trace.RunFile: {im.Run}, trace.ImportFile: {im.Import}, trace.RepliesFile: {im.Records[0].Main, im.Records[1].Main}} {
		var data []byte
		for _, r := range records {
			data = append(append(data, canon.MustMarshal(r)...), '\n')
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := sub.Score(t, dir, family.Request{}); err != nil || s.Counts["tp"] != 1 || s.Rows[0].Missing != 3 || s.Import == nil {
		t.Errorf("got %+v, %v", s, err)
	}
}
