package serve_test

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

var (
	soakTime  = flag.Duration("soak", 0, "how long TestSoak plays")
	soakGames = flag.Int("soak-games", 1000, "games at a time of TestSoak")
)

// agent is a client that costs little: one connection, and of an answer only the few bytes that it needs.
type agent struct {
	conn   net.Conn
	in     *bufio.Reader
	out    []byte
	body   []byte
	stream *rng.Stream
	took   []time.Duration // of its moves
}

func newAgent(url string, number int) (*agent, error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		return nil, err
	}
	return &agent{conn: conn, in: bufio.NewReader(conn), stream: rng.New(seed, "agent", rng.Part(number))}, nil
}

// post sends a body and gives the status; the answer stands in a.body.
func (a *agent) post(path, body string) (status int, err error) {
	a.out = fmt.Appendf(a.out[:0], "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
	if _, err := a.conn.Write(a.out); err != nil {
		return 0, err
	}
	length := -1
	for {
		line, err := a.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if status == 0 {
			status, err = strconv.Atoi(string(line[9:12]))
		} else if rest, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, err = strconv.Atoi(string(bytes.TrimSpace(rest)))
		} else if len(line) == 2 {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	a.body = slices.Grow(a.body[:0], length)[:length]
	_, err = io.ReadFull(a.in, a.body)
	return status, err
}

// value returns what stands behind a key in the answer, up to the next comma, bracket or quote.
func (a *agent) value(key string) string {
	_, rest, _ := bytes.Cut(a.body, []byte(`"`+key+`":`))
	rest = bytes.TrimPrefix(rest, []byte(`"`))
	if i := bytes.IndexAny(rest, `,}]"`); i >= 0 {
		rest = rest[:i]
	}
	return string(rest)
}

// play plays one game by chance and gives its moves. Each answer must be of the turn after the one that was played: none is lost,
// none counts twice.
func (a *agent) play(instance string, more func() bool) error {
	if status, err := a.post("/v1/games", `{"instance":"`+instance+`"}`); err != nil || status != 201 {
		return fmt.Errorf("status %d, %w, %s", status, err, a.body)
	}
	path := "/v1/games/" + a.value("game") + "/move"
	for step := 1; more(); step++ {
		choice := a.stream.Below(bytes.Count(a.body, []byte(`{"i":`)))
		begin := time.Now()
		status, err := a.post(path, fmt.Sprintf(`{"step":%d,"choice":%d}`, step, choice))
		a.took = append(a.took, time.Since(begin))
		switch {
		case err != nil || status != 200:
			return fmt.Errorf("step %d: status %d, %w, %s", step, status, err, a.body)
		case a.value("step") != strconv.Itoa(step+1):
			return fmt.Errorf("step %d: the answer is about step %s", step, a.value("step"))
		case bytes.Contains(a.body, []byte(`"done":true`)):
			return nil
		}
	}
	return errEnough
}

var errEnough = errors.New("enough was played")

// load is what many agents measured.
type load struct {
	moves, games int64
	elapsed, cpu time.Duration   // cpu is that of the whole process
	took         []time.Duration // sorted
}

func (l load) at(share float64) time.Duration { return l.took[int(share*float64(len(l.took)-1))] }
func (l load) rate() float64                  { return float64(l.moves) / l.elapsed.Seconds() }

// cpuTime tells what this process has had of the processors, which a busy machine does not change.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// crowd lets n agents play at once as long as more says so.
func (c *client) crowd(n int, instances []string, more func() bool) load {
	c.t.Helper()
	agents := make([]*agent, n)
	for i := range agents {
		var err error
		if agents[i], err = newAgent(c.url, i); err != nil {
			c.t.Fatal(err)
		}
		defer agents[i].conn.Close()
	}
	var l load
	var games atomic.Int64
	var wg sync.WaitGroup
	begin, worked := time.Now(), cpuTime()
	for i, a := range agents {
		wg.Go(func() {
			for k := i; ; k++ {
				err := a.play(instances[k%len(instances)], more)
				if err == errEnough {
					return
				}
				if err != nil {
					c.t.Errorf("agent %d: %v", i, err)
					return
				}
				games.Add(1)
			}
		})
	}
	wg.Wait()
	l.elapsed, l.cpu, l.games = time.Since(begin), cpuTime()-worked, games.Load()
	for _, a := range agents {
		l.took = append(l.took, a.took...)
	}
	l.moves = int64(len(l.took))
	slices.Sort(l.took)
	return l
}

// broad has menus of 50 links nearly everywhere, cut from up to 400.
var broad = sync.OnceValue(func() *gametest.World { return gametest.Random(seed, 2000, 400, 300) })

func broadInstances() (names []string) {
	for _, inst := range racetest.Instances(broad(), seed, 200, 4) {
		names = append(names, inst.ID)
	}
	return names
}

// BenchmarkServe measures moves of 1,000 games at once, the clients included, without and with a log.
func BenchmarkServe(b *testing.B) {
	for _, games := range []int{1, 64, 1000} {
		b.Run(fmt.Sprintf("games=%d", games), func(b *testing.B) { benchmarkGames(b, games, nil) })
	}
	b.Run("games=1000,logged", func(b *testing.B) {
		benchmarkGames(b, 1000, func(h *session.Host) *session.Runs {
			return session.NewRuns(b.TempDir(), h, schemas.Run{ReleaseID: releaseID, Splits: []string{"easy"}, Attempts: trace.MaxAttempts}, time.Now)
		})
	})
}

func benchmarkGames(b *testing.B, games int, log func(*session.Host) *session.Runs) {
	conf := config(broad(), racetest.Instances(broad(), seed, 200, 4)...)
	if log != nil {
		runs := log(conf.Host)
		conf.Host.Log = runs
		defer func() {
			if err := runs.Close(); err != nil {
				b.Error(err)
			}
		}()
	}
	c := serving(b, conf)
	names := broadInstances()
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	l := c.crowd(games, names, func() bool { return left.Add(-1) >= 0 })
	b.StopTimer()
	b.ReportMetric(l.rate(), "moves/s")
	b.ReportMetric(float64(l.cpu.Microseconds())/float64(l.moves), "cpu-us/move")
	b.ReportMetric(float64(l.at(0.5).Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(l.at(0.99).Microseconds())/1000, "p99-ms")
}

// TestManySlowConnections: an ordinary request stays fast beside 500 clients that send a byte now and then.
func TestManySlowConnections(t *testing.T) {
	n, most := 500, 50*time.Millisecond
	if raceEnabled {
		n, most = 100, time.Second
	}
	c := serving(t, config(wide(), racetest.Instances(wide(), seed, 1, 3)...))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range n {
		conn := dial(t, c)
		wg.Go(func() {
			for _, b := range []byte("POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n" + strings.Repeat(" ", 4000)) {
				if _, err := conn.Write([]byte{b}); err != nil {
					return
				}
				select {
				case <-stop:
					return
				case <-time.After(20 * time.Millisecond):
				}
			}
		})
	}
	b := c.start("wr-easy-0001", `{}`)
	var took []time.Duration
	for begin := time.Now(); time.Since(begin) < 1500*time.Millisecond; {
		at := time.Now()
		c.ask("GET", "/v1/games/"+b.Game, "", new(any))
		took = append(took, time.Since(at))
	}
	close(stop)
	wg.Wait()
	slices.Sort(took)
	// Other work on the machine may delay one request; it does not delay half of them.
	if median := took[len(took)/2]; median > most {
		t.Errorf("the median of %d requests is %v beside %d slow connections", len(took), median, n)
	}
	t.Logf("%d requests beside %d slow connections: median %v, p99 %v, longest %v", len(took), n, took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
}

// TestSoak plays for as long as -soak says: make soak.
func TestSoak(t *testing.T) {
	if *soakTime == 0 {
		t.Skip("for how long? make soak says")
	}
	conf := config(broad(), racetest.Instances(broad(), seed, 200, 4)...)
	conf.Limits.TTL = 20 * time.Second
	c := serving(t, conf)
	for _, n := range []int{1, 16, 64, 256, *soakGames} {
		until := time.Now().Add(*soakTime / 5)
		g0, h0 := usage()
		l := c.crowd(n, broadInstances(), func() bool { return time.Now().Before(until) })
		t.Logf("%4d games at a time: %d games, %d moves, %.0f moves/s, p50 %v, p99 %v", n, l.games, l.moves, l.rate(), l.at(0.5), l.at(0.99))
		l.took = nil
		time.Sleep(conf.Limits.TTL + conf.Limits.TTL/4)
		if g1, h1 := usage(); g1 > g0+g0/20 || h1 > h0+h0/20+(1<<20) {
			t.Errorf("%d goroutines and %d bytes before, %d and %d afterwards", g0, h0, g1, h1)
		}
	}
}
