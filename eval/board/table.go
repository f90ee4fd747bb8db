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
	"github.com/wikinav/wikinav/schemas/order"
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
	keys := slices.Collect(maps.Keys(byKey))
	order.Sort(keys, func(x, y [4]string) int { return slices.Compare(x[:], y[:]) })
	for _, key := range keys {
		t := table{b: b, split: strings.TrimSpace(key[0] + " " + key[1]), rows: byKey[key], places: make([]place, len(byKey[key]))}
		t.file = fmt.Sprintf("%s-%s-%s.csv", key[2], key[3][:16], strings.NewReplacer("/", "-", " ", "-").Replace(t.split))
		if !b.unfrozen {
			t.places = b.placesOf(t.rows)
		}
		out = append(out, t)
	}
	return out
}

// flags are those of the summary, but for UNFROZEN: a split can have been published since. A split
// that an older release cannot answer has one more.
func (b *Board) flags(r Row) []string {
	frozen := b.frozen(r.Of.SplitSHA256)
	flags := slices.DeleteFunc(slices.Clone(r.Of.Flags), func(f string) bool { return frozen && f == judge.FlagUnfrozen })
	if !frozen && !slices.Contains(flags, judge.FlagUnfrozen) {
		flags = append(flags, judge.FlagUnfrozen)
	}
	if since := r.Scores.FreshSince; since != "" {
		flags = append(flags, judge.FlagFresh+" "+report.Printable(since))
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

// Shown is a board for programs.
type Shown struct {
	Board    string       `json:"board"`
	Family   string       `json:"family"`
	Unfrozen bool         `json:"unfrozen"`
	Tables   []ShownTable `json:"tables"`
}

// ShownTable is results that may be compared, in their order.
type ShownTable struct {
	Split       string     `json:"split"`
	ManifestID  string     `json:"manifest_id"`
	Release     string     `json:"release"`
	RulesSHA256 string     `json:"rules_sha256"`
	Rules       string     `json:"rules"`
	Rows        []ShownRow `json:"rows"`
}

// ShownRow is an entry with where it stands in its table.
type ShownRow struct {
	Place    string   `json:"place"`
	Standing string   `json:"standing"`
	N        int      `json:"n"`
	Flags    []string `json:"flags"`
	Entry    Entry    `json:"entry"`
}

// Shown returns the tables for programs.
func (b *Board) Shown() Shown {
	out := Shown{b.name, b.family.Name(), b.unfrozen, []ShownTable{}}
	for _, t := range b.tables() {
		of := t.rows[0]
		shown := ShownTable{t.split, of.ManifestID, of.Scores.Release, of.Scores.RulesSHA256, t.says(), nil}
		for i, r := range t.rows {
			flags := append([]string{}, b.flags(r)...)
			shown.Rows = append(shown.Rows, ShownRow{t.places[i].number, t.places[i].standing, r.Of.N, flags, r.Entry})
		}
		out.Tables = append(out.Tables, shown)
	}
	return out
}

// CSV returns the tables one after the other, with an empty line between.
func (b *Board) CSV() []byte {
	var list [][]byte
	for _, t := range b.tables() {
		list = append(list, t.csv())
	}
	return bytes.Join(list, []byte("\n"))
}

// Text returns the tables for a terminal, with lines of at most so many characters; 0 is any.
func (b *Board) Text(width int) []byte {
	sheet := report.Sheet{Head: [][2]string{{"board", b.name}}, Width: width}
	if b.unfrozen {
		sheet.Head = append(sheet.Head,
			[2]string{"UNFROZEN", "no split here is a published one, and nobody has a place"})
	}
	for _, t := range b.tables() {
		sheet.Tables = append(sheet.Tables, t.markdown(!b.unfrozen))
	}
	return sheet.Text()
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
	if since := of.Scores.FreshSince; since != "" { // flags are what a narrow terminal leaves out
		out.Note += fmt.Sprintf(" Fresh since `%s`, an older release that cannot answer the pairs.", since)
	}
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
