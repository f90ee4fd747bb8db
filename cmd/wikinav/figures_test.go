package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/canon"
)

func TestFiguresDrawsAReport(t *testing.T) {
	dir := t.TempDir()
	r := &report.Report{
		Schema: report.Schema, Family: "tiny", Release: "demo", Columns: []report.Column{}, Groups: []report.Group{{
			Series: []string{"m"}, Lengths: report.Curve{Name: "distance", Groups: []report.Bin{
				{Low: "2", High: "2", Success: []judge.Metric{judge.Share(3, 4)}},
				{Low: "3", High: "3", Success: []judge.Metric{judge.Share(1, 4)}},
			}},
		}},
	}
	name := filepath.Join(dir, "report.json")
	if err := os.WriteFile(name, canon.MustMarshal(r), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "plots")
	if text := must(t, "figures", dir, "--out", out); !strings.Contains(text, "1 figures") {
		t.Errorf("got %s", text)
	}
	for _, file := range []string{"report.html", "success-distance.svg"} {
		first, err := os.ReadFile(filepath.Join(out, file))
		if err != nil {
			t.Fatal(err)
		}
		must(t, "figures", dir, "--out", out)
		if second, _ := os.ReadFile(filepath.Join(out, file)); !bytes.Equal(first, second) {
			t.Errorf("%s differs the second time", file)
		}
	}
	if code, _, errs := wikinav(t, "figures", out); code != 10 || !strings.Contains(errs, "wikinav-eval report") {
		t.Errorf("a folder without a report: exit %d: %s", code, errs)
	}
	if err := os.WriteFile(name, []byte(`{"schema":"wikinav.report/1"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := wikinav(t, "figures", dir); code != 14 || !strings.Contains(errs, "report.json") {
		t.Errorf("an older report: exit %d: %s", code, errs)
	}
}
