package importer_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/importer"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// convert imports text, writes the run, reads it back and scores it.
func convert(t *testing.T, rel replay.Release, format, text string) (*result, *family.Scores, error) {
	t.Helper()
	f, err := importer.Read(formats[format], "x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r := imported(t, f, rel, f.Rules(rel.Defaults))
	scores, err := r.score(t, rel, family.Request{Partial: true})
	return r, scores, err
}

func checkCounts(t *testing.T, what string, got map[string]int, want string) {
	t.Helper()
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(got)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, got[k]))
	}
	if text := strings.Join(parts, ", "); text != want {
		t.Errorf("%s: got %q, want %q", what, text, want)
	}
}

// snapRows holds a row for every fate; the comment and the blank line are no rows.
const snapRows = `# a comment

h1	1297054935	180	A;B;<;C;E	5
h1	1297054935	180	A;B;E;G;H;T	NULL
h2	1297054935	180	A	NULL
h2	1297054935	180	A;B	T	timeout
h2	1297054935	180	A;B;<;<	T	restart
h2	1297054935	180	A;E	NULL
h3	1297054935	180	A;Zebra	NULL
h3	1297054935	180	A;B	Zebra	restart
h3	1297054935	180		NULL
h3	1297054935	180	<;A	NULL
h3	1297054935	180	A;B	9
h3	now	180	A;B	NULL
h3	1297054935	-1	A;B	NULL
h3	1297054935	180	A;B
h3	1297054935	180	%FF;B	NULL
`

func TestPeoplesGamesAreImportedOrCounted(t *testing.T) {
	r, scores, err := convert(t, g9(), "snap-paths", snapRows)
	if err != nil {
		t.Fatalf("%v: %+v", err, scores.Disagreements)
	}
	im := r.Import
	checkCounts(t, "rejected", im.Rejected, "back_underflow 2, bad_number 3, bad_text 1, empty_path 1, field_count 1, missing_edge 1, outside_graph 2")
	checkCounts(t, "types", im.Types, "timeout 1")
	if im.Rows != 15 || im.Games != 4 || len(r.Games) != 4 {
		t.Errorf("rows %d, games %d", im.Rows, im.Games)
	}
	if g := r.Games[0]; g.Turns != 4 || !slices.Equal(g.Path, []uint32{0, 1, 0, 2, 4}) || g.Outcome != schemas.OutcomeSuccess || g.Game != "player-1-g000001" {
		t.Errorf("A;B;<;C;E is %+v", g)
	}
	s := scores.Rows[0]
	// Won: A..E in 4 clicks of which 2 count (distance 2), A..T in 5 (distance 5), A..A in none.
	if s.N != 4 || *s.Metrics[judge.MetricSuccess].Num != 3 || *s.Metrics[judge.MetricSuboptimal].Num != 2 || *s.Metrics[judge.MetricEffective].Num != 0 {
		t.Errorf("got %+v", s.Metrics)
	}
	if !slices.Contains(s.Flags, "HUMAN") || slices.Contains(s.Flags, "ORACLE") || s.Split != replay.HumanGames {
		t.Errorf("split %s, flags %q", s.Split, s.Flags)
	}
}

func TestForgedGamesOfPeopleAreFound(t *testing.T) {
	rel := g9()
	f, err := importer.Read(formats["snap-paths"], "x", strings.NewReader(snapRows))
	if err != nil {
		t.Fatal(err)
	}
	for name, forge := range map[string]func(r *result){
		"outcome":       func(r *result) { r.Games[3].Outcome = schemas.OutcomeSuccess },
		"path":          func(r *result) { r.Games[0].Path[1] = 3 },
		"turns":         func(r *result) { r.Games[1].Turns = 3 },
		"missing click": func(r *result) { r.Steps = r.Steps[1:] },
		"no such link":  func(r *result) { n := 99; r.Steps[0].Choice = &n },
		"no such pair":  func(r *result) { r.Games[0].Instance = "demowiki:1:2" },
	} {
		r := imported(t, f, rel, game.Defaults())
		forge(r)
		if _, err := r.score(t, rel, family.Request{}); !errors.Is(err, fault.Mismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNobodyElseTellsThatAnEndpointFailed(t *testing.T) {
	r, _, err := convert(t, g9(), "titles-jsonl", `{"start":"A","target":"T","path":["A"],"outcome":"infra"}`+"\n"+
		`{"start":"A","target":"T","path":["A","B"],"outcome":"gave_up"}`)
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, "rejected", r.Import.Rejected, "infra 1")
	if r.Import.Games != 1 || r.Import.Rows != 2 {
		t.Errorf("%+v", r.Import)
	}
}

func TestNodePathsHaveNoClicks(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprintln(z, "A;B;E;G;H;T\nA;C;A;C\nA\nA;<;B\nA;Nowhere")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, scores, err := convert(t, g9(), "node-paths", packed.String())
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, "rejected", r.Import.Rejected, "bad_text 1, outside_graph 1")
	m := scores.Rows[0].Metrics
	if *m[judge.MetricSuccess].Num != 3 || m[judge.MetricSuboptimal].Value != nil || *m[judge.MetricEffective].Num != 2 || len(r.Steps) != 0 {
		t.Errorf("got %+v, %d steps", m, len(r.Steps))
	}
}

const llms = `{"article_list":"x","num_trials":1,"num_workers":2,"max_steps":30,"agent_settings":{"t":0.7},"runs":[
{"model":"m","start_article":"A","destination_article":"T","result":"win","steps":[{"type":"start","article":"A","metadata":{}},
 {"type":"move","article":"B","metadata":{"tries":2}},{"type":"move","article":"e"},{"type":"move","article":"G"},{"type":"move","article":"H"},{"type":"win","article":"T"}]},
{"model":"m","start_article":"A","destination_article":"H","result":"lose","steps":[{"type":"start","article":"A"},{"type":"move","article":"Zebra"},{"type":"move","article":"T"},{"type":"lose","article":-1}]},
{"model":"m","start_article":"B","destination_article":"H","result":"lose","steps":[{"type":"start","article":"B"},{"type":"lose","article":"B"}]},
{"model":"m","start_article":"C","destination_article":"H","result":"move","steps":[{"type":"start","article":"C"},{"type":"move","article":"E"}]},
{"model":"m","start_article":"C","destination_article":"C","result":"win","steps":[]},
{"model":"m","start_article":"C","destination_article":"Zebra","result":"win","steps":[]}]}`

func TestRunsOfWikiraceLLMsAreMapped(t *testing.T) {
	r, scores, err := convert(t, g9(), "wikirace-llms", llms)
	if err != nil {
		t.Fatalf("%v: %+v", err, scores.Disagreements)
	}
	checkCounts(t, "rejected", r.Import.Rejected, "outside_graph 1, source_is_target 1")
	checkCounts(t, "invalid", r.Import.Invalid, "missing_edge 1, unknown_title 1")
	var outcomes []string
	for _, g := range r.Games {
		outcomes = append(outcomes, g.Outcome)
	}
	if want := []string{"success", "format", "stuck", "step_limit"}; !slices.Equal(outcomes, want) {
		t.Errorf("outcomes %q, want %q", outcomes, want)
	}
	if r.Steps[0].Retries != 2 || r.Games[0].Instance != "wr-easy-0001" || r.Games[1].Instance != "demowiki:100:107" || r.options(t).MaxSteps != 30 {
		t.Errorf("retries %d, instances %s and %s, options %+v", r.Steps[0].Retries, r.Games[0].Instance, r.Games[1].Instance, r.options(t))
	}
	if pairs := wholeRows(scores); len(pairs) != 2 || pairs[0].N != 1 || pairs[1].N != 3 || pairs[1].Split != replay.ForeignPairs {
		t.Errorf("got %+v", scores.Rows)
	}
}

func TestAClaimThatTheGraphContradictsIsListed(t *testing.T) {
	claim := strings.Replace(llms, `{"type":"move","article":"H"},{"type":"win"`, `{"type":"win"`, 1)
	_, scores, err := convert(t, g9(), "wikirace-llms", claim)
	if !errors.Is(err, fault.Mismatch) || scores.Disagreements[0].Field != "outcome" || *scores.Rows[0].Metrics[judge.MetricSuccess].Num != 0 {
		t.Errorf("%v, %+v", err, scores.Disagreements)
	}
}

func TestSessionsOfTheArenaAreMapped(t *testing.T) {
	session := `{"schema_version":1,"exported_at":"2025","session":{"start_article":"A","destination_article":"T","rules":{"max_links":null,"max_hops":20},"runs":[
{"kind":"llm","model":"m","status":"finished","result":"abandoned","hops":1,"steps":[{"type":"start","article":"A","at":1},{"type":"move","article":"B"}]},
{"kind":"human","model":"","result":"win","steps":[{"type":"start","article":"A"}]}]}}`
	r, scores, err := convert(t, g9(), "wikirace-arena", session)
	if err != nil {
		t.Fatalf("%v: %+v", err, scores.Disagreements)
	}
	checkCounts(t, "rejected", r.Import.Rejected, "human 1")
	if r.Games[0].Outcome != schemas.OutcomeGaveUp || r.options(t).MaxSteps != 20 || r.options(t).Pruning != game.PruneNone {
		t.Errorf("%+v, %+v", r.Games[0], r.options(t))
	}
}

func TestFilesThatAreNotOfTheirFormatAreMalformed(t *testing.T) {
	for _, c := range [][2]string{
		{"wikirace-llms", "x"},
		{"wikirace-llms", "{}"},
		{"wikirace-llms", `{"runs":[]} {}`},
		{"wikirace-llms", `{"runs":[{"model":1}]}`},
		{"wikirace-llms", "{\"runs\":[\"\xff\"]}"},
		{"wikirace-arena", `{"schema_version":2,"session":{"runs":[]}}`},
		{"wikirace-arena", `{"schema_version":1}`},
		{"titles-jsonl", `{"path":["A"]}`},
		{"titles-jsonl", `{"instance":"i","path":[]}`},
		{"titles-jsonl", `{"instance":"i","path":["A"],"score":1}`},
		{"titles-jsonl", `{"start":"A","target":"T","path":["B"]}`},
		{"titles-jsonl", `{"instance":"i","start":"A","target":"T","path":["A"]}`},
		{"titles-jsonl", `{"instance":"i","path":["A"],"path":["A"]}`},
		{"snap-paths", "\x1f\x8bno gzip"},
	} {
		if _, err := importer.Read(formats[c[0]], "x", strings.NewReader(c[1])); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s %q: %v", c[0], c[1], err)
		}
	}
}

// TestARoundTripThroughTitlesChangesNoScore exports random games as titles, imports them, and compares all that titles can carry.
func TestARoundTripThroughTitlesChangesNoScore(t *testing.T) {
	w := gametest.Random(5, 150, 90, 60)
	inst := racetest.Instances(w, 5, 60, 2)
	rel := races(w, inst...)
	run := schemas.Run{ReleaseID: "id", ManifestSHA256: "sum", Family: "race", Splits: []string{"easy"}, Attempts: 1, Rules: schemas.Rules{Options: []byte("{}")}}
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
	log := &replay.Log{Log: &trace.Log{Path: "sim", Run: &run}}
	var titles strings.Builder
	for i, one := range inst {
		g, err := game.Start(w, racetest.TaskOf(one), game.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		for s := rng.New(5, "round", rng.Part(i)); !g.Done(); {
			if g.Play(game.Pick([]int{g.Best(), s.Below(len(g.Menu()))}[i%2])); i%7 == 0 && g.Turns() == 3 {
				g.Stop(schemas.OutcomeGaveUp)
			}
		}
		outcome := g.Outcome()
		told := replay.Game{Instance: one.ID, Attempt: 1, Outcome: &outcome}
		path := []string{}
		for _, u := range g.Path() {
			told.Path, path = append(told.Path, replay.Page{Node: u}), append(path, w.Title(u))
		}
		log.Games = append(log.Games, told)
		fmt.Fprintf(&titles, "%s\n", canon.MustMarshal(map[string]any{"instance": one.ID, "path": path, "outcome": outcome}))
	}
	want, err := log.Score(rel, family.Request{})
	if err != nil {
		t.Fatalf("%v: %+v", err, want.Disagreements)
	}
	_, got, err := convert(t, rel, "titles-jsonl", titles.String())
	if err != nil {
		t.Fatalf("%v: %+v", err, got.Disagreements)
	}
	if len(want.Rows[0].Outcomes) < 3 {
		t.Errorf("outcomes %v: the test shows too little", want.Rows[0].Outcomes)
	}
	if x, y := string(canon.MustMarshal(want.Rows)), string(canon.MustMarshal(got.Rows)); x != y {
		t.Errorf("the rows differ\n%s\n%s", x, y)
	}
}

// wholeRows lists the rows of whole splits.
func wholeRows(s *family.Scores) []family.Row {
	return slices.DeleteFunc(slices.Clone(s.Rows), func(r family.Row) bool { return len(r.By) > 0 })
}

// FuzzRead looks for files that crash an importer, or whose rows get lost.
func FuzzRead(f *testing.F) {
	for _, text := range []string{snapRows, llms, "A;B\n", `{"instance":"wr-easy-0001","path":["A","B"]}`, k7Line} {
		for i := range formatNames {
			f.Add(i, text)
		}
	}
	rel := g9()
	w := gametest.K7()
	bans := banned(w, k7Instances(w))
	f.Fuzz(func(t *testing.T, i int, text string) {
		format := formatNames[uint(i)%uint(len(formatNames))]
		file, err := importer.Read(formats[format], "x", strings.NewReader(text))
		if err != nil {
			if !errors.Is(err, fault.Malformed) {
				t.Fatalf("%s %q: %v", format, text, err)
			}
			return
		}
		if !file.Human {
			checkNoneLost(t, imported(t, file, bans, file.Rules(bans.Defaults)), text)
		}
		checkNoneLost(t, imported(t, file, rel, file.Rules(rel.Defaults)), text)
	})
}

// k7Line is a game under a ban.
const k7Line = `{"start":"S","target":"T","banned_category":"Work","steps":[{"chosen_node":"A","justification":"x"},{},{"next_page":"NO_PATH"}]}`

func checkNoneLost(t *testing.T, r *result, text string) {
	t.Helper()
	n := r.Import.Games
	for _, k := range r.Import.Rejected {
		n += k
	}
	if n != r.Import.Rows || len(r.Games) != r.Import.Games {
		t.Fatalf("%q: %+v", text, r.Import)
	}
}
