package items

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/order"
)

// listed is the number of instances that a table for people shows of each kind.
const listed = 10

func (a *Analysis) Text() []byte     { return a.sheet().Text() }
func (a *Analysis) Markdown() []byte { return a.sheet().Markdown() }

func head(release, manifestID string, differs []string) [][2]string {
	list := [][2]string{{"release", fmt.Sprintf("%s, manifest id %s", release, manifestID)}}
	for _, text := range differs {
		list = append(list, [2]string{"rules", text})
	}
	return list
}

func (a *Analysis) sheet() report.Sheet {
	s := report.Sheet{Title: "Items of " + a.Release, Width: a.Width, Head: head(a.Release, a.ManifestID, a.Differs)}
	s.Tables = append(s.Tables, a.modelTable(), a.playerTable())
	if len(a.Features) > 0 {
		s.Tables = append(s.Tables, a.featureTable())
	}
	hardest, easiest := slices.Clone(a.Items), slices.Clone(a.Items)
	order.Sort(hardest, func(x, y ItemRow) int { return cmp.Compare(y.difficulty, x.difficulty) })
	order.Sort(easiest, func(x, y ItemRow) int { return cmp.Compare(x.difficulty, y.difficulty) })
	n := min(listed, len(hardest)/2)
	note := fmt.Sprintf("%d of %d; --out has all.", n, len(a.Items))
	s.Tables = append(s.Tables, itemTable("Hardest", note, hardest[:n]), itemTable("Easiest", note, easiest[:n]))
	s.Tables, s.Notes = append(s.Tables, a.suspectTables()...), a.notes()
	return s
}

func (a *Analysis) modelTable() report.Table {
	t := report.Table{Heading: "Models", Note: "Less AIC or BIC is better; what follows is by " + string(a.Model) + "."}
	t.Rows = [][]string{{
		"model", "parameters", "log-likelihood", "AIC", "BIC", "difficulty SD", "log discrimination SD",
	}}
	for _, m := range a.Models {
		t.Rows = append(t.Rows, []string{
			string(m.Model), strconv.Itoa(m.Parameters), short(m.LogLikelihood, 1), short(m.AIC, 1), short(m.BIC, 1),
			short(m.Spread, 2), short(m.Varied, 2),
		})
	}
	return t
}

func (a *Analysis) playerTable() report.Table {
	t := report.Table{
		Heading: "Players", Details: []int{7, 6},
		Note: "Abilities are in logits; 0 wins half of the attempts at an average instance.",
	}
	t.Rows = [][]string{{
		"player", "won", "tried", "not played", "score", "ability", "infit", "outfit", "flags",
	}}
	rows := slices.Clone(a.Players)
	order.Sort(rows, func(x, y PlayerRow) int {
		return cmp.Compare(judge.Number(y.Ability.Value), judge.Number(x.Ability.Value))
	})
	for _, p := range rows {
		t.Rows = append(t.Rows, []string{
			p.Player, strconv.Itoa(p.Won), strconv.Itoa(p.Tried), strconv.Itoa(p.Missing), short(p.Score, 4),
			p.Ability.text(), maybe(p.Infit, 2), maybe(p.Outfit, 2), cmp.Or(strings.Join(p.Flags, ", "), "-"),
		})
	}
	return t
}

func (a *Analysis) featureTable() report.Table {
	t := report.Table{Heading: "Features", Note: "Spearman's rank correlation with difficulty, the strongest first."}
	t.Rows = [][]string{{"feature", "instances", "correlation"}}
	rows := slices.DeleteFunc(slices.Clone(a.Features), func(f FeatureRow) bool { return f.Rank == nil })
	size := func(f FeatureRow) float64 { return max(judge.Number(*f.Rank), -judge.Number(*f.Rank)) }
	order.Sort(rows, func(x, y FeatureRow) int { return cmp.Compare(size(y), size(x)) })
	for _, f := range rows {
		t.Rows = append(t.Rows, []string{f.Name, strconv.Itoa(f.N), maybe(f.Rank, 2)})
	}
	return t
}

func itemTable(heading, note string, rows []ItemRow) report.Table {
	t := report.Table{Heading: heading, Note: note, Details: []int{7, 6}}
	t.Rows = [][]string{{
		"instance", "split", "won", "difficulty", "discrimination", "point-biserial", "infit", "outfit", "flags",
	}}
	for _, r := range rows {
		slope := "-"
		if r.Discrimination != nil {
			slope = r.Discrimination.text()
		}
		t.Rows = append(t.Rows, []string{
			r.ID, r.Split, fmt.Sprintf("%d/%d", r.Won, r.Tried), r.Difficulty.text(), slope,
			maybe(r.PointBiserial, 2), maybe(r.Infit, 2), maybe(r.Outfit, 2), cmp.Or(strings.Join(r.Flags, ", "), "-"),
		})
	}
	return t
}

// suspectTables has the evidence against the suspects, the likeliest first; nil without any.
func (a *Analysis) suspectTables() []report.Table {
	if len(a.Suspects) == 0 {
		return nil
	}
	t := report.Table{
		Heading: "Suspects",
		Note: "The strong lose and the weak win: p if all instances were equally sharp, " +
			"q the rate of false discoveries.",
	}
	t.Rows = [][]string{{"", "instance", "point-biserial", "p", "q", "lost by", "won by"}}
	for k, id := range a.Suspects[:min(2*listed, len(a.Suspects))] {
		r := a.row(id)
		t.Rows = append(t.Rows, []string{
			strconv.Itoa(k + 1), id, maybe(r.PointBiserial, 2), small(*r.Reversal), small(*r.FalseRate),
			strings.Join(r.LostBy, ", "), strings.Join(r.WonBy, ", "),
		})
	}
	return []report.Table{t}
}

// notes says what the estimates cannot.
func (a *Analysis) notes() (list []report.Note) {
	say := func(format string, args ...any) {
		list = append(list, report.Note{Text: fmt.Sprintf(format, args...)})
	}
	won, lost := 0, 0
	for _, r := range a.Items {
		won += judge.One(slices.Contains(r.Flags, FlagAllWon))
		lost += judge.One(slices.Contains(r.Flags, FlagAllLost))
	}
	if won+lost > 0 {
		say("Instances always won: %d, always lost: %d. How far beyond the others they lie is by the prior.", won, lost)
	}
	for _, p := range a.Players {
		if len(p.Flags) > 0 {
			say("%s: %s, %d; how far beyond the others it lies is by the prior.",
				p.Player, strings.ToLower(p.Flags[0]), p.Tried)
		}
	}
	if n := len(a.Players); n < 5 {
		say("%d players say little of a single instance: its interval is mostly that of all instances.", n)
	}
	if len(a.Suspects) == 0 {
		say("No instance is a suspect: none that the strong lose and the weak win beyond chance, q up to %v.",
			suspicious)
	} else {
		say("Suspects: %d. `wikinav inspect instance ID` shows one, and --out draws all.", len(a.Suspects))
	}
	return list
}

// Files returns the analysis as files: the record, the words, tables for programs, and what
// suspects look like, by their place among them.
func (a *Analysis) Files() []report.File {
	files := []report.File{
		{Name: "items.json", Data: append(canon.MustMarshal(a), '\n')},
		{Name: "items.md", Data: a.Markdown()},
		{Name: "items.csv", Data: a.itemsCSV()},
		{Name: "players.csv", Data: a.playersCSV()},
	}
	for k, id := range a.Suspects {
		if d := a.row(id).Drawing; d != nil {
			files = append(files, report.File{Name: fmt.Sprintf("suspect-%d.svg", k+1), Data: d.SVG(dag.Alone)})
		}
	}
	return files
}

func (a *Analysis) row(id string) ItemRow {
	return a.Items[slices.IndexFunc(a.Items, func(r ItemRow) bool { return r.ID == id })]
}

func (a *Analysis) playersCSV() []byte {
	rows := [][]string{{
		"player", "won", "tried", "missing", "score", "ability", "ability_lo", "ability_hi", "infit", "outfit", "flags",
	}}
	for _, p := range a.Players {
		rows = append(rows, []string{
			p.Player, strconv.Itoa(p.Won), strconv.Itoa(p.Tried), strconv.Itoa(p.Missing), p.Score,
			p.Ability.Value, p.Ability.Lo, p.Ability.Hi, text(p.Infit), text(p.Outfit), strings.Join(p.Flags, " "),
		})
	}
	return asCSV(rows)
}

// itemsCSV has a line for each instance, with a column for each feature that any has.
func (a *Analysis) itemsCSV() []byte {
	features := a.featureNames()
	first := []string{
		"id", "instance", "variant", "split", "won", "tried", "difficulty", "difficulty_lo", "difficulty_hi",
		"discrimination", "discrimination_lo", "discrimination_hi", "infit", "outfit", "point_biserial", "reversal_p",
		"reversal_q", "length", "flags",
	}
	rows := [][]string{append(first, features...)}
	for _, r := range a.Items {
		var slope Decimals
		if r.Discrimination != nil {
			slope = *r.Discrimination
		}
		row := []string{
			r.ID, r.Instance, r.Variant, r.Split, strconv.Itoa(r.Won), strconv.Itoa(r.Tried),
			r.Difficulty.Value, r.Difficulty.Lo, r.Difficulty.Hi, slope.Value, slope.Lo, slope.Hi,
			text(r.Infit), text(r.Outfit), text(r.PointBiserial), text(r.Reversal), text(r.FalseRate),
			strconv.Itoa(r.Length), strings.Join(r.Flags, " "),
		}
		for _, name := range features {
			row = append(row, r.Features[name])
		}
		rows = append(rows, row)
	}
	return asCSV(rows)
}

func asCSV(rows [][]string) []byte {
	var b bytes.Buffer
	_ = csv.NewWriter(&b).WriteAll(rows) // to memory
	return b.Bytes()
}

func (r *SubsetRecord) Text() []byte     { return r.sheet().Text() }
func (r *SubsetRecord) Markdown() []byte { return r.sheet().Markdown() }

func (r *SubsetRecord) sheet() report.Sheet {
	s := report.Sheet{Title: "Subset of " + r.Release, Width: r.Width, Head: head(r.Release, r.ManifestID, r.Differs)}
	s.Head = append(s.Head, [2]string{"subset", fmt.Sprintf("%d of %d instances, by %s", len(r.Chosen), r.Of, r.Model)})
	errors := report.Table{Heading: "Error", Note: "Of a score on all instances that is predicted from the subset."}
	errors.Rows = [][]string{{"of", "players", "mean", "root mean square", "largest", "95 % within"}}
	if r.HeldOut != nil {
		errors.Rows = append(errors.Rows, r.HeldOut.cells("players held out"))
	}
	errors.Rows = append(errors.Rows, []string{"as many drawn at random", "-", "-", short(r.ByChance, 4), "-", "-"})
	if r.Checked != nil {
		errors.Rows = append(errors.Rows, r.Checked.cells("players of --check"))
	}
	s.Tables = append(s.Tables, errors)
	if len(r.Players) > 0 {
		s.Tables = append(s.Tables,
			heldTable("Players held out", "Each predicted by a subset chosen without it.", r.Players))
	}
	if len(r.Check) > 0 {
		s.Tables = append(s.Tables, heldTable("Players of --check", "Predicted by the subset below.", r.Check))
	}
	chosen := report.Table{Heading: "Instances", Note: "In the order in which they were taken: the first tell most."}
	chosen.Rows = [][]string{{"instance", "split", "won", "difficulty", "discrimination"}}
	for _, c := range r.Chosen {
		chosen.Rows = append(chosen.Rows, []string{
			c.ID, c.Split, fmt.Sprintf("%d/%d", c.Won, c.Tried), c.Difficulty.text(), c.Discrimination.text(),
		})
	}
	s.Tables = append(s.Tables, chosen)
	if r.HeldOut == nil {
		s.Notes = append(s.Notes, report.Note{Text: fmt.Sprintf("Fewer than %d players: none is held out, "+
			"and nothing is known of the error but the model's intervals.", leastHeld)})
	}
	return s
}

func (m *MissRow) cells(of string) []string {
	return []string{
		of, strconv.Itoa(m.Players), short(m.Mean, 4), short(m.Root, 4), short(m.Max, 4), short(m.Within, 4),
	}
}

func heldTable(heading, note string, rows []HeldRow) report.Table {
	t := report.Table{Heading: heading, Note: note}
	t.Rows = [][]string{{"player", "played", "score", "predicted", "error"}}
	for _, h := range rows {
		miss := "-"
		if h.Score != nil {
			miss = fmt.Sprintf("%+.4f", judge.Number(h.Predicted.Value)-judge.Number(*h.Score))
		}
		p := h.Predicted
		t.Rows = append(t.Rows, []string{
			h.Player, strconv.Itoa(h.Played), maybe(h.Score, 4),
			report.Cell(judge.Metric{Value: &p.Value, Lo: &p.Lo, Hi: &p.Hi}), miss,
		})
	}
	return t
}

// Files returns the record, the words, and the ids of the instances, a line each, as in Chosen.
func (r *SubsetRecord) Files() []report.File {
	var ids []byte
	for _, c := range r.Chosen {
		ids = append(append(ids, c.Instance...), '\n')
	}
	return []report.File{
		{Name: "subset.json", Data: append(canon.MustMarshal(r), '\n')},
		{Name: "subset.md", Data: r.Markdown()},
		{Name: "subset.txt", Data: ids},
	}
}

// text writes an estimate for people.
func (d Decimals) text() string {
	return short(d.Value, 2) + " [" + short(d.Lo, 2) + ", " + short(d.Hi, 2) + "]"
}

// short writes a decimal of ours with so many digits after the point.
func short(decimal string, digits int) string {
	return strconv.FormatFloat(judge.Number(decimal), 'f', digits, 64)
}

// small writes a probability with two digits, however small it is.
func small(decimal string) string { return strconv.FormatFloat(judge.Number(decimal), 'g', 2, 64) }

// maybe is short for what may not be known.
func maybe(decimal *string, digits int) string {
	if decimal == nil {
		return "-"
	}
	return short(*decimal, digits)
}

func text(decimal *string) string {
	if decimal == nil {
		return ""
	}
	return *decimal
}
