package board

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Dataset is a release as the Hugging Face hub has it.
type Dataset struct {
	ID       string // owner/name
	Revision string // commit or tag
}

// Results gives the rows as evaluation results for the hub, a file a model, by model: what its repository keeps in .eval_results. Two
// models whose names give the same file name are fault.Usage.
func (b *Board) Results(d Dataset, keep func(Row) bool) ([]report.File, error) {
	var files []report.File
	for _, r := range b.rows {
		if !keep(r) {
			continue
		}
		var err error
		file := report.File{Name: fileName(r.Model), Of: r.Model, Data: b.result(r, d)}
		if files, err = Join(files, []report.File{file}); err != nil {
			return nil, err
		}
	}
	order.Sort(files, func(x, y report.File) int { return strings.Compare(x.Name, y.Name) })
	return files, nil
}

// Join adds the results of more to the files of their models.
func Join(files, more []report.File) ([]report.File, error) {
	for _, m := range more {
		i := slices.IndexFunc(files, func(f report.File) bool { return f.Name == m.Name })
		switch {
		case i < 0:
			files = append(files, m)
		case files[i].Of != m.Of:
			return nil, fault.New(fault.Usage, "models %s and %s would share the file %s",
				fault.Quote(files[i].Of), fault.Quote(m.Of), m.Name)
		default:
			files[i].Data = append(files[i].Data, m.Data...)
		}
	}
	return files, nil
}

// fileName keeps of a model's name what any file system takes.
func fileName(model string) string {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, model)
	return strings.Trim("wikinav-"+slug, ".-") + ".yaml"
}

// task names what was played, as the data card of a release does its configurations.
func (b *Board) task(r Row) string {
	name := b.family.Name() + "_" + r.Split
	if r.Variant != "" {
		name += "_" + r.Variant
	}
	return strings.ReplaceAll(name, "/", "_")
}

// result is one item of the list. The text is quoted as JSON, which YAML reads; value is the metric that ranks first.
func (b *Board) result(r Row, d Dataset) []byte {
	source := "name"
	if strings.HasPrefix(r.Source, "https://") {
		source = "url"
	}
	first := b.first(r.Metrics)
	m, notes := r.Metrics[first.Metric], first.Heading
	if m.Num != nil {
		notes += fmt.Sprintf(", %d of %d", *m.Num, m.Den)
	}
	if m.Lo != nil {
		notes += fmt.Sprintf(", 95 %% interval [%s, %s]", *m.Lo, *m.Hi)
	}
	notes += fmt.Sprintf("; %s; manifest %s; rules %s; summary %s", r.Verified, r.ManifestID, r.Scores.RulesSHA256, r.SummarySHA256)
	if flags := b.flags(r); len(flags) > 0 {
		notes += "; " + strings.Join(flags, ", ")
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "- dataset:\n    id: %s\n    task_id: %s\n    revision: %s\n", quote(d.ID), quote(b.task(r)), quote(d.Revision))
	fmt.Fprintf(&out, "  value: %s\n  date: %s\n", report.Digits(*m.Value), quote(r.Submitted))
	fmt.Fprintf(&out, "  source:\n    %s: %s\n  notes: %s\n", source, quote(r.Source), quote(notes))
	return out.Bytes()
}

// quote gives a text as YAML: JSON's form, in which what YAML does not print is escaped.
func quote(text string) string {
	var b strings.Builder
	for _, r := range string(canon.AppendString(nil, text)) {
		switch {
		case r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
