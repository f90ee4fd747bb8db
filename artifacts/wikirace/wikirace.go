// Package wikirace is what the family publishes: games from one page to another along links, in
// splits by distance. It has the files, their columns, their checks and their section of the data
// card, and reads them from an open release.
//
// The folder is splits/. NAME.jsonl has the instances of a split, NAME.parquet the same laid flat,
// NAME.ids their ids, and quotas.json what was asked for and found at each distance. A split whose
// pairs a file lists has NAME.rows besides: the rows of the file without an instance of their own.
package wikirace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Table lays an instance flat.
// 1: without features. 2: with features. 3: how random walks were found. 4: decimals are doubles.
var Table = flat.For[schemas.WikiraceInstance]("wikinav.wikirace_split/4")

// Part is the folder of the family in a release.
var Part release.Part = part{release.Base{Artifact: schemas.Wikirace, In: "splits", Kinds: []release.Kind{
	{Pattern: "*.jsonl", Schema: schemas.WikiraceInstanceSchema, Rows: true},
	{Pattern: "*.ids", Rows: true},
	{Pattern: "*" + RowsEnding, Schema: schemas.ListedRowSchema, Rows: true},
	release.RecordKind("*.parquet", Table),
}}}

// RowsEnding ends the name of the file with the rows of listed pairs that are no instances.
const RowsEnding = ".rows"

type part struct{ release.Base }

// IDs returns the content of a split's list of ids: one per line.
func IDs(list []schemas.WikiraceInstance) []byte {
	var out []byte
	for _, inst := range list {
		out = append(append(out, inst.ID...), '\n')
	}
	return out
}

func lines(f release.Files, split string) ([]schemas.WikiraceInstance, error) {
	return release.Lines(f, split+".jsonl", schemas.WikiraceInstanceSchema, idOf)
}

// all reads the instances of all splits, split by split.
func all(f release.Files) (list []schemas.WikiraceInstance, err error) {
	splits, err := f.Sets()
	for _, split := range splits {
		one, err := lines(f, split)
		if err != nil {
			return nil, err
		}
		list = append(list, one...)
	}
	return list, err
}

// Splits lists the splits of a release: easy, medium, hard, then the others by name.
func Splits(r *release.Release) []string {
	var names []string
	for _, name := range r.Part(Part).Names() {
		if split, ok := strings.CutSuffix(name, ".jsonl"); ok {
			names = append(names, split)
		}
	}
	order.Sort(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

func rank(name string) int {
	known := []string{"easy", "medium", "hard"}
	if i := slices.Index(known, name); i >= 0 {
		return i
	}
	return len(known)
}

// Instances reads the instances of a split, in the order of their ids. All of them were drawn from
// the graph of this release, but for those that the manifest declares to be carried.
func Instances(r *release.Release, split string) ([]schemas.WikiraceInstance, error) {
	if splits := Splits(r); !slices.Contains(splits, split) {
		return nil, fault.New(fault.NotFound, "there is no split %s, only %v", fault.Quote(split), splits)
	}
	var list []schemas.WikiraceInstance
	return list, Each(r, split, func(_ int, inst *schemas.WikiraceInstance) error {
		list = append(list, *inst)
		return nil
	})
}

// Each visits the instances that Instances reads, with their lines, and keeps none of them. An id
// that stands twice is refused.
func Each(r *release.Release, split string, visit func(line int, inst *schemas.WikiraceInstance) error) error {
	m := r.Manifest()
	return release.EachLineOf(r.Part(Part), split+".jsonl", schemas.WikiraceInstanceSchema, idOf, func(n int, inst *schemas.WikiraceInstance) error {
		if !m.MayBeOf(schemas.Wikirace.Name, inst.ID, inst.GraphSHA256) {
			return fault.New(fault.Mismatch, "instance %s is of graph %s, not of this release's", fault.Quote(inst.ID), fault.Quote(inst.GraphSHA256))
		}
		return visit(n, inst)
	})
}

func idOf(x *schemas.WikiraceInstance) string { return x.ID }

// Splits derives the entries from the quotas and the digests of the files.
func (part) Splits(f release.Files) (map[string]release.SplitEntry, error) {
	quotas, err := f.Quotas()
	if err != nil {
		return nil, err
	}
	out := map[string]release.SplitEntry{}
	for _, q := range quotas {
		e, ok := out[q.Of]
		if !ok {
			e = release.SplitEntry{
				Status: schemas.StatusOK, Distances: []int{}, IDsSHA256: f.Digest(q.Of + ".ids").SHA256, SHA256: f.Digest(q.Of + ".jsonl").SHA256,
			}
		}
		e.N, e.Requested, e.Distances = e.N+q.Got, e.Requested+q.Requested, append(e.Distances, q.Distance)
		if q.Short() {
			e.Status = schemas.StatusShort
		}
		slices.Sort(e.Distances)
		out[q.Of] = e
	}
	return out, nil
}

func (part) Targets(f release.Files) (nodes []uint32, err error) {
	list, err := all(f)
	for _, inst := range list {
		nodes = append(nodes, inst.Target.Node)
	}
	return nodes, err
}

// EachAsked is documented at release.Paired.
func (part) EachAsked(f release.Files, name string, visit func(*release.Asked) error) error {
	return release.EachAsked(f, name, visit)
}

func (part) Scored(f release.Files) (pairs []release.Scored, err error) {
	list, err := all(f)
	for _, inst := range list {
		pairs = append(pairs, release.Scored{Group: inst.Split, Source: inst.Source.Node, Target: inst.Target.Node, Witness: inst.Witness})
	}
	return pairs, err
}

// Publishable refuses estimated walks: only computed chances are the same for everybody who checks
// them.
func (part) Publishable(f release.Files) error {
	list, err := all(f)
	if err != nil {
		return err
	}
	for _, inst := range list {
		if inst.Features.RWMethod != schemas.RWExact {
			return fault.New(fault.Failure, "split %s has simulated random walks (%s)", inst.Split, fault.Quote(inst.ID)).
				Hint("build with --rw exact, or release without --published")
		}
	}
	return nil
}

// Tables returns the instances as pairs, and with all their columns.
func (p part) Tables(f release.Files) ([]flat.Rows, error) {
	list, err := all(f)
	if err != nil {
		return nil, err
	}
	order.Sort(list, func(a, b schemas.WikiraceInstance) int { return strings.Compare(a.ID, b.ID) })
	var pairs []release.Pair
	for _, x := range list {
		pairs = append(pairs, release.Pair{
			ID: x.ID, Family: p.Artifact.Name, Split: x.Split, Key: x.Key, Source: x.Source.Node, Target: x.Target.Node, Distance: x.Distance, Witness: x.Witness,
		})
	}
	return []flat.Rows{release.PairRows(pairs), Table.Rows(p.Artifact.Name, list)}, nil
}

// Card describes the splits.
func (p part) Card(f release.Files) (release.Card, error) {
	sets, err := f.Sets()
	if err != nil {
		return release.Card{}, err
	}
	config := f.Config(p.Artifact.Name, sets...)
	config.Default = true
	said := fmt.Sprintf(text, release.FieldTable("splits/*.parquet", Table.Doc()))
	lines, err := p.Tell(f)
	if len(lines) > 0 {
		said += fmt.Sprintf(listedText, strings.Join(lines, "\n- "))
	}
	return release.Card{Configs: []release.Config{config}, Text: said}, err
}

const text = `## Games from page to page (wikirace)

An agent stands on a source page and reaches a target page by following links. A split has the pairs of some distances:
` + "`splits/*.jsonl` has their instances, `splits/*.parquet` the same laid flat, `splits/*.ids` their ids" + `.

%s
Success rate (SR): games that reach the target within ` + "`max_steps`" + `. Suboptimal steps: counted turns minus ` + "`distance`" + `, over
successes. Loop frequency: games that visit a page twice. Recovery rate: successes among those. Average maximum
visitation, invalid rate and step accuracy stand next to them. Rates come with intervals, and per distance.
`

const listedText = `
The pairs of these splits were not drawn: a file lists them, which is among the side inputs.
` + "`splits/*.rows`" + ` has the rows that are no instances of their own, with the reason; a duplicate names its instance.

- %s
`
