package release

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// split writes the three files of a split and its entry in the manifest.
func (w *writer) split(s SplitInput) error {
	list := slices.Clone(s.Instances)
	slices.SortFunc(list, func(a, b schemas.WikiraceInstance) int { return cmp.Compare(a.ID, b.ID) })
	lines, err := w.bytes(splitPath(s.Name, ".jsonl"), jsonLines(list), len(list))
	if err != nil {
		return err
	}
	ids, err := w.bytes(splitPath(s.Name, ".ids"), idLines(list), len(list))
	if err != nil {
		return err
	}
	if _, err := w.create(splitPath(s.Name, ".parquet"), splitTable(list)); err != nil {
		return err
	}
	w.m.Splits[s.Name] = SplitEntry{
		N: len(list), Requested: s.Requested, Status: w.in.status(s), Distances: listed(s.Distances),
		IDsSHA256: ids.SHA256, SHA256: lines.SHA256,
	}
	return nil
}

func idLines(list []schemas.WikiraceInstance) []byte {
	var out []byte
	for _, inst := range list {
		out = append(append(out, inst.ID...), '\n')
	}
	return out
}

func splitTable(list []schemas.WikiraceInstance) func(io.Writer) (content, error) {
	return func(out io.Writer) (content, error) {
		return writeParquet(out, schemas.WikiraceSplitTable, func(p *arrowio.ParquetWriter) error {
			for _, inst := range list {
				if err := addInstance(p, inst); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// addInstance adds a row to the table of a split.
func addInstance(p *arrowio.ParquetWriter, inst schemas.WikiraceInstance) error {
	if !fitsUint(inst.Distance, math.MaxUint8) || !fitsUint(inst.MaxSteps, math.MaxUint32) || !fitsUint(inst.MaxLinks, math.MaxUint32) {
		return fault.New(fault.Mismatch, "instance %s has a number out of range", fault.Quote(inst.ID))
	}
	col := schemas.WikiraceSplitTable.Index
	p.String(col("id"), inst.ID)
	p.String(col("key"), inst.Key)
	addPage(p, schemas.WikiraceSplitTable, "source_", inst.Source)
	addPage(p, schemas.WikiraceSplitTable, "target_", inst.Target)
	p.Uint8(col("distance"), uint8(inst.Distance))
	p.List(col("witness"), inst.Witness)
	p.Uint32(col("max_steps"), uint32(inst.MaxSteps))
	p.Uint32(col("max_links"), uint32(inst.MaxLinks))
	p.Int64(col("seed"), inst.Seed)
	p.String(col("graph_sha256"), inst.GraphSHA256)
	p.String(col("recipe_sha256"), inst.RecipeSHA256)
	if err := addFeatures(p, &inst.Features); err != nil {
		return fault.New(fault.Mismatch, "instance %s: %w", fault.Quote(inst.ID), err)
	}
	return p.EndRow()
}

func addPage(p *arrowio.ParquetWriter, t schemas.Table, prefix string, page schemas.PageRef) {
	col := t.Index
	p.Uint32(col(prefix+"node"), page.Node)
	p.Uint32(col(prefix+"page_id"), page.PageID)
	p.String(col(prefix+"title"), page.Title)
}

func fitsUint(v int, most uint64) bool { return v >= 0 && uint64(v) <= most }

// shortage writes splits/shortage.json.
func (w *writer) shortage() error {
	list := listed(w.in.Shortage)
	_, err := w.bytes(shortagePath, canon.MustMarshal(list), len(list))
	return err
}

// status is short as soon as one distance of the split is.
func (in *Input) status(s SplitInput) string {
	if len(in.shorts(s)) > 0 {
		return schemas.StatusShort
	}
	return schemas.StatusOK
}

// shorts describes what s lacks, by distance.
func (in *Input) shorts(s SplitInput) []string {
	var out []string
	for _, row := range in.Shortage {
		if row.Split == s.Name && (row.Status != schemas.StatusOK || row.Got < row.Requested) {
			out = append(out, shortText(row.Split, row.Distance, row.Got, row.Requested))
		}
	}
	if len(out) == 0 && len(s.Instances) < s.Requested {
		out = append(out, shortText(s.Name, -1, len(s.Instances), s.Requested))
	}
	return out
}

// shortCompanions describes what probe and one-step sets lack.
func (in *Input) shortCompanions() []string {
	var rows []schemas.Shortage
	if in.Probe != nil {
		rows = append(rows, in.Probe.Shortage...)
	}
	if in.OneStep != nil {
		rows = append(rows, in.OneStep.Shortage...)
	}
	var out []string
	for _, row := range rows {
		if row.Status != schemas.StatusOK || row.Got < row.Requested {
			out = append(out, shortText(row.Split, row.Distance, row.Got, row.Requested))
		}
	}
	return out
}

// checkSplits refuses splits that no release can name, and short ones unless they are allowed.
func (in *Input) checkSplits(allowShort bool) error {
	if len(in.Splits) == 0 {
		return fault.New(fault.NotFound, "the build has no split")
	}
	seen := map[string]bool{}
	var short []string
	for _, s := range in.Splits {
		if !splitForm.MatchString(s.Name) || seen[s.Name] || isConstrained(s.Name) {
			return fault.New(fault.Usage, "split name %s is taken, or has other characters than a-z, 0-9 and _", fault.Quote(s.Name))
		}
		seen[s.Name] = true
		short = append(short, in.shorts(s)...)
	}
	short = append(short, in.shortCompanions()...)
	short = append(short, in.Constrained.short()...)
	if len(short) > 0 && !allowShort {
		return fault.New(fault.Shortage, "short: %s", strings.Join(short, ", ")).At(shortagePath, "").
			Hint("allow short splits, or build with smaller splits, other distances or a larger target set")
	}
	return nil
}

func shortText(split string, distance, got, requested int) string {
	if distance < 0 {
		return fmt.Sprintf("%s %d/%d", split, got, requested)
	}
	return fmt.Sprintf("%s at distance %d %d/%d", split, distance, got, requested)
}
