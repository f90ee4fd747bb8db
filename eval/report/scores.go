package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// ScoreSheet shows one score of any family: a table with a row per split and group, the comparisons
// of variants, what else was counted, and every disagreement.
func ScoreSheet(f family.Family, s *family.Scores) Sheet {
	sheet := Sheet{
		Title: "Scores of " + f.Name(), Head: scoreHead(s), Tables: []Table{scoreTable(f.Columns(), s.Rows)}, Width: PageWidth,
	}
	if len(s.Passes) > 0 {
		t := passTable(s.Passes)
		t.Note += " Of " + strconv.Itoa(s.Attempts) + " attempts."
		sheet.Tables = append(sheet.Tables, t)
	}
	if len(s.Pairs) > 0 {
		sheet.Tables = append(sheet.Tables, pairTable(s))
	}
	say := func(format string, args ...any) {
		sheet.Notes = append(sheet.Notes, Note{Text: fmt.Sprintf(format, args...)})
	}
	if seen := Counts("", s.Counts); seen != "" {
		say("counted: %s", seen)
	}
	for _, text := range s.Notes {
		say("%s", text)
	}
	if s.Dropped != (family.Dropped{}) {
		say("not scored: %d torn lines, %d steps of incomplete games", s.Dropped.TornLines, s.Dropped.LooseSteps)
	}
	if im := s.Import; im != nil {
		say("%s: %d of %d games%s%s%s", im.Source, im.Games, im.Rows,
			Counts("; rejected: ", im.Rejected), Counts("; invalid steps: ", im.Invalid), Counts("; unfinished: ", im.Types))
	}
	if n := disagreements(s); n.Lines != nil {
		sheet.Notes = append(sheet.Notes, n)
	}
	return sheet
}

// Counts writes the entries of a map that are not 0 by name, or nothing where there are none.
func Counts(heading string, m map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if m[name] != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", Printable(name), m[name]))
		}
	}
	if parts == nil {
		return ""
	}
	return heading + strings.Join(parts, ", ")
}

func scoreHead(s *family.Scores) [][2]string {
	head := [][2]string{{"release", s.Release}}
	if s.ManifestID != "" {
		head[0][1] += ", manifest id " + s.ManifestID
	}
	if s.FreshSince != "" {
		head = append(head, [2]string{"fresh since", s.FreshSince + ", an older release that cannot answer the pairs"})
	}
	if s.Run != nil && s.Model != nil {
		head = append(head, [2]string{"run", fmt.Sprintf("%s, player %s (%s)", Printable(*s.Run), Printable(s.Model.Name), s.Model.Kind)})
	}
	if len(s.Served) > 0 {
		head = append(head, [2]string{"served by", Printable(strings.Join(s.Served, ", "))})
	}
	if s.Rules != nil {
		head = append(head, [2]string{"rules", s.RulesSHA256}, [2]string{"options", string(s.Rules.Options)}, [2]string{"asked", Asked(s.Rules)})
	}
	if r := s.Reparsed; r != nil {
		head = append(head, [2]string{"reparsed", "replies were read by " + r.Version + " when they were played"})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		head = append(head, [2]string{"scored", fmt.Sprintf("%s=%v", name, s.Options[name])})
	}
	return head
}

func Asked(r *schemas.Rules) string {
	parts := []string{"interface " + r.Interface}
	for _, v := range []struct {
		name string
		of   *schemas.Versioned
	}{{"prompt", r.Prompt}, {"parser", r.Parser}, {"format", r.ResponseFormat}} {
		if v.of != nil {
			parts = append(parts, fmt.Sprintf("%s %s (%s)", v.name, v.of.Version, short(v.of.SHA256)))
		}
	}
	asked := map[string]string{}
	leaves(asked, "", &schemas.Rules{Sampling: r.Sampling, Request: r.Request})
	for _, path := range slices.Sorted(maps.Keys(asked)) {
		for _, of := range []string{"request.", "sampling."} {
			if name, ok := strings.CutPrefix(path, of); ok {
				parts = append(parts, name+" "+asked[path])
			}
		}
	}
	return strings.Join(parts, ", ")
}

// scoreTable has a column for each thing by which rows are grouped, and for each metric that any
// row has.
func scoreTable(all []family.Column, rows []family.Row) Table {
	var groups []string
	anyLost := false
	for _, r := range rows {
		for _, g := range r.By {
			if !slices.Contains(groups, g.Name) {
				groups = append(groups, g.Name)
			}
		}
		anyLost = anyLost || lostBy(r.Outcomes) != "-"
	}
	after := func(lost, flags string) []string {
		if anyLost {
			return []string{lost, flags}
		}
		return []string{flags}
	}
	var list []metricRow
	for _, r := range rows {
		names := []string{r.Split}
		for _, name := range groups {
			names = append(names, valueOf(r, name))
		}
		flags := slices.Clone(r.Flags)
		if r.Metrics == nil {
			flags = append(flags, "NO SCORE")
		}
		list = append(list, metricRow{
			append(names, strconv.Itoa(r.N), strconv.Itoa(r.Missing), strconv.Itoa(r.Infra)), r.Metrics,
			after(lostBy(r.Outcomes), cmp.Or(strings.Join(flags, ", "), "-")),
		})
	}
	names := slices.Concat([]string{"split"}, groups, []string{"n", "missing", "infra"})
	t := metricTable(metricRow{names: names, after: after("lost by", "flags")}, all, list)
	if !slices.ContainsFunc(rows, func(r family.Row) bool { return r.Missing+r.Infra > 0 }) {
		t.Details = append([]int{len(names) - 2, len(names) - 1}, t.Details...) // nothing but 0
	}
	return t
}

// valueOf returns the value of a row's group; "all" for a row that is not restricted to one.
func valueOf(r family.Row, group string) string {
	for _, g := range r.By {
		if g.Name == group {
			return g.Value
		}
	}
	return "all"
}

// lostBy lists the outcomes that are no success, with their counts.
func lostBy(outcomes map[string]int) string {
	outcomes = maps.Clone(outcomes)
	delete(outcomes, schemas.OutcomeSuccess)
	return cmp.Or(Counts("", outcomes), "-")
}

func pairTable(s *family.Scores) Table {
	t := Table{Heading: "Variants, paired by instance", Note: "With minus without; 95 % bootstrap; McNemar's exact test on success."}
	t.add("split", "effect", "with", "without", "n", "SR difference", "step accuracy difference", "p")
	for _, p := range s.Pairs {
		if len(p.By) == 0 {
			t.contrast(p.Contrast, p.Split)
		}
	}
	for _, e := range s.Effects {
		if len(e.By) == 0 && e.Value != nil {
			t.change(e.Change, e.Split)
		}
	}
	return t
}

func (t *Table) contrast(c judge.Contrast, before ...any) {
	t.add(append(before, c.Effect, c.With, c.Without, c.N, c.Success, c.Accuracy, chance{c.McNemar})...)
}

func (t *Table) change(c judge.Change, before ...any) {
	t.add(append(before, c.Effect, "mean", "", "", c.Value, "", "")...)
}

func disagreements(s *family.Scores) Note {
	n := Note{Text: "the log and the replay disagree:"}
	for _, d := range s.Disagreements {
		n.Lines = append(n.Lines, fmt.Sprintf("%s, attempt %d, step %d, %s: log %s, replay %s", d.Item, d.Attempt, d.Step, d.Field, d.Log, d.Replay))
	}
	if s.Unlisted > 0 {
		n.Lines = append(n.Lines, fmt.Sprintf("and in %d places more", s.Unlisted))
	}
	return n
}
