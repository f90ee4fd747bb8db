package serve

import (
	"sync"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas/fault"
)

// games is the table of games: those that run, and those that ended and may still be asked for.
type games struct {
	limit int
	ttl   time.Duration
	now   func() time.Time

	mu                         sync.Mutex
	byID                       map[string]*entry
	over                       []*entry // in the order in which they ended; some may be gone from byID
	running                    int
	draining                   bool
	quiet                      chan struct{} // closed once no game runs while draining
	nBegun, nEnded, nAbandoned int
}

type entry struct {
	*session.Session
	used  time.Time
	ended time.Time // zero while the game runs
}

// settled is how long an ended game keeps its place: its client may not have heard of the end.
const settled = time.Minute

// add takes a game into the table, in the place of one that ended long ago if there is no other.
func (g *games) add(s *session.Session) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.room(); err != nil {
		return err
	}
	g.byID[s.ID] = &entry{Session: s, used: g.now()}
	g.running++
	g.nBegun++
	return nil
}

func (g *games) free() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.room()
}

func (g *games) room() error {
	if g.draining {
		return problem(family.CodeTooManyGames, "", "the server is stopping; no new game begins")
	}
	for len(g.byID) >= g.limit && len(g.over) > 0 {
		first := g.over[0]
		if g.byID[first.ID] == first {
			if g.now().Sub(first.ended) < settled {
				break
			}
			delete(g.byID, first.ID)
		}
		g.over = g.over[1:]
	}
	if len(g.byID) >= g.limit {
		return problem(family.CodeTooManyGames, "", "%d games at a time, and no more", g.limit)
	}
	return nil
}

func (g *games) get(id string) (*entry, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	e, ok := g.byID[id]
	if !ok {
		return nil, problem(codeGameNotFound, "id", "no game %s", fault.Quote(id))
	}
	e.used = g.now()
	return e, nil
}

func (g *games) end(e *entry) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !e.ended.IsZero() || g.byID[e.ID] != e {
		return
	}
	e.ended = g.now()
	g.over = append(g.over, e)
	g.nEnded++
	g.leave()
}

func (g *games) leave() {
	g.running--
	if g.draining && g.running == 0 {
		close(g.quiet)
	}
}

// sweep forgets the games that nobody asked for within the TTL.
func (g *games) sweep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	oldest := g.now().Add(-g.ttl)
	for id, e := range g.byID {
		if e.used.Before(oldest) {
			delete(g.byID, id)
			if e.ended.IsZero() {
				g.nAbandoned++
				g.leave()
			}
		}
	}
	kept := make([]*entry, 0, len(g.byID))
	for _, e := range g.over {
		if g.byID[e.ID] == e {
			kept = append(kept, e)
		}
	}
	g.over = kept
}

func (g *games) plays(name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, e := range g.byID {
		if t := e.Task(); e.ended.IsZero() && (t.ID == name || t.Instance == name) {
			return true
		}
	}
	return false
}

func (g *games) sweepEvery(pause time.Duration) (stop func()) {
	ticker, done := time.NewTicker(max(pause, time.Millisecond)), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-ticker.C:
				g.sweep()
			case <-done:
				return
			}
		}
	})
	return func() {
		ticker.Stop()
		close(done)
		wg.Wait()
	}
}

// drain lets no game begin, and waits until none runs, but no longer than so.
func (g *games) drain(long time.Duration) {
	g.mu.Lock()
	g.draining = true
	if g.running == 0 {
		close(g.quiet)
	}
	g.mu.Unlock()
	select {
	case <-g.quiet:
	case <-time.After(long):
	}
}

func (g *games) counts() (begun, ended, running int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.nBegun, g.nEnded, g.running
}
