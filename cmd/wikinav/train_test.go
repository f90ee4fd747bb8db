package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/artifacts/release"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/train"
	"github.com/wikinav/wikinav/schemas"
)

// Two releases of one small dump: the second has tasks of another seed.
func TestTrainingData(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds two releases")
	}
	dump, home := smallDump(t), t.TempDir()
	work := filepath.Join(home, "work")
	for _, seed := range []string{"42", "7"} {
		must(t, "build", "--dump", dump, "--work", work, "--texts", "on", "--seed", seed,
			"--progress", "none", "--split", "few:40:2,3,4", "--set", "aar.legs=2",
			"--set", "mango.mazes=2", "--set", "probe.size=20", "--set", "constrained.baseline_min=2",
			"--set", "lumina.test=4", "--set", "lumina.dev=2",
			"--set", "onestep.splits=[{name='train',size=60,distances=[2,3]}]")
		must(t, "release", "--work", work, "--out", filepath.Join(home, "r"+seed), "--allow-short",
			"--licence", "CC0-1.0", "--attribution", "nobody")
	}
	c := &trainCheck{scored: filepath.Join(home, "r42"), tasks: filepath.Join(home, "r7")}
	c.posed = filepath.Join(home, "posed")
	c.taken = filepath.Join(home, "taken")
	c.chat = filepath.Join(home, "chat")
	posed := []string{
		"train", "--release", c.scored, "--n", "40", "--wrong", "2", "--distance", "2-5",
		"--progress", "none",
	}
	must(t, append(posed, "--out", c.posed)...)
	must(t, "train", "--release", c.scored, "--tasks", c.tasks, "--n", "0", "--out", c.taken,
		"--progress", "none")
	must(t, "train", "--release", c.scored, "--n", "10", "--out", c.chat, "--progress", "none",
		"--kind", "recovery", "--distance", "3-4", "--family", "wikirace", "--option", "renderer=chat")
	c.read(t)
	t.Run("same bytes", func(t *testing.T) {
		again, other := filepath.Join(t.TempDir(), "again"), filepath.Join(t.TempDir(), "other")
		must(t, append(posed, "--out", again)...)
		must(t, append(posed, "--out", other, "--seed", "43")...)
		if sums(t, again) != sums(t, c.posed) || sums(t, other) == sums(t, c.posed) {
			t.Error("equal flags make other bytes, or another seed makes the same")
		}
	})
	t.Run("overlap", c.overlap)
	t.Run("words", c.words)
	t.Run("replay", c.replay)
	t.Run("dialogues", c.dialogues)
	t.Run("excluded", c.excluded)
	t.Run("planted", c.planted)
	t.Run("foreign", c.foreign)
	t.Run("page", c.page)
	t.Run("one-step sets", c.oneStepSets)
}

// trainCheck has the data, read anew, and what their release says, by nothing of package train.
type trainCheck struct {
	scored, tasks      string // releases
	posed, taken, chat string // data
	successors         [][]uint32
	node               map[string]uint32 // by title
	masks              []uint32
	rows, takenRows    []schemas.TrainRow
	walks, takenWalks  []schemas.TrainWalk
}

func (c *trainCheck) read(t *testing.T) {
	t.Helper()
	r, err := release.Open(c.scored)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	g, err := r.Graph()
	if err != nil {
		t.Fatal(err)
	}
	c.node = map[string]uint32{}
	for u := range uint32(g.Len()) {
		c.successors = append(c.successors, slices.Clone(g.Succ.Row(u)))
		c.node[g.Title(u)] = u
	}
	l, err := labels.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	c.masks = l.Masks
	c.rows = linesOf[schemas.TrainRow](t, c.posed, "*.jsonl")
	c.walks = linesOf[schemas.TrainWalk](t, c.posed, "walks/*.jsonl")
	c.takenRows = linesOf[schemas.TrainRow](t, c.taken, "*.jsonl")
	c.takenWalks = linesOf[schemas.TrainWalk](t, c.taken, "walks/*.jsonl")
	if len(c.walks) < 200 || len(c.takenWalks) < 100 {
		t.Fatalf("%d and %d walks test too little", len(c.walks), len(c.takenWalks))
	}
}

// linesOf decodes the lines of the files that match.
func linesOf[T any](t *testing.T, dir, pattern string) (list []T) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var x T
			if err := json.Unmarshal([]byte(line), &x); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			list = append(list, x)
		}
	}
	return list
}

// endsOf is all that is read here of a frozen pair.
type endsOf struct {
	ID             string
	Source, Target *struct {
		PageID uint32 `json:"page_id"`
	}
}

// overlap reads the frozen files of the release by themselves, and looks for each walk in them.
func (c *trainCheck) overlap(t *testing.T) {
	pairs, targets := map[[2]uint32]bool{}, map[uint32]bool{}
	for _, pattern := range []string{
		"splits/*.jsonl", "probe/*.jsonl", "onestep/*.jsonl", "constrained/*.jsonl",
	} {
		list := linesOf[endsOf](t, c.scored, pattern)
		if len(list) == 0 {
			t.Errorf("no instance in %s", pattern)
		}
		for _, x := range list {
			pairs[[2]uint32{x.Source.PageID, x.Target.PageID}], targets[x.Target.PageID] = true, true
		}
	}
	for _, w := range append(slices.Clone(c.walks), c.takenWalks...) {
		if w.Source == nil {
			continue
		}
		s, d := w.Source.PageID, w.Target.PageID
		if pairs[[2]uint32{s, d}] || pairs[[2]uint32{d, s}] || targets[d] {
			t.Errorf("%s goes from %d to %d, which the release has frozen", w.ID, s, d)
		}
	}
	frozen, tasks := instancesOf(t, c.scored, false), instancesOf(t, c.tasks, true)
	found := map[string]int{}
	for _, w := range c.takenWalks {
		if w.Source != nil {
			continue
		}
		found[w.Family]++
		key, _, _ := strings.Cut(w.Task, ":") // of a question, its maze
		if w.Family == "lumina" {
			key = strings.TrimSuffix(key, "/base")
		}
		content, known := tasks[key]
		if _, shared := frozen[content]; !known || shared {
			t.Errorf("%s is of %s, known %v, and the release has it frozen: %v", w.ID, w.Task, known, shared)
		}
	}
	if len(found) != 3 {
		t.Errorf("walks of legs, mazes and worlds: %v", found)
	}
}

// instancesOf returns what legs, mazes and worlds are, as the files of a release have them: by id,
// or the other way round.
func instancesOf(t *testing.T, dir string, byID bool) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(id, content string) {
		if byID {
			all[id] = content
		} else {
			all[content] = id
		}
	}
	names, _ := filepath.Glob(filepath.Join(dir, "mango", "*.edges.json"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		add(strings.TrimSuffix(filepath.Base(name), ".edges.json"), string(data))
	}
	for _, w := range linesOf[map[string]json.RawMessage](t, dir, "lumina/*.jsonl") {
		var id string
		_ = json.Unmarshal(w["id"], &id)
		for _, told := range []string{"id", "index", "seed", "split"} { // of the draw alone
			delete(w, told)
		}
		content, _ := json.Marshal(w)
		add(id, string(content))
	}
	files, _ := filepath.Glob(filepath.Join(dir, "aar", "legs-*.jsonl"))
	for _, file := range files {
		kind := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "legs-"), ".jsonl")
		for _, l := range linesOf[schemas.AARLeg](t, dir, "aar/"+filepath.Base(file)) {
			add("aar-"+kind+"-"+strings.TrimPrefix(l.Metadata.SampleID, "sample_"), l.Riddle)
		}
	}
	return all
}

// distances are those of every node to a target around the pages of a category, by a search of the
// test's own.
func (c *trainCheck) distances(target, source uint32, category string) []int {
	bit, banned := schemas.LabelBit(category)
	closed := func(u uint32) bool {
		return banned && u != target && u != source && c.masks[u]>>bit&1 == 1
	}
	dist := make([]int, len(c.successors))
	for u := range dist {
		dist[u] = -1
	}
	dist[target] = 0
	for changed := true; changed; {
		changed = false
		for u, row := range c.successors {
			for _, v := range row {
				if dist[v] < 0 || closed(v) {
					continue
				}
				if d := dist[v] + 1; dist[u] < 0 || d < dist[u] {
					dist[u], changed = d, true
				}
			}
		}
	}
	return dist
}

var (
	currentForm = regexp.MustCompile(`(?:you are on the page|Current page:) "(.*?)"(?:, and|\n)`)
	targetForm  = regexp.MustCompile(`(?:is to reach the page|Target page:) "(.*?)"(?: by|\n)`)
	banForm     = regexp.MustCompile(`Banned category: (\w+)`)
	linkForm    = regexp.MustCompile(`(?m)^(\d+)\. (.*)$`)
	answerForm  = regexp.MustCompile(`^<answer>(\d+)</answer>$`)
)

// words holds every reply to be learnt to the distances, by what the messages say alone.
func (c *trainCheck) words(t *testing.T) {
	byID := map[string]schemas.TrainWalk{}
	for _, w := range c.walks {
		byID[w.ID] = w
	}
	kept := map[string][]int{}
	checked := 0
	for _, r := range c.rows {
		w := byID[r.Walk]
		n := len(r.Messages)
		if n != 3 || !slices.Equal(r.Train, []bool{false, false, true}) && n == 3 {
			t.Fatalf("%s has %d messages, %v to be learnt", r.ID, n, r.Train)
		}
		asked, reply := r.Messages[1].Content, r.Messages[2].Content
		current, target := currentForm.FindStringSubmatch(asked), targetForm.FindStringSubmatch(asked)
		if current == nil || target == nil || target[1] != w.Target.Title {
			t.Fatalf("%s: from %v to %v in\n%s", r.ID, current, target, asked)
		}
		ban, next := "", ""
		if m := banForm.FindStringSubmatch(asked); m != nil {
			var said struct {
				NextPage string `json:"next_page"`
			}
			if err := json.Unmarshal([]byte(reply), &said); err != nil {
				t.Fatalf("%s: %v", r.ID, err)
			}
			ban, next = m[1], said.NextPage
		} else {
			m := answerForm.FindStringSubmatch(reply)
			for _, link := range linkForm.FindAllStringSubmatch(asked, -1) {
				if link[1] == m[1] {
					next = link[2]
				}
			}
		}
		if kept[r.Walk] == nil {
			kept = map[string][]int{r.Walk: c.distances(c.node[target[1]], w.Source.Node, ban)}
		}
		dist := kept[r.Walk]
		u, known := c.node[current[1]]
		v, also := c.node[next]
		if !known || !also || dist[v] != dist[u]-1 || dist[u] != r.Left ||
			!slices.Contains(c.successors[u], v) {
			t.Errorf("%s: from %s, %d links from the target and said to be %d, to %s, %d links",
				r.ID, current[1], dist[u], r.Left, next, dist[v])
		}
		checked++
	}
	if checked < 600 {
		t.Errorf("%d replies test too little", checked)
	}
}

// replay plays every walk again, through the family's episodes: each reply is read, the target is
// reached, and as many moves as it says are wrong.
func (c *trainCheck) replay(t *testing.T) {
	for _, data := range []struct {
		dir   string
		walks []schemas.TrainWalk
	}{{c.scored, c.walks}, {c.tasks, c.takenWalks}} {
		r, err := open.Open(data.dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		sets, options := map[string]family.Set{}, map[string]family.Options{}
		tasks := map[string]family.Task{}
		for _, f := range families.All {
			o, _ := f.Options(nil)
			if sets[f.Name()], err = f.Open(r, o); err != nil {
				t.Fatal(err)
			}
			options[f.Name()] = o
			of, err := family.TasksByID(sets[f.Name()])
			if err != nil {
				t.Fatal(err)
			}
			for id, task := range of {
				tasks[f.Name()+" "+id] = task
			}
		}
		counts := map[string]int{}
		for _, w := range data.walks {
			task, ok := tasks[w.Family+" "+w.Task]
			if w.Task == "" {
				ends := family.Ends{ID: w.ID, Source: w.Source.Node, Target: w.Target.Node, Seed: w.Seed}
				task, ok, err = sets[w.Family].(family.Posing).Pose(ends)
			}
			if !ok || err != nil {
				t.Fatalf("%s: no task, %v", w.ID, err)
			}
			manner := family.Manner{Interface: schemas.InterfaceChat}
			e, err := sets[w.Family].Start(task, options[w.Family], manner)
			if err != nil {
				t.Fatal(err)
			}
			c.again(t, e, w)
			counts[w.Family+" "+w.Kind]++
		}
		t.Log(counts)
	}
}

func (c *trainCheck) again(t *testing.T, e family.Episode, w schemas.TrainWalk) {
	t.Helper()
	var dist []int
	page := func() uint32 { // the current one, of a game of links
		var o struct{ Current struct{ Title string } }
		data, _ := json.Marshal(e.Observe())
		_ = json.Unmarshal(data, &o)
		return c.node[o.Current.Title]
	}
	if w.Task == "" {
		dist = c.distances(w.Target.Node, w.Source.Node, w.Under)
		if dist[w.Source.Node] != w.Left {
			t.Errorf("%s: %d links, says %d", w.ID, dist[w.Source.Node], w.Left)
		}
	}
	wrong := 0
	for i, m := range w.Moves {
		before := page()
		turn, err := e.Act(train.ReplyOf(m))
		if err != nil || !turn.Valid {
			t.Fatalf("%s: move %d is not read: %v, %s", w.ID, i+1, err, turn.Reason)
		}
		if dist == nil {
			continue
		}
		if after := page(); dist[after] != dist[before]-1 {
			wrong++
		}
	}
	want := map[string]int{train.Recovery: 2}[w.Kind]
	if dist != nil && (wrong != want || w.Wrong != want) {
		t.Errorf("%s: %d wrong moves, says %d, want %d", w.ID, wrong, w.Wrong, want)
	}
	if w.Kind != train.Step && !family.Won(e) || e.Outcome() != w.Outcome {
		t.Errorf("%s ends as %q, says %q, won: %v", w.ID, e.Outcome(), w.Outcome, family.Won(e))
	}
}

// dialogues checks rows of several turns: what is learnt is replies, wrong moves are in the row and
// not learnt, and every call of a tool has its answer.
func (c *trainCheck) dialogues(t *testing.T) {
	walks := map[string]schemas.TrainWalk{}
	for _, w := range append(linesOf[schemas.TrainWalk](t, c.chat, "walks/*.jsonl"), c.takenWalks...) {
		walks[w.ID] = w
	}
	long := 0
	for _, r := range append(linesOf[schemas.TrainRow](t, c.chat, "*.jsonl"), c.takenRows...) {
		if len(r.Train) != len(r.Messages) || !r.Train[len(r.Train)-1] {
			t.Fatalf("%s: %d messages, %v", r.ID, len(r.Messages), r.Train)
		}
		learnt, called, answered := 0, 0, 0
		for i, m := range r.Messages {
			if r.Train[i] {
				learnt++
			}
			if r.Train[i] && m.Role != schemas.RoleAssistant {
				t.Errorf("%s: a message of %s is to be learnt", r.ID, m.Role)
			}
			called += len(m.ToolCalls)
			if m.Role == schemas.RoleTool {
				answered++
			}
		}
		w := walks[r.Walk]
		if w.Rows == 1 && w.Kind != train.Step {
			long++
			if learnt != len(w.Moves)-w.Wrong {
				t.Errorf("%s: %d replies to be learnt, of %d moves %d are wrong", r.ID, learnt,
					len(w.Moves), w.Wrong)
			}
			if called > 0 && called != answered {
				t.Errorf("%s: %d calls, %d answers", r.ID, called, answered)
			}
		}
		if (called > 0) != (r.Tools != "") && r.Family == "aar" && called > 0 {
			t.Errorf("%s calls tools that it does not list", r.ID)
		}
	}
	if long < 20 {
		t.Errorf("%d dialogues test too little", long)
	}
}

// excluded keeps the data apart from a second release, too.
func (c *trainCheck) excluded(t *testing.T) {
	args := []string{
		"train", "--release", c.scored, "--family", "wikirace", "--kind", "step", "--n", "200",
		"--distance", "2-4", "--progress", "none", "--out",
	}
	one, both := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "both")
	must(t, append(args, one)...)
	must(t, append(args, both, "--exclude", c.tasks)...)
	if auditOf(t, one, c.tasks).Clean {
		t.Error("200 pairs share nothing with a release that nobody excluded: the test tests nothing")
	}
	for _, against := range []string{c.scored, c.tasks} {
		if report := auditOf(t, both, against); !report.Clean {
			t.Errorf("%s: %+v", against, report.Kinds)
		}
	}
}

// planted puts frozen pairs into the data; audit finds them, and nothing before.
func (c *trainCheck) planted(t *testing.T) {
	for _, dir := range []string{c.posed, c.taken} {
		must(t, "train", "audit", dir, "--against", c.scored)
	}
	if report := auditOf(t, c.taken, c.tasks); report.Clean || len(report.Kinds) == 0 {
		t.Error("the tasks that the data are made of are not found in their own release")
	}
	x := linesOf[schemas.WikiraceInstance](t, c.scored, "splits/few.jsonl")[0]
	for kind, change := range map[string]func(w *schemas.TrainWalk){
		"pair":          func(w *schemas.TrainWalk) { w.Source, w.Target = &x.Source, &x.Target },
		"reversed_pair": func(w *schemas.TrainWalk) { w.Source, w.Target = &x.Target, &x.Source },
		"target":        func(w *schemas.TrainWalk) { w.Target = &x.Target },
	} {
		dir := copied(t, c.posed)
		edit(t, filepath.Join(dir, "walks", "wikirace-optimal.jsonl"), change)
		report := auditOf(t, dir, c.scored)
		if ids := report.of(kind); report.Clean || !slices.Contains(ids, "tr-wikirace-optimal-000001") {
			t.Errorf("%s: clean %v, %v", kind, report.Clean, ids)
		}
	}
	leg := linesOf[schemas.TrainWalk](t, c.taken, "walks/aar-optimal.jsonl")[0]
	if got := auditOf(t, c.taken, c.tasks).of("instance"); !slices.Contains(got, leg.ID) {
		t.Errorf("a leg of the release is not found among %v", got)
	}
}

// foreign compares data of others by their words: here the samples that export inspect writes.
func (c *trainCheck) foreign(t *testing.T) {
	dir, samples := t.TempDir(), filepath.Join(t.TempDir(), "samples")
	must(t, "export", "inspect", "--release", c.scored, "--out", samples)
	type sample struct {
		ID       string
		Input    string
		Metadata struct{ System string }
	}
	var lines strings.Builder
	for i, file := range []string{
		"wikirace/few.jsonl", "constrained/instances.jsonl", "probe/probe.jsonl",
		"lumina/list-test.jsonl",
	} {
		s := linesOf[sample](t, samples, file)[0]
		messages := []schemas.Message{
			{Role: schemas.RoleSystem, Content: s.Metadata.System},
			{Role: schemas.RoleUser, Content: s.Input},
			{Role: schemas.RoleAssistant, Content: "0"},
		}
		if s.Metadata.System == "" {
			messages = messages[1:]
		}
		line, _ := json.Marshal(map[string]any{"id": strconv.Itoa(i), "messages": messages})
		fmt.Fprintf(&lines, "%s\n", line)
		lines.WriteString(`{"messages":[{"role":"user","content":"What is the capital?"}]}` + "\n")
	}
	err := os.WriteFile(filepath.Join(dir, "sft.jsonl"), []byte(lines.String()), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	report := auditOf(t, dir, c.scored)
	if got := report.of("prompt"); report.Clean || !slices.Equal(got, []string{"0", "1", "2", "3"}) {
		t.Errorf("clean %v, prompts %v", report.Clean, got)
	}
	failing(t, 10, "train", "audit", t.TempDir(), "--against", c.scored)
}

// oneStepSets poses the games of a published set under their ids: the prompts are those of the set.
func (c *trainCheck) oneStepSets(t *testing.T) {
	r, err := open.Open(c.scored)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f := families.All[0]
	o, _ := f.Options(nil)
	set, err := f.Open(r, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range linesOf[schemas.OneStepInstance](t, c.scored, "onestep/train.jsonl") {
		ends := family.Ends{ID: x.ID, Source: x.Source.Node, Target: x.Target.Node, Seed: 42}
		task, ok, err := set.(family.Posing).Pose(ends)
		if err != nil || !ok {
			t.Fatalf("%s: posed %v, %v", x.ID, ok, err)
		}
		e, err := set.Start(task, o, family.Manner{Interface: schemas.InterfaceChat})
		if err != nil || prompt.Hash(e.Messages()) != x.PromptSHA256 {
			t.Errorf("%s: another prompt, %v", x.ID, err)
		}
	}
}

// page runs the commands of docs/training.md.
func (c *trainCheck) page(t *testing.T) {
	home := t.TempDir()
	for name, dir := range map[string]string{"demo-release": c.scored, "other-release": c.tasks} {
		if err := os.Symlink(dir, filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	shell := newShell(t, t.TempDir(), home)
	for _, block := range blocksOf(t, "docs/training.md") {
		shell(block)
	}
	for _, data := range []string{
		"demo-train/wikirace-recovery.parquet", "demo-legs/aar-optimal.parquet",
	} {
		if _, err := os.Stat(filepath.Join(home, data)); err != nil {
			t.Error(err)
		}
	}
}

type trainReport train.Audit

func (r *trainReport) of(kind string) []string {
	for _, k := range r.Kinds {
		if k.Kind == kind {
			return k.IDs
		}
	}
	return nil
}

// auditOf returns the report; its exit code must say what it says.
func auditOf(t *testing.T, dir, against string) *trainReport {
	t.Helper()
	code, out, errs := wikinav(t, "train", "audit", dir, "--against", against, "--json")
	report := new(trainReport)
	if err := json.Unmarshal([]byte(out), report); err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	if want := map[bool]int{true: 0, false: 1}[report.Clean]; code != want {
		t.Errorf("exit %d, want %d\n%s", code, want, errs)
	}
	return report
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// edit changes the walk of a file's first line.
func edit(t *testing.T, path string, change func(w *schemas.TrainWalk)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(data), "\n")
	var w schemas.TrainWalk
	if err := json.Unmarshal([]byte(first), &w); err != nil {
		t.Fatal(err)
	}
	change(&w)
	line, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(append(line, '\n'), rest...), 0o644); err != nil {
		t.Fatal(err)
	}
}
