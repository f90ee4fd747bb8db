package serve_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

const seed = 5

var wide = sync.OnceValue(func() *gametest.World { return gametest.Random(seed, 400, 120, 60) })

// sums gives a checksum of each game's steps in a run, by instance, without what names the run and what the clock says.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	steps, out := map[string]hash.Hash{}, map[string]string{}
	read(t, filepath.Join(dir, trace.StepsFile), func(s schemas.Step) {
		if steps[s.Instance] == nil {
			steps[s.Instance] = sha256.New()
		}
		s.Run, s.Game, s.LatencyMS = "", "", 0
		steps[s.Instance].Write(canon.MustMarshal(s))
	})
	read(t, filepath.Join(dir, trace.GamesFile), func(g schemas.Game) {
		fmt.Fprintln(steps[g.Instance], g.Outcome, g.Turns, g.Path)
		out[g.Instance] = fmt.Sprintf("%x", steps[g.Instance].Sum(nil))
	})
	return out
}

func read[T any](t *testing.T, path string, visit func(T)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		visit(v)
	}
}

// walk plays a game as the player random does. Each turn is sent twice at the same time.
func (c *client) walk(inst string) {
	b := c.start(inst, `{}`)
	stream := rng.New(seed, "player", "random", inst, "1")
	for o := b.Observation; !o.Done; {
		body := fmt.Sprintf(`{"step":%d,"choice":%d}`, o.Step, stream.Below(len(o.Links)))
		var answers [2]answer
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() { answers[i] = c.send("POST", "/v1/games/"+b.Game+"/move", body) })
		}
		wg.Wait()
		if answers[0].status != 200 || !bytes.Equal(answers[0].body, answers[1].body) {
			c.t.Errorf("%s %s: %d %s and %d %s", inst, body, answers[0].status, answers[0].body, answers[1].status, answers[1].body)
			return
		}
		o = c.move(b.Game, body).Observation
	}
}

func Test64GamesAtOnceEqualThoseInProcess(t *testing.T) {
	instances := racetest.Instances(wide(), seed, 64, 3)
	conf := config(wide(), instances...)
	conf.Host.Replies = false
	h := conf.Host
	run := schemas.Run{ReleaseID: releaseID, Splits: []string{"easy"}, Attempts: 1, Tool: "test", Seed: seed}
	player, err := play.Setup{}.Player(h.Set, "random")
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(t.TempDir(), "in-process")
	if _, err = play.Run(t.Context(), play.Config{
		Dir: want, Run: play.Describe(run), Family: h.Family, Set: h.Set, Tasks: familytest.Tasks(t, h.Set, "easy"), Options: h.Options, Player: player, Workers: 2, Now: time.Now,
	}); err != nil {
		t.Fatal(err)
	}
	logs := t.TempDir()
	runs := session.NewRuns(logs, h, run, time.Now)
	h.Log = runs
	c := serving(t, conf)
	var wg sync.WaitGroup
	for _, inst := range instances {
		wg.Go(func() { c.walk(inst.ID) })
	}
	wg.Wait()
	if err := runs.Close(); err != nil {
		t.Fatal(err)
	}
	dirs, err := os.ReadDir(logs)
	if err != nil || len(dirs) != 1 {
		t.Fatalf("%d runs, %v; want one", len(dirs), err)
	}
	got, wanted := sums(t, filepath.Join(logs, dirs[0].Name())), sums(t, want)
	for id, sum := range wanted {
		if got[id] != sum {
			t.Errorf("%s: got %s, want %s", id, got[id], sum)
		}
	}
	if len(got) != 64 {
		t.Errorf("%d games, want 64", len(got))
	}
}

// usage gives goroutines and the live heap.
func usage() (goroutines int, heap uint64) {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), m.HeapAlloc
}

func TestAfterManyGamesMemoryAndGoroutinesAreBack(t *testing.T) {
	games := 3000
	if testing.Short() || raceEnabled {
		games = 300
	}
	now := &clock{now: time.Unix(1_700_000_000, 0)}
	instances := racetest.Instances(wide(), seed, 10, 3)
	conf := config(wide(), instances...)
	conf.Host.Now, conf.Limits.TTL = now.Now, 50*time.Millisecond
	c := serving(t, conf)
	playSome := func(n int) {
		for i := range n {
			b := c.start(instances[i%10].ID, `{}`)
			c.move(b.Game, `{"step":1,"choice":0}`)
			if i%2 == 0 {
				c.ask("POST", "/v1/games/"+b.Game+"/give-up", `{"step":2}`, new(any))
			}
		}
		now.advance(time.Hour)
		time.Sleep(100 * time.Millisecond) // for the sweep
		c.http.CloseIdleConnections()
		time.Sleep(50 * time.Millisecond)
	}
	playSome(100)
	g0, h0 := usage()
	playSome(games)
	g1, h1 := usage()
	if g1 > g0+g0/20 || h1 > h0+h0/20+(256<<10) {
		t.Errorf("%d goroutines and %d bytes before %d games, %d and %d afterwards", g0, h0, games, g1, h1)
	}
}

func TestStoppingLetsRunningGamesEnd(t *testing.T) {
	conf := g9()
	conf.Limits.Drain = time.Minute
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	s := serve.New(conf)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, l) }()
	c := &client{t: t, url: "http://" + l.Addr().String(), http: newHTTP()}
	b := c.start("wr-easy-0001", `{}`)
	stop()
	for deadline := time.Now().Add(5 * time.Second); ; { // until the signal has arrived
		a := c.send("POST", "/v1/games", `{"instance":"wr-easy-0001","options":{"max_steps":1}}`)
		if a.status == 429 {
			if a.header.Get("Retry-After") == "" || !strings.Contains(string(a.body), "stopping") {
				t.Errorf("got %s", a.body)
			}
			break
		}
		var extra begun
		_ = canon.Decode(a.body, len(a.body), &extra)
		c.move(extra.Game, `{"step":1,"choice":0}`)
		if time.Now().After(deadline) {
			t.Fatal("games begin for 5 seconds after the end")
		}
	}
	for i, title := range []string{"B", "E", "G", "H", "T"} {
		select {
		case err := <-ended:
			t.Fatalf("the server ended with %v before step %d of a game", err, i+1)
		default:
		}
		c.move(b.Game, fmt.Sprintf(`{"step":%d,"title":%q}`, i+1, title))
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server does not end, though no game runs")
	}
}
