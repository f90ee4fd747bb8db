package aar

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// LegsFile is the file of the legs of a variant and level, a line each, by their numbers.
func LegsFile(variant, level string) string { return "legs-" + variant + "-" + level + ".jsonl" }

// LegsTable has a row for each leg, in the order of the variants, levels and numbers.
const LegsTable = "legs.parquet"

// LegRows lays what is said of legs flat. 1: first layout.
var LegRows = flat.For[schemas.AARLegRow]("aar.legs/1")

// RowOf returns the row of a leg that took so many draws.
func RowOf(variant string, l *schemas.AARLeg, attempts int) schemas.AARLegRow {
	a := AuditOf(File{Variant: variant, Level: l.Metadata.Difficulty, Leg: l})
	dep := DepCone(l)
	r := schemas.AARLegRow{
		ID: LegIDIn(variant, l), Variant: variant, Level: l.Metadata.Difficulty, TrailID: l.TrailID,
		SeedTitle: l.SeedTitle, Stops: a.Stops, PageStops: a.Page, ToolStops: a.Tool,
		ReasonStops: a.Reason, Diamonds: a.Diamonds, Calls: a.ToolInvocations, Words: a.Words,
		ConeStops: a.ConeStops, DepConeStops: len(dep), Templates: a.Templates,
		Transforms: a.Transforms, Attempts: attempts,
	}
	for _, i := range dep {
		if l.Stops[i].Type == schemas.AARPage {
			r.DepConePages++
		}
	}
	if l.Metadata.Source != nil {
		r.Profile = *l.Metadata.Source
	}
	if a.Reduction != nil {
		r.Reduction = *a.Reduction
	}
	return r
}

// legFiles lists the files of legs in the order of their table.
func legFiles(has func(name string) bool) (list []File) {
	for _, variant := range schemas.AARVariants {
		for _, level := range schemas.AARLevels {
			if name := LegsFile(variant, level); has(name) {
				list = append(list, File{Path: name, Variant: variant, Level: level, Line: true})
			}
		}
	}
	return list
}

// LegsOf reads the legs of a release, in the order of their table.
func LegsOf(f release.Files) (legs []File, err error) {
	for _, file := range legFiles(f.Has) {
		err := f.Each(file.Path, func(_ int, line []byte) (err error) {
			file.Leg, err = DecodeLine(line)
			legs = append(legs, file)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return legs, nil
}

// legCheck is the check of all legs of a release.
type legCheck struct {
	*release.Check
	tools  *Tools
	have   release.Tally
	trails map[string]string // where each trail id stands
	legs   []File
	rows   []schemas.AARLegRow
	whole  bool // all lines were legs
}

// checkLegs checks each leg by itself and against the world, and table and report against the legs.
func checkLegs(c *release.Check, tools *Tools, s Survey) {
	k := &legCheck{
		Check: c, tools: tools, have: release.Tally{},
		trails: map[string]string{}, whole: true,
	}
	files := legFiles(c.Files().Has)
	for _, name := range c.Names("legs-*.jsonl") {
		if !linesFile.MatchString(name) {
			c.Add("name", name, "", "that of a variant and level", fault.Quote(name))
		}
	}
	for _, f := range files {
		if err := k.file(f); err != nil && c.Context().Err() == nil {
			k.whole = false
			c.Fail("records", f.Path, err)
		}
	}
	if len(files) > 0 {
		c.Need(LegsTable)
	}
	if k.whole {
		k.table()
		c.Quotas(k.have)
		if len(files) > 0 || c.Files().Has(ReportFile) {
			k.report(tools.World, s)
		}
	}
}

// file checks the lines of a file. A line that is no leg is a finding.
func (k *legCheck) file(f File) error {
	before := ""
	return k.Files().Each(f.Path, func(n int, line []byte) error {
		where := jsonl.Line(n)
		bad := func(field string, want, got any) { k.Add(field, f.Path, where, want, got) }
		l, err := DecodeLine(line)
		if err != nil {
			k.whole = false
			bad("record", "a leg", err)
			return k.Context().Err()
		}
		f.Leg, f.Data, f.Sample = l, line, l.Metadata.SampleID
		k.rows = append(k.rows, RowOf(f.Variant, l, 0))
		k.legs = append(k.legs, File{Variant: f.Variant, Level: f.Level, Leg: l})
		k.have[release.TallyKey{Of: strings.TrimSuffix(f.Path, ".jsonl")}]++
		if !k.Wants(f.Path) {
			return k.Context().Err()
		}
		if !bytes.Equal(EncodeLine(l), line) {
			bad("form", "the leg as its writer writes it", "other bytes")
		}
		if f.Sample <= before {
			bad("sample_id", "above "+fault.Quote(before), fault.Quote(f.Sample))
		}
		before = f.Sample
		if first, twice := k.trails[l.TrailID]; twice {
			bad("trail_id", "one that no other leg has", l.TrailID+", as "+first)
		}
		k.trails[l.TrailID] = f.Path + " " + where
		k.leg(f, bad)
		return k.Context().Err()
	})
}

// leg checks what a leg says of itself, that it leaks nothing, its clues, and that it runs as it
// says.
func (k *legCheck) leg(f File, bad func(field string, want, got any)) {
	for _, issue := range f.Issues(false) {
		if issue.Severity == Critical {
			bad(issue.Code, fmt.Sprintf("a leg that is valid at stop %d", issue.Stop), issue.Message)
		}
	}
	if got := Variant(f.Leg); got != f.Variant {
		bad("variant", f.Variant, got)
	}
	if u := f.Leg.SeedURL; len(f.Leg.Stops) > 0 && f.Leg.Stops[0].PageURL != nil &&
		u != *f.Leg.Stops[0].PageURL {
		bad("seed_url", "that of the first stop", fault.Quote(u))
	}
	a := AuditOf(f)
	flags := a.flags()
	for _, name := range leakFlags {
		if flags[name] {
			bad(name, "no leg with that flag", f.Sample)
		}
	}
	if !a.ClueNumbers {
		bad("clues", fmt.Sprintf("clues 1 to %d", a.Stops), fmt.Sprint(clueNumbers(f.Leg.Riddle)))
	}
	for _, m := range MisreadClues(f.Leg) {
		bad("clue", m.Want, fault.Quote(m.Got))
	}
	if Reworded(f.Leg) { // free words may say what no wording of the tables can
		for _, leak := range Leaks(k.tools.World, f.Leg) {
			bad(leak.Check, "a riddle that reveals nothing", leak.Reason)
		}
	}
	for i := range f.Leg.Stops {
		got := f.Leg.Stops[i].Bridge
		if want := k.bridge(f.Leg, i); !reflect.DeepEqual(got, want) {
			bad(fmt.Sprintf("bridge of stop %d", i), release.Shown(want), release.Shown(got))
		}
	}
	k.run(f, bad)
}

// bridge returns what the bridge of a stop of ours holds by its type: of a page the next page and
// how it is found, of the others what they compute, and nothing else.
func (k *legCheck) bridge(l *schemas.AARLeg, i int) schemas.AARBridge {
	s := &l.Stops[i]
	b := schemas.AARBridge{Type: s.Bridge.Type, ToolChain: []schemas.AARCall{}, ReferencedStops: []int{}}
	switch s.Type {
	case schemas.AARTool:
		b.ToolChain = s.Bridge.ToolChain
	case schemas.AARCompute:
		b.Expression, b.ExpressionCode = s.Bridge.Expression, s.Bridge.ExpressionCode
		b.ReferencedStops = s.Bridge.ReferencedStops
	case schemas.AARPage:
		to := s
		for n := i + 1; n < len(l.Stops); n++ {
			if l.Stops[n].Type == schemas.AARPage {
				to = &l.Stops[n]
				break
			}
		}
		if to.PageURL == nil {
			break
		}
		if b.Type == bridgeLink {
			b.TargetURL = to.PageURL
			break
		}
		b.ExpectedResultURL = to.PageURL
		if page, ok := k.tools.World.Page(*to.PageURL); ok {
			query := k.tools.World.Title(page) + " wikipedia"
			b.SearchQuery = &query
		}
	}
	return b
}

// leakFlags are the flags of the audit that no leg of ours has, however it was drawn.
var leakFlags = []string{
	"non_dag", "expression_leak", "title_leak", "title_issues", "stale_reason", "stale_finish",
	"object_value",
	"missing_output", "page_object_fact", "duplicate_pages", "level_mismatch",
}

// run repeats a leg on the world. Without the cassette of a build the calls of providers cannot be
// repeated.
func (k *legCheck) run(f File, bad func(field string, want, got any)) {
	for _, s := range f.Leg.Stops {
		for _, c := range s.Bridge.ToolChain {
			if spec, ok := FindSpec(c.ToolName); ok && spec.Name != toolPython &&
				!k.tools.offers(spec.Name) {
				k.Skip("running %s: %s answers from a cassette alone", LegIDIn(f.Variant, f.Leg), spec.Name)
				return
			}
		}
	}
	x := k.tools.Execute(k.Context(), f.Leg)
	for _, s := range x.Stops {
		if s.Status != StopMatch {
			bad("golden", fmt.Sprintf("stop %d as the world has it", s.Index), s.Status+": "+s.Reason)
		}
	}
	if i := len(x.Stops) - 1; i >= 0 && x.Stops[i].Status == StopMatch && !x.Golden {
		bad("passcode", "the last digit of "+string(x.Stops[i].Value), f.Leg.Passcode)
	}
}

// table compares the table of legs with the legs; only the number of draws is its own.
func (k *legCheck) table() {
	t := k.Parquet(LegsTable, LegRows.Table())
	if t == nil || release.Differ(k.Check, "rows as in the JSON lines", LegsTable, "",
		int64(len(k.rows)), t.Rows()) {
		return
	}
	row := 0
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			where := release.Row(row)
			got, err := LegRows.At(t, b, i)
			if k.rows[row].Attempts = got.Attempts; err == nil && got.Attempts < 1 {
				k.Add("attempts", LegsTable, where, "at least 1", got.Attempts)
			}
			if err == nil {
				err = LegRows.Compare(&k.rows[row], t, b, i, func(column string, want, got any) {
					k.Add(column+" as in the JSON lines", LegsTable, where, want, got)
				})
			}
			if err != nil {
				k.Add("record that can be laid flat", LegsTable, where, "one", err)
			}
			row++
		}
	}
}

// Tables returns the legs as a table of the catalog.
func (p part) Tables(f release.Files) ([]flat.Rows, error) {
	if !f.Has(LegsTable) {
		return nil, nil
	}
	t, err := f.Parquet(LegsTable, LegRows.Table())
	if err != nil {
		return nil, err
	}
	var list []schemas.AARLegRow
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			row, err := LegRows.At(t, b, i)
			if err != nil {
				return nil, fault.New(fault.Mismatch, "%w", err).At(LegsTable, release.Row(len(list)))
			}
			list = append(list, row)
		}
	}
	order.Sort(list, func(a, b schemas.AARLegRow) int { return strings.Compare(a.ID, b.ID) })
	return []flat.Rows{LegRows.Rows(p.Artifact.Name+"_legs", list, "level")}, nil
}
