package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
)

const legSamples = "../../../shared/data/aar"

// putFile writes a file and the folders above it.
func putFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLegsAreReadValidatedAuditedAndUnpacked(t *testing.T) {
	if _, err := os.Stat(legSamples); err != nil {
		t.Skip("the folder ../shared/data/aar is absent")
	}
	for verb, want := range map[string]string{
		"roundtrip": "40 of 40 legs are byte-identical\n", "validate": "40 legs: 0 critical issues, 42 warnings\n", "audit": "all\t40\n",
	} {
		if code, text, errs := call("aar", verb, legSamples); code != 0 || !strings.HasSuffix(text, want) || errs != "" {
			t.Errorf("%s: %d, %.200q, %q", verb, code, text, errs)
		}
	}
	_, one, _ := call("aar", "audit", legSamples, "--json")
	_, other, _ := call("aar", "audit", legSamples, "--format", "json")
	var audit struct{ Legs []map[string]any }
	if err := json.Unmarshal([]byte(one), &audit); err != nil || len(audit.Legs) != 40 || one != other {
		t.Errorf("audit as JSON: %d legs, %v", len(audit.Legs), err)
	}

	data, err := os.ReadFile(filepath.Join(legSamples, "aar-dag/easy/sample_003.json"))
	if err != nil {
		t.Fatal(err)
	}
	leg, _, err := aar.DecodeLeg(data)
	if err != nil {
		t.Fatal(err)
	}
	release, tree := t.TempDir(), filepath.Join(t.TempDir(), "tree")
	lines := filepath.Join(release, "aar", "legs-dag-easy.jsonl")
	putFile(t, lines, append(aar.EncodeLine(leg), '\n'))
	if code, text, errs := call("aar", "unpack", release, "--out", tree); code != 0 || text != "unpacked 1 legs\n" {
		t.Fatalf("unpack: %d, %q, %q", code, text, errs)
	}
	got, err := os.ReadFile(filepath.Join(tree, "aar-dag/easy/sample_003.json"))
	if err != nil || !bytes.Equal(got, append(bytes.TrimSpace(data), '\n')) {
		t.Errorf("unpacked as another leg (%v)", err)
	}
	if code, text, _ := call("aar", "roundtrip", tree); code != 0 || text != "1 of 1 legs are byte-identical\n" {
		t.Errorf("roundtrip of the tree: %d, %q", code, text)
	}
	leg.Metadata.SampleID = "sample_/../../../x"
	putFile(t, lines, append(aar.EncodeLine(leg), '\n'))
	if code, _, errs := call("aar", "unpack", release, "--out", tree+"2"); code != 14 || !strings.Contains(errs, "sample_id") {
		t.Errorf("unpack of a path out of the tree: %d, %q", code, errs)
	}
}

// TestBadLegsHaveTheirExitCode returns each verb legs that differ, cannot be read, or are rejected.
func TestBadLegsHaveTheirExitCode(t *testing.T) {
	if _, err := os.Stat(legSamples); err != nil {
		t.Skip("the folder ../shared/data/aar is absent")
	}
	data, err := os.ReadFile(filepath.Join(legSamples, "aar-dag/easy/sample_003.json"))
	if err != nil {
		t.Fatal(err)
	}
	dir := func(name string, change func([]byte) []byte) string {
		dir := filepath.Join(t.TempDir(), name)
		putFile(t, filepath.Join(dir, "aar-dag/easy/sample_003.json"), change(bytes.Clone(data)))
		return dir
	}
	spaced := dir("spaced", func(b []byte) []byte { return bytes.Replace(b, []byte(": 4,"), []byte(":  4,"), 1) })
	cut := dir("cut", func(b []byte) []byte { return b[:100] })
	wrong := dir("wrong", func(b []byte) []byte { return bytes.Replace(b, []byte(`"passcode": 4`), []byte(`"passcode": 5`), 1) })
	for _, c := range []struct {
		code       int
		says, errs string
		args       []string
	}{
		{3, "sample_003.json\tdiffers\n0 of 1", "otherwise", []string{"roundtrip", spaced}},
		{14, "unreadable\tbad_json", "sample_003.json", []string{"roundtrip", cut}},
		{3, "critical\tbad_json", "1 critical", []string{"validate", cut}},
		{3, "critical\tpasscode", "1 critical", []string{"validate", wrong}},
		{3, `"code":"passcode"`, "1 critical", []string{"validate", wrong, "--json"}},
		{14, "", "sample_003.json", []string{"audit", cut}},
		{0, "stale_finish\t1\n", "", []string{"audit", wrong}},
		{10, "", "no legs", []string{"audit", t.TempDir()}},
		{10, "", "nowhere", []string{"roundtrip", filepath.Join(t.TempDir(), "nowhere")}},
		{10, "", "no release", []string{"unpack", wrong, "--out", t.TempDir()}},
		{2, "", "--out", []string{"unpack", wrong}},
		{2, "", "not empty", []string{"unpack", wrong, "--out", cut}},
		{2, "", "--format", []string{"audit", wrong, "--format", "xml"}},
	} {
		code, text, errs := call(append([]string{"aar"}, c.args...)...)
		if code != c.code || !strings.Contains(text, c.says) || !strings.Contains(errs, c.errs) || c.code != 0 && strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: %d, %q, %q, want %d", c.args, code, text, errs, c.code)
		}
	}
}

// TestAuditPrintsEveryExpectedField compares what both ways of asking for JSON print with every field
// of expected.json.
func TestAuditPrintsEveryExpectedField(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(legSamples, "expected.json"))
	if err != nil {
		t.Skip("the folder ../shared/data/aar is absent")
	}
	var want struct{ Legs map[string]map[string]any }
	if err := json.Unmarshal(data, &want); err != nil || len(want.Legs) != 40 {
		t.Fatalf("%d legs, %v", len(want.Legs), err)
	}
	for _, flags := range [][]string{{"--json"}, {"--format", "json"}} {
		var got struct{ Legs []map[string]any }
		out := must(t, append([]string{"aar", "audit", legSamples}, flags...)...)
		if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Legs) != len(want.Legs) {
			t.Fatalf("%v: %d legs, %v", flags, len(got.Legs), err)
		}
		for _, leg := range got.Legs {
			fields := want.Legs[leg["file"].(string)]
			if len(fields) < 10 {
				t.Errorf("%v: %v has %d expected fields", flags, leg["file"], len(fields))
			}
			for name, value := range fields {
				if !reflect.DeepEqual(leg[name], value) {
					t.Errorf("%v: %v: %s is %v, want %v", flags, leg["file"], name, leg[name], value)
				}
			}
		}
	}
}
