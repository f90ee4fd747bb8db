// Package seventh_test adds a family to both programs, and goes with it through every door.
//
// The family is called parity: does a page have an even number of links? Its files lie in testdata as
// they would lie in the module, so no build of ours sees them. The test builds the programs with an
// overlay that adds these files and one line in each of the three registries, and nothing else. They are
// the shortest example of the contracts, too.
package seventh_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

const (
	module = "github.com/wikinav/wikinav/"
	root   = "../../.."
	called = "parity"
)

// registration is a line in one of the registries.
type registration struct {
	file, list string // the registry, and the list in it
	imports    string // the package that the line needs
	line       string
	before     string // what stands behind the line
}

var registrations = []registration{
	{
		"pipeline/registry.go", "var registry = ", "stages/parity",
		`family("parity", parity.Default, parity.New),`, "\tplain(\"catalog\",",
	},
	{"artifacts/parts.go", "var All = ", "artifacts/parity", "parity.Part,", "}"},
	{"eval/families.go", "var All = ", "eval/parity", "parity.Family,", "}"},
}

// own are the only places of the family.
var own = []string{"schemas/parity", "artifacts/parity/", "stages/parity/", "eval/parity/"}

// must returns a function that returns value, or ends the test with err.
func must[T any](value T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// overlay writes what `go build -overlay` reads: the family's own files, and the registries with a line more.
func overlay(t *testing.T) string {
	t.Helper()
	dir, top := t.TempDir(), must(filepath.Abs(root))(t)
	replace := map[string]string{}
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, err := filepath.Rel("testdata", path)
		if err != nil {
			return err
		}
		mine := func(place string) bool { return strings.HasPrefix(filepath.ToSlash(file), place) }
		if !slices.ContainsFunc(own, mine) {
			t.Errorf("%s is none of the places that a family may have: %v", file, own)
		}
		if _, err := os.Stat(filepath.Join(top, file)); err == nil {
			t.Errorf("%s would take the place of a file of the module", file)
		}
		replace[filepath.Join(top, file)], err = filepath.Abs(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range registrations {
		file := filepath.Join(top, r.file)
		text := r.in(t, string(must(os.ReadFile(file))(t)))
		replace[file] = filepath.Join(dir, fmt.Sprintf("%d.go", i))
		check(t, os.WriteFile(replace[file], []byte(text), 0o644))
	}
	path := filepath.Join(dir, "overlay.json")
	data := must(json.Marshal(map[string]any{"Replace": replace}))(t)
	check(t, os.WriteFile(path, data, 0o644))
	return path
}

// in returns the text of the registry with the line in its list, and the import that it needs.
func (r registration) in(t *testing.T, text string) string {
	t.Helper()
	var out []string
	inList, done := false, false
	for _, have := range strings.Split(text, "\n") {
		inList = inList || strings.HasPrefix(have, r.list)
		if inList && !done && strings.HasPrefix(have, r.before) {
			out, done = append(out, "\t"+r.line), true
		}
		out = append(out, have)
		if have == "import (" {
			out = append(out, fmt.Sprintf("\t%q", module+r.imports))
		}
	}
	if !done || len(out) != strings.Count(text, "\n")+3 {
		t.Fatalf("%s has no place for %q: want one import block, and after %q a line that begins with %q",
			r.file, r.line, r.list, r.before)
	}
	return strings.Join(out, "\n")
}

// world is the two programs with the family, and a folder to work in.
type world struct{ bin, home, overlay string }

// goTool runs the go command with the overlay, at the top of the module.
func (w world) goTool(t *testing.T, args ...string) {
	t.Helper()
	args = append([]string{args[0], "-overlay", w.overlay}, args[1:]...)
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// run runs a program, which must end with code, and returns what it wrote.
func (w world) run(t *testing.T, code int, stdin, program string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(w.bin, program), args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = w.home, strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		t.Fatalf("%s %s: %v, want exit code %d\n%s%s", program, strings.Join(args, " "), err, code, &out, &errs)
	}
	return out.String(), errs.String()
}

func (w world) wikinav(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := w.run(t, 0, "", "wikinav", args...)
	return out
}

// eval runs a verb of the evaluator on the release and the family.
func (w world) eval(t *testing.T, stdin, verb string, args ...string) string {
	t.Helper()
	args = append(append([]string{verb}, args...), "--release", "release", "--family", called)
	out, _ := w.run(t, 0, stdin, "wikinav-eval", args...)
	return out
}

func (w world) path(parts ...string) string {
	return filepath.Join(append([]string{w.home}, parts...)...)
}

// questions reads the questions of the release.
func (w world) questions(t *testing.T) []question {
	t.Helper()
	var list []question
	for line := range bytes.Lines(must(os.ReadFile(w.path("release", called, "parity.jsonl")))(t)) {
		var q question
		check(t, json.Unmarshal(line, &q))
		list = append(list, q)
	}
	return list
}

type question struct {
	ID   string
	Page schemas.PageRef
	Gold string
}

// wants fails unless text holds each of the parts.
func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("want %q in:\n%s", part, text)
		}
	}
}

const pages = 200

// edges is a ring with chords: every page can be reached, and half the pages have an even number of links.
func edges() []byte {
	var out bytes.Buffer
	for u := range pages {
		fmt.Fprintf(&out, "P%d\tP%d\n", u, (u+1)%pages)
		for k := range u % 7 {
			fmt.Fprintf(&out, "P%d\tP%d\n", u, (u+10+17*k)%pages)
		}
	}
	return out.Bytes()
}

// TestNobodyKnowsTheSeventhFamily reads the whole module: nothing works for the family because something
// names it.
func TestNobodyKnowsTheSeventhFamily(t *testing.T) {
	check(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "seventh" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !slices.Contains([]string{".go", ".toml", ".tmpl"}, filepath.Ext(path)) {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(text), []byte(called)) {
			t.Errorf("%s holds the word %s", path, called)
		}
		return err
	}))
}

func TestASeventhFamilyIsThreeLines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds both programs and a snapshot")
	}
	w := world{t.TempDir(), t.TempDir(), overlay(t)}
	w.goTool(t, "build", "-o", w.bin+"/", "./cmd/wikinav", "./cmd/wikinav-eval")
	check(t, os.WriteFile(w.path("edges.tsv"), edges(), 0o644))
	for _, door := range []struct {
		name string
		goes func(world, *testing.T)
	}{
		{"build", world.builds},
		{"a short build is refused", world.refusesWhatIsShort},
		{"release and verify", world.releases},
		{"a wrong answer is found", world.findsWrongAnswers},
		{"catalogue", world.isInTheCatalogue},
		{"export", world.isExported},
		{"play and score", world.isPlayed},
		{"a model plays", world.isPlayedByAModel},
		{"import", world.isImported},
		{"report", world.isReported},
		{"look", world.isLookedAt},
		{"leaderboard", world.isOnTheBoard},
		{"serve", world.serves},
		{"mcp", world.speaksMCP},
		{"environment", world.isAnEnvironment},
		{"suites", world.passesTheSuites},
	} {
		if !t.Run(door.name, func(t *testing.T) { door.goes(w, t) }) {
			return // what follows rests on it
		}
	}
}

func (w world) builds(t *testing.T) {
	wants(t, w.wikinav(t, "plan", "--edges", "edges.tsv"), called)
	wants(t, w.wikinav(t, "build", "--edges", "edges.tsv"), "parity       parity                   40 of 40\n")
	if got := strings.Count(w.wikinav(t, "inspect", called), "\n"); got != 40 {
		t.Errorf("inspect prints %d records, want 40", got)
	}
	wants(t, w.wikinav(t, "status"), called)
	other := w.wikinav(t, "build", "--edges", "edges.tsv", "--build", "other", "--seed", "7", "--only", called)
	wants(t, other, "ran 1 of ") // its seed is that of all families
}

func (w world) refusesWhatIsShort(t *testing.T) {
	refusal := func(code int, args ...string) string {
		_, errs := w.run(t, code, "", "wikinav", args...)
		return errs
	}
	if text := refusal(15, "release", "--out", "short"); strings.Contains(text, called) { // other families are short
		t.Errorf("release says of a family that is not short: %s", text)
	}
	out := w.wikinav(t, "build", "--edges", "edges.tsv", "--build", "short", "--set", "parity.size=500")
	wants(t, out, "parity       parity                   200 of 500  SHORT: the graph has no more pages\n")
	wants(t, refusal(15, "release", "--build", "short", "--out", "short"), "parity parity 200/500")
	wants(t, refusal(2, "build", "--edges", "edges.tsv", "--set", "parity.size=0"), "[parity] size = 0")
	wants(t, refusal(2, "build", "--edges", "edges.tsv", "--set", "parity.sizes=1"), "seed, size")
}

func (w world) releases(t *testing.T) {
	w.wikinav(t, "release", "--out", "release", "--allow-short", "--licence", "CC0-1.0")
	for _, program := range []string{"wikinav", "wikinav-eval"} {
		out, _ := w.run(t, 0, "", program, "verify", "release")
		wants(t, out, "0 findings")
	}
	card := string(must(os.ReadFile(w.path("release", "README.md")))(t))
	wants(t, card, "- config_name: parity\n", "path: parity/parity.parquet\n", "## Even or odd (parity)\n",
		"| `gold` | string | even or odd: the right answer |\n", "| parity | parity | 40 | 40 |")
	m := must(release.Decode(must(os.ReadFile(w.path("release", "manifest.json")))(t)))(t)
	files := map[string]string{"parity.jsonl": "parity.instance/1", "parity.parquet": "wikinav.parity/1"}
	for file, schema := range files {
		f, ok := m.File(called + "/" + file)
		if !ok || f.Schema == nil || *f.Schema != schema || f.Rows == nil || *f.Rows != 40 {
			t.Errorf("manifest: %s is %+v", file, f)
		}
	}
}

func (w world) isExported(t *testing.T) {
	for _, form := range []string{"hf", "csv", "inspect"} {
		w.wikinav(t, "export", form, "--release", "release", "--out", form)
	}
	must(os.Stat(w.path("hf", called, "parity.parquet")))(t)
	for n, line := range bytes.Split(must(os.ReadFile(w.path("inspect", called, "parity.jsonl")))(t), []byte("\n")) {
		if n < 40 {
			wants(t, string(line), `"choices":["even","odd"]`, `"target":"`, "Wikipedia article P")
		}
	}
	sheet := string(must(os.ReadFile(w.path("csv", called, "parity.csv")))(t))
	if n := strings.Count(sheet, "\r\n"); n != 41 {
		t.Errorf("%d lines of CSV, want those of 40 questions and their names:\n%s", n, sheet)
	}
}

// findsWrongAnswers changes an answer and brings all digests in line with it, as a forger would.
func (w world) findsWrongAnswers(t *testing.T) {
	check(t, os.CopyFS(w.path("forged"), os.DirFS(w.path("release"))))
	file := w.path("forged", called, "parity.jsonl")
	first, rest, _ := bytes.Cut(must(os.ReadFile(file))(t), []byte("\n"))
	q := w.questions(t)[0]
	other := map[string]string{"even": "odd", "odd": "even"}[q.Gold]
	forged := strings.Replace(string(first), `"gold":"`+q.Gold+`"`, `"gold":"`+other+`"`, 1) + "\n" + string(rest)
	check(t, os.WriteFile(file, []byte(forged), 0o644))
	manifest := w.path("forged", release.ManifestName)
	before := must(os.ReadFile(manifest))(t)
	m := must(release.Decode(before))(t)
	f := &m.Files[slices.IndexFunc(m.Files, func(f release.FileEntry) bool { return f.Path == "parity/parity.jsonl" })]
	was, sum := f.SHA256, digest.Bytes([]byte(forged))
	f.Bytes, f.SHA256, f.XXH64 = sum.Bytes, sum.SHA256, sum.XXH64
	m.ID = release.ID(m)
	after := release.Encode(m)
	check(t, os.WriteFile(manifest, after, 0o644))
	sums := string(must(os.ReadFile(w.path("forged", release.SumsName)))(t))
	sums = strings.NewReplacer(was, sum.SHA256, digest.SHA256(before), digest.SHA256(after)).Replace(sums)
	check(t, os.WriteFile(w.path("forged", release.SumsName), []byte(sums), 0o644))
	out, errs := w.run(t, 3, "", "wikinav-eval", "verify", "forged")
	wants(t, out+errs, "parity/parity.jsonl", "gold")
	if strings.Contains(out, "SHA-256") {
		t.Errorf("found by its digest, and not by its content:\n%s", out)
	}
}

// isAnEnvironment answers all questions rightly but the first.
func (w world) isAnEnvironment(t *testing.T) {
	var requests strings.Builder
	for i, q := range w.questions(t) {
		said := q.Gold
		if i == 0 {
			said = "perhaps"
		}
		fmt.Fprintf(&requests, `{"op":"reset","slots":[{"slot":0,"instance":%q}]}`+"\n", q.ID)
		fmt.Fprintf(&requests, `{"op":"step","slots":[{"slot":0,"text":%q}]}`+"\n", said)
	}
	out := w.eval(t, requests.String(), "env", "--log", "env", "--model", "me")
	wants(t, out, `"family":"parity"`, `"reward":0,"terminated":true,"truncated":false,"valid":false`)
	if n := strings.Count(out, `"reward":1,"terminated":true`); n != 39 {
		t.Errorf("%d answers were paid, want 39", n)
	}
	runs := must(filepath.Glob(w.path("env", "me-*")))(t)
	if right, of := w.scored(t, runs[0]); len(runs) != 1 || right != 39 || of != 40 {
		t.Errorf("%d runs, %d of %d right in the first, want 39 of 40", len(runs), right, of)
	}
	_, refusal := w.run(t, 2, "", "wikinav-eval", "env", "--release", "release", "--family", called,
		"--reward", "shaped")
	wants(t, refusal, "family parity: its episodes do not know the turns that are left")
}

func (w world) isInTheCatalogue(t *testing.T) {
	db := must(catalog.Open(t.Context(), w.path("release", "catalog.sqlite")))(t)
	defer db.Close()
	var rows, odd, known int
	row := db.QueryRowContext(t.Context(), `SELECT count(*), sum(gold = 'odd'), sum(out_degree % 2 = (gold = 'odd'))
		FROM parity JOIN pages ON node = page_node`)
	check(t, row.Scan(&rows, &odd, &known))
	if rows != 40 || odd == 0 || odd == 40 || known != 40 {
		t.Errorf("%d questions, %d odd, %d answers as the table of pages has them", rows, odd, known)
	}
}

// scored returns how many replies of a run were right, and how many questions were asked.
func (w world) scored(t *testing.T, run string) (right, of int) {
	t.Helper()
	var scores family.Scores
	check(t, json.Unmarshal([]byte(w.eval(t, "", "score", "--trajectories", run, "--json")), &scores))
	if len(scores.Rows) != 1 || scores.Rows[0].Split != called || len(scores.Disagreements) > 0 {
		t.Fatalf("scores of %s: %+v", run, scores)
	}
	m := scores.Rows[0].Metrics["accuracy"]
	return int(*m.Num), int(m.Den)
}

func (w world) isPlayed(t *testing.T) {
	odd := 0
	for _, q := range w.questions(t) {
		if q.Gold == "odd" {
			odd++
		}
	}
	words := strings.Repeat("odd\n", 40)
	for _, c := range []struct {
		player, stdin string
		least, most   int // right
	}{{"golden", "", 40, 40}, {"random", "", 5, 35}, {"lines", words, odd, odd}, {"human", words, odd, odd}} {
		w.eval(t, c.stdin, "play", "--player", c.player, "--out", c.player)
		if right, of := w.scored(t, c.player); right < c.least || right > c.most || of != 40 {
			t.Errorf("%s: %d of %d are right, want %d to %d of 40", c.player, right, of, c.least, c.most)
		}
	}
	wants(t, w.eval(t, "", "score", "--trajectories", "golden"), "accuracy", "1.0000", "ORACLE")
	wants(t, w.eval(t, "", "play", "--player", "golden", "--out", "golden", "--resume"), "40 replies")
	_, refusal := w.run(t, 2, "", "wikinav-eval", "score", "--release", "release", "--trajectories", "golden")
	wants(t, refusal, "add --family parity")
	_, refusal = w.run(t, 2, "", "wikinav-eval", "judge", "--release", "release", "--family", called, "--trajectories", "golden")
	wants(t, refusal, "--family parity: this family has no reasons to judge")
}

// isPlayedByAModel plays with an endpoint that knows the answers.
func (w world) isPlayedByAModel(t *testing.T) {
	endpoint := httptest.NewServer(&endpointtest.Endpoint{Say: func(messages []schemas.Message) string {
		for _, q := range w.questions(t) {
			if strings.Contains(messages[0].Content, " "+q.Page.Title+" ") {
				return q.Gold
			}
		}
		return "I do not know."
	}})
	defer endpoint.Close()
	t.Setenv("WIKINAV_API_KEY", "secret")
	w.eval(t, "", "play", "--player", "openai", "--base-url", endpoint.URL+"/v1", "--model", "m", "--out", "model")
	if right, of := w.scored(t, "model"); right != 40 || of != 40 {
		t.Errorf("%d of %d are right", right, of)
	}
	run := must(trace.ReadRun(w.path("model")))(t)
	if p := run.Rules.Prompt; p == nil || p.Version != "parity.prompt/1" || run.Rules.Interface != schemas.InterfaceChat {
		t.Errorf("rules %+v", run.Rules)
	}
}

// isImported imports replies of which none is right.
func (w world) isImported(t *testing.T) {
	var wrong []byte
	for _, q := range w.questions(t) {
		wrong = fmt.Appendf(wrong, `{"id":%q,"reply":%q}`+"\n", q.ID, map[string]string{"even": "odd", "odd": "even"}[q.Gold])
	}
	check(t, os.WriteFile(w.path("wrong.jsonl"), append(wrong, `{"id":"pa-9999","reply":"odd"}`+"\n"...), 0o644))
	out := w.eval(t, "", "import", "replies-jsonl", "wrong.jsonl", "--model", "foreign", "--out", "wrong")
	wants(t, out, "40 of 41 games")
	if right, of := w.scored(t, "wrong"); right != 0 || of != 40 {
		t.Errorf("wrong answers: %d of %d are right", right, of)
	}
}

// isReported compares runs under the same rules, and keeps others apart.
func (w world) isReported(t *testing.T) {
	out := w.eval(t, "", "report", "--trajectories", "random", "--trajectories", "golden", "--trajectories", "lines",
		"--out", "plots")
	wants(t, out, ": random, golden\n", ": lines; interface lines, not builtin", "accuracy")
	if n := strings.Count(out, "Runs on parity, rules "); n != 2 {
		t.Errorf("%d tables, want one for each of the two rules:\n%s", n, out)
	}
	w.wikinav(t, "figures", "plots")
	for _, name := range []string{"report.md", "report.json", "report.html"} {
		must(os.Stat(w.path("plots", name)))(t)
	}
}

// isLookedAt audits the release and tells a game.
func (w world) isLookedAt(t *testing.T) {
	w.wikinav(t, "audit", "release", "--out", "audit")
	wants(t, string(must(os.ReadFile(w.path("audit", "audit.md")))(t)), "| "+called+" |")
	out, _ := w.run(t, 0, "", "wikinav-eval", "show", "random", "--release", "release")
	wants(t, out, "pa-0001")
}

func (w world) isOnTheBoard(t *testing.T) {
	w.eval(t, "", "report", "leaderboard", "--trajectories", "random", "--submitted", "2026-01-31", "--unfrozen",
		"--out", "board")
	board := string(must(os.ReadFile(w.path("board", "parity.unfrozen.md")))(t))
	wants(t, board, "# Leaderboard parity", "| model | accuracy |", "| random | 0.")
}

func (w world) serves(t *testing.T) {
	cmd := exec.Command(filepath.Join(w.bin, "wikinav-eval"), "serve", "--release", "release", "--family", called,
		"--listen", "127.0.0.1:0", "--json", "--log", "http")
	var errs bytes.Buffer
	cmd.Dir, cmd.Stderr = w.home, &errs
	out := must(cmd.StdoutPipe())(t)
	check(t, cmd.Start())
	defer cmd.Process.Kill()
	var server struct{ URL string }
	check(t, json.Unmarshal(must(bufio.NewReader(out).ReadBytes('\n'))(t), &server))
	q := w.questions(t)[0]
	post := func(path string, body any, answer any) {
		t.Helper()
		resp := must(http.Post(server.URL+path, "application/json", bytes.NewReader(must(json.Marshal(body))(t))))(t)
		defer resp.Body.Close()
		data := must(io.ReadAll(resp.Body))(t)
		if resp.StatusCode/100 != 2 || json.Unmarshal(data, answer) != nil {
			t.Fatalf("%s %v: %s: %s\n%s", path, body, resp.Status, data, &errs)
		}
	}
	var game struct {
		Game        string
		Observation struct{ Messages []schemas.Message }
	}
	post("/v1/games", map[string]any{"instance": q.ID, "client_id": "me"}, &game)
	if m := game.Observation.Messages; len(m) != 1 || !strings.Contains(m[0].Content, q.Page.Title) {
		t.Errorf("asked %v about %s", m, q.Page.Title)
	}
	var end struct{ Valid, Done bool }
	post("/v1/games/"+game.Game+"/move", map[string]any{"step": 1, "title": q.Gold}, &end)
	if !end.Valid || !end.Done {
		t.Errorf("the end is %+v", end)
	}
	check(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Errorf("serve: %v\n%s", err, &errs)
	}
	w.keptOne(t, "http", "me", q)
}

// keptOne checks that a log has one run, with the right answer to a question.
func (w world) keptOne(t *testing.T, dir, player string, q question) {
	t.Helper()
	runs := must(filepath.Glob(w.path(dir, player+"-*")))(t)
	if len(runs) != 1 {
		t.Fatalf("runs %v, want one", runs)
	}
	run := must(trace.ReadRun(runs[0]))(t)
	if run.Family != called || run.Model.Name != player {
		t.Errorf("run %+v", run)
	}
	log := string(must(os.ReadFile(filepath.Join(runs[0], trace.RepliesFile)))(t))
	wants(t, log, fmt.Sprintf(`"id":%q`, q.ID), fmt.Sprintf(`"reply":%q`, q.Gold))
}

func (w world) speaksMCP(t *testing.T) {
	q := w.questions(t)[1]
	call := func(id int, method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
	}
	tool := func(id int, name, arguments string) string {
		return call(id, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
	}
	hello := `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`
	talk := call(0, "initialize", hello) +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		tool(1, "list_instances", `{"split":"parity"}`) +
		tool(2, "start_game", fmt.Sprintf(`{"instance":%q}`, q.ID)) +
		tool(3, "answer", fmt.Sprintf(`{"step":1,"reply":%q}`, q.Gold))
	out := w.eval(t, talk, "mcp", "--log", "mcp", "--model", "agent")
	answers := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(answers) != 4 || strings.Contains(out, `"isError":true`) {
		t.Fatalf("answers:\n%s", out)
	}
	wants(t, answers[1], `"total":40`)
	wants(t, answers[2], "does the Wikipedia article "+q.Page.Title+" have")
	wants(t, answers[3], `"valid":true`, `"done":true`)
	w.keptOne(t, "mcp", "agent", q)
}

// passesTheSuites runs the suites that every stage and every family must pass, with the tests that lie
// next to the family's files.
func (w world) passesTheSuites(t *testing.T) {
	for _, pkg := range []string{"stages", "eval"} {
		suite := filepath.Join(w.bin, pkg+".test")
		w.goTool(t, "test", "-vet=off", "-c", "-o", suite, "./"+pkg+"/"+called) // vet and tests want a folder that is there
		cmd := exec.Command(suite)
		cmd.Dir, cmd.Env = w.home, append(os.Environ(), "PARITY_RELEASE="+w.path("release"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", pkg, err, out)
		}
	}
}
