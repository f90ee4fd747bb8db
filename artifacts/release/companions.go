package release

import (
	"cmp"
	"io"
	"math"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// ProbeInput is the knowledge probe of a build.
type ProbeInput struct {
	Instances []schemas.ProbeInstance
	Shortage  []schemas.Shortage
}

// OneStepInput is the one-step sets of a build.
type OneStepInput struct {
	Sets     []OneStepSet
	Shortage []schemas.Shortage
	Report   schemas.OneStepReport
}

// OneStepSet is one of them.
type OneStepSet struct {
	Name      string
	Instances []schemas.OneStepInstance
}

// companions writes probe/ and onestep/, as far as they were built.
func (w *writer) companions() error {
	if w.in.Probe != nil {
		if err := w.probe(w.in.Probe); err != nil {
			return err
		}
	}
	if w.in.OneStep != nil {
		return w.oneStep(w.in.OneStep)
	}
	return nil
}

func (w *writer) probe(in *ProbeInput) error {
	list := slices.Clone(in.Instances)
	slices.SortFunc(list, func(a, b schemas.ProbeInstance) int { return cmp.Compare(a.ID, b.ID) })
	if _, err := w.bytes(probePath, jsonLines(list), len(list)); err != nil {
		return err
	}
	if _, err := w.create(probeTablePath, tableOf(schemas.ProbeTable, list, addProbe)); err != nil {
		return err
	}
	_, err := w.bytes(probeShortagePath, canon.MustMarshal(listed(in.Shortage)), len(in.Shortage))
	return err
}

func (w *writer) oneStep(in *OneStepInput) error {
	for _, set := range in.Sets {
		list := slices.Clone(set.Instances)
		slices.SortFunc(list, func(a, b schemas.OneStepInstance) int { return cmp.Compare(a.ID, b.ID) })
		if _, err := w.bytes(oneStepPath(set.Name, ".jsonl"), jsonLines(list), len(list)); err != nil {
			return err
		}
		if _, err := w.create(oneStepPath(set.Name, ".parquet"), tableOf(schemas.OneStepTable, list, addOneStep)); err != nil {
			return err
		}
	}
	if _, err := w.bytes(oneStepShortagePath, canon.MustMarshal(listed(in.Shortage)), len(in.Shortage)); err != nil {
		return err
	}
	_, err := w.bytes(overlapPath, canon.MustMarshal(in.Report), 0)
	return err
}

// jsonLines gives the canonical JSON lines of records.
func jsonLines[T any](list []T) []byte {
	var out []byte
	for i := range list {
		out = append(append(out, canon.MustMarshal(&list[i])...), '\n')
	}
	return out
}

// tableOf gives a writer of the Parquet table of records.
func tableOf[T any](t schemas.Table, list []T, add func(*arrowio.ParquetWriter, *T) error) func(io.Writer) (content, error) {
	return func(out io.Writer) (content, error) {
		return writeParquet(out, t, func(p *arrowio.ParquetWriter) error {
			for i := range list {
				if err := add(p, &list[i]); err != nil {
					return err
				}
				if err := p.EndRow(); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func addProbe(p *arrowio.ParquetWriter, r *schemas.ProbeInstance) error {
	if !fitsUint(r.Distance, math.MaxUint8) {
		return fault.New(fault.Mismatch, "instance %s has a number out of range", fault.Quote(r.ID))
	}
	col := schemas.ProbeTable.Index
	p.String(col("id"), r.ID)
	p.String(col("class"), r.Class)
	addPage(p, schemas.ProbeTable, "source_", r.Source)
	addPage(p, schemas.ProbeTable, "target_", r.Target)
	p.String(col("gold"), r.Gold)
	p.Uint8(col("distance"), uint8(r.Distance))
	p.Bool(col("mutual"), r.Mutual)
	return nil
}

func addOneStep(p *arrowio.ParquetWriter, r *schemas.OneStepInstance) error {
	if !fitsUint(r.Distance, math.MaxUint8) || !asked(r.Messages) {
		return fault.New(fault.Mismatch, "instance %s has a number out of range, or messages other than system and user", fault.Quote(r.ID))
	}
	col := schemas.OneStepTable.Index
	p.String(col("id"), r.ID)
	addPage(p, schemas.OneStepTable, "source_", r.Source)
	addPage(p, schemas.OneStepTable, "target_", r.Target)
	p.Uint8(col("distance"), uint8(r.Distance))
	var nodes []uint32
	for _, l := range r.Menu {
		nodes = append(nodes, l.Node)
	}
	p.List(col("menu_nodes"), nodes)
	p.List(col("best"), r.Best)
	p.String(col("system"), r.Messages[0].Content)
	p.String(col("user"), r.Messages[1].Content)
	p.String(col("prompt_sha256"), r.PromptSHA256)
	for _, kind := range schemas.OneStepKinds {
		p.Bool(col("overlap_"+kind.Name), *kind.Of(&r.Overlap))
	}
	return nil
}

// asked tells whether a prompt is a system and a user message, for which the table has columns.
func asked(m []schemas.Message) bool {
	return len(m) == 2 && m[0].Role == schemas.RoleSystem && m[1].Role == schemas.RoleUser
}

// probeAt reads row i of batch b of the probe's table.
func probeAt(t *arrowio.Table, b, i int) schemas.ProbeInstance {
	row := rowAt{t, schemas.ProbeTable, b, i}
	return schemas.ProbeInstance{
		Schema: schemas.ProbeInstanceSchema, ID: row.text("id"), Class: row.text("class"), Source: row.page("source_"), Target: row.page("target_"),
		Gold: row.text("gold"), Distance: int(row.byte("distance")), Mutual: row.bool("mutual"),
	}
}

// oneStepAt reads row i of batch b of a one-step table; titles gives the titles of the menu, which are not in it.
func oneStepAt(t *arrowio.Table, b, i int, titles func(node uint32) string) schemas.OneStepInstance {
	row := rowAt{t, schemas.OneStepTable, b, i}
	r := schemas.OneStepInstance{
		Schema: schemas.OneStepInstanceSchema, ID: row.text("id"), Source: row.page("source_"), Target: row.page("target_"),
		Distance: int(row.byte("distance")), Menu: []schemas.OneStepLink{}, Best: row.list("best"),
		Messages:     []schemas.Message{{Role: schemas.RoleSystem, Content: row.text("system")}, {Role: schemas.RoleUser, Content: row.text("user")}},
		PromptSHA256: row.text("prompt_sha256"),
	}
	for i, u := range row.list("menu_nodes") {
		r.Menu = append(r.Menu, schemas.OneStepLink{I: i, Node: u, Title: titles(u)})
	}
	for _, kind := range schemas.OneStepKinds {
		*kind.Of(&r.Overlap) = row.bool("overlap_" + kind.Name)
	}
	return r
}
