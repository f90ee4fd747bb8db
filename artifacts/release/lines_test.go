package release_test

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestRecordsAreAsManyAsTheManifestCountsAndStandOnce(t *testing.T) {
	b := newBuild(t)
	dir := b.release(WriteOptions{})
	for name, c := range map[string]struct {
		change func(instances) instances
		rows   int64
		want   string
	}{
		"repeated":   {func(l instances) instances { return append(l, l[0]) }, 0, "stands on line 1 already"},
		"too many":   {func(l instances) instances { return l }, -1, "a line more than the"},
		"too few":    {func(l instances) instances { return l }, 1, "recorded are"},
		"left alone": {func(l instances) instances { return l }, 0, ""},
	} {
		copied := copyTree(t, dir)
		rewriteSplit(t, copied, "easy", c.change, ".jsonl")
		reseal(t, copied, func(m *Manifest) {
			f, _ := m.File(splitPath("easy", ".jsonl"))
			*f.Rows += c.rows // shared with the manifest
		})
		r, err := Open(copied)
		must(t, err)
		defer r.Close()
		_, err = wikirace.Instances(r, "easy")
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file that says one thing again and again is refused at its second line, and none of the rest is kept.
func TestARepeatedIDCostsNoMemory(t *testing.T) {
	line := jsonLines(newBuild(t).in.Splits[0].Instances[:1])
	const times = 100_000
	dir := t.TempDir()
	must(t, os.WriteFile(dir+"/easy.jsonl", []byte(strings.Repeat(string(line), times)), 0o644))
	sum, err := digest.File(t.Context(), dir+"/easy.jsonl")
	must(t, err)
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	var f Files
	f.Add("easy.jsonl", root, "easy.jsonl", sum, times, "")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Lines(f, "easy.jsonl", schemas.WikiraceInstanceSchema, func(x *schemas.WikiraceInstance) string { return x.ID })
	runtime.ReadMemStats(&after)
	if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v", err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes for a file of %d", used, sum.Bytes)
	}
}

func TestAManifestWithAKeyThatIsNotASCIIIsMalformed(t *testing.T) {
	dir := newBuild(t).release(WriteOptions{})
	for _, place := range []string{`"counts":{`, `"params":{`, `"recipe":{`, `"inputs":{`} {
		copied := copyTree(t, dir)
		value := `"é":1`
		if strings.Contains(place, "params") || strings.Contains(place, "inputs") {
			value = map[string]string{`"params":{`: `"é":{}`, `"inputs":{`: `"é":"x"`}[place]
		}
		edit(t, copied, ManifestName, func(data []byte) []byte {
			text := strings.Replace(string(data), place+"}", place+value+"}", 1)
			if text == string(data) {
				text = strings.Replace(text, place, place+value+",", 1)
			}
			return []byte(text)
		})
		if _, err := Open(copied); !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "not ASCII") {
			t.Errorf("%s: %v", place, err)
		}
		report, err := verify(t.Context(), copied, VerifyOptions{})
		if err != nil || report.Err() == nil {
			t.Errorf("%s: %v, %+v", place, err, report)
		}
	}
}
