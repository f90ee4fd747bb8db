package onestep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// States of instances whose ends are as far apart as before.
const (
	menuChanged  = "menu_changed" // a link of the menu is gone, or others of it are nearest now
	contaminated = "contaminated" // newly drawn instances that models are scored on share its pair or target
)

// records is how instances are taken over. What they share with others is said anew, because it
// depends on what else is in the release.
func records() release.Records[schemas.OneStepInstance] {
	return release.Records[schemas.OneStepInstance]{
		Schema: schemas.OneStepInstanceSchema,
		ID:     func(x *schemas.OneStepInstance) *string { return &x.ID },
		Ends:   func(x *schemas.OneStepInstance) (source, target schemas.PageRef) { return x.Source, x.Target },
		Slot: func(set string, x *schemas.OneStepInstance) release.TallyKey {
			return release.TallyKey{Of: set, Distance: x.Distance}
		},
		Rename: rename,
	}
}

// rename leaves the words of the prompt alone where no title in them is another.
func rename(x *schemas.OneStepInstance, to *release.Pages) error {
	source, target := x.Source.Title, x.Target.Title
	if err := to.Name(&x.Source, &x.Target); err != nil {
		return err
	}
	same, titles := source == x.Source.Title && target == x.Target.Title, []string{}
	for i := range x.Menu {
		node := []uint32{x.Menu[i].Node}
		if err := to.Move(node); err != nil {
			return err
		}
		title := to.Graph.Title(node[0])
		same = same && title == x.Menu[i].Title
		x.Menu[i].Node, x.Menu[i].Title = node[0], title
		titles = append(titles, title)
	}
	if !same {
		word(x, titles)
	}
	return nil
}

// Renamed is documented at release.Carrier.
func (part) Renamed(line []byte, to *release.Pages) ([]byte, error) {
	return records().Renamed(line, to)
}

// Alone is documented at release.Related.
func (part) Alone(line []byte) ([]byte, error) {
	x, err := jsonl.DecodeLine[schemas.OneStepInstance](line, schemas.OneStepInstanceSchema)
	if err != nil {
		return nil, err
	}
	x.Overlap = schemas.OneStepOverlaps{}
	return canon.Marshal(&x)
}

// Bars is documented at release.Related: nothing may be trained on that shares its pair or target
// with what is scored, unless the parameters allow it.
func (part) Bars(params json.RawMessage, list []release.Scored) func(line []byte) (state string, err error) {
	bar := barOf(params, sharesOf(list))
	return func(line []byte) (string, error) {
		x, err := jsonl.DecodeLine[schemas.OneStepInstance](line, schemas.OneStepInstanceSchema)
		return bar(&x), err
	}
}

func barOf(params json.RawMessage, scored *scoredPairs) func(x *schemas.OneStepInstance) string {
	var p struct {
		Overlap string `json:"overlap"`
	}
	if json.Unmarshal(params, &p) != nil || p.Overlap != schemas.OverlapNone {
		return func(*schemas.OneStepInstance) string { return "" }
	}
	return func(x *schemas.OneStepInstance) string {
		if o := scored.overlaps(x); o.Pair || o.ReversedPair || o.Target {
			return contaminated
		}
		return ""
	}
}

// game is what menus need of the stage's parameters.
type game struct {
	MaxLinks int    `json:"max_links"`
	GameSeed int64  `json:"game_seed"`
	Overlap  string `json:"overlap"`
}

// Carry takes instances over. One that is drawn for a lost slot has another id than in the build,
// and with it another menu.
func (part) Carry(c *release.Carrying) error {
	var game game
	if err := json.Unmarshal(c.Now.Params, &game); err != nil {
		return err
	}
	list, err := c.Scored()
	if err != nil {
		return err
	}
	scored, how := sharesOf(list), records()
	bar := barOf(c.Now.Params, scored)
	how.Bar = func(_ string, x *schemas.OneStepInstance) string { return bar(x) }
	how.Again = func(x *schemas.OneStepInstance) error {
		column, err := c.Set.Column(x.Target.Node)
		if err == nil {
			Freeze(x, c.Graph, column, game.GameSeed, game.MaxLinks)
		}
		return err
	}
	lists, quotas, err := release.Take(c, how)
	if err != nil {
		return err
	}
	for _, set := range slices.Sorted(maps.Keys(lists)) {
		for i := range lists[set] {
			lists[set][i].Overlap = scored.overlaps(&lists[set][i])
		}
		if err := release.WriteRecords(c, set, Table, lists[set]); err != nil {
			return err
		}
	}
	if err := c.Quotas(quotas); err != nil {
		return err
	}
	report := NewReport(game.Overlap, scored.against)
	for _, q := range quotas {
		for i := range lists[q.Of] {
			Note(&report, &lists[q.Of][i])
		}
		delete(lists, q.Of) // noted for a distance before
	}
	return c.Write(OverlapFile, func(out io.Writer) (arrowio.Summary, error) {
		_, err := out.Write(canon.MustMarshal(report))
		return arrowio.Summary{}, err
	})
}

// Retest is documented at release.Retester: the links of the menu are still there, and the best of
// them are.
func (part) Retest(_, now *release.Release, to []uint32) (
	func(*release.Asked) (state, detail string, err error), error,
) {
	after, err := now.Graph()
	if err != nil {
		return nil, err
	}
	set, err := now.Distances()
	if err != nil {
		return nil, err
	}
	l := &later{after: after, set: set, to: to}
	return func(a *release.Asked) (state, detail string, err error) {
		detail, err = l.test(a)
		if detail != "" {
			state = menuChanged
		}
		return state, detail, err
	}, nil
}

// later is what menus are held to; column is the distances to the last target that had none.
type later struct {
	after  *graph.Graph
	set    *distances.Set
	to     []uint32
	column []uint8
	of     uint32
}

// test says how the menu of an instance differs from what it was; "" for not at all.
func (l *later) test(a *release.Asked) (string, error) {
	record := a.Record.(*frozen)
	links, row := make([]uint32, len(record.Menu)), l.after.Succ.Row(l.to[a.Source.Node])
	for i, link := range record.Menu {
		if int(link.Node) >= len(l.to) {
			return "", errors.New("a link of the menu is no node of the graph")
		}
		links[i] = l.to[link.Node]
		if _, ok := slices.BinarySearch(row, links[i]); !ok {
			return fmt.Sprintf("link %d of the menu is gone", i), nil
		}
	}
	column, err := l.columnOf(l.to[a.Target.Node])
	if err != nil {
		return "", err
	}
	if best := nearestIn(column, links); !slices.Equal(best, record.Best) {
		return fmt.Sprintf("best %v -> %v", record.Best, best), nil
	}
	return "", nil
}

func (l *later) columnOf(target uint32) ([]uint8, error) {
	column, err := l.set.Column(target)
	if !errors.Is(err, distances.ErrNoTarget) {
		return column, err
	}
	if l.column == nil || l.of != target {
		l.column, l.of = make([]uint8, l.after.Len()), target
		graph.NewSearch(l.after.Succ, l.after.Pred).DistancesTo(target, l.column)
	}
	return l.column, nil
}
