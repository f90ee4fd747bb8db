package harbor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	evalaar "github.com/wikinav/wikinav/eval/aar"
	"github.com/wikinav/wikinav/eval/aar/aartest"
	tasks "github.com/wikinav/wikinav/eval/harbor"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

var bg = context.Background()

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// desk returns the store of a leg with no distractors, as it is read again.
func desk(t *testing.T, l *schemas.AARLeg) *Desk {
	t.Helper()
	x := &Export{World: aartest.World()}
	w, err := x.store(bg, l)
	must(t, err)
	dir := t.TempDir()
	must(t, writeStore(filepath.Join(dir, aar.StoreFile), w, l))
	d, err := OpenDesk(dir, filepath.Join(dir, "log"), "")
	must(t, err)
	d.Mode = Sidecar
	return d
}

func TestStoreAnswersEveryGoldenCallAsTheWorldDoes(t *testing.T) {
	for _, variant := range schemas.AARVariants {
		l := aartest.Leg(variant, "sample_001")
		d := desk(t, l)
		if d.Budget != evalaar.HarborBudget(len(l.Stops)) {
			t.Errorf("%s: %d calls are answered", variant, d.Budget)
		}
		for _, s := range d.Tools.Execute(bg, l).Stops {
			if s.Status != aar.StopMatch {
				t.Errorf("%s: stop %d: %s: %s", variant, s.Index, s.Status, s.Reason)
			}
		}
		whole, again := &bytes.Buffer{}, &bytes.Buffer{}
		must(t, d.Tools.World.WriteStore(whole, d.Budget))
		w, calls, err := aar.ReadStore(bytes.NewReader(whole.Bytes()))
		must(t, err)
		must(t, w.WriteStore(again, calls))
		if !bytes.Equal(whole.Bytes(), again.Bytes()) {
			t.Errorf("%s: a store that is read and written has other bytes", variant)
		}
	}
}

// A store that lacks one of the places that a stop counts fails the golden executor.
func TestStoreWithoutAPlaceIsNoStore(t *testing.T) {
	l := aartest.Leg("linear", "sample_001")
	w := aartest.World()
	var pages []int
	for i := range w.Len() - 1 {
		pages = append(pages, i)
	}
	tools := &aar.Tools{World: w.Part(pages)}
	if tools.Execute(bg, l).Golden {
		t.Error("a world without a museum counts as many")
	}
}

func TestLinksToPagesOutsideAStoreAreLabels(t *testing.T) {
	w := aartest.World()
	land, _ := w.Titled("Land")
	part := w.Part([]int{land, land})
	if part.Len() != 1 || strings.Contains(part.Text(0).Text, "/wiki/Town") ||
		!strings.Contains(part.Text(0).Text, "Town") {
		t.Errorf("%d pages: %s", part.Len(), part.Text(0).Text)
	}
	if n := len([]rune(part.Text(0).Text)); int(part.Text(0).Chars) != n {
		t.Errorf("%d characters are said of %d", part.Text(0).Chars, n)
	}
}

// A store ranks its pages as the release does: with weights of its own, a search for a clue would
// find the page of the clue first, because the words that it shares with many pages elsewhere are
// rare among few.
func TestAStoreRanksItsPagesAsTheReleaseDoes(t *testing.T) {
	whole := manyTowns()
	var pages []int
	for i := 0; i < whole.Len(); i += 3 {
		pages = append(pages, i)
	}
	var out bytes.Buffer
	must(t, whole.Part(pages).WriteStore(&out, 9))
	store, _, err := aar.ReadStore(bytes.NewReader(out.Bytes()))
	must(t, err)
	for _, query := range []string{"rare red town", "red blue river", "town", "mill of the green river"} {
		var want []aar.Hit
		for _, h := range whole.Search(query, whole.Len()) {
			if h.Page%3 == 0 {
				want = append(want, aar.Hit{Page: h.Page / 3, Score: h.Score})
			}
		}
		if got := store.Search(query, whole.Len()); !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s: the store finds %v, the release %v", query, got, want)
		}
	}
	again := &bytes.Buffer{}
	must(t, store.Part([]int{0, 1}).WriteStore(again, 9))
	head := out.String()[strings.Index(out.String(), `"corpus"`):][:40]
	if !strings.Contains(again.String(), head) {
		t.Errorf("a part of a store has another corpus than %s", head)
	}
}

// manyTowns is a world whose descriptions share words unevenly.
func manyTowns() *aar.World {
	words := []string{"red", "blue", "green", "river", "mill", "rare"}
	var pages []schemas.Text
	for i := range 60 {
		text := "town"
		for k, word := range words {
			if i%(k+2) == 0 && (i%3 > 0 || k%2 == 0) {
				text += " " + word
			}
		}
		pages = append(pages, schemas.Text{PageID: uint32(i + 1), Title: fmt.Sprintf("P%02d", i), ShortDescription: text})
	}
	return aar.NewWorld(aartest.World().Site, pages, nil)
}

func TestStoresWhoseCorpusIsNoneAreRefused(t *testing.T) {
	var out bytes.Buffer
	must(t, manyTowns().WriteStore(&out, 9))
	for old, changed := range map[string]string{
		`"documents":60`: `"documents":59`, `"town":60`: `"town":61`, `"rare":`: `"rarer":`,
		`"tokens":`: `"token":`,
	} {
		text := strings.Replace(out.String(), old, changed, 1)
		if text == out.String() {
			t.Errorf("%s is not there", old)
		}
		if _, _, err := aar.ReadStore(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "corpus") {
			t.Errorf("%s: %v", changed, err)
		}
	}
}

// golden makes the golden calls at a desk and returns its verdict on an answer.
func golden(t *testing.T, d *Desk, l *schemas.AARLeg, answer *string) evalaar.Reward {
	t.Helper()
	d.Tools.Python = evalaar.Python("/bin/true") // what it prints is taken as logged
	for i := range l.Stops {
		if l.Stops[i].Type == schemas.AARPage {
			_, err := d.Call(bg, "fetch_webpage", []byte(`{"url":"`+*l.Stops[i].PageURL+`"}`))
			must(t, err)
		}
		calls, err := aar.Calls(l.Stops[i].Bridge.ToolChain)
		must(t, err)
		for _, c := range calls {
			_, err := d.Call(bg, c.Tool, c.Args)
			must(t, err)
		}
	}
	d.Tools.Python = nil
	return d.Judge(l, answer)
}

func TestVerdicts(t *testing.T) {
	for _, variant := range schemas.AARVariants {
		l := aartest.Leg(variant, "sample_001")
		right, wrong := strconv.Itoa(l.Passcode), strconv.Itoa((l.Passcode+1)%10)
		d := desk(t, l)
		for answer, want := range map[*string]float64{&right: 1, &wrong: 0, nil: 0} {
			if r := d.Judge(l, answer); r.Numbers["reward"] != want || r.Numbers["pvr"] != 0 {
				t.Errorf("%s: without a call: %v, want %v", variant, r, want)
			}
		}
		r := golden(t, d, l, &right)
		for _, name := range []string{"reward", "fa", "pvr", "rcr"} {
			if r.Numbers[name] != 1 {
				t.Errorf("%s: golden calls have %s %v: %+v", variant, name, r.Numbers[name], r.Details)
			}
		}
		if len(r.Details.Refused) > 0 {
			t.Errorf("%s: refused: %q", variant, r.Details.Refused)
		}
	}
}

// Who writes the log himself gets nothing for an output that the store does not give, and nothing
// for an answer after more calls than are answered.
func TestForgedLogsAreWorthNothing(t *testing.T) {
	l := aartest.Leg("linear", "sample_001")
	d := desk(t, l)
	right := strconv.Itoa(l.Passcode)
	forged := evalaar.Answered("fetch_webpage", `{"url":"`+*l.Stops[0].PageURL+`"}`, aar.Answer{
		Output: "I was there", Source: aar.SourceNative,
	})
	r := evalaar.JudgeHarbor(l, &right, []evalaar.HarborCall{forged}, d.Tools, evalaar.LogContainer)
	if r.Numbers["pvr"] != 0 || len(r.Details.Refused) == 0 {
		t.Errorf("a forged fetch: %+v", r)
	}
	honest := evalaar.Answered(forged.Tool, forged.Args, d.Tools.Call(bg, forged.Tool, []byte(forged.Args)))
	log := make([]evalaar.HarborCall, d.Budget+1)
	for i := range log {
		log[i] = honest
	}
	if r := evalaar.JudgeHarbor(l, &right, log, d.Tools, evalaar.LogContainer); r.Numbers["reward"] != 0 {
		t.Errorf("more calls than are answered: %+v", r.Numbers)
	}
	if r := evalaar.JudgeHarbor(l, nil, log[1:], d.Tools, evalaar.LogContainer); r.Numbers["step_limit_hit"] != 1 {
		t.Errorf("all calls and no answer: %+v", r.Numbers)
	}
}

func TestServerAnswersAsManyCallsAsTheTaskSays(t *testing.T) {
	l := aartest.Leg("linear", "sample_001")
	d := desk(t, l)
	ask := func(q Request) Response {
		here, there := net.Pipe()
		go d.Serve(bg, there)
		out, err := Ask(here, q)
		must(t, err)
		return out
	}
	for range d.Budget {
		if out := ask(Request{Tool: "maps_geocode", Args: `{"address":"Town"}`}); !strings.Contains(out.Output, "wiki:1") {
			t.Fatal(out)
		}
	}
	if out := ask(Request{Tool: "maps_geocode", Args: `{"address":"Town"}`}); !strings.Contains(out.Output, aar.TooManyCalls) {
		t.Error(out)
	}
	right := strconv.Itoa(l.Passcode)
	out := ask(Request{Leg: string(aar.EncodeLine(l)), Answer: &right})
	if out.Reward == nil || out.Reward.Numbers["reward"] != 1 || out.Reward.Numbers["calls"] != float64(d.Budget) {
		t.Errorf("%+v", out.Reward)
	}
}

func TestRewardsAreFiniteNumbers(t *testing.T) {
	l := aartest.Leg("dag", "sample_001")
	dir := t.TempDir()
	for i := range l.Stops { // nothing to fetch: a rate without a value
		if l.Stops[i].Type == schemas.AARPage {
			l.Stops[i].Type = schemas.AARReason
		}
	}
	must(t, WriteReward(dir, Unlogged(l, nil, Single, os.ErrNotExist)))
	data, err := os.ReadFile(filepath.Join(dir, "reward.json"))
	must(t, err)
	var numbers map[string]float64
	must(t, json.Unmarshal(data, &numbers))
	if _, has := numbers["pvr"]; has || numbers["reward"] != 0 || len(numbers) < 6 {
		t.Errorf("%s", data)
	}
	if WriteReward(dir, evalaar.Reward{Numbers: map[string]float64{"reward": math.NaN()}}) == nil {
		t.Error("a reward that is no number is written")
	}
}

// The legs of the small world are not worded as a reader understands them: they are no tasks, and
// the gates that they fail are named.
func TestLegThatFailsAGateIsNoTask(t *testing.T) {
	l := aartest.Leg("linear", "sample_001")
	x := &Export{World: aartest.World(), Mode: Sidecar, Schema: "1.1", Out: t.TempDir(), Binary: os.Args[0]}
	not, err := x.Task(bg, "linear", l)
	must(t, err)
	if not == nil || !strings.Contains(strings.Join(not.Why, "\n"), "reader") {
		t.Errorf("%+v", not)
	}
	if list, _ := os.ReadDir(x.Out); len(list) > 0 {
		t.Errorf("%s is written", list[0].Name())
	}
}

func TestTaskFilesByModeAndSchema(t *testing.T) {
	l := aartest.Leg("linear", "sample_001")
	for _, mode := range []string{Sidecar, Single} {
		for _, version := range tasks.Schemas {
			x := &Export{World: aartest.World(), Mode: mode, Schema: version}
			must(t, x.Check())
			files := (&task{Export: x, id: "aar-linear-easy-001", variant: "linear", leg: l}).files(&aar.Tools{World: x.World})
			toml := files["task.toml"]
			if !strings.Contains(toml, "version = \""+version+"\"\n") || !strings.Contains(toml, "level = ") {
				t.Error(toml)
			}
			if _, has := files["environment/docker-compose.yaml"]; has != (mode == Sidecar) {
				t.Errorf("%s: docker-compose.yaml: %v", mode, has)
			}
			if stage := files["environment/Dockerfile"]; mode == Sidecar {
				if strings.Contains(stage, "store") {
					t.Error("the agent's image holds the store")
				}
			}
		}
	}
	if (&Export{Mode: "both", Schema: "1.1"}).Check() == nil || (&Export{Mode: Single, Schema: "2"}).Check() == nil {
		t.Error("a mode or version that is none is taken")
	}
}

func TestAFolderAppearsWhenItIsWhole(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "tasks")
	full := &os.PathError{Op: "write", Path: "pages.jsonl", Err: syscall.ENOSPC}
	half := func(err error) func(string) error {
		return func(dir string) error {
			if _, there := os.Stat(out); there == nil {
				t.Error("the folder is there before it is whole")
			}
			return errors.Join(os.WriteFile(filepath.Join(dir, "half"), nil, 0o644), err)
		}
	}
	err := Beside(out, half(full))
	if list, _ := os.ReadDir(dir); fault.Code(err) != fault.NoSpace.Code() || len(list) > 0 {
		t.Errorf("a full disk: %v, and there is %v", err, list)
	}
	must(t, Beside(out+"/", half(nil)))
	if _, err := os.Stat(filepath.Join(out, "half")); err != nil {
		t.Error(err)
	}
}

// Whoever writes over the program does not change the tasks, which share a copy of it.
func TestTasksHaveACopyOfTheProgram(t *testing.T) {
	dir := t.TempDir()
	source, a, b := filepath.Join(dir, "source"), filepath.Join(dir, "a"), filepath.Join(dir, "b")
	must(t, os.WriteFile(source, []byte("old"), 0o755))
	x := &Export{Binary: source}
	must(t, x.place(a))
	must(t, x.place(b))
	must(t, os.WriteFile(source, []byte("new"), 0o755))
	for _, path := range []string{a, b} {
		if data, _ := os.ReadFile(path); string(data) != "old" {
			t.Errorf("%s is %q", path, data)
		}
	}
}
