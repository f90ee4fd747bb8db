// Package reader plays legs without a model: the rule reader, which follows a riddle by the
// wordings from which clues are made, and the baselines, which each lack something that a player
// has. The generator accepts no leg that the rule reader cannot follow. Judges have no need of it.
package reader

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

// Reader reads riddles over a world. It is not safe for concurrent use.
type Reader struct {
	*aar.Tools
	clues  func() *aar.Index // of navigation phrases
	rank   *aar.Ranking      // of clues, nil until it is asked
	agents *aar.Ranking      // of the agents' search
	facts  func(page int) []aar.Fact
	links  func(page int) []int

	offered map[string]bool // tools that world and cassette answer, without an interpreter
}

// New returns a reader over an index of clues; facts and links are those of the pages.
func New(t *aar.Tools, clues *aar.Index, facts func(page int) []aar.Fact,
	links func(page int) []int,
) *Reader {
	return newReader(t, func() *aar.Index { return clues }, facts, links)
}

func newReader(t *aar.Tools, clues func() *aar.Index, facts func(page int) []aar.Fact,
	links func(page int) []int,
) *Reader {
	r := &Reader{
		Tools: t, clues: clues, agents: aar.NewRanking(t.World.Index), facts: facts, links: links,
		offered: map[string]bool{},
	}
	for _, s := range (&aar.Tools{Cassette: t.Cassette}).Offered() {
		r.offered[s.Name] = true
	}
	return r
}

// Over returns a reader over a world. It makes its index of clues once a clue is looked up in it,
// which reads all texts: strategies that have no such index do not wait for one.
func Over(t *aar.Tools) *Reader {
	clues := sync.OnceValue(func() *aar.Index { return aar.ClueIndex(t.World, t.World.Facts) })
	return newReader(t, clues, t.World.Facts, t.World.Links)
}

// Another returns a reader for another worker; both share the index of clues.
func (r *Reader) Another() *Reader { return newReader(r.Tools, r.clues, r.facts, r.links) }

// Stop is a clue as it was followed. Page is that of a page clue, -1 for none; Value is nil where
// the clue was not understood or something that it needs is not known.
type Stop struct {
	Clue  aar.Clue
	Text  string
	Page  int
	Value schemas.AARValue
	Chain []schemas.AARCall // that was run
}

// Reading is a riddle as it was followed. Code is the answer, if it is known.
type Reading struct {
	Stops []Stop
	Code  int
	Known bool
}

// way is how a strategy finds pages, and whether it reads them.
type way struct {
	find     func(ctx context.Context, x *Reading, s *Stop) (page int, ok bool)
	fetch    bool
	searches bool // find asks the agents' search
}

// Read follows a riddle by the index of clues.
func (r *Reader) Read(ctx context.Context, riddle, seedURL string) Reading {
	return r.follow(ctx, riddle, seedURL, way{find: r.resolve, fetch: true})
}

func (r *Reader) follow(ctx context.Context, riddle, seedURL string, by way) (x Reading) {
	for _, text := range aar.SplitRiddle(riddle) {
		s := Stop{Text: text, Page: -1}
		if read := aar.ReadClue(text); len(read) == 1 {
			s.Clue = read[0]
			r.stop(ctx, &x, &s, seedURL, by)
		}
		x.Stops = append(x.Stops, s)
	}
	if n := len(x.Stops); n > 0 && strings.HasPrefix(x.Stops[n-1].Clue.Slot, "finish.") &&
		x.Stops[n-1].Value != nil {
		code, err := aar.Operand(x.Stops[n-1].Value)
		x.Code, x.Known = int(aar.Mod10(code)), err == nil
	}
	return x
}

// stop follows a clue.
func (r *Reader) stop(ctx context.Context, x *Reading, s *Stop, seedURL string, by way) {
	group, name, _ := strings.Cut(s.Clue.Slot, ".")
	var err error
	switch group {
	case "page":
		r.page(ctx, x, s, seedURL, by)
	case "tool":
		err = r.tool(ctx, x, s, name)
	case "merge":
		a, b := x.value(s.Clue.A), x.value(s.Clue.B)
		if a != nil && b != nil {
			s.Chain = aar.MergeChain(aar.Computation{
				Kind: name, Values: []string{string(a), string(b)},
			})
			s.Value, err = r.Run(ctx, s.Chain)
		}
	case "reason":
		if v := x.value(s.Clue.A); v != nil {
			var n int64
			n, err = aar.Transform(name, v)
			s.Value = aar.IntegerValue(n)
		}
	case "finish":
		s.Value, err = x.finish(name, s.Clue.List)
	}
	if err != nil {
		s.Value = nil
	}
}

// at returns the stop of a clue before; nil for none.
func (x *Reading) at(number int) *Stop {
	if number < 1 || number > len(x.Stops) {
		return nil
	}
	return &x.Stops[number-1]
}

func (x *Reading) value(number int) schemas.AARValue {
	if s := x.at(number); s != nil {
		return s.Value
	}
	return nil
}

// resolve finds the page of a clue by the index of clues: among the links of the page that the
// clue names, or among all.
func (r *Reader) resolve(_ context.Context, x *Reading, s *Stop) (int, bool) {
	var among []int
	if r.rank == nil {
		r.rank = aar.NewRanking(r.clues())
	}
	if s.Clue.Slot == aar.SlotLink {
		from := x.at(s.Clue.A)
		if from == nil || from.Page < 0 {
			return 0, false
		}
		among = r.links(from.Page)
		r.rank.RankAmong(s.Clue.Phrase, among)
	} else {
		r.rank.Rank(s.Clue.Phrase)
	}
	if best := r.rank.Best(among, 1); len(best) > 0 {
		return best[0].Page, true
	}
	return 0, false
}

// page finds the page of a clue and reads the fact that it asks for.
func (r *Reader) page(ctx context.Context, x *Reading, s *Stop, seedURL string, by way) {
	ok := false
	page := 0
	if s.Clue.Slot == aar.SlotSeed {
		page, ok = r.World.Page(seedURL)
	} else {
		page, ok = by.find(ctx, x, s)
	}
	if !ok {
		return
	}
	s.Page = page
	if !by.fetch {
		return
	}
	value, typ, ok := aar.Asked(r.facts(page), s.Clue.Target())
	switch {
	case !ok:
	case typ == "number":
		s.Value, _ = aar.NumberValue(value) // nil with an error
	default:
		s.Value = aar.TextValue(value)
	}
}

var errUnknown = errors.New("something that the clue needs is not known")

// tool runs the chain of a clue.
func (r *Reader) tool(ctx context.Context, x *Reading, s *Stop, template string) (err error) {
	values, err := r.arguments(x, s)
	if err != nil {
		return err
	}
	s.Chain = aar.Chain(template, values)
	if s.Value, err = r.Run(ctx, s.Chain); err != nil {
		s.Chain = nil
	}
	return err
}

// arguments returns what the variables of a template stand for.
func (r *Reader) arguments(x *Reading, s *Stop) (map[string]string, error) {
	c := s.Clue
	template := strings.TrimPrefix(c.Slot, "tool.")
	title := func(number int) string {
		if at := x.at(number); at != nil && at.Page >= 0 {
			return r.World.Title(at.Page)
		}
		return ""
	}
	known := func(name, value string) (map[string]string, error) {
		if value == "" {
			return nil, errUnknown
		}
		return map[string]string{name: value, "poi_type": c.Place}, nil
	}
	switch v := x.value(c.A); {
	case aar.Asks(template, "location_b"):
		if title(c.A) == "" || title(c.B) == "" {
			return nil, errUnknown
		}
		return map[string]string{"location_a": title(c.A), "location_b": title(c.B)}, nil
	case aar.Asks(template, "date"):
		return r.dated(template, c, x.at(c.A))
	case aar.Asks(template, "location"):
		return known("location", title(c.A))
	case c.Answer:
		name, _ := aar.TextOf(v)
		return known("country", name)
	case strings.HasPrefix(c.Slot, "tool.country_"):
		return known("country", title(c.A))
	case v == nil:
		return nil, errUnknown
	case c.Slot == "tool.date_computation":
		return dates(v, c.Date)
	default:
		return conversion(v, c)
	}
}

// dated returns the place, share or coin of the page of a clue, and the day that the clue means:
// its answer, or what a note names.
func (r *Reader) dated(template string, c aar.Clue, at *Stop) (map[string]string, error) {
	if at == nil || at.Page < 0 || at.Value == nil {
		return nil, errUnknown
	}
	day, err := aar.DateOf(at.Value)
	if c.Date != "" {
		day, err = aar.ShortDay(c.Date), nil
	}
	values := map[string]string{
		"location": r.World.Title(at.Page), "date": aar.DayOf(template, day),
	}
	for _, name := range []string{"ticker", "symbol"} {
		if aar.Asks(template, name) {
			if values[name] = aar.Symbol(r.World.Text(at.Page).Text, name); values[name] == "" {
				return nil, errUnknown
			}
		}
	}
	return values, err
}

func dates(v schemas.AARValue, shown string) (map[string]string, error) {
	from, err := aar.DateOf(v)
	to, errTo := time.Parse("2 January 2006", shown)
	code := aar.Computation{
		Kind: aar.DaysKind, Values: []string{from, to.Format(time.DateOnly)},
	}.Python()
	return map[string]string{"python": code}, errors.Join(err, errTo)
}

func conversion(v schemas.AARValue, c aar.Clue) (map[string]string, error) {
	for _, f := range aar.Conversions() {
		if f.From == c.From && f.To == c.To && f.Shown == c.Factor {
			code := aar.Computation{
				Kind: aar.Conversion, Values: []string{string(v)},
				Factor: f.Value,
			}.Python()
			return map[string]string{"python": code}, nil
		}
	}
	return nil, errUnknown
}

// finish computes the code.
func (x *Reading) finish(reduction string, list []int) (schemas.AARValue, error) {
	e := aar.Expression{Reduction: reduction}
	for _, number := range list {
		v := x.value(number)
		if v == nil {
			return nil, errUnknown
		}
		n, err := aar.Operand(v)
		if err != nil {
			return nil, err
		}
		e.Operands = append(e.Operands, n)
	}
	if len(e.Operands) < 2 {
		return nil, errUnknown
	}
	n, err := e.Value()
	return aar.IntegerValue(n), err
}

// Alignment is how well a reading fits a leg, from 0 to 1: the mean of the number of its clues,
// the pages that it found, the templates that it knew, and the finish.
func (r *Reader) Alignment(l *schemas.AARLeg, x Reading) float64 {
	pages, found, tools, known := 0, 0, 0, 0
	for i := range l.Stops {
		var got Stop
		if i < len(x.Stops) {
			got = x.Stops[i]
		}
		switch l.Stops[i].Type {
		case schemas.AARPage:
			pages++
			if r.Right(l, x, i) {
				found++
			}
		case schemas.AARTool:
			tools++
			slot := aar.TemplateOf(&l.Stops[i])
			if got.Clue.Slot == slot || slot == "merge." && strings.HasPrefix(got.Clue.Slot, slot) {
				known++
			}
		}
	}
	return (lengths(len(l.Stops)-len(x.Stops)) + share(found, pages) + share(known,
		tools) + finishKnown(l, x)) / 4
}

// Right reports whether the page of a page stop was found, or the value of another.
func (r *Reader) Right(l *schemas.AARLeg, x Reading, i int) bool {
	s := &l.Stops[i]
	if i >= len(x.Stops) {
		return false
	}
	if s.Type == schemas.AARPage && s.PageURL != nil {
		page, ok := r.World.Page(*s.PageURL)
		return ok && x.Stops[i].Page == page
	}
	return string(x.Stops[i].Value) == string(s.ExtractedValue)
}

func lengths(difference int) float64 {
	switch difference = max(difference, -difference); {
	case difference <= 2:
		return 1
	case difference <= 4:
		return 0.5
	}
	return 0
}

// share is n of all, 1 where there is nothing to find.
func share(n, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(n) / float64(all)
}

// finishKnown is 1 if the reduction of a leg and its operands were read.
func finishKnown(l *schemas.AARLeg, x Reading) float64 {
	e, _, err := aar.FinishOf(l)
	n := len(x.Stops)
	if err != nil || n == 0 || x.Stops[n-1].Clue.Slot != "finish."+e.Reduction {
		return 0
	}
	refs := e.Used(l.Stops[len(l.Stops)-1].Bridge.ReferencedStops)
	list := x.Stops[n-1].Clue.List
	if len(list) != len(refs) {
		return 0
	}
	for i, ref := range refs {
		if list[i] != ref+1 {
			return 0
		}
	}
	return 1
}
