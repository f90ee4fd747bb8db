package reader

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// The baselines.
const (
	Golden   = "golden"    // makes the golden calls
	Random   = "random"    // answers a digit that is drawn
	LastClue = "last-clue" // reads the last clue and knows the passcodes of the other legs
	NoFetch  = "no-fetch"  // the rule reader, which searches and reads no page
	Paste    = "paste"     // the rule reader, which takes the first hit of the search for a clue
	RuleRead = "reader"    // the rule reader, with an index that agents do not have
)

// Players lists the baselines.
var Players = []string{Golden, Random, LastClue, NoFetch, Paste, RuleRead}

// Play is what a baseline does at a leg: the calls of each turn, and its answer. AllKnown reports
// whether it knew every operand of the finish.
type Play struct {
	Turns    [][]aar.MadeCall
	Answer   string
	AllKnown bool
}

// Set is the legs that baselines play. Passcodes are counted by reduction.
type Set struct {
	reader    *Reader
	seed      int64
	passcodes map[string]*[10]int
}

// NewSet returns a set without legs; seed is that of the player Random.
func NewSet(r *Reader, seed int64) *Set { return &Set{r, seed, map[string]*[10]int{}} }

// With returns the set for another reader, which another worker has.
func (s *Set) With(r *Reader) *Set { return &Set{r, s.seed, s.passcodes} }

// Add takes a leg into the set. All are added before the first is played.
func (s *Set) Add(l *schemas.AARLeg) {
	if e, _, err := aar.FinishOf(l); err == nil && l.Passcode >= 0 && l.Passcode <= 9 {
		if s.passcodes[e.Reduction] == nil {
			s.passcodes[e.Reduction] = new([10]int)
		}
		s.passcodes[e.Reduction][l.Passcode]++
	}
}

// Play plays a leg of the set, whose id is given.
func (s *Set) Play(ctx context.Context, player, id string, l *schemas.AARLeg) (Play, error) {
	switch player {
	case Golden:
		return s.golden(l)
	case Random:
		digit := rng.New(uint64(s.seed), "aar", "player", "random", id).Below(10)
		return Play{Answer: strconv.Itoa(digit)}, nil
	case LastClue:
		return Play{Answer: s.guess(l)}, nil
	case NoFetch:
		return s.follow(ctx, l, way{find: s.reader.firstHit, searches: true})
	case Paste:
		return s.follow(ctx, l, way{find: s.reader.firstHit, fetch: true, searches: true})
	}
	return s.follow(ctx, l, way{find: s.reader.resolve, fetch: true})
}

// guess returns the most frequent passcode of the other legs with the reduction that the last clue
// names.
func (s *Set) guess(l *schemas.AARLeg) string {
	clues := aar.SplitRiddle(l.Riddle)
	var read []aar.Clue
	if len(clues) > 0 {
		read = aar.ReadClue(clues[len(clues)-1])
	}
	var counts [10]int
	for _, reduction := range aar.Reductions {
		if len(read) == 1 && read[0].Slot == "finish."+reduction && s.passcodes[reduction] != nil {
			counts = *s.passcodes[reduction]
		}
	}
	if e, _, err := aar.FinishOf(l); err == nil && len(read) == 1 &&
		read[0].Slot == "finish."+e.Reduction {
		counts[l.Passcode]-- // this leg is none of the others
	}
	return strconv.Itoa(slices.Index(counts[:], slices.Max(counts[:])))
}

func (s *Set) golden(l *schemas.AARLeg) (p Play, err error) {
	for i := range l.Stops {
		stop := &l.Stops[i]
		var calls []aar.MadeCall
		if stop.Type == schemas.AARPage && stop.PageURL != nil {
			calls = append(calls, call("fetch_webpage", "url", *stop.PageURL))
		}
		chain, err := aar.Calls(stop.Bridge.ToolChain)
		if err != nil {
			return p, err
		}
		if calls = append(calls, chain...); len(calls) > 0 {
			p.Turns = append(p.Turns, calls)
		}
	}
	p.Answer, p.AllKnown = strconv.Itoa(l.Passcode), true
	return p, nil
}

func call(tool, key, value string) aar.MadeCall {
	args, err := json.Marshal(map[string]string{key: value})
	if err == nil {
		args, err = aar.Compact(args)
	}
	if err != nil {
		panic("aar: the arguments of a call: " + err.Error()) // a string
	}
	return aar.MadeCall{Tool: tool, Args: args}
}

// firstHit finds the page of a clue as an agent would that pastes the clue into its search.
func (r *Reader) firstHit(_ context.Context, _ *Reading, s *Stop) (int, bool) {
	r.agents.Rank(s.Text)
	hits := r.agents.Best(nil, 1)
	if len(hits) == 0 {
		return 0, false
	}
	return hits[0].Page, true
}

// follow plays the rule reader, which answers as LastClue where it does not know an operand.
func (s *Set) follow(ctx context.Context, l *schemas.AARLeg, by way) (p Play, err error) {
	x := s.reader.follow(ctx, l.Riddle, l.SeedURL, by)
	for i := range x.Stops {
		stop := &x.Stops[i]
		var calls []aar.MadeCall
		if by.searches && stop.Clue.Phrase != "" {
			calls = append(calls, call("serper_google_search", "query", stop.Text))
		}
		if by.fetch && stop.Page >= 0 {
			calls = append(calls, call("fetch_webpage", "url", s.reader.World.URL(stop.Page)))
		}
		chain, err := aar.Calls(stop.Chain)
		if err != nil {
			return p, err
		}
		chain = slices.DeleteFunc(chain, func(c aar.MadeCall) bool { return !s.reader.offered[c.Tool] })
		if calls = append(calls, chain...); len(calls) > 0 {
			p.Turns = append(p.Turns, calls)
		}
	}
	p.Answer, p.AllKnown = strconv.Itoa(x.Code), x.Known
	if !x.Known {
		p.Answer = s.guess(l)
	}
	return p, nil
}

// Score is how a play fares: whether the answer is right, and the shares of the pages that were
// fetched, of those after the seed, and of the tool stops that were done, -1 where there are none.
type Score struct {
	FA                    bool
	PVR, PVRSeedless, RCR float64
	AllKnown              bool // every operand of the finish
}

// Score judges a play as the judge does: a page stop counts if its page was fetched, a tool stop
// if every tool of its chain was called. Tools that a world does not offer are not asked for.
func (s *Set) Score(l *schemas.AARLeg, p Play) Score {
	fetched, called := map[int]bool{}, map[string]bool{}
	for _, c := range slices.Concat(p.Turns...) {
		called[c.Tool] = true
		var args struct{ URL string }
		if json.Unmarshal(c.Args, &args) == nil && c.Tool == "fetch_webpage" {
			if page, ok := s.reader.World.Page(args.URL); ok {
				fetched[page] = true
			}
		}
	}
	var pages, later, tools tally
	for i := range l.Stops {
		stop := &l.Stops[i]
		if stop.Type == schemas.AARPage && stop.PageURL != nil {
			page, ok := s.reader.World.Page(*stop.PageURL)
			pages.add(ok && fetched[page])
			if i > 0 {
				later.add(ok && fetched[page])
			}
		}
		if stop.Type == schemas.AARTool && s.offersAll(stop) {
			missing := func(c schemas.AARCall) bool { return !called[c.ToolName] }
			tools.add(!slices.ContainsFunc(stop.Bridge.ToolChain, missing))
		}
	}
	return Score{
		p.Answer == strconv.Itoa(l.Passcode), pages.share(), later.share(), tools.share(),
		p.AllKnown,
	}
}

func (s *Set) offersAll(stop *schemas.AARStop) bool {
	return !slices.ContainsFunc(stop.Bridge.ToolChain,
		func(c schemas.AARCall) bool { return !s.reader.offered[c.ToolName] })
}

// tally counts what holds of all.
type tally struct{ yes, all int }

func (t *tally) add(yes bool) {
	t.all++
	if yes {
		t.yes++
	}
}

func (t tally) share() float64 {
	if t.all == 0 {
		return -1
	}
	return float64(t.yes) / float64(t.all)
}

// Baselines plays every baseline over legs, and returns how it fares at them; seed is that of the
// player Random, and done is called after each leg of a player.
func Baselines(
	ctx context.Context, r *Reader, seed int64, legs []aar.File, workers int, done func(),
) (out []aar.ReportPlayer, err error) {
	set := NewSet(r, seed)
	for _, f := range legs {
		set.Add(f.Leg)
	}
	sets := make([]*Set, max(1, workers))
	for i := range sets {
		sets[i] = set.With(r.Another())
	}
	for _, player := range Players {
		scores := make([]Score, len(legs))
		err := graph.Each(ctx, len(sets), len(legs), func(worker, i int) error {
			f := legs[i]
			p, err := sets[worker].Play(ctx, player, aar.LegIDIn(f.Variant, f.Leg), f.Leg)
			scores[i] = sets[worker].Score(f.Leg, p)
			done()
			return err
		})
		if err != nil {
			return nil, err
		}
		out = append(out, Rows(player, len(legs), func(i int) (string, string, Score) {
			return legs[i].Variant, legs[i].Level, scores[i]
		})...)
	}
	return out, nil
}

// Rows returns how a player fares at legs, by variant and level and in total; at returns a leg's
// variant, level and score.
func Rows(
	player string, n int, at func(i int) (variant, level string, s Score),
) (out []aar.ReportPlayer) {
	row := func(variant, level string) {
		var fa, known tally
		var pvr, later, rcr mean
		for i := range n {
			v, l, s := at(i)
			if (v == variant || variant == aar.ReportAll) && (l == level || level == aar.ReportAll) {
				fa.add(s.FA)
				known.add(s.AllKnown)
				pvr.add(s.PVR)
				later.add(s.PVRSeedless)
				rcr.add(s.RCR)
			}
		}
		out = append(out, aar.ReportPlayer{
			Player: player, Variant: variant, Level: level, Legs: fa.all,
			FA:  aar.Decimal(max(0, fa.share())),
			PVR: pvr.text(), PVRSeedless: later.text(), RCR: rcr.text(), Nulls: rcr.nulls,
			AllKnown: known.yes,
		})
	}
	for _, variant := range schemas.AARVariants {
		for _, level := range schemas.AARLevels {
			row(variant, level)
		}
	}
	row(aar.ReportAll, aar.ReportAll)
	return out
}

// mean is the mean of shares; those below 0 are none.
type mean struct {
	sum      float64
	n, nulls int
}

func (m *mean) add(share float64) {
	if share < 0 {
		m.nulls++
		return
	}
	m.sum += share
	m.n++
}

func (m mean) text() string { return aar.Decimal(m.sum / float64(max(1, m.n))) }
