package wikirace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// ListedQuotas says of a split of listed pairs how many it has at each distance: all that the file
// lists, however many these are.
func ListedQuotas(split string, list []schemas.WikiraceInstance) (out []schemas.Quota) {
	at := map[int]int{}
	for _, x := range list {
		at[x.Distance]++
	}
	for _, d := range slices.Sorted(maps.Keys(at)) {
		q := schemas.NewQuota(split, at[d], at[d], "", nil)
		q.Distance, q.Mode = d, schemas.ModeListed
		out = append(out, q)
	}
	return out
}

// listedSplits lists the splits whose pairs a file lists.
func listedSplits(names []string) (splits []string) {
	for _, name := range names {
		if split, ok := strings.CutSuffix(name, RowsEnding); ok {
			splits = append(splits, split)
		}
	}
	return splits
}

// RowCounter names the counter of the rows of a split that are no instances for a reason.
func RowCounter(split, reason string) string { return "listed_" + split + "." + reason }

// Tell says of each split of listed pairs what became of the rows of its file.
func (part) Tell(f release.Files) (lines []string, err error) {
	for _, split := range listedSplits(f.Names()) {
		n := f.Counters["accepted_"+split]
		rows, rest := n, ""
		for _, reason := range schemas.RowReasons {
			if k := f.Counters[RowCounter(split, reason)]; k > 0 {
				rows += k
				rest += fmt.Sprintf(", %d %s", k, reason)
			}
		}
		lines = append(lines, fmt.Sprintf("split %s: %d rows are %d pairs%s", split, rows, n, rest))
	}
	return lines, nil
}

// refuseListed refuses to take records over to or from a release with listed pairs: their ids and
// rows follow from the file, and not from the older release.
func refuseListed(c *release.Carrying) error {
	for _, f := range []release.Files{c.Now, c.Old} {
		if splits := listedSplits(f.Names()); len(splits) > 0 {
			return fault.New(fault.Usage, "--carry: split %s has the pairs of a file of --pairs, which are "+
				"not taken over", splits[0]).
				Hint("release a build without --pairs, or release without --carry")
		}
	}
	return nil
}

// rows is the check of the file of rows of a split of listed pairs.
type rows struct {
	*release.Check
	split string
	ends  map[string][2]uint32 // source and target of the instances of the split
	of    map[string]int64     // rows by their reason
}

// rowsOf returns nil for a split that is drawn.
func rowsOf(c *release.Check, split string) *rows {
	if len(c.Names(split+RowsEnding)) == 0 {
		return nil
	}
	return &rows{c, split, map[string][2]uint32{}, map[string]int64{}}
}

func (r *rows) add(x *schemas.WikiraceInstance) {
	if r != nil {
		r.ends[x.ID] = [2]uint32{x.Source.Node, x.Target.Node}
	}
}

// check checks that the rows have ascending lines and a reason each, that a duplicate is one of the
// instance that it names, and that they are as many as the stage counted. The file is an input of
// the release.
func (r *rows) check() {
	if r == nil {
		return
	}
	if quotas, err := r.Files().Quotas(); err == nil {
		for i, q := range quotas {
			if q.Of == r.split {
				release.Differ(r.Check, "mode", schemas.QuotasFile, release.Row(i), schemas.ModeListed, q.Mode)
			}
		}
	}
	role := schemas.RolePairs + r.split
	if !slices.ContainsFunc(r.Manifest().SideInputs, func(s release.SideInput) bool { return s.Role == role }) {
		r.Add("side inputs", r.split+RowsEnding, "", "the file that lists the pairs, as "+role, "none")
	}
	line := func(x *schemas.ListedRow) string { return fmt.Sprintf("%20d", x.Line) }
	if !release.EachRecord(r.Check, r.split+RowsEnding, schemas.ListedRowSchema, line, r.row) {
		return
	}
	for _, reason := range schemas.RowReasons {
		name := RowCounter(r.split, reason)
		release.Differ(r.Check, name, r.split+RowsEnding, "", r.Files().Counters[name], r.of[reason])
	}
}

func (r *rows) row(l release.Line, x *schemas.ListedRow) {
	if r.of[x.Reason]++; !slices.Contains(schemas.RowReasons, x.Reason) {
		l.Bad("reason", fmt.Sprintf("one of %v", schemas.RowReasons), fault.Quote(x.Reason))
	}
	l.Is("split", r.split, x.Split)
	want, known := r.ends[x.Instance]
	switch {
	case x.Reason != schemas.RowDuplicate:
		l.Is("instance", "", x.Instance)
	case !known:
		l.Bad("instance", "one of the split", fault.Quote(x.Instance))
	case !slices.Equal(want[:], x.Nodes):
		l.Bad("nodes", want, x.Nodes)
	}
}
