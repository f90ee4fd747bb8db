package board

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/tiny"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// published tells of the splits of these tests, which have the digest of their name, that all but "new" were published.
func published(sha256 string) bool { return sha256 != digest.SHA256([]byte("new")) }

// ranked is the family of these tests: its tables have three metrics.
type ranked struct{ tiny.Family }

func (ranked) Columns() []family.Column {
	return []family.Column{
		{Heading: "SR", Metric: judge.MetricSuccess, Better: 1},
		{Heading: "suboptimal", Metric: judge.MetricSuboptimal, Better: -1},
		{Heading: "loops", Metric: judge.MetricLoops, Better: -1},
		{Heading: "cost/step", Metric: judge.MetricCostPerStep},
		{Heading: "hidden", Metric: judge.MetricDead, Better: 1, Detail: true},
	}
}

var fam = ranked{tiny.Family{Called: "wikirace", Turns: 4, Goals: make([]int, 100)}}

// rulesOf are the family's rules but for the interface.
func rulesOf(over string) *schemas.Rules {
	return &schemas.Rules{Options: json.RawMessage(`{"max":3}`), Interface: over}
}

// scored returns the score of a model that won so many of 100 games of a split, with so many steps too many
// in all.
func scored(model, split string, won int, excess int64) *family.Scores {
	run, rules := "run-"+model, rulesOf(schemas.InterfaceLines)
	s := &family.Scores{
		Schema: family.ScoresSchema, Family: fam.Name(), Run: &run, Release: "demo", ManifestID: "0123456789abcdef", Rules: rules,
		RulesSHA256: family.RulesSHA256(*rules), Model: &schemas.Player{Name: model, Kind: schemas.KindPipe}, Attempts: 1,
		Options: map[string]any{}, Counts: map[string]int{}, Disagreements: []family.Disagreement{},
		Rows: []family.Row{
			{
				Split: split, SplitSHA256: digest.SHA256([]byte(split)), By: []family.Group{}, N: 100, Flags: []string{},
				Outcomes: map[string]int{schemas.OutcomeSuccess: won, schemas.OutcomeStepLimit: 100 - won},
				Metrics:  map[string]judge.Metric{judge.MetricSuccess: judge.Share(won, 100), judge.MetricSuboptimal: {}},
			},
			{Split: split, SplitSHA256: digest.SHA256([]byte(split)), By: []family.Group{{Name: "length", Value: "3"}}, Outcomes: map[string]int{}, Flags: []string{}},
		},
	}
	if won > 0 {
		values := make([]int64, won)
		values[0] = excess
		s.Rows[0].Metrics[judge.MetricSuboptimal] = judge.MeanOf(42, "m", split, values)
	}
	return s
}

func submit(scores *family.Scores) Submission {
	played := digest.SHA256([]byte("games"))
	return Submission{Path: "runs/x", Scores: scores, Summary: canon.MustMarshal(scores), Trajectories: &played, Submitted: "2026-01-31"}
}

func open(t *testing.T, dir string) *Board {
	t.Helper()
	b, err := Open(dir, fam, false, published)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() }) // a second time at the latest
	return b
}

func add(t *testing.T, b *Board, list ...*family.Scores) {
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
	unknown.Rows[0].Metrics[judge.MetricSuboptimal] = judge.Metric{}
	add(t, b, unknown, scored("z", "easy", 50, 7), scored("y", "easy", 50, 6), scored("never", "easy", 0, 0), scored("a", "easy", 50, 7),
		scored("best", "easy", 51, 99), scored("zero", "easy", 0, 0), scored("x", "hard", 99, 0))
	if want := "easy/best easy/y easy/a easy/z easy/b easy/never easy/zero hard/x"; names(b) != want {
		t.Errorf("got %s, want %s", names(b), want)
	}
}

func TestStandingsAreAgainstTheLeader(t *testing.T) {
	b := open(t, t.TempDir())
	part := scored("part", "easy", 99, 0)
	part.Rows[0].Flags = []string{"PARTIAL 100/200"}
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
	options.Rules = rulesOf(schemas.InterfaceChat)
	options.RulesSHA256 = family.RulesSHA256(*options.Rules)
	add(t, b, scored("a", "easy", 5, 0), scored("b", "easy", 5, 0), manifest, options)
	var got []string
	for _, x := range b.tables() {
		got = append(got, fmt.Sprint(x.split, " ", x.rows[0].ManifestID, " ", len(x.rows)))
	}
	slices.Sort(got)
	if want := []string{"easy 0123456789abcdef 1", "easy 0123456789abcdef 2", "easy fedcba9876543210 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWhatDoesNotEnter(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*family.Scores, *family.Row, *Submission)
		kind  *fault.Kind
	}{
		"no manifest":   {func(x *family.Scores, _ *family.Row, _ *Submission) { x.ManifestID = "" }, fault.Usage},
		"no run":        {func(x *family.Scores, _ *family.Row, _ *Submission) { x.Run = nil }, fault.Usage},
		"no model":      {func(x *family.Scores, _ *family.Row, _ *Submission) { x.Model = nil }, fault.Usage},
		"no rules":      {func(x *family.Scores, _ *family.Row, _ *Submission) { x.Rules = nil }, fault.Usage},
		"other rules":   {func(x *family.Scores, _ *family.Row, _ *Submission) { x.RulesSHA256 = "" }, fault.Usage},
		"other family":  {func(x *family.Scores, _ *family.Row, _ *Submission) { x.Family = "other" }, fault.Usage},
		"oracle":        {func(_ *family.Scores, r *family.Row, _ *Submission) { r.Flags = []string{"ORACLE"} }, fault.Usage},
		"oracle player": {func(x *family.Scores, _ *family.Row, _ *Submission) { x.Model.Kind = schemas.KindOracle }, fault.Usage},
		"infra":         {func(_ *family.Scores, r *family.Row, _ *Submission) { r.Infra = 1 }, fault.Usage},
		"no score":      {func(_ *family.Scores, r *family.Row, _ *Submission) { r.Metrics = nil }, fault.Usage},
		"no game": {func(_ *family.Scores, r *family.Row, _ *Submission) {
			r.Metrics[judge.MetricSuccess] = judge.Share(0, 0)
		}, fault.Usage},
		"unfrozen":        {func(_ *family.Scores, r *family.Row, _ *Submission) { r.SplitSHA256 = digest.SHA256([]byte("new")) }, fault.Usage},
		"no split":        {func(_ *family.Scores, r *family.Row, _ *Submission) { r.SplitSHA256 = "" }, fault.Usage},
		"another split":   {func(_ *family.Scores, _ *family.Row, s *Submission) { s.Splits = []string{"hard"} }, fault.Usage},
		"people":          {func(x *family.Scores, _ *family.Row, _ *Submission) { x.Import = &schemas.Import{Human: true} }, fault.Usage},
		"other graph":     {func(x *family.Scores, _ *family.Row, _ *Submission) { x.Import = &schemas.Import{Unchecked: true} }, fault.Usage},
		"no date":         {func(_ *family.Scores, _ *family.Row, s *Submission) { s.Submitted = "31.1.2026" }, fault.Usage},
		"a forged log":    {func(x *family.Scores, _ *family.Row, _ *Submission) { x.Disagreements = make([]family.Disagreement, 1) }, fault.Mismatch},
		"a longer forged": {func(x *family.Scores, _ *family.Row, _ *Submission) { x.Unlisted = 1 }, fault.Mismatch},
	} {
		b := open(t, t.TempDir())
		s := submit(scored("x", "easy", 5, 0))
		c.spoil(s.Scores, &s.Scores.Rows[0], &s)
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
	list := []*family.Scores{scored("a", "easy", 5, 0), scored("b", "easy", 7, 0), scored("c", "hard", 7, 0)}
	b := open(t, one)
	add(t, b, list...)
	write(t, b)
	slices.Reverse(list)
	for _, s := range append([]*family.Scores{scored("b", "easy", 50, 3)}, list...) { // b's first score is replaced, and leaves nothing behind
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
		"a variant":         {`"verified":"replayed"`, `"variant":"P","verified":"replayed"`, 3},
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
		if _, err := Open(dir, fam, false, published); fault.Code(err) != c.code || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: got %v, want exit code %d and a line", name, err, c.code)
		}
	}
}

func TestAnEditedSummaryIsRefused(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	short := scored("a", "easy", 5, 0)
	short.Rows[0].Flags = []string{"SHORT 100/200"}
	add(t, b, short)
	write(t, b)
	path := filepath.Join(dir, "wikirace", submit(short).SHA256()+".json")
	if err := os.WriteFile(path, submit(scored("a", "easy", 5, 0)).Summary, 0o644); err != nil { // without the flag, no line differs
		t.Fatal(err)
	}
	if _, err := Open(dir, fam, false, published); fault.Code(err) != 3 {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, fam, false, published); fault.Code(err) != 3 {
		t.Errorf("without the summary: %v", err)
	}
}

func TestNobodyHasAPlaceOnTheBoardOfUnpublishedSplits(t *testing.T) {
	dir := t.TempDir()
	b, err := Open(dir, fam, true, published)
	if err != nil {
		t.Fatal(err)
	}
	s := scored("a", "new", 5, 0)
	s.Rows[0].Flags = []string{"SHORT 4/6", judge.FlagUnfrozen, judge.FlagContaminated}
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
	if b, err = Open(dir, fam, true, all); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if flags := b.flags(b.Rows()[0]); slices.Contains(flags, judge.FlagUnfrozen) {
		t.Errorf("published since, and still %q", flags)
	}
}

func TestABoardIsOpenOnce(t *testing.T) {
	defer func(was time.Duration) { patience = was }(patience)
	patience = 0
	dir := t.TempDir()
	b := open(t, dir)
	if _, err := Open(dir, fam, false, published); fault.KindOf(err) != fault.Locked {
		t.Errorf("got %v", err)
	}
	write(t, b)
	write(t, open(t, dir))
}

func TestNamesOfOthersStayInTheirCells(t *testing.T) {
	b := open(t, t.TempDir())
	s := scored("a|<b>,\"\n\x1b", "easy", 5, 0)
	eur := "EUR"
	s.Rows[0].Currency, s.Rows[0].Metrics[judge.MetricCostPerStep] = &eur, judge.Metric{Den: 4, Value: judge.Share(1, 4).Value}
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
		"task_id: \"wikirace_hard\"\n", "SR, 6 of 100, 95 % interval",
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
	p := published100()
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Claim("x", data, p)
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

// FuzzUnpack hands in any file: what is taken is what submit writes of it, byte for byte, and no
// file lies where the proof does not say.
func FuzzUnpack(f *testing.F) {
	good := packed(f)
	f.Add(good)
	for at := 0; at < len(good); at += 131 {
		f.Add(append(append(bytes.Clone(good[:at]), good[at]^1), good[at+1:]...))
		f.Add(good[:at])
	}
	f.Add(append(bytes.Clone(good), 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		file, out := filepath.Join(dir, "in.tar"), filepath.Join(dir, "out")
		if os.WriteFile(file, data, 0o600) != nil || os.Mkdir(out, 0o700) != nil {
			t.Skip("no room")
		}
		p, err := Unpack(file, out, 1<<20, func(string) (family.Family, error) { return fam, nil })
		entries, _ := os.ReadDir(dir)
		if len(entries) != 2 {
			t.Errorf("%d files next to the folder", len(entries)-1)
		}
		if err != nil {
			if bytes.Equal(data, good) {
				t.Errorf("what submit wrote is refused: %v", err)
			}
			return
		}
		var again bytes.Buffer
		err = p.Write(&again)
		zipped := bytes.HasPrefix(data, []byte{0x1f, 0x8b})
		if err != nil || !bytes.Equal(again.Bytes(), data) && !zipped {
			t.Errorf("taken, and written as other bytes: %v", err)
		}
	})
}

// packed returns the submission of a run of three files.
func packed(f *testing.F) []byte {
	dir, s := f.TempDir(), submit(scored("a", "easy", 5, 0))
	for name, text := range map[string]string{
		trace.RunFile: "{}\n", fam.Layout().Main: "{}\n{}\n", fam.Layout().Side: "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	files, err := Files(f.Context(), dir, fam.Layout())
	if err != nil {
		f.Fatal(err)
	}
	var out bytes.Buffer
	if err := NewPack(dir, files, s, family.Request{}).Write(&out); err != nil {
		f.Fatal(err)
	}
	return out.Bytes()
}

// hundred is a set of splits of 100 instances whose digests are those of their names.
type hundred struct{ family.Set }

func (hundred) Splits() (list []family.Split) {
	for _, name := range []string{"easy", "hard"} {
		list = append(list, family.Split{Name: name, SHA256: digest.SHA256([]byte(name)), Requested: 100, Got: 100})
	}
	return list
}

func (hundred) Tasks(string, int) ([]family.Task, error) { return make([]family.Task, 100), nil }

func published100() Published {
	return Published{Family: fam, Release: "demo", ManifestID: "0123456789abcdef", Open: func(*schemas.Rules) (family.Set, error) { return hundred{}, nil }}
}

func TestATrueSummaryPassesForAClaim(t *testing.T) {
	part := scored("a", "easy", 5, 3)
	part.Partial, part.Rows[0].N, part.Rows[0].Missing, part.Rows[0].Flags = true, 60, 40, []string{"PARTIAL 60/100"}
	part.Rows[0].Outcomes[schemas.OutcomeStepLimit] = 55
	part.Rows[0].Metrics[judge.MetricSuccess] = judge.Share(5, 60)
	for i, s := range []*family.Scores{scored("a", "easy", 5, 3), scored("a", "hard", 0, 0), part} {
		if _, err := Claim("x", canon.MustMarshal(s), published100()); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestAClaimThatContradictsItselfOrTheReleaseIsAMismatch(t *testing.T) {
	text := func(v string) *string { return &v }
	one := int64(1)
	set := func(name string, edit func(*judge.Metric)) func(*family.Scores, *family.Row) {
		return func(_ *family.Scores, r *family.Row) {
			m := r.Metrics[name]
			edit(&m)
			r.Metrics[name] = m
		}
	}
	for name, spoil := range map[string]func(*family.Scores, *family.Row){
		"family":         func(s *family.Scores, _ *family.Row) { s.Family = "other" },
		"manifest":       func(s *family.Scores, _ *family.Row) { s.ManifestID = "other" },
		"release":        func(s *family.Scores, _ *family.Row) { s.Release = "other" },
		"fresh":          func(s *family.Scores, _ *family.Row) { s.FreshSince = "fedcba9876543210" },
		"rules":          func(s *family.Scores, _ *family.Row) { s.RulesSHA256 = digest.SHA256(nil) },
		"attempts":       func(s *family.Scores, _ *family.Row) { s.Attempts = 2 },
		"no attempts":    func(s *family.Scores, _ *family.Row) { s.Attempts = 0 },
		"split":          func(_ *family.Scores, r *family.Row) { r.Split = "other" },
		"split of hard":  func(_ *family.Scores, r *family.Row) { r.Split = "hard" },
		"split digest":   func(_ *family.Scores, r *family.Row) { r.SplitSHA256 = "other" },
		"n":              func(_ *family.Scores, r *family.Row) { r.N-- },
		"infra":          func(_ *family.Scores, r *family.Row) { r.Infra++ },
		"missing":        func(_ *family.Scores, r *family.Row) { r.Missing-- },
		"wins":           func(_ *family.Scores, r *family.Row) { r.Outcomes[schemas.OutcomeSuccess]++ },
		"negative":       func(_ *family.Scores, r *family.Row) { r.Outcomes["x"], r.Outcomes["y"] = -1, 1 },
		"short":          func(_ *family.Scores, r *family.Row) { r.Flags = []string{"SHORT 4/6"} },
		"contaminated":   func(_ *family.Scores, r *family.Row) { r.Flags = []string{judge.FlagContaminated} },
		"success":        set(judge.MetricSuccess, func(m *judge.Metric) { m.Num = &one }),
		"success value":  set(judge.MetricSuccess, func(m *judge.Metric) { m.Value = text("9.00000e-01") }),
		"success bound":  set(judge.MetricSuccess, func(m *judge.Metric) { m.Lo = text("1.00000e-02") }),
		"mean":           set(judge.MetricSuboptimal, func(m *judge.Metric) { m.Value = text("5.00000e+00") }),
		"mean's bound":   set(judge.MetricSuboptimal, func(m *judge.Metric) { m.Lo = text("5.00000e+00") }),
		"half a bound":   set(judge.MetricSuboptimal, func(m *judge.Metric) { m.Lo = nil }),
		"loops":          set(judge.MetricLoops, func(m *judge.Metric) { *m = judge.Share(3, 50); m.Hi = text("9.00000e-01") }),
		"too many loops": set(judge.MetricLoops, func(m *judge.Metric) { *m = judge.Share(3, 500) }),
		"not a number":   set(judge.MetricMacro, func(m *judge.Metric) { m.Value = text("high") }),
		"other decimal":  set(judge.MetricMacro, func(m *judge.Metric) { m.Value = text("0.5") }),
		"not finite":     set(judge.MetricMacro, func(m *judge.Metric) { m.Value = text("NaN") }),
	} {
		s := scored("a", "easy", 5, 3)
		spoil(s, &s.Rows[0])
		if _, err := Claim("x", canon.MustMarshal(s), published100()); fault.KindOf(err) != fault.Mismatch {
			t.Errorf("%s: got %v, want a mismatch", name, err)
		}
	}
	s := scored("a", "easy", 5, 3)
	s.Schema = "wikirace.scores/1"
	if _, err := Claim("x", canon.MustMarshal(s), published100()); fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "score the run again") {
		t.Errorf("an older summary: %v", err)
	}
}

// TestScoresOfFreshSplitsAreMarked has one score of a split that an older release cannot answer, in
// every form of a board, read again.
func TestScoresOfFreshSplitsAreMarked(t *testing.T) {
	s, dir := scored("new", "easy", 5, 0), t.TempDir()
	s.ManifestID, s.FreshSince = "fedcba9876543210", "0011223344556677"
	b := open(t, dir)
	add(t, b, s, scored("old", "easy", 5, 0))
	write(t, b)
	_ = b.Close()
	b = open(t, dir)
	shown := string(canon.MustMarshal(b.Shown()))
	for form, text := range map[string]string{
		"Markdown": string(b.Markdown()), "table": string(b.Text(0)), "CSV": string(b.CSV()), "JSON": shown,
	} {
		lines := strings.Split(strings.ReplaceAll(text, `{"entry"`, "\n"), "\n")
		marked := slices.DeleteFunc(lines, func(l string) bool { return !strings.Contains(l, "FRESH SINCE 00112233") })
		if len(marked) != 1 || !strings.Contains(marked[0], "new") {
			t.Errorf("%s: marked are %q in\n%s", form, marked, text)
		}
	}
}

// TestVariantsOfOneRunStandInTablesOfTheirOwn enters a run with two variants.
func TestVariantsOfOneRunStandInTablesOfTheirOwn(t *testing.T) {
	s := scored("a", "easy", 5, 0)
	other := s.Rows[0]
	s.Rows[0].By = []family.Group{{Name: family.GroupVariant, Value: "base"}}
	other.By = []family.Group{{Name: family.GroupVariant, Value: "P"}}
	s.Rows = append(s.Rows, other)
	b := open(t, t.TempDir())
	add(t, b, s)
	if got := b.tables(); len(got) != 2 || got[0].split != "easy P" || got[1].split != "easy base" || len(b.Rows()) != 2 {
		t.Errorf("%d rows in %+v", len(b.Rows()), got)
	}
}
