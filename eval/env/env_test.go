package env_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/env"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/tiny"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/linkstest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// hostOf returns a host of tasks in a world, under rules that changes makes of the defaults.
func hostOf(
	w game.World,
	defaults func() schemas.GameOptions,
	tasks []game.Task,
	changes ...string,
) *session.Host {
	f := linkstest.Family(defaults)
	o, err := f.Options(changes)
	if err != nil {
		panic(err)
	}
	resolve := func(string) (uint32, bool) { return 0, false }
	split := linkstest.Split{Name: "easy", Tasks: tasks}
	h := &session.Host{
		Family: f, Set: linkstest.Set(linkstest.World(w), resolve, defaults(), split), Options: o,
		Manner: family.Manner{Interface: schemas.InterfaceEnv},
		Now:    func() time.Time { return time.Unix(0, 0) },
	}
	if err := h.Offer(nil, nil); err != nil {
		panic(err)
	}
	return h
}

func tasksOf(w *gametest.World, n int) (tasks []game.Task) {
	for _, inst := range racetest.Instances(w, 3, n, 2) {
		tasks = append(tasks, racetest.TaskOf(inst))
	}
	return tasks
}

func world() *gametest.World { return gametest.Random(5, 300, 30, 60) }

// client asks an environment, a line at a time.
type client struct {
	t   *testing.T
	in  *io.PipeWriter
	out *bufio.Reader
	end chan error

	seen bytes.Buffer // all answers
}

func open(t *testing.T, h *session.Host, slots int, rewards ...string) *client {
	t.Helper()
	e, err := env.New(
		env.Config{Host: h, Rewards: rewards, Gamma: 1, Slots: slots, Release: "r", Program: "test"},
	)
	if err != nil {
		t.Fatal(err)
	}
	asks, in := io.Pipe()
	out, answers := io.Pipe()
	c := &client{t: t, in: in, out: bufio.NewReader(out), end: make(chan error, 1)}
	go func() {
		err := e.Serve(t.Context(), asks, answers)
		answers.Close()
		c.end <- err
	}()
	if hello := c.read(); !strings.Contains(hello, env.Protocol) {
		t.Fatalf("the first line is %s", hello)
	}
	return c
}

func (c *client) read() string {
	c.t.Helper()
	text, err := c.out.ReadString('\n')
	c.seen.WriteString(text)
	if err != nil {
		c.t.Fatalf("%v after %q", err, text)
	}
	return text
}

func (c *client) ask(format string, args ...any) string {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
	return c.read()
}

// told is the answer of a slot as far as tests look at it.
type told struct {
	Slot        int
	Observation struct {
		Step                 int
		Current, Target      struct{ Title string }
		Links                []struct{ Title string }
		Done                 bool
		Banned, Target_Intro string
	}
	Text                         string
	Messages                     []schemas.Message
	Reward                       float64
	Rewards                      map[string]float64
	Terminated, Truncated, Valid bool
	Reason, Outcome, Instance    string
	Won                          bool
	Oracle                       *struct{ Left *int }
	Error                        *struct{ Code, Message, Field string }
	Next                         *told
}

func (c *client) slots(format string, args ...any) []told {
	c.t.Helper()
	text := c.ask(format, args...)
	var a struct{ Slots []told }
	if err := json.Unmarshal([]byte(text), &a); err != nil || a.Slots == nil {
		c.t.Fatalf("%v in %s", err, text)
	}
	return a.Slots
}

// walk plays episodes at random in all slots until n are over, and tells each turn. Some choices
// are none of the menu, and some players give up.
func (c *client) walk(slots, n int, turn func(slot int, before, after told)) {
	c.t.Helper()
	draw := rng.New(1, "walk")
	var begin []string
	for i := range slots {
		begin = append(begin, fmt.Sprintf(`{"slot":%d,"seed":%d}`, i, i))
	}
	at := c.slots(`{"op":"reset","slots":[%s]}`, strings.Join(begin, ","))
	for n > 0 {
		var moves []string
		for i, a := range at {
			move := fmt.Sprintf(`"choice":%d`, draw.Below(len(a.Observation.Links)+2)-1)
			if draw.Below(40) == 0 {
				move = `"give_up":true`
			}
			moves = append(moves, fmt.Sprintf(`{"slot":%d,"next":true,%s}`, i, move))
		}
		for i, a := range c.slots(`{"op":"step","slots":[%s]}`, strings.Join(moves, ",")) {
			turn(i, at[i], a)
			if at[i] = a; a.Next != nil {
				at[i], n = *a.Next, n-1
			}
		}
	}
}

// Distances are looked up in the world, which the environment tells nothing of.
func TestShapedRewardsSumToTheWayThatWasGained(t *testing.T) {
	const slots, episodes = 64, 1_000
	w := world()
	far := func(a told) float64 {
		u, _ := w.Node(a.Observation.Current.Title)
		v, _ := w.Node(a.Observation.Target.Title)
		column, _ := w.Column(v)
		return float64(column[u])
	}
	c := open(t, hostOf(w, game.Defaults, tasksOf(w, 50)), slots, env.RewardShaped)
	from, sum := make([]float64, slots), make([]float64, slots)
	played, moved, outcomes := 0, 0, map[string]int{}
	c.walk(slots, episodes, func(i int, before, after told) {
		if before.Observation.Step == 1 && sum[i] == 0 {
			from[i] = far(before)
		}
		if sum[i] += after.Reward; after.Outcome == "" {
			return
		}
		if way := from[i] - far(after); sum[i] != way {
			t.Errorf(
				"slot %d, %s: the rewards sum to %v, the distance fell by %v",
				i,
				after.Outcome,
				sum[i],
				way,
			)
		}
		played, outcomes[after.Outcome], sum[i] = played+1, outcomes[after.Outcome]+1, 0
		if from[i] != far(after) {
			moved++
		}
	})
	if played < episodes || moved < episodes/2 || outcomes[schemas.OutcomeSuccess] == 0 ||
		outcomes[schemas.OutcomeGaveUp] == 0 {
		t.Errorf("%d episodes, %d of which led anywhere, with the outcomes %v", played, moved, outcomes)
	}
}

// liar is a world that is told wrong distances: all that follows from them is then wrong, too.
type liar struct{ *gametest.World }

func (l liar) Column(target uint32) ([]uint8, error) {
	column, err := l.World.Column(target)
	column = slices.Clone(column)
	for u := range column {
		if column[u] > 0 {
			column[u] = 1 + (column[u]*37+uint8(u))%90
		}
	}
	return column, err
}

// What a player sees is the same whatever the distances are: menus that are cut by them are not.
func TestNoDistanceReachesAPlayerUnlessAskedFor(t *testing.T) {
	w := world()
	for _, at := range []string{schemas.InterfaceEnv, schemas.InterfaceChat} {
		script := func(w game.World, exposed bool, rewards ...string) string {
			tasks := tasksOf(world(), 50)
			for i := range tasks { // an instance must agree with its graph
				column, _ := w.Column(tasks[i].Target.Node)
				tasks[i].Length = int(column[tasks[i].Source.Node])
			}
			h := hostOf(w, game.Defaults, tasks, "pruning=none")
			h.Manner.Interface, h.Exposed = at, exposed
			c := open(t, h, 1, rewards...)
			draw := rng.New(2, "script")
			for range 40 {
				c.ask(`{"op":"reset","slots":[{"slot":0}]}`)
				for range 12 {
					n := draw.Below(9)
					move := fmt.Sprintf(`"choice":%d`, n)
					if at == schemas.InterfaceChat {
						move = fmt.Sprintf(`"text":"<answer>%d</answer>"`, n)
					}
					c.ask(`{"op":"step","slots":[{"slot":0,%s}]}`, move)
				}
			}
			return c.seen.String()
		}
		honest := script(w, false, env.RewardSuccess)
		if lied := script(liar{w}, false, env.RewardSuccess); honest != lied {
			t.Errorf("%s: other distances are seen", at)
		}
		if script(w, false, env.RewardShaped) == script(liar{w}, false, env.RewardShaped) {
			t.Errorf("%s: the shaped reward is none of the distances", at)
		}
		if exposed := script(w, true, env.RewardSuccess); exposed == script(
			liar{w},
			true,
			env.RewardSuccess,
		) ||
			!strings.Contains(exposed, `"oracle":{"left":`) {
			t.Errorf("%s: the oracle that is asked for says nothing of the distances", at)
		}
		if strings.Contains(honest, `"oracle":{`) || strings.Contains(honest, `"left"`) {
			t.Errorf("%s: an oracle is told unasked", at)
		}
	}
}

// Where a ban cuts the way, the potential is below all that was there before, and stays.
func TestShapedRewardsTelescopeWhereNoWayIsLeft(t *testing.T) {
	w := gametest.Random(8, 120, 6, 40).Label(4, "Work", "Place")
	feasible, _ := bantest.BannedInstances(w, 6, 12, 2, "Work")
	var tasks []game.Task
	for _, inst := range feasible {
		tasks = append(tasks, bantest.TaskOf(inst))
	}
	h := hostOf(w, game.BanDefaults, tasks, "violation=continue", "invalid=consume", "revisit=allow")
	h.Exposed = true
	c := open(t, h, 8, env.RewardShaped, env.RewardSuccess)
	from, most, sum, lost, wins := make([]int, 8), make([]int, 8), make([]float64, 8), 0, 0.0
	c.walk(8, 300, func(i int, before, after told) {
		if before.Instance != "" {
			from[i], most[i], sum[i] = *before.Oracle.Left, *before.Oracle.Left, 0
		}
		sum[i] += after.Rewards[env.RewardShaped]
		wins += after.Rewards[env.RewardSuccess]
		left := most[i] + 1
		if after.Oracle.Left != nil {
			left = *after.Oracle.Left
			most[i] = max(most[i], left)
		} else {
			lost++
		}
		if sum[i] != float64(from[i]-left) {
			t.Errorf("slot %d: the rewards sum to %v, from %d to %d", i, sum[i], from[i], left)
		}
		if after.Won != (after.Rewards[env.RewardSuccess] == 1) ||
			after.Reward != after.Rewards[env.RewardShaped]+after.Rewards[env.RewardSuccess] {
			t.Errorf("slot %d: %+v", i, after)
		}
	})
	if wins == 0 {
		t.Error("nobody won")
	}
	t.Logf("%d turns without a way, %v games won", lost, wins)
}

func TestEqualRequestsGetEqualAnswersOnAnyNumberOfProcessors(t *testing.T) {
	w := world()
	play := func(processors int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		c := open(t, hostOf(w, game.Defaults, tasksOf(w, 50)), 16, env.Rewards...)
		c.walk(16, 60, func(int, told, told) {})
		return c.seen.String()
	}
	if one, four := play(1), play(4); one != four {
		t.Error("four processors play otherwise than one")
	}
}

func TestATaskIsDrawnByItsSeedAlone(t *testing.T) {
	w := world()
	c := open(t, hostOf(w, game.Defaults, tasksOf(w, 50)), 3, env.RewardSuccess)
	names := func(format string) (list []string) {
		for _, a := range c.slots(format) {
			list = append(list, a.Instance)
		}
		return list
	}
	both := names(
		`{"op":"reset","slots":[{"slot":0,"seed":7},{"slot":1,"seed":7},{"slot":2,"seed":8}]}`,
	)
	next := names(`{"op":"reset","slots":[{"slot":2},{"slot":1},{"slot":0}]}`)
	if both[0] != both[1] || both[0] == both[2] || next[1] != next[2] || next[0] == next[1] {
		t.Errorf("drawn: %v, then %v", both, next)
	}
	again := names(`{"op":"reset","slots":[{"slot":1,"seed":7},{"slot":0,"instance":"wr-easy-0003"}]}`)
	if again[0] != both[0] ||
		again[1] != "wr-easy-0003" {
		t.Errorf("drawn again: %v", again)
	}
}

func TestAResetThatIsRefusedDrawsNothing(t *testing.T) {
	w := world()
	tasks := tasksOf(w, 50)
	drawn := func(refused string) (list []string) {
		c := open(t, hostOf(w, game.Defaults, tasks), 1, env.RewardSuccess)
		for i := range 6 {
			reset := `{"op":"reset","slots":[{"slot":0}]}`
			if i == 2 {
				reset = `{"op":"reset","slots":[{"slot":0,"seed":3}]}`
			}
			if refused != "" && c.slots(`{"op":"reset","slots":[{"slot":0,%s}]}`, refused)[0].Error == nil {
				t.Fatalf("%s is not refused", refused)
			}
			list = append(list, c.slots(reset)[0].Instance)
		}
		return list
	}
	want := drawn("")
	for _, refused := range []string{
		`"options":{"max_steps":"x"}`, `"seed":7,"options":{"max_steps":"x"}`, `"instance":"nowhere"`,
	} {
		if got := drawn(refused); !slices.Equal(got, want) {
			t.Errorf("after refusals of %s: drawn %v, want %v", refused, got, want)
		}
	}
}

func TestWhatASlotRefusesTouchesNoOther(t *testing.T) {
	w := world()
	h := hostOf(w, game.Defaults, tasksOf(w, 5))
	h.Strict = true
	c := open(t, h, 3, env.RewardSuccess)
	c.slots(`{"op":"reset","slots":[{"slot":0,"seed":1},{"slot":1,"seed":1}]}`)
	for _, x := range []struct{ slot, code string }{
		{`{"slot":0,"choice":999}`, family.CodeBadChoice},
		{`{"slot":0,"back":true}`, family.CodeBackDisabled},
		{`{"slot":0}`, family.CodeBadField},
		{`{"slot":0,"choice":0,"text":"1"}`, family.CodeBadField},
		{`{"slot":0,"choice":0,"seed":3}`, family.CodeBadField},
		{`{"slot":0,"text":"1","stated":{"reasoning":"x"}}`, family.CodeBadField},
		{`{"slot":0,"choice":0,"usage":{"prompt":-1,"output":1}}`, family.CodeBadField},
		{`{"slot":0,"choice":0,"cost":"much"}`, family.CodeBadField},
		{`{"slot":0,"text":"` + strings.Repeat("x", 1<<20+1) + `"}`, family.CodeBadField},
		{`{"slot":2,"choice":0}`, family.CodeNotFound},
		{`{"slot":2,"give_up":true}`, family.CodeNotFound},
	} {
		got := c.slots(`{"op":"step","slots":[%s,{"slot":1,"choice":0}]}`, x.slot)
		if got[0].Error == nil || got[0].Error.Code != x.code || got[1].Error != nil || !got[1].Valid {
			t.Errorf("%.99s: got %+v", x.slot, got)
		}
		c.slots(`{"op":"reset","slots":[{"slot":1,"seed":1}]}`)
	}
	for _, x := range []struct{ slot, code string }{
		{`"instance":"nowhere"`, family.CodeInstanceNotFound},
		{`"instance":"wr-easy-0001","seed":1`, family.CodeBadField},
		{`"choice":1`, family.CodeBadField},
		{`"options":{"max_steps":"x"}`, family.CodeBadOption},
		{`"options":{"oracle":"D"}`, family.CodeBadOption},
	} {
		if got := c.slots(`{"op":"reset","slots":[{"slot":0,%s}]}`, x.slot); got[0].Error == nil ||
			got[0].Error.Code != x.code {
			t.Errorf("%s: got %+v", x.slot, got)
		}
	}
	if got := c.slots(`{"op":"step","slots":[{"slot":0,"choice":0}]}`); got[0].Error != nil ||
		got[0].Observation.Step != 2 {
		t.Errorf("a refused slot has changed: %+v", got)
	}
	short := `{"op":"reset","slots":[{"slot":0,"options":{"max_steps":1}}]}`
	if got := c.slots(short); got[0].Error != nil {
		t.Errorf("got %+v", got)
	}
	if got := c.slots(`{"op":"step","slots":[{"slot":0,"choice":0}]}`); !got[0].Truncated ||
		got[0].Outcome != schemas.OutcomeStepLimit {
		t.Errorf("one step is the limit: %+v", got)
	}
	if got := c.slots(`{"op":"step","slots":[{"slot":0,"choice":0}]}`); got[0].Error == nil ||
		got[0].Error.Code != family.CodeGameOver {
		t.Errorf("got %+v", got)
	}
}

// kept is a log that only keeps.
type kept []session.Finished

func (k *kept) Keep(f session.Finished) error {
	*k = append(*k, f)
	return nil
}

func TestAnEpisodeThatIsGivenUpEndsThen(t *testing.T) {
	log, now := &kept{}, time.Unix(0, 0)
	h := hostOf(world(), game.Defaults, tasksOf(world(), 5))
	h.Log, h.Now = log, func() time.Time { return now }
	c := open(t, h, 1, env.RewardSuccess)
	c.slots(`{"op":"reset","slots":[{"slot":0}]}`)
	now = now.Add(time.Minute)
	c.slots(`{"op":"step","slots":[{"slot":0,"give_up":true}]}`)
	if len(*log) != 1 || (*log)[0].Ended.Sub((*log)[0].Started) != time.Minute {
		t.Errorf("kept %+v, want one of a minute", *log)
	}
}

func TestALineThatIsNoRequestIsAnsweredAndEndsNothing(t *testing.T) {
	w := world()
	c := open(t, hostOf(w, game.Defaults, tasksOf(w, 5)), 2, env.RewardSuccess)
	for _, line := range []string{
		``, `x`, `[]`, `{"op":"dance"}`, `{"op":"step","slot":0}`, `{"op":"step","slots":[{"slot":2}]}`,
		`{"op":"step","slots":[{"slot":-1}]}`, `{"op":"reset","slots":[{"slot":0},{"slot":0}]}`,
		`{"op":"reset","slots":[{"slot":"0"}]}`, `{"op":"list","split":"no"}`,
		`{"op":"list","limit":100000}`, "{\"op\":\"\xff\"}", strings.Repeat("[", 1000),
		strings.Repeat(" ", 65<<20),
	} {
		if got := c.ask("%s", line); !strings.HasPrefix(got, `{"error":{"code":"bad_field"`) {
			t.Errorf("%.40q: got %.200s", line, got)
		}
	}
	if got := c.ask(`{"op":"list","limit":2,"offset":1}`); !strings.HasPrefix(
		got,
		`{"total":5,"items":[{"id":"wr-easy-0002"`,
	) {
		t.Errorf("got %s", got)
	}
	if got := c.slots(`{"op":"reset","slots":[{"slot":1}]}`); got[0].Slot != 1 || got[0].Error != nil {
		t.Errorf("got %+v", got)
	}
	if got := c.ask(`{"op":"close"}`); got != "{\"closed\":true}\n" {
		t.Errorf("got %s", got)
	}
	if err := <-c.end; err != nil {
		t.Error(err)
	}
}

func TestAFamilyThatDoesNotKnowWhatIsLeftIsPaidForSuccessAlone(t *testing.T) {
	f := tiny.Family{Called: "tiny", Turns: 4, Goals: []int{5, 6}}
	o, err := f.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	set, _ := f.Open(nil, o)
	h := &session.Host{
		Family:  f,
		Set:     set,
		Options: o,
		Manner:  family.Manner{Interface: schemas.InterfaceEnv},
		Now:     time.Now,
	}
	if err := h.Offer(nil, nil); err != nil {
		t.Fatal(err)
	}
	conf := env.Config{Host: h, Rewards: []string{env.RewardSuccess}, Gamma: 1, Slots: 1}
	if _, err := env.New(conf); err != nil {
		t.Error(err)
	}
	for _, name := range []string{env.RewardShaped, env.RewardAccuracy} {
		conf.Rewards = []string{name}
		if _, err := env.New(conf); err == nil || !strings.Contains(err.Error(), "family tiny") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInWordsAnEpisodeIsPlayedAsAModelIsAsked(t *testing.T) {
	w := world()
	h := hostOf(w, game.Defaults, tasksOf(w, 5))
	h.Manner.Interface = schemas.InterfaceChat
	c := open(t, h, 1, env.RewardSuccess)
	a := c.slots(`{"op":"reset","slots":[{"slot":0}]}`)[0]
	e, err := h.Set.Start(
		family.Task{ID: a.Instance},
		h.Options,
		family.Manner{Interface: schemas.InterfaceChat},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := e.Messages()
	if fmt.Sprint(a.Messages) != fmt.Sprint(want) || a.Text != want[len(want)-1].Content {
		t.Errorf("asked %v, want %v", a.Messages, want)
	}
	if got := c.slots(`{"op":"step","slots":[{"slot":0,"choice":0}]}`)[0]; got.Error == nil ||
		got.Error.Field != "text" {
		t.Errorf("a number is not words: %+v", got)
	}
	said := `{"op":"step","slots":[{"slot":0,"text":"so <answer>0</answer>"}]}`
	if got := c.slots(said)[0]; !got.Valid ||
		got.Observation.Step != 2 {
		t.Errorf("got %+v", got)
	}
}
