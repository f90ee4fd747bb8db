package worlds

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

func TestHandExamplesOfOptimalPops(t *testing.T) {
	for _, c := range []struct {
		cur    []int
		floor  int
		target []int
		want   string
	}{
		{[]int{4, 9, 7}, 0, []int{4, 7}, "[pop(1)]"},
		{[]int{5, 5, 7}, 0, []int{5, 7}, "[pop(0) pop(1)]"},
		{[]int{1, 2, 1, 2}, 0, []int{1, 2}, "[pop(0) pop(1) pop(2)]"},
		{[]int{4, 7}, 1, []int{4, 7}, "[done()]"},
		{[]int{4, 7, 8}, 1, []int{4, 7}, "[pop(2)]"},
	} {
		if got := fmt.Sprint(List{c.cur, c.floor, c.target}.Optimal()); got != c.want {
			t.Errorf("cur %v, floor %d, target %v: got %s, want %s", c.cur, c.floor, c.target, got, c.want)
		}
	}
}

func TestListRules(t *testing.T) {
	l := List{Cur: []int{4, 9, 7, 9}, Floor: 1, Target: []int{4, 7}}
	for _, c := range []struct {
		call    Call
		event   Event
		outcome string
		cur     string
	}{
		{Call{Name: Pop, Index: 4}, EventOutOfRange, "", "[4 9 7 9]"},
		{Call{Name: Pop, Index: -1}, EventOutOfRange, "", "[4 9 7 9]"},
		{Call{Name: Pop, Index: 0}, EventBelowFloor, "", "[4 9 7 9]"},
		{Call{Name: Pop, Index: 1}, EventPopped, "", "[4 7 9]"},
		{Call{Name: Pop, Index: 2}, EventSpoiled, schemas.OutcomeIrrecoverable, "[4 9 9]"},
		{Call{Name: Pop, Index: 3}, EventSpoiled, schemas.OutcomeIrrecoverable, "[4 9 7]"}, // jumps over the 9
		{Call{Name: Done}, EventTerminal, schemas.OutcomeWrongTerminal, "[4 9 7 9]"},
	} {
		next, e := l.Apply(c.call)
		if got := fmt.Sprint(next.(List).Cur); e.Event != c.event || e.Outcome != c.outcome || got != c.cur {
			t.Errorf("%v: got event %d, outcome %q, list %s; want %d, %q, %s", c.call, e.Event, e.Outcome, got, c.event, c.outcome, c.cur)
		}
		if fmt.Sprint(l.Cur) != "[4 9 7 9]" {
			t.Fatalf("%v changed the state before it: %v", c.call, l.Cur)
		}
	}
}

// listOracle decides by exhaustive search, from the rules in words and without the code under test.
type listOracle struct {
	target []int
	wins   map[string]bool
}

func (o *listOracle) canWin(cur []int, floor int) bool {
	if slices.Equal(cur, o.target) {
		return true
	}
	key := fmt.Sprint(cur, floor)
	if win, ok := o.wins[key]; ok {
		return win
	}
	win := false
	for i := floor; i < len(cur) && !win; i++ {
		win = o.canWin(without(cur, i), i)
	}
	o.wins[key] = win
	return win
}

func without(cur []int, i int) []int {
	return append(append([]int{}, cur[:i]...), cur[i+1:]...)
}

// listCount is what was compared.
type listCount struct{ states, live, several int }

// compareList walks every state of an episode, the spoiled ones that end it included.
func compareList(t *testing.T, seed int, initial, target []int, n *listCount) {
	t.Helper()
	o := &listOracle{target, map[string]bool{}}
	seen := map[string]bool{}
	var walk func(cur []int, floor int)
	walk = func(cur []int, floor int) {
		key := fmt.Sprint(cur, floor)
		if seen[key] {
			return
		}
		seen[key] = true
		n.states++
		l := List{cur, floor, target}
		win := o.canWin(cur, floor)
		if l.live() != win {
			t.Fatalf("seed %d, cur %v, floor %d, target %v: live %t, search says %t", seed, cur, floor, target, l.live(), win)
		}
		if !win {
			return // the episode has ended
		}
		var want []Call
		for i := floor; i < len(cur); i++ {
			if o.canWin(without(cur, i), i) && !slices.Equal(cur, target) {
				want = append(want, Call{Name: Pop, Index: int64(i)})
			}
			walk(without(cur, i), i)
		}
		n.live++
		if len(want) > 1 {
			n.several++
		}
		if slices.Equal(cur, target) {
			want = []Call{{Name: Done}}
		}
		if got := l.Optimal(); !slices.Equal(got, want) {
			t.Fatalf("seed %d, cur %v, floor %d, target %v: got %v, want %v", seed, cur, floor, target, got, want)
		}
	}
	walk(initial, 0)
}

func TestEveryShortListAgreesWithExhaustiveSearch(t *testing.T) {
	pairs, n := 0, listCount{}
	var lists func(prefix []int)
	lists = func(prefix []int) {
		if len(prefix) > 0 {
			for _, target := range subsequences(prefix) {
				pairs++
				compareList(t, 0, prefix, target, &n)
			}
		}
		for v := 0; v < 3 && len(prefix) < 5; v++ {
			lists(append(slices.Clone(prefix), v))
		}
	}
	lists(nil)
	if want := (listCount{61794, 23166, 3081}); pairs != 5676 || n != want {
		t.Errorf("got %d pairs, %+v; want 5676, %+v", pairs, n, want)
	}
	t.Logf("%d pairs, %+v", pairs, n)
}

// subsequences lists the distinct ones.
func subsequences(list []int) [][]int {
	seen, out := map[string]bool{}, [][]int{}
	for mask := range 1 << len(list) {
		sub := []int{}
		for i, v := range list {
			if mask>>i&1 == 1 {
				sub = append(sub, v)
			}
		}
		if key := fmt.Sprint(sub); !seen[key] {
			seen[key] = true
			out = append(out, sub)
		}
	}
	return out
}

func TestRandomListsWithDuplicatesAgreeWithExhaustiveSearch(t *testing.T) {
	n := listCount{}
	for seed := 0; n.states < 50_000; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		initial := make([]int, 6+r.IntN(3))
		for i := range initial {
			initial[i] = r.IntN(4)
		}
		compareList(t, seed, initial, randomTarget(r, initial), &n)
	}
	t.Logf("%+v", n)
}

func randomTarget(r *rand.Rand, initial []int) []int {
	target := []int{}
	for _, v := range initial {
		if r.IntN(2) == 0 {
			target = append(target, v)
		}
	}
	return target
}

func TestDistinctValuesLeaveNoChoice(t *testing.T) {
	states := 0
	for seed := 0; states < 80_000; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		initial := r.Perm(1 + r.IntN(61))
		target := randomTarget(r, initial)
		turns := 0
		for s := State(List{Cur: initial, Target: target}); ; turns++ {
			best := s.Optimal()
			states++
			if len(best) != 1 {
				t.Fatalf("seed %d, %v: optimal %v", seed, s, best)
			}
			next, e := s.Apply(best[0])
			if e.Outcome != "" {
				turns++
				if want := len(initial) - len(target) + 1; e.Outcome != schemas.OutcomeSuccess || turns != want {
					t.Fatalf("seed %d: %s after %d turns, want success after %d", seed, e.Outcome, turns, want)
				}
				break
			}
			s = next
		}
	}
	t.Logf("%d states", states)
}
