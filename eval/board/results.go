package board

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
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
		name := fileName(r.Model)
		i := slices.IndexFunc(files, func(f report.File) bool { return f.Name == name })
		if i < 0 {
			i, files = len(files), append(files, report.File{Name: name, Of: r.Model})
		}
		if files[i].Of != r.Model {
			return nil, fault.New(fault.Usage, "models %s and %s would share the file %s", fault.Quote(files[i].Of), fault.Quote(r.Model), name)
		}
		files[i].Data = append(files[i].Data, b.result(r, d)...)
	}
	slices.SortFunc(files, func(x, y report.File) int { return strings.Compare(x.Name, y.Name) })
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

// result is one item of the list. The text is quoted as JSON, which YAML reads; value is the success rate.
func (b *Board) result(r Row, d Dataset) []byte {
	source := "name"
	if strings.HasPrefix(r.Source, "https://") {
		source = "url"
	}
	m := r.Metrics[judge.MetricSuccess]
	notes := fmt.Sprintf("success rate, %d of %d games, 95 %% interval [%s, %s]; %s; manifest %s; options %s; summary %s",
		*m.Num, m.Den, *m.Lo, *m.Hi, r.Verified, r.ManifestID, r.Of.OptionsSHA256, r.SummarySHA256)
	if flags := b.flags(r); len(flags) > 0 {
		notes += "; " + strings.Join(flags, ", ")
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "- dataset:\n    id: %s\n    task_id: %s\n    revision: %s\n", quote(d.ID), quote("wikirace_"+r.Split), quote(d.Revision))
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
