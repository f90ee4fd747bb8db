package lumina

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/schemas"
)

// tally counts what players achieved.
type tally struct{ episodes, successes, steps, optimal int }

func (n *tally) add(e *Episode, steps []schemas.LuminaStep) {
	n.episodes++
	if e.Outcome() == schemas.OutcomeSuccess {
		n.successes++
	}
	for _, s := range steps {
		n.steps++
		if s.Optimal {
			n.optimal++
		}
	}
}

func (n *tally) perfect() bool {
	return n.episodes > 0 && n.successes == n.episodes && n.optimal == n.steps
}

// run plays an episode with choose, which sees the prompt and may ask the oracle.
func run(e *Episode, choose func(*Episode) string) []schemas.LuminaStep {
	var steps []schemas.LuminaStep
	for !e.Done() {
		steps = append(steps, e.Play(block(choose(e))))
	}
	return steps
}

// The acceptance rows of the lumina specification, 11.3, on every level of two root seeds.
func TestTheOptimalPolicyIsPerfectAndOraclesDependOnTheStateAlone(t *testing.T) {
	book := newBook(t)
	for _, root := range []int64{42, 7} {
		n := tally{}
		eachInstance(t, root, func(inst *worlds.Instance) {
			want := ""
			for _, cfg := range family.Configs {
				e, seen := newEpisode(t, inst, cfg, book), []string{}
				steps := run(e, func(e *Episode) string {
					seen = append(seen, fmt.Sprint(digestOf(e.state), e.best, plan(e.best[0]), view(e.state).State()))
					return e.best[0].String()
				})
				n.add(e, steps)
				if got := strings.Join(seen, "\n"); want == "" {
					want = got
				} else if got != want {
					t.Fatalf("seed %d, %s, %s: oracles\n%s\nwant\n%s", root, inst.ID, cfg, got, want)
				}
			}
		})
		if !n.perfect() {
			t.Errorf("seed %d: %+v", root, n)
		}
		t.Logf("seed %d: %+v", root, n)
	}
}

func TestARandomChoiceAmongOptimalCallsIsAsGood(t *testing.T) {
	book, n := newBook(t), tally{}
	eachInstance(t, 42, func(inst *worlds.Instance) {
		r := rand.New(rand.NewPCG(42, uint64(inst.Index)))
		e := newEpisode(t, inst, family.Config{}, book)
		n.add(e, run(e, func(e *Episode) string { return e.best[r.IntN(len(e.best))].String() }))
	})
	if !n.perfect() {
		t.Errorf("seed 42: %+v", n)
	}
	t.Logf("%+v", n)
}

// lastBlockOf gives what stands below a header in the prompt's last message, up to the next blank line.
func lastBlockOf(t *testing.T, e *Episode, header string) string {
	t.Helper()
	messages := e.Messages()
	text := messages[len(messages)-1].Content
	i := strings.LastIndex(text, header+"\n")
	if i < 0 {
		t.Fatalf("no %s in %s", header, text)
	}
	content, _, _ := strings.Cut(text[i+len(header)+1:], "\n\n")
	return content
}

// obey reads nothing but the plan.
func obey(line string) string {
	words := strings.Fields(strings.TrimPrefix(line, "next: "))
	last := words[len(words)-1]
	switch {
	case words[0] == "pop":
		return "pop(" + last + ")"
	case words[0] == "move":
		return last + "()"
	case words[0] == "get":
		return `get_children("` + last + `")`
	case len(words) > 2:
		return `found("` + last + `")`
	}
	return last + "()"
}

func TestAFollowerOfThePlanAloneIsPerfect(t *testing.T) {
	book, n := newBook(t), tally{}
	eachInstance(t, 42, func(inst *worlds.Instance) {
		for _, cfg := range family.Configs {
			if cfg.Plan {
				e := newEpisode(t, inst, cfg, book)
				n.add(e, run(e, func(e *Episode) string { return obey(lastBlockOf(t, e, calls.PlanHeader)) }))
			}
		}
	})
	if !n.perfect() {
		t.Errorf("seed 42: %+v", n)
	}
	t.Logf("%+v", n)
}

func TestASolverThatReadsTaskAndStateAloneIsPerfect(t *testing.T) {
	book, n := newBook(t), tally{}
	eachInstance(t, 42, func(inst *worlds.Instance) {
		for _, cfg := range []family.Config{{State: true}, {State: true, History: true}} {
			e := newEpisode(t, inst, cfg, book)
			task := e.Messages()[1].Content
			n.add(e, run(e, func(e *Episode) string {
				if cfg.History {
					task = e.Messages()[1].Content
				}
				_, task, _ := strings.Cut(task, prompt.TaskLine)
				return solvers[inst.Env](task, lastBlockOf(t, e, calls.StateHeader))
			}))
		}
	})
	if !n.perfect() {
		t.Errorf("seed 42: %+v", n)
	}
	t.Logf("%+v", n)
}

// solvers act on text alone: the task, and the state block.
var solvers = map[string]func(task, state string) string{"list": solveList, "tree": solveTree, "grid": solveGrid}

func numbers(text string) []int {
	var out []int
	for _, w := range regexp.MustCompile(`-?\d+`).FindAllString(text, -1) {
		n, _ := strconv.Atoi(w)
		out = append(out, n)
	}
	return out
}

// after gives the rest of the line that follows key.
func after(text, key string) string {
	_, rest, _ := strings.Cut(text, key)
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// solveList pops the first element after which the target still fits.
func solveList(task, state string) string {
	target, floor := numbers(after(task, "Target list: ")), numbers(after(state, "Indices below"))[0]
	var cur []int
	for i, n := range numbers(after(state, "Current list: ")) {
		if i%2 == 1 {
			cur = append(cur, n)
		}
	}
	if slices.Equal(cur, target) {
		return "done()"
	}
	for i := floor; i < len(cur); i++ {
		rest := without(cur, i)
		if i <= len(target) && slices.Equal(rest[:i], target[:i]) && subsequence(rest[i:], target[i:]) {
			return fmt.Sprintf("pop(%d)", i)
		}
	}
	return "stuck"
}

func without(cur []int, i int) []int { return append(append([]int{}, cur[:i]...), cur[i+1:]...) }

func subsequence(of, list []int) bool {
	for _, v := range of {
		if len(list) > 0 && list[0] == v {
			list = list[1:]
		}
	}
	return len(list) == 0
}

// solveTree finds out from the facts themselves which query tells something.
func solveTree(task, state string) string {
	target := after(task, "Target value: ")
	facts := regexp.MustCompile(`\(id=(\w+), value=(\w+)\) -> (UNKNOWN|\[.*\])`).FindAllStringSubmatch(state, -1)
	values, children, order := map[string]string{}, map[string]string{}, []string{}
	meet := func(id string) {
		if !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	for _, f := range facts {
		if f[2] == target {
			return `found("` + f[1] + `")`
		}
		meet(f[1])
		values[f[1]], children[f[1]] = f[2], f[3]
		for _, id := range ids(f[3]) {
			meet(id)
		}
	}
	for _, id := range order {
		open := children[id] == "" || children[id] == "UNKNOWN"
		for _, c := range ids(children[id]) {
			open = open || values[c] == "" || values[c] == "UNKNOWN"
		}
		if open {
			return `get_children("` + id + `")`
		}
	}
	return "unreachable()"
}

func ids(list string) []string {
	if list == "UNKNOWN" {
		return nil
	}
	return regexp.MustCompile(`\w+`).FindAllString(list, -1)
}

// solveGrid relaxes all moves of the board until the costs stand still.
func solveGrid(task, state string) string {
	n, goal := numbers(after(task, "Board size N: "))[0], numbers(after(task, "Goal: "))
	cell := func(at []int) int { return at[0]*n + at[1] }
	hole := map[int]bool{}
	for list := numbers(after(task, "Holes: ")); len(list) > 0; list = list[2:] {
		hole[cell(list)] = true
	}
	penalty := numbers(after(task, "Cost of entering a hole: "))[0]
	cost := slices.Repeat([]int{1 << 20}, n*n)
	cost[cell(goal)] = 0
	around := func(p int, visit func(q int, call string)) {
		for _, m := range []struct {
			r, c int
			call string
		}{{-1, 0, "up()"}, {1, 0, "down()"}, {0, -1, "left()"}, {0, 1, "right()"}} {
			if r, c := p/n+m.r, p%n+m.c; r >= 0 && c >= 0 && r < n && c < n {
				visit(r*n+c, m.call)
			}
		}
	}
	enter := func(q int) int {
		if hole[q] {
			return penalty
		}
		return 1
	}
	for changed := true; changed; {
		changed = false
		for p := range cost {
			around(p, func(q int, _ string) {
				if way := enter(q) + cost[q]; way < cost[p] {
					cost[p], changed = way, true
				}
			})
		}
	}
	at, best := cell(numbers(after(state, "Position: "))), "done()"
	around(at, func(q int, call string) {
		if at != cell(goal) && enter(q)+cost[q] == cost[at] {
			best = call
		}
	})
	return best
}

func TestAnAntiOracleIsNeverOptimalAndLosesEveryList(t *testing.T) {
	book, n, lists := newBook(t), tally{}, tally{}
	eachInstance(t, 42, func(inst *worlds.Instance) {
		r := rand.New(rand.NewPCG(42, uint64(inst.Index)))
		e := newEpisode(t, inst, family.Config{}, book)
		steps := run(e, func(e *Episode) string {
			legal := slices.DeleteFunc(e.state.Legal(), func(c worlds.Call) bool { return slices.Contains(e.best, c) })
			return legal[r.IntN(len(legal))].String()
		})
		n.add(e, steps)
		if inst.Env == schemas.LuminaList {
			lists.add(e, steps)
		}
	})
	if n.optimal != 0 || n.steps == 0 || lists.successes != 0 || lists.episodes == 0 {
		t.Errorf("seed 42: %+v, lists %+v; want nothing optimal, no list won", n, lists)
	}
	t.Logf("all %+v, lists %+v", n, lists)
}

// TestNothingHiddenIsShown reads every prompt that the optimal policy sees and looks for ids and values that it has not met.
func TestNothingHiddenIsShown(t *testing.T) {
	book, prompts := newBook(t), 0
	eachInstance(t, 42, func(inst *worlds.Instance) {
		if inst.Env != schemas.LuminaTree {
			return // lists and boards are shown whole
		}
		nodes := allNodes(t, inst)
		for _, cfg := range family.Configs {
			e := newEpisode(t, inst, cfg, book)
			for !e.Done() {
				prompts++
				met := metWords(e.state.(*worlds.Tree))
				messages := e.Messages()
				text := messages[len(messages)-1].Content // those before were read when less was known
				if _, task, ok := strings.Cut(text, prompt.TaskLine); ok {
					text = task // the examples are of other trees
				}
				for _, w := range strings.FieldsFunc(text, notWord) {
					if nodes[w] && !met[w] {
						t.Fatalf("seed 42, %s, %s, turn %d: %s is shown in\n%s", inst.ID, cfg, e.turn+1, w, text)
					}
				}
				e.Play(block(e.best[0].String()))
			}
		}
	})
	if prompts == 0 {
		t.Error("no prompt was read")
	}
	t.Logf("%d prompts", prompts)
}

func notWord(r rune) bool {
	return (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
}

// allNodes lists the ids and values of the whole tree, from its record.
func allNodes(t *testing.T, inst *worlds.Instance) map[string]bool {
	t.Helper()
	_, line, err := draw.Line(draw.Name{Root: inst.Seed.Root, Env: inst.Env, Split: inst.Split, Level: inst.Level, Index: inst.Index})
	if err != nil {
		t.Fatal(err)
	}
	var r schemas.LuminaTreeInstance
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, n := range r.Nodes {
		words[n.ID], words[strconv.Itoa(n.Value)] = true, true
	}
	return words
}

func metWords(tree *worlds.Tree) map[string]bool {
	met := map[string]bool{strconv.Itoa(tree.Target()): true}
	for _, f := range tree.Facts() {
		met[f.ID] = true
		if f.Value != nil {
			met[strconv.Itoa(*f.Value)] = true
		}
		for _, c := range f.Children {
			met[c] = true
		}
	}
	return met
}
