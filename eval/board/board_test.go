package board

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// published tells of the splits of these tests, which have the digest of their name, that all but "new" were published.
func published(sha256 string) bool { return sha256 != digest.SHA256([]byte("new")) }

// scored gives the score of a model that won so many of 100 games of a split, with so many steps too many in all.
func scored(model, split string, won int, excess int64) judge.Summary {
	run := "run-" + model
	s := judge.Summary{
		Schema: judge.SummarySchema, Run: &run, Release: "demo", ManifestID: "0123456789abcdef", Split: split, SplitSHA256: digest.SHA256([]byte(split)),
		OptionsSHA256: game.OptionsSHA256(game.Defaults()), Model: &schemas.Model{Name: model, Kind: schemas.KindPipe}, Attempts: 1, N: 100,
		Outcomes: map[string]int{schemas.OutcomeSuccess: won, schemas.OutcomeStepLimit: 100 - won}, ByDistance: []judge.Row{}, Flags: []string{},
		Metrics: map[string]judge.Metric{judge.MetricSuccess: judge.Share(won, 100), judge.MetricSuboptimal: {}},
	}
	if won > 0 {
		values := make([]int64, won)
		values[0] = excess
		s.Metrics[judge.MetricSuboptimal] = judge.MeanOf(42, "m", split, values)
	}
	return s
}

func submit(list ...judge.Summary) Submission {
	scores := &judge.Scores{Schema: judge.ScoresSchema, Summaries: list, Disagreements: []judge.Disagreement{}}
	played := digest.SHA256([]byte("games"))
	return Submission{Path: "runs/x", Scores: scores, Summary: canon.MustMarshal(scores), Trajectories: &played, Submitted: "2026-01-31"}
}

func open(t *testing.T, dir string) *Board {
	t.Helper()
	b, err := Open(dir, "wikirace", false, published)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() }) // a second time at the latest
	return b
}

func add(t *testing.T, b *Board, list ...judge.Summary) {
	t.Helper()
	for _, s := range list {
		if err := b.Add(submit(s)); err != nil {
			t.Fatal(err)
		}
	}
}

func names(b *Board) string {
	var out []string
	for _, r := range b.Rows() {
		out = append(out, r.Split+"/"+r.Model)
	}
	return strings.Join(out, " ")
}

func TestTheOrderIsSplitThenSuccessThenExcessThenName(t *testing.T) {
	b := open(t, t.TempDir())
	unknown := scored("b", "easy", 50, 0)
	unknown.Metrics[judge.MetricSuboptimal] = judge.Metric{}
	add(t, b, unknown, scored("z", "easy", 50, 7), scored("y", "easy", 50, 6), scored("never", "easy", 0, 0), scored("a", "easy", 50, 7),
		scored("best", "easy", 51, 99), scored("zero", "easy", 0, 0), scored("x", "hard", 99, 0))
	if want := "easy/best easy/y easy/a easy/z easy/b easy/never easy/zero hard/x"; names(b) != want {
		t.Errorf("got %s, want %s", names(b), want)
	}
}

func TestStandingsAreAgainstTheLeader(t *testing.T) {
	b := open(t, t.TempDir())
	part := scored("part", "easy", 99, 0)
	part.Flags = []string{"PARTIAL 100/200"}
	add(t, b, part, scored("one", "easy", 90, 0), scored("two", "easy", 85, 0), scored("three", "easy", 60, 0))
	var got []string
	for _, p := range b.tables()[0].places {
		got = append(got, p.number+" "+p.standing)
	}
	want := []string{" " + standsNowhere, "1 " + standsFirst, "2 " + notSeparable, "3 " + standsBehind}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOtherManifestsAndOptionsNeverShareATable(t *testing.T) {
	b := open(t, t.TempDir())
	manifest, options := scored("m", "easy", 5, 0), scored("o", "easy", 5, 0)
	manifest.ManifestID = "fedcba9876543210"
	options.OptionsSHA256 = digest.SHA256([]byte("other"))
	add(t, b, scored("a", "easy", 5, 0), scored("b", "easy", 5, 0), manifest, options)
	var got []string
	for _, x := range b.tables() {
		got = append(got, fmt.Sprint(x.split, " ", x.manifest, " ", len(x.rows)))
	}
	slices.Sort(got)
	if want := []string{"easy 0123456789abcdef 1", "easy 0123456789abcdef 2", "easy fedcba9876543210 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWhatDoesNotEnter(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*Submission, *judge.Summary)
		kind  *fault.Kind
	}{
		"no manifest":     {func(_ *Submission, s *judge.Summary) { s.ManifestID = "" }, fault.Usage},
		"no run":          {func(_ *Submission, s *judge.Summary) { s.Run = nil }, fault.Usage},
		"no model":        {func(_ *Submission, s *judge.Summary) { s.Model = nil }, fault.Usage},
		"no options":      {func(_ *Submission, s *judge.Summary) { s.OptionsSHA256 = "" }, fault.Usage},
		"oracle":          {func(_ *Submission, s *judge.Summary) { s.Flags = []string{"ORACLE"} }, fault.Usage},
		"oracle player":   {func(_ *Submission, s *judge.Summary) { s.Model.Kind = schemas.KindOracle }, fault.Usage},
		"infra":           {func(_ *Submission, s *judge.Summary) { s.Infra = 1 }, fault.Usage},
		"no score":        {func(_ *Submission, s *judge.Summary) { s.Metrics = nil }, fault.Usage},
		"no game":         {func(_ *Submission, s *judge.Summary) { s.Metrics[judge.MetricSuccess] = judge.Share(0, 0) }, fault.Usage},
		"unfrozen":        {func(_ *Submission, s *judge.Summary) { s.SplitSHA256 = digest.SHA256([]byte("new")) }, fault.Usage},
		"no split":        {func(_ *Submission, s *judge.Summary) { s.SplitSHA256 = "" }, fault.Usage},
		"another split":   {func(x *Submission, _ *judge.Summary) { x.Splits = []string{"hard"} }, fault.Usage},
		"people":          {func(x *Submission, _ *judge.Summary) { x.Scores.Import = &schemas.Import{Human: true} }, fault.Usage},
		"other graph":     {func(x *Submission, _ *judge.Summary) { x.Scores.Import = &schemas.Import{Unchecked: true} }, fault.Usage},
		"no date":         {func(x *Submission, _ *judge.Summary) { x.Submitted = "31.1.2026" }, fault.Usage},
		"a forged log":    {func(x *Submission, _ *judge.Summary) { x.Scores.Disagreements = make([]judge.Disagreement, 1) }, fault.Mismatch},
		"a longer forged": {func(x *Submission, _ *judge.Summary) { x.Scores.Unlisted = 1 }, fault.Mismatch},
	} {
		b := open(t, t.TempDir())
		s := submit(scored("x", "easy", 5, 0))
		c.spoil(&s, &s.Scores.Summaries[0])
		if err := b.Add(s); fault.KindOf(err) != c.kind || len(b.Rows()) != 0 {
			t.Errorf("%s: got %v and %d rows, want %v", name, err, len(b.Rows()), c.kind)
		}
	}
}

func TestARunIsEnteredOnceAndNoClaimReplacesAReplay(t *testing.T) {
	b := open(t, t.TempDir())
	claim := submit(scored("x", "easy", 90, 0))
	claim.Trajectories = nil
	for i, s := range []Submission{claim, submit(scored("x", "easy", 5, 0))} {
		if err := b.Add(s); err != nil || len(b.Rows()) != 1 || b.Rows()[0].Verified != []string{Claimed, Replayed}[i] {
			t.Fatalf("%d: %v, %+v", i, err, b.Rows())
		}
	}
	if err := b.Add(claim); fault.KindOf(err) != fault.Usage || *b.Rows()[0].Metrics[judge.MetricSuccess].Num != 5 {
		t.Errorf("a claim after the replay: %v", err)
	}
	imported := submit(scored("y", "easy", 5, 0))
	imported.Scores.Import = &schemas.Import{Source: "import:titles-jsonl"}
	if err := b.Add(imported); err != nil || b.Rows()[1].Verified != Imported || b.Rows()[1].Source != "import:titles-jsonl" {
		t.Errorf("%v, %+v", err, b.Rows())
	}
}

func write(t *testing.T, b *Board) {
	t.Helper()
	if err := b.Write(); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

// files reads everything below dir.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheFilesDependOnTheEntriesAlone(t *testing.T) {
	one, other := t.TempDir(), t.TempDir()
	list := []judge.Summary{scored("a", "easy", 5, 0), scored("b", "easy", 7, 0), scored("c", "hard", 7, 0)}
	b := open(t, one)
	add(t, b, list...)
	write(t, b)
	slices.Reverse(list)
	for _, s := range append([]judge.Summary{scored("b", "easy", 50, 3)}, list...) { // b's first score is replaced, and leaves nothing behind
		b := open(t, other)
		add(t, b, s)
		write(t, b)
	}
	x, y := files(t, one), files(t, other)
	if len(x) != 7 || len(y) != 7 {
		t.Fatalf("%d and %d files, want the lines, the tables, three summaries and two CSV", len(x), len(y))
	}
	for name, text := range x {
		if y[name] != text {
			t.Errorf("%s: %q\nand %q", name, text, y[name])
		}
	}
}

func TestALineHasTheFieldsOfTheSpecification(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	add(t, b, scored("a", "easy", 0, 0))
	write(t, b)
	want := fmt.Sprintf(`{"manifest_id":"0123456789abcdef","metrics":{"suboptimal_steps":{"den":0,"hi":null,"lo":null,"num":null,"value":null},`+
		`"success_rate":{"den":100,"hi":"3.69935e-02","lo":"0","num":0,"value":"0"}},"model":"a","source":"run run-a","split":"easy","submitted":"2026-01-31",`+
		`"summary_sha256":"%s","trajectories_sha256":"%s","verified":"replayed"}`+"\n", submit(scored("a", "easy", 0, 0)).SHA256(), digest.SHA256([]byte("games")))
	if got := files(t, dir)["wikirace.jsonl"]; got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestAnEditedBoardIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string // in the lines
		code     int
	}{
		"a better number":   {`"num":5,"value":"5.00000e-02"`, `"num":9,"value":"9.00000e-02"`, 3},
		"another model":     {`"model":"a"`, `"model":"b"`, 3},
		"another manifest":  {`"manifest_id":"0123456789abcdef"`, `"manifest_id":"1123456789abcdef"`, 3},
		"a path":            {`"manifest_id":"0123456789abcdef"`, `"manifest_id":"../x"`, 14},
		"another split":     {`"split":"easy"`, `"split":"hard"`, 3},
		"no such summary":   {`"summary_sha256":"`, `"summary_sha256":"0`, 14},
		"a date":            {`2026-01-31`, `2026-13-31`, 14},
		"a claim's word":    {`"replayed"`, `"claimed"`, 14},
		"a field more":      {`"model"`, `"rank":1,"model"`, 14},
		"the line twice":    {"\n", "\nTWICE", 14},
		"no JSON":           {`{"manifest_id"`, `("manifest_id"`, 14},
		"an unknown digest": {digest.SHA256([]byte("games")), "x", 14},
	} {
		dir := t.TempDir()
		b := open(t, dir)
		add(t, b, scored("a", "easy", 5, 0))
		write(t, b)
		path := filepath.Join(dir, "wikirace.jsonl")
		text := files(t, dir)["wikirace.jsonl"]
		edited := strings.Replace(text, c.old, c.new, 1)
		if edited = strings.Replace(edited, "TWICE", text, 1); edited == text {
			t.Fatalf("%s: nothing was edited", name)
		}
		if err := os.WriteFile(path, []byte(edited), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, "wikirace", false, published); fault.Code(err) != c.code || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: got %v, want exit code %d and a line", name, err, c.code)
		}
	}
}

func TestAnEditedSummaryIsRefused(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	short := scored("a", "easy", 5, 0)
	short.Flags = []string{"SHORT 100/200"}
	add(t, b, short)
	write(t, b)
	path := filepath.Join(dir, "wikirace", submit(short).SHA256()+".json")
	if err := os.WriteFile(path, submit(scored("a", "easy", 5, 0)).Summary, 0o644); err != nil { // without the flag, no line differs
		t.Fatal(err)
	}
	if _, err := Open(dir, "wikirace", false, published); fault.Code(err) != 3 {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, "wikirace", false, published); fault.Code(err) != 3 {
		t.Errorf("without the summary: %v", err)
	}
}

func TestNobodyHasAPlaceOnTheBoardOfUnpublishedSplits(t *testing.T) {
	dir := t.TempDir()
	b, err := Open(dir, "wikirace", true, published)
	if err != nil {
		t.Fatal(err)
	}
	s := scored("a", "new", 5, 0)
	s.Flags = []string{"SHORT 4/6", judge.FlagUnfrozen, judge.FlagContaminated}
	add(t, b, s)
	if err := b.Add(submit(scored("a", "easy", 5, 0))); fault.KindOf(err) != fault.Usage {
		t.Errorf("a published split: %v", err)
	}
	md := string(b.Markdown())
	if !strings.Contains(md, "SHORT 4/6, UNFROZEN, CONTAMINATED") || strings.Contains(md, "| place") || strings.Contains(md, "standing") {
		t.Errorf("got %s", md)
	}
	write(t, b)
	if got := files(t, dir); got["wikirace.unfrozen.jsonl"] == "" || got["wikirace.jsonl"] != "" {
		t.Errorf("got %v", got)
	}
	all := func(string) bool { return true }
	if b, err = Open(dir, "wikirace", true, all); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if flags := b.flags(b.Rows()[0]); slices.Contains(flags, judge.FlagUnfrozen) {
		t.Errorf("published since, and still %q", flags)
	}
}

func TestABoardIsOpenOnce(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	if _, err := Open(dir, "wikirace", false, published); fault.KindOf(err) != fault.Locked {
		t.Errorf("got %v", err)
	}
	write(t, b)
	write(t, open(t, dir))
}

func TestNamesOfOthersStayInTheirCells(t *testing.T) {
	b := open(t, t.TempDir())
	s := scored("a|<b>,\"\n\x1b", "easy", 5, 0)
	eur := "EUR"
	s.Currency, s.Metrics[judge.MetricCostPerStep] = &eur, judge.Metric{Den: 4, Value: judge.Share(1, 4).Value}
	add(t, b, s)
	md := string(b.Markdown())
	if strings.Contains(md, "\x1b") || !strings.Contains(md, `| 1 | "a\|&lt;b>,`) || !strings.Contains(md, "| 0.2500 EUR |") {
		t.Errorf("got %s", md)
	}
	rows, err := csv.NewReader(bytes.NewReader(b.tables()[0].csv())).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][5] != s.Model.Name || rows[1][3] != "1" || rows[1][6] != "5.00000e-02" {
		t.Errorf("%v: %q", err, rows)
	}
}

func TestResultsForTheHub(t *testing.T) {
	b := open(t, t.TempDir())
	add(t, b, scored("Org/A", "easy", 5, 0), scored("Org/A", "hard", 6, 0), scored("b", "easy", 7, 0))
	all := func(Row) bool { return true }
	got, err := b.Results(Dataset{"me/demo", "v1"}, all)
	if err != nil || len(got) != 2 || got[0].Name != "wikinav-b.yaml" || got[1].Name != "wikinav-org-a.yaml" {
		t.Fatalf("%v, %+v", err, got)
	}
	text := string(got[1].Data)
	for _, want := range []string{
		"- dataset:\n    id: \"me/demo\"\n    task_id: \"wikirace_easy\"\n    revision: \"v1\"\n  value: 0.0500\n  date: \"2026-01-31\"\n  source:\n    name: \"run run-Org/A\"\n",
		"task_id: \"wikirace_hard\"\n", "6 of 100 games",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got, _ := b.Results(Dataset{"me/demo", "v1"}, func(r Row) bool { return r.Model == "b" }); len(got) != 1 {
		t.Errorf("got %+v", got)
	}
	add(t, b, scored("Org-A", "easy", 5, 0))
	if _, err := b.Results(Dataset{"me/demo", "v1"}, all); fault.KindOf(err) != fault.Usage {
		t.Errorf("two models of one file name: %v", err)
	}
	if got := quote("a\"\u0085\u2028\n"); got != `"a\"\u0085\u2028\n"` {
		t.Errorf("got %s", got)
	}
}

// FuzzClaim sends any summary through the board: whatever is admitted must be written, read again and drawn.
func FuzzClaim(f *testing.F) {
	good := submit(scored("a", "easy", 5, 0)).Summary
	f.Add(good)
	for _, edit := range [][2]string{
		{`"5.00000e-02"`, `"NaN"`},
		{`"num":5`, `"num":-5`},
		{`"lo":"`, `"lo":"x`},
		{`"n":100`, `"n":0`},
		{`"attempts":1`, `"attempts":0`},
		{`"split":"easy"`, `"split":"../easy"`},
		{`"suboptimal_steps":{`, `"suboptimal_steps":{"den":0,"hi":null,"lo":null,"num":null,"value":"1.00000e+00"},"y":{`},
	} {
		f.Add(bytes.Replace(good, []byte(edit[0]), []byte(edit[1]), 1))
	}
	rel := judge.Release{Name: "demo", ID: "0123456789abcdef", Splits: []judge.Split{
		{Name: "easy", SHA256: digest.SHA256([]byte("easy")), Instances: make([]schemas.WikiraceInstance, 100)},
	}}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Claim("x", data, rel)
		if err != nil {
			return
		}
		s.Submitted = "2026-01-31"
		dir := t.TempDir()
		b := open(t, dir)
		if b.Add(s) != nil {
			return
		}
		drawn := b.Markdown()
		if _, err := b.Results(Dataset{"a/b", "c"}, func(Row) bool { return true }); err != nil {
			t.Error(err)
		}
		write(t, b)
		if again := open(t, dir); !bytes.Equal(again.Markdown(), drawn) {
			t.Errorf("drawn again:\n%s\nfirst:\n%s", again.Markdown(), drawn)
		}
	})
}
