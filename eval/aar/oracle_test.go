package aar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	spoken "github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// follow makes the calls that the plan names until it asks for the digit, which the test knows. It
// returns the episode as it ends; every turn is looked at.
func follow(t testing.TB, e *Episode, look func(turn int)) {
	t.Helper()
	for e.Outcome() == "" {
		look(e.Step())
		plan := e.at().plan()
		if plan == planAnswer {
			digit := strconv.Itoa(e.leg.Passcode)
			act(t, e, family.Reply{Answer: &digit})
			return
		}
		named, args, _ := strings.Cut(strings.TrimPrefix(plan, "next: call "), " with ")
		if list := e.at().optimal(); strings.Contains(args, "<answer of clue") {
			args = string(list[0].args) // whoever solves the clue knows the value
		}
		act(t, e, calls(family.Call{Name: named, Arguments: json.RawMessage(args)}))
	}
}

func legIDs(t testing.TB, s *Set) (ids []string) {
	t.Helper()
	for _, split := range s.Splits() {
		for _, task := range familytest.Tasks(t, s, split.Name) {
			ids = append(ids, task.Instance)
		}
	}
	return ids
}

// No text of an oracle holds a value that the player has not observed and whose stop the text
// depends on, at no turn of no leg.
func TestNoOracleTellsAValueThatWasNotObserved(t *testing.T) {
	for _, python := range []aar.Interpreter{nil, printer("")} {
		s, _ := opened(t, python, "oracle=SPH", "budget=3k")
		texts, values := 0, 0
		for _, id := range legIDs(t, s) {
			e := begin(t, s, id, schemas.InterfaceChat)
			follow(t, e, func(turn int) {
				said := haystackOf(e.said())
				texts++
				for i := range e.leg.Stops {
					v := e.leg.Stops[i].ExtractedValue
					if e.at().observed(i) || strings.Contains(e.said(), "Clue "+string(v)+":") || turnsLeft(e) == string(v) {
						continue
					}
					values++
					if said.has(v) {
						t.Errorf("%s, turn %d: the value %s of clue %d was not observed:\n%s", id, turn, v, i+1, e.said())
					}
				}
			})
			if e.Outcome() != schemas.OutcomeAnswered {
				t.Errorf("%s ends as %s", id, e.Outcome())
			}
		}
		t.Logf("%d texts, %d values that were not observed", texts, values)
		if values < 50 {
			t.Errorf("%d values that were not observed", values)
		}
	}
}

// turnsLeft is a number of the state that is no value.
func turnsLeft(e *Episode) string { return strconv.Itoa(e.budget - len(e.turns)) }

// A value that an argument takes from a stop that nobody has observed stands in the plan as its clue.
func TestAPlanHidesWhatItTakesFromAnUnobservedStop(t *testing.T) {
	s, _ := opened(t, printer(""))
	l, err := s.leg(dagLeg)
	if err != nil {
		t.Fatal(err)
	}
	p := newProgress(l, s.offers(), s.opener())
	for _, i := range []int{0, 1, 2} { // as if the outputs had been cut before their values
		for _, c := range p.golden[i] {
			p.take(accepted{tool: c.tool, args: c.args})
		}
	}
	want := `next: call python_execute_code with {"code":"result = int(<answer of clue 2>) + int(<answer of clue 3>)\nprint(result)"}`
	if got := p.plan(); got != want {
		t.Errorf("got %s", got)
	}
	p.take(accepted{tool: "x", args: []byte("{}"), output: `{"elevation":893}`})
	if got := p.plan(); !strings.Contains(got, "int(893) + int(<answer of clue 3>)") {
		t.Errorf("got %s", got)
	}
}

// In a diamond the branches may be gone in either order, and a call that was made is not made again.
func TestTheOptimalCallsAreThoseOfReadyStops(t *testing.T) {
	s, _ := opened(t, printer(""))
	l, err := s.leg(dagLeg)
	if err != nil {
		t.Fatal(err)
	}
	p := newProgress(l, s.offers(), s.opener())
	tools := func() string {
		var names []string
		for _, b := range p.optimal() {
			names = append(names, fmt.Sprintf("%d %s", b.stop, b.tool))
		}
		return strings.Join(names, ", ")
	}
	do := func(tool, args string) bool {
		return p.take(accepted{tool: tool, args: []byte(args), output: "{}"})
	}
	for i, c := range []struct {
		tool, args string
		optimal    bool
		next       string
	}{
		{"fetch_webpage", `{"url":"/wiki/Museum_1"}`, false, "0 fetch_webpage"},
		{"fetch_webpage", `{"url":"/wiki/Town#History"}`, true, "1 maps_geocode, 2 maps_search_places"},
		{"maps_search_places", `{ "query":"museums near Town" }`, true, "1 maps_geocode"},
		{"maps_search_places", `{"query":"museums near Town"}`, false, "1 maps_geocode"},
		{"maps_geocode", `{"address":"Mill"}`, false, "1 maps_geocode"},
		{"maps_geocode", `{"address":"Town"}`, true, "1 maps_elevation"},
	} {
		if got := do(c.tool, c.args); got != c.optimal || tools() != c.next {
			t.Errorf("%d: %s %s is optimal: %v; next %s", i, c.tool, c.args, got, tools())
		}
	}
}

// The calls that oracles call optimal are those that a slow walk finds, after every set of golden
// calls: in whatever order they were made.
func TestAStarIsWhatASlowWalkFinds(t *testing.T) {
	s, _ := opened(t, printer(""))
	for _, id := range legIDs(t, s) {
		l, err := s.leg(id)
		if err != nil {
			t.Fatal(err)
		}
		p := newProgress(l, s.offers(), s.opener())
		var keys []string
		for _, list := range p.golden {
			for _, c := range list {
				keys = append(keys, c.key)
			}
		}
		slices.Sort(keys)
		if keys = slices.Compact(keys); len(keys) < 6 || len(keys) != p.steps()-1 {
			t.Fatalf("%s has %d golden calls and %d steps", id, len(keys), p.steps())
		}
		for set := range 1 << len(keys) {
			p.made = map[string]bool{}
			for i, key := range keys {
				p.made[key] = set>>i&1 == 1
			}
			got := []string{}
			for _, b := range p.optimal() {
				got = append(got, b.key)
			}
			slices.Sort(got)
			if want := slowBest(p); !slices.Equal(got, want) || (len(got) == 0) != (set == 1<<len(keys)-1) {
				t.Errorf("%s after %b: got %v, want %v", id, set, got, want)
			}
		}
	}
}

// slowBest lists the golden calls that were not made, are the first of their stop that was not, and
// wait for nothing: a stop on which theirs depends has its calls made, or has none and waits for
// nothing.
func slowBest(p *progress) (keys []string) {
	finished := func(i int) bool {
		for _, c := range p.golden[i] {
			if !p.made[c.key] {
				return false
			}
		}
		return true
	}
	var waits func(i int) bool
	waits = func(i int) bool {
		on := p.leg.Stops[i].DependsOn
		if p.leg.Stops[i].DependsOn == nil && i > 0 {
			on = []int{i - 1}
		}
		for _, b := range on {
			if !finished(b) || len(p.golden[b]) == 0 && waits(b) {
				return true
			}
		}
		return false
	}
	for i, list := range p.golden {
		if waits(i) {
			continue
		}
		for _, c := range list {
			if !p.made[c.key] {
				keys = append(keys, c.key)
				break
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func TestGoldenPlayIsOptimalInEveryConfigurationAndARandomDigitIsNot(t *testing.T) {
	for _, config := range family.ConfigNames() {
		s, o := opened(t, nil, "oracle="+config)
		sub := familytest.Subject{Family: Family{}, Options: o, Set: s}
		sub.Run.ReleaseID, sub.Run.ManifestSHA256 = s.source.ID, s.source.ManifestSHA256
		for _, b := range s.Baselines() {
			if b.Name != "golden" && b.Name != "random" {
				continue // those that read riddles make some of the golden calls
			}
			var tasks []family.Task
			for _, split := range s.Splits() {
				tasks = append(tasks, familytest.Tasks(t, s, split.Name)...)
			}
			scores, err := sub.Score(t, sub.Play(t, tasks, b.Name, b.Kind, b.Start), family.Request{})
			if err != nil {
				t.Fatal(err)
			}
			want := "0"
			if b.Name == "golden" {
				want = "1.00000e+00"
			}
			for _, r := range scores.Rows {
				if got := *r.Metrics[judge.MetricMicro].Value; got != want || r.Has(judge.FlagOracle) != (config != "base" || b.Kind == schemas.KindOracle) {
					t.Errorf("%s, %s, %s: %s, %v", config, b.Name, r.Split, got, r.Flags)
				}
			}
		}
	}
}

func TestConfigurationsAreArmsAndBaseIsTheBenchmarkItself(t *testing.T) {
	options := func(texts ...string) family.Options {
		o, err := Family{}.Options(texts)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	plain, base, p := options(), options("oracle=base"), options("oracle=P")
	if !bytes.Equal(plain.JSON, base.JSON) || bytes.Equal(plain.JSON, p.JSON) || bytes.Contains(plain.JSON, []byte("oracle")) {
		t.Errorf("%s, %s, %s", plain.JSON, base.JSON, p.JSON)
	}
	a, _ := Family{}.Arm(plain)
	b, _ := Family{}.Arm(p)
	if a.Config != "base" || b.Config != "P" || !b.Planned || !bytes.Equal(a.Rest, b.Rest) {
		t.Errorf("%+v, %+v", a, b)
	}
	if (Family{}).Reveals(plain) != "" || (Family{}).Reveals(options("oracle=S")) != "oracle=S" {
		t.Error("what a configuration reveals")
	}
	for _, bad := range []string{"oracle=H", "oracle=PH", "oracle=all"} {
		if _, err := (Family{}).Options([]string{bad}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// The six configurations show the same episode: they differ in the blocks, and in what H rewrites.
func TestTheConfigurationsDifferInWhatTheirOraclesSayAlone(t *testing.T) {
	var out bytes.Buffer
	plain := map[string]string{}
	for _, config := range family.ConfigNames() {
		s, _ := opened(t, nil, "oracle="+config)
		e := begin(t, s, dagLeg, schemas.InterfaceChat)
		act(t, e, calls(fetching("Town")))
		act(t, e, words("Let me think."))
		act(t, e, calls(family.Call{Name: "maps_geocode", Arguments: json.RawMessage(`{"address":"Town"}`)}))
		fmt.Fprintf(&out, "##### %s\n", config)
		for _, m := range e.Messages() {
			text := strings.ReplaceAll(m.Content, e.leg.Riddle, "{riddle}")
			fmt.Fprintf(&out, "=== %s\n%s\n", m.Role, text)
			before, _, _ := strings.Cut(text, "\n\n"+spoken.PlanHeader)
			before, _, _ = strings.Cut(before, "\n\n"+spoken.StateHeader)
			plain[config] += m.Role + "\n" + before + "\n"
		}
	}
	for _, config := range []string{"P", "S", "SP"} {
		if plain[config] != plain["base"] {
			t.Errorf("%s differs from base in more than its blocks", config)
		}
	}
	if plain["SH"] != plain["SPH"] || plain["SH"] == plain["base"] {
		t.Error("SH and SPH differ in more than the plan")
	}
	file := filepath.Join("testdata", "oracle.txt")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(want, out.Bytes()) {
		t.Errorf("%s differs from what is shown, %v:\n%s", file, err, out.Bytes())
	}
}
