package constrained

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// States that a pair under a ban may have in a later release, besides those of every pair.
const (
	labelChanged       = "label_changed"           // of the page that the ban comes from, or of one on the paths
	feasibilityChanged = "ban_feasibility_changed" // the ban leaves no path any more, or leaves one now
	lengthChanged      = "distance_changed"        // of the path that the ban leaves
)

// EachAsked visits the instances, or the pairs that their ban leaves without a path.
func (part) EachAsked(f release.Files, name string, visit func(*release.Asked) error) error {
	if name == infeasibleFile {
		return f.Each(name, func(_ int, line []byte) error {
			x, err := jsonl.DecodeLine[schemas.ConstrainedInfeasible](line, schemas.ConstrainedInfeasibleSchema)
			if err != nil {
				return err
			}
			return visit(askedOf(claimOf(&x)))
		})
	}
	return f.Each(name, func(_ int, line []byte) error {
		x, err := jsonl.DecodeLine[schemas.ConstrainedInstance](line, schemas.ConstrainedInstanceSchema)
		if err != nil {
			return err
		}
		return visit(askedOf(&x))
	})
}

func askedOf(x *schemas.ConstrainedInstance) *release.Asked {
	return &release.Asked{
		Source: x.Source, Target: x.Target, Distance: x.BaselineLength, Under: x.BannedCategory,
		Paths: [][]uint32{x.BaselinePath, x.ConstrainedPath}, Record: x,
	}
}

// WhyNotCarried is documented at release.Uncarried.
func (part) WhyNotCarried() string {
	return "its funnel and what an instance says of labels are those of one draw and one set of labels"
}

// later is what the bans of an older release are held to.
type later struct {
	before, after *graph.Graph
	then, now     []uint32 // masks
	to            []uint32
	kit           *bans.Kit
}

// Retest is documented at release.Retester.
func (p part) Retest(old, now *release.Release, to []uint32) (
	func(*release.Asked) (state, detail string, err error), error,
) {
	l := &later{to: to}
	var err error
	if l.before, err = old.Graph(); err != nil {
		return nil, err
	}
	if l.after, err = now.Graph(); err != nil {
		return nil, err
	}
	if l.then, err = masksOf(old, old.Part(p).Params); err != nil {
		return nil, err
	}
	if !labels.Has(now) {
		return func(*release.Asked) (string, string, error) {
			return labelChanged, "the later release has no labels", nil
		}, nil
	}
	if l.now, err = masksOf(now, old.Part(p).Params); err != nil { // the rule is that of the instance
		return nil, err
	}
	l.kit = bans.NewKit(l.after, l.now)
	return func(a *release.Asked) (state, detail string, err error) {
		state, detail = l.test(a.Record.(*schemas.ConstrainedInstance))
		return state, detail, nil
	}, nil
}

// masksOf reads the labels by which a release closes pages.
func masksOf(r *release.Release, of json.RawMessage) ([]uint32, error) {
	l, err := labels.Read(r)
	if err != nil {
		return nil, err
	}
	return counting(l, of)
}

// counting returns the labels that count: with multi among the stage's parameters all of a page,
// else its primary one.
func counting(l *labels.Labels, of json.RawMessage) ([]uint32, error) {
	var params params
	if err := json.Unmarshal(of, &params); err != nil {
		return nil, err
	}
	if !params.Multi {
		for u, primary := range l.Primaries {
			l.Masks[u] = bans.Single(primary)
		}
	}
	return l.Masks, nil
}

// test holds a pair whose ends are there to the later graph and labels.
func (l *later) test(x *schemas.ConstrainedInstance) (state, detail string) {
	p := bans.PairOf(x, nil)
	if detail := l.labels(x, p.Rule); detail != "" {
		return labelChanged, detail
	}
	p.Source, p.Target = l.to[p.Source], l.to[p.Target]
	path := l.kit.Path(p)
	had, has := len(x.ConstrainedPath) > 0, len(path) > 0
	switch {
	case had && !has:
		return feasibilityChanged, "the ban leaves no path"
	case !had && has:
		return feasibilityChanged, fmt.Sprintf("the ban leaves a path of %d links", len(path)-1)
	case has && len(path)-1 != x.ConstrainedLength:
		return lengthChanged, fmt.Sprintf("under the ban %d -> %d", x.ConstrainedLength, len(path)-1)
	}
	return "", ""
}

// labels names the first page whose ban is another now: that of the ban's witness, or of one
// between the ends of the paths that the record has.
func (l *later) labels(x *schemas.ConstrainedInstance, rule bans.Rule) string {
	var pages []uint32
	if x.BanWitness != nil {
		pages = append(pages, x.BanWitness.Node)
	}
	for _, path := range [][]uint32{x.BaselinePath, x.ConstrainedPath} {
		if len(path) > 2 {
			pages = append(pages, path[1:len(path)-1]...)
		}
	}
	for _, u := range pages {
		if int(u) >= len(l.to) || l.to[u] == release.Gone {
			continue // a broken path, if it is on one
		}
		if then, now := l.then[u], l.now[l.to[u]]; rule.Closes(then) != rule.Closes(now) {
			return fmt.Sprintf("%s: %s -> %s", l.before.Title(u), named(then), named(now))
		}
	}
	return ""
}

// named lists the labels of a mask.
func named(mask uint32) string {
	var list []string
	for bit, name := range schemas.LabelNames {
		if mask>>bit&1 != 0 {
			list = append(list, name)
		}
	}
	if list == nil {
		return "no label"
	}
	return strings.Join(list, ", ")
}
