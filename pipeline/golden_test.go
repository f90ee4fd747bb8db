package pipeline_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/canon"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The bytes of a small build, file by file. When a format changes on purpose, raise the stage's version and run
// `make golden`.
func TestGoldenBytesOfASmallBuild(t *testing.T) {
	j := newJob(t)
	res := j.mustBuild(t)
	var digests strings.Builder
	for _, o := range res.Outcomes {
		if o.Stage == "catalog" { // its header holds the version of SQLite
			continue
		}
		for _, out := range o.Receipt.Outputs {
			digests.WriteString(o.Stage + "/" + out.Path + " " + out.SHA256 + "\n")
		}
	}
	golden(t, "g9.digests", digests.String())
	folder := func(stage string) string {
		return filepath.Join(j.work, "stages", stage, res.Build.Stages[stage][:32])
	}
	for name, path := range map[string]string{
		"g9.instances.jsonl": filepath.Join(folder("wikirace"), "tiny.jsonl"),
		"g9.quotas.json":     filepath.Join(folder("wikirace"), "quotas.json"),
		"g9.snapshot.json":   filepath.Join(folder("ingest"), "snapshot.json"),
	} {
		data, err := os.ReadFile(path)
		must(t, err)
		golden(t, name, string(data))
	}
	receipt := *res.Outcomes[1].Receipt
	golden(t, "g9.receipt.json", string(canon.MustMarshal(receipt))+"\n")
}

// golden compares text with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}
