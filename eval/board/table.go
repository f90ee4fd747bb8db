package board

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
)

// table is the results that may be compared: of one manifest, one set of rules, one split, one variant.
type table struct {
	b      *Board
	split  string // with the variant
	file   string // of the CSV form
	rows   []Row
	places []place
}

// tables groups the rows. Rows of one split stand together in the board's order, so each table has its rows in order, too.
func (b *Board) tables() []table {
	byKey := map[[4]string][]Row{}
	for _, r := range b.rows {
		key := [4]string{r.Split, r.Variant, r.ManifestID, r.Scores.RulesSHA256}
		byKey[key] = append(byKey[key], r)
	}
	var out []table
	for _, key := range slices.SortedStableFunc(maps.Keys(byKey), func(x, y [4]string) int { return slices.Compare(x[:], y[:]) }) {
		t := table{b: b, split: strings.TrimSpace(key[0] + " " + key[1]), rows: byKey[key], places: make([]place, len(byKey[key]))}
		t.file = fmt.Sprintf("%s-%s-%s.csv", key[2], key[3][:16], strings.NewReplacer("/", "-", " ", "-").Replace(t.split))
		if !b.unfrozen {
			t.places = b.placesOf(t.rows)
		}
		out = append(out, t)
	}
	return out
}

// flags are those of the summary, but for UNFROZEN: a split can have been published since.
func (b *Board) flags(r Row) []string {
	frozen := b.frozen(r.Of.SplitSHA256)
	flags := slices.DeleteFunc(slices.Clone(r.Of.Flags), func(f string) bool { return frozen && f == judge.FlagUnfrozen })
	if !frozen && !slices.Contains(flags, judge.FlagUnfrozen) {
		flags = append(flags, judge.FlagUnfrozen)
	}
	return flags
}

// place is where a row stands in its table; nothing on a board of splits that were not published.
type place struct{ number, standing string }

const (
	standsFirst   = "leader"
	notSeparable  = "not separable from the leader"
	standsBehind  = "behind the leader"
	standsNowhere = "partial: no place"
)

// placesOf numbers the rows of a table. A result without all games of the split has no place, and leads nobody.
func (b *Board) placesOf(rows []Row) []place {
	places := make([]place, len(rows))
	var leader *judge.Metric
	n := 0
	for i, r := range rows {
		if r.Of.Has(judge.FlagPartial) {
			places[i].standing = standsNowhere
			continue
		}
		n++
		m := r.Metrics[b.first(r.Metrics).Metric]
		places[i] = place{strconv.Itoa(n), standsBehind}
		switch {
		case leader == nil:
			leader, places[i].standing = &m, standsFirst
		case overlap(m, *leader):
			places[i].standing = notSeparable
		}
	}
	return places
}

// overlap reports whether two intervals meet; values without an interval meet where they are equal.
func overlap(a, b judge.Metric) bool {
	if a.Lo == nil || b.Lo == nil {
		return *a.Value == *b.Value
	}
	return judge.Number(*a.Lo) <= judge.Number(*b.Hi) && judge.Number(*b.Lo) <= judge.Number(*a.Hi)
}

// says tells the rules of the results: options that are not the family's, what a player was shown.
func (t table) says() string {
	defaults, err := t.b.family.Options(nil)
	if err != nil {
		return "unknown options"
	}
	rules := t.rows[0].Scores.Rules
	published := *rules
	published.Options = defaults.JSON
	differ := strings.Join(report.RulesDiffer(&published, rules), ", ")
	return cmp.Or(differ, "the published options") + ", " + report.Asked(rules)
}

func (b *Board) Markdown() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Leaderboard %s\n", b.name)
	if b.unfrozen {
		fmt.Fprint(&out, "\nUNFROZEN: no split here is a published one. These are results, not numbers of a leaderboard, and nobody has a place.\n")
	}
	for _, t := range b.tables() {
		t.markdown(!b.unfrozen).WriteMarkdown(&out)
	}
	return out.Bytes()
}

func (t table) markdown(placed bool) report.Table {
	of := t.rows[0]
	out := report.Table{Heading: t.split + ", " + of.Scores.Release}
	out.Note = fmt.Sprintf("Manifest id `%s`; %s, rules `%s`. Intervals are 95 %%.", of.ManifestID, t.says(), of.Scores.RulesSHA256)
	head := []string{"model"}
	for _, c := range t.b.columns {
		head = append(head, c.Heading)
	}
	head = append(head, "n", "flags", "verified", "submitted", "source")
	if placed {
		head = append(append([]string{"place"}, head...), "standing")
	}
	out.Rows = append(out.Rows, head)
	for i := range t.rows {
		out.Rows = append(out.Rows, t.cells(i, placed))
	}
	return out
}

func (t table) cells(i int, placed bool) []string {
	r := t.rows[i]
	cells := []string{r.Model}
	for _, c := range t.b.columns {
		text := report.Cell(r.Metrics[c.Metric])
		if strings.HasPrefix(c.Metric, "cost_") && r.Of.Currency != nil && text != "-" {
			text += " " + *r.Of.Currency
		}
		cells = append(cells, text)
	}
	cells = append(cells, strconv.Itoa(r.Of.N), cmp.Or(strings.Join(t.b.flags(r), ", "), "-"), r.Verified, r.Submitted, r.Source)
	if placed {
		cells = append(append([]string{cmp.Or(t.places[i].number, "-")}, cells...), t.places[i].standing)
	}
	return cells
}

// csv gives the table for programs: decimals as in the summary, empty where there is no value.
func (t table) csv() []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	head := []string{"manifest_id", "rules_sha256", "split", "place", "standing", "model"}
	for _, c := range t.b.columns {
		head = append(head, c.Metric, c.Metric+"_lo", c.Metric+"_hi")
	}
	_ = w.Write(append(head, "currency", "n", "flags", "verified", "submitted", "source", "summary_sha256", "trajectories_sha256"))
	for i, r := range t.rows {
		cells := []string{r.ManifestID, r.Scores.RulesSHA256, t.split, t.places[i].number, t.places[i].standing, r.Model}
		for _, c := range t.b.columns {
			m := r.Metrics[c.Metric]
			cells = append(cells, or(m.Value), or(m.Lo), or(m.Hi))
		}
		_ = w.Write(append(cells, or(r.Of.Currency), strconv.Itoa(r.Of.N), strings.Join(t.b.flags(r), "; "), r.Verified, r.Submitted, r.Source,
			r.SummarySHA256, or(r.TrajectoriesSHA256)))
	}
	w.Flush() // to memory
	return out.Bytes()
}

func or(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
