package aar

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/aar/reader"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// maxAttempts is how often a leg is tried. Where the first trialLegs legs of a variant and level all
// fail, the others are not tried: a small wiki would take hours to make none.
const (
	maxAttempts = 400
	trialLegs   = 2
)

// drawn is what became of a leg: nil, and why its attempts failed.
type drawn struct {
	id
	made     *made
	attempts int
	failed   map[string]int // by reason
}

// draw makes a leg.
func (m *maker) draw(x id) (d drawn, err error) {
	d = drawn{id: x, failed: map[string]int{}}
	if m.hopeless(x.variant) != "" {
		return d, nil
	}
	for ; d.made == nil && d.attempts < maxAttempts; d.attempts++ {
		got, err := m.attempt(x, d.attempts)
		if err = cmp.Or(m.ctx.Err(), err); err == nil {
			d.made = got
			continue
		}
		why, ok := isFailure(err)
		if !ok {
			return d, fmt.Errorf("leg %s %s %d: %w", x.variant, x.level, x.number, err)
		}
		d.failed[string(why)]++
	}
	return d, nil
}

// ids lists the legs that are asked for, by variant, level and number.
func (p Params) ids() (list []id) {
	for _, variant := range schemas.AARVariants {
		for _, level := range schemas.AARLevels {
			for n := range p.Legs {
				list = append(list, id{variant, level, n + 1})
			}
		}
	}
	return list
}

// legs makes the legs of a world that was written, and all that is told of them.
func (p Params) legs(ctx context.Context, env *stages.Run, w *world) error {
	if len(w.rows) == 0 {
		return stages.WriteQuotas(env, nil)
	}
	f, err := w.field(ctx, env)
	if err == nil {
		err = f.beginWith(p.Seeds)
	}
	if err != nil {
		return err
	}
	ids := p.ids()
	meter := env.Meter("making legs", "legs", int64(len(ids)))
	defer meter.Done()
	makers, list := make([]*maker, max(1, env.Workers())), make([]drawn, len(ids))
	draw := func(wanted func(i int) bool) error {
		return graph.Each(ctx, len(makers), len(ids), func(worker, i int) (err error) {
			if !wanted(i) {
				return nil
			}
			if makers[worker] == nil {
				makers[worker] = newMaker(ctx, f, p)
			}
			list[i], err = makers[worker].draw(ids[i])
			meter.Add(1)
			return err
		})
	}
	trial := func(i int) bool { return ids[i].number <= trialLegs }
	if err = draw(trial); err == nil {
		err = draw(func(i int) bool { return !trial(i) && !p.givenUp(list, i) })
	}
	if err != nil {
		return err
	}
	for i, x := range ids {
		list[i].id = x
	}
	return p.write(ctx, env, f, list)
}

// givenUp reports whether the first legs of the variant and level of leg i all failed.
func (p Params) givenUp(list []drawn, i int) bool {
	first := i - i%p.Legs
	return !slices.ContainsFunc(list[first:first+min(trialLegs, p.Legs)], func(d drawn) bool { return d.made != nil })
}

// field reads the world as it was written.
func (w *world) field(ctx context.Context, env *stages.Run) (*field, error) {
	files, err := writtenFiles(env, aar.TextsFile, aar.AliasesFile, aar.PlacesFile, aar.IndexFile)
	if err != nil {
		return nil, err
	}
	written, err := aar.OpenWorld(files)
	if written, err = stages.Keep(env, written, err); err != nil {
		return nil, err
	}
	day, err := dayOf(w.snapshot)
	if err != nil {
		return nil, err
	}
	meter := env.Meter("reading facts", "pages", int64(written.Len()))
	defer meter.Done()
	tape, err := readCassette(env)
	if err != nil {
		return nil, err
	}
	tools := &aar.Tools{World: written, Cassette: tape.Answers()}
	f, err := newField(ctx, tools, w.graph, flagsOf(w.nodes), day, env.Workers(),
		func() { meter.Add(1) })
	if err == nil {
		f.tape = tape
	}
	return f, err
}

// readCassette reads what providers answered; nil for none.
func readCassette(env stages.Env) (*aar.Cassette, error) {
	files, err := env.Input(schemas.AARCassette)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	data, err := files[0].Read()
	if err != nil {
		return nil, err
	}
	return aar.ReadCassette(bytes.NewReader(data), files[0].Name)
}

// flagsOf returns the flags of nodes.
func flagsOf(nodes *arrowio.File) func(u int) uint16 {
	flags := schemas.NodesTable.Index("flags")
	return func(u int) uint16 {
		return nodes.Uint16s(u/schemas.BatchRows,
			flags)[u%schemas.BatchRows]
	}
}

// dayOf reads the day of a snapshot.
func dayOf(s schemas.Snapshot) (time.Time, error) {
	for _, form := range []string{"20060102", time.DateOnly} {
		if day, err := time.Parse(form, s.Date); err == nil {
			return day, nil
		}
	}
	return time.Time{}, fault.New(fault.Mismatch, "the day of the snapshot is %s, want YYYYMMDD",
		fault.Quote(s.Date))
}

// write writes the legs of each variant and level, and what is told of them.
func (p Params) write(ctx context.Context, env *stages.Run, f *field, list []drawn) error {
	var quotas []schemas.Quota
	var rows []schemas.AARLegRow
	report := aar.Report{Schema: aar.ReportSchema, Profile: p.Profile}
	for group := range slices.Chunk(list, max(1, p.Legs)) {
		x := group[0].id
		g := aar.ReportGroup{
			Variant: x.variant, Level: x.level, Requested: len(group),
			Failed: map[string]int{},
		}
		var text []byte
		first := len(rows)
		for _, d := range group {
			g.Attempts += d.attempts
			for why, n := range d.failed { // sums
				g.Failed[why] += n
			}
			if d.made != nil {
				if why := d.made.reworded; why != "" {
					if report.Rewordings == nil {
						report.Rewordings = map[string]int{}
					}
					report.Rewordings[why]++
				}
				rows = append(rows, aar.RowOf(d.variant, d.made.leg, d.attempts))
				text = append(append(text, aar.EncodeLine(d.made.leg)...), '\n')
			}
		}
		g.Made = len(rows) - first
		g.Means = aar.MeansOf(x.variant, x.level, rows[first:])
		report.Groups = append(report.Groups, g)
		if err := env.Write(aar.LegsFile(x.variant, x.level), stages.Lines(text,
			g.Made)); err != nil {
			return err
		}
		quotas = append(quotas, f.quota(g))
	}
	if err := distinct(rows); err != nil {
		return err
	}
	err := f.publish(ctx, env, list)
	if err == nil {
		err = p.tell(ctx, env, f, list, &report)
	}
	if err == nil {
		err = env.Write(aar.LegsTable, stages.Parquet(aar.LegRows, rows))
	}
	if err == nil {
		err = env.Write(aar.ReportFile, stages.Canonical(report))
	}
	if err != nil {
		return err
	}
	return stages.WriteQuotas(env, quotas)
}

// quota says how many legs there are of a variant and level, and why not more.
func (f *field) quota(g aar.ReportGroup) schemas.Quota {
	of := strings.TrimSuffix(aar.LegsFile(g.Variant, g.Level), ".jsonl")
	counts := map[string]int64{"attempts": int64(g.Attempts)}
	for _, name := range slices.Sorted(maps.Keys(g.Failed)) {
		counts["failed_"+strings.ReplaceAll(name, " ", "_")] = int64(g.Failed[name])
	}
	return schemas.NewQuota(of, g.Requested, g.Made, f.why(g), counts)
}

// why says why there are no more legs.
func (f *field) why(g aar.ReportGroup) string {
	if why := f.hopeless(g.Variant); why != "" {
		return why
	}
	if g.Made == 0 && g.Requested > trialLegs {
		return fmt.Sprintf("the first %d legs failed in each of %d attempts, and no other was tried: %s",
			trialLegs, maxAttempts, reasons(g.Failed))
	}
	return fmt.Sprintf("%d legs failed in each of %d attempts: %s", g.Requested-g.Made, maxAttempts,
		reasons(g.Failed))
}

// reasons lists why attempts failed, and how many.
func reasons(failed map[string]int) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(failed)) {
		list = append(list, fmt.Sprintf("%s %d", name, failed[name]))
	}
	return strings.Join(list, ", ")
}

// distinct refuses two legs with one trail_id: 32 bits of a hash may meet.
func distinct(rows []schemas.AARLegRow) error {
	seen := map[string]string{}
	for _, r := range rows {
		if other, twice := seen[r.TrailID]; twice {
			return fault.New(fault.Failure, "the legs %s and %s have one trail_id", other,
				r.ID).Hint("take another seed")
		}
		seen[r.TrailID] = r.ID
	}
	return nil
}

// publish writes the recordings that tools answer from, if a leg does not run without them. Else
// nobody has them who plays the legs, neither here.
func (f *field) publish(ctx context.Context, env *stages.Run, list []drawn) error {
	tape := f.tools.Cassette
	f.tools = &aar.Tools{World: f.World}
	if tape == nil || !slices.ContainsFunc(list, func(d drawn) bool {
		return d.made != nil && !f.tools.Execute(ctx, d.made.leg).Golden
	}) {
		return nil
	}
	f.tools = &aar.Tools{World: f.World, Cassette: tape}
	var text bytes.Buffer
	if err := tape.Write(&text); err != nil {
		return err
	}
	return env.Write(aar.CassetteFile, stages.Lines(text.Bytes(), tape.Len()))
}

// tell adds what follows from the legs, and how baselines fare, to a report.
func (p Params) tell(ctx context.Context, env *stages.Run, f *field, list []drawn,
	report *aar.Report,
) (err error) {
	var legs []aar.File
	for _, d := range list {
		if d.made != nil {
			legs = append(legs, aar.File{Variant: d.variant, Level: d.level, Leg: d.made.leg})
		}
	}
	report.Follow(f.World, legs, f.kinds)
	meter := env.Meter("playing baselines", "legs", int64(len(legs)*len(reader.Players)))
	defer meter.Done()
	report.Baselines, err = reader.Baselines(ctx, newMaker(ctx, f, p).reader, p.Seed, legs,
		env.Workers(), func() { meter.Add(1) })
	return err
}
