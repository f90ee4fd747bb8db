package importer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/replay"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/importer"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// unchecked imports text without a look at the graph, and scores it.
func unchecked(t *testing.T, format, text string, change func(*result)) (*result, *family.Scores, error) {
	t.Helper()
	f, err := importer.Read(formats[format], "x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	im, err := importer.ConvertUnchecked(f, g9(), someone(schemas.KindForeign))
	if err != nil {
		t.Fatal(err)
	}
	r := resultOf(im)
	if change != nil {
		change(r)
	}
	scores, err := r.score(t, g9(), family.Request{})
	return r, scores, err
}

// otherGraph is games on pages that G9 does not have, and one with G9's own titles and no link of it.
const otherGraph = `{"start":"Rome","target":"Oslo","path":["Rome","Paris","Rome","Oslo"]}
{"start":"Rome","target":"Oslo","path":["Rome","Oslo"],"outcome":"success"}
{"start":"A","target":"T","path":["A","T"]}
{"instance":"wr-easy-0001","path":["A","H"],"outcome":"success"}
{"start":"Rome","target":"Oslo","path":["Rome","Paris"],"outcome":"step_limit"}
{"instance":"none","path":["A"]}
`

func TestGamesOnAnotherGraphScoreWhatTheirPathsShow(t *testing.T) {
	r, scores, err := unchecked(t, "titles-jsonl", otherGraph, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Rome", "Paris", "Oslo", "A", "T", "H"}; !slices.Equal(r.Import.Pages, want) {
		t.Errorf("pages: got %q, want %q", r.Import.Pages, want)
	}
	checkCounts(t, "rejected", r.Import.Rejected, "unknown_instance 1")
	s := scores.Rows[len(scores.Rows)-1]
	if s.Split != replay.OtherGraph || s.N != 5 || !slices.Contains(s.Flags, "GRAPH?") {
		t.Errorf("got row %s of %d games, flags %v", s.Split, s.N, s.Flags)
	}
	for name, want := range map[string]string{
		judge.MetricSuccess: "6.00000e-01", judge.MetricLength: "1.66667e+00", judge.MetricLoops: "2.00000e-01", judge.MetricRecovery: "1.00000e+00",
	} {
		if got := s.Metrics[name].Value; got == nil || *got != want {
			t.Errorf("%s: got %v, want %s", name, show(got), want)
		}
	}
	for _, name := range []string{judge.MetricSuboptimal, judge.MetricSubMoves, judge.MetricMicro, judge.MetricAvail} {
		if got := s.Metrics[name].Value; got != nil {
			t.Errorf("%s: got %s of a graph that nobody has", name, *got)
		}
	}
}

func show(value *string) string {
	if value == nil {
		return "null"
	}
	return *value
}

func TestBackClicksOnAnotherGraphAreVisits(t *testing.T) {
	r, scores, err := unchecked(t, "snap-paths", "h\t1\t2\tX;Y;<;Z\tNULL\nh\t1\t2\tX;<;<\tNULL\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Games[0].Path, []uint32{0, 1, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("pages shown: got %v, want %v", got, want)
	}
	checkCounts(t, "rejected", r.Import.Rejected, "back_underflow 1")
	s := scores.Rows[len(scores.Rows)-1]
	if got := show(s.Metrics[judge.MetricLoops].Value); got != "1.00000e+00" {
		t.Errorf("loops: got %s, want all", got)
	}
}

func TestAnUncheckedLogThatContradictsItselfIsListed(t *testing.T) {
	_, scores, err := unchecked(t, "titles-jsonl", otherGraph, func(r *result) { r.Games[4].Outcome = schemas.OutcomeSuccess })
	if !errors.Is(err, fault.Mismatch) || len(scores.Disagreements) != 1 {
		t.Errorf("a claimed success: got %v, %+v", err, scores.Disagreements)
	}
	_, scores, err = unchecked(t, "titles-jsonl", otherGraph, func(r *result) { r.Games[1].Path[1] = 99 })
	if !errors.Is(err, fault.Malformed) || scores != nil {
		t.Errorf("a page without a title: got %v", err)
	}
}
