package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// taped answers wanted calls by numbers that follow from their length, into a file.
func taped(t *testing.T, calls string) string {
	t.Helper()
	tape := aar.NewCassette()
	lines := bufio.NewScanner(strings.NewReader(calls))
	for n := 0; lines.Scan(); n++ {
		tool, args, err := aar.ReadCall(lines.Bytes())
		response := map[string]string{
			"maps_directions":    fmt.Sprintf(`{"routes":[{"duration":{"value":%d}}]}`, 600+61*n),
			"maps_search_places": fmt.Sprintf(`{"places":[{"name":"it","rating":%d.%d}]}`, 1+n%4, n%10),
		}[tool]
		if _, rest, ok := strings.Cut(string(args), `"select":["`); ok {
			selector, _, _ := strings.Cut(rest, `"`)
			response = fmt.Sprintf(`{%q:%d.5}`, selector, 3+n%40)
		}
		if err == nil {
			err = tape.Put(aar.Recording{
				Tool: tool, Args: args, Response: schemas.AARValue(response), Status: aar.RecordedOK,
				Provider: "test", RecordedAt: "2026-01-01T00:00:00Z",
			}, false)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := tape.Write(&out); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "live.jsonl")
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// legFilesOf reads the legs of a build, and its cassette.
func legFilesOf(t *testing.T, work string) (legs string, tape []byte) {
	t.Helper()
	err := (&workFlags{work: work, build: "default"}).look(func(v *view) error {
		files, err := v.partFiles(aar.Part)
		if err != nil {
			return err
		}
		if files.Has(aar.CassetteFile) {
			if tape, err = files.Read(aar.CassetteFile); err != nil {
				return err
			}
		}
		list, err := aar.LegsOf(files)
		for _, f := range list {
			legs += string(aar.EncodeLine(f.Leg)) + "\n"
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return legs, tape
}

// TestLegsOfASmallWikiWithACassette lists calls, records them, builds with them and without, and
// makes a leg alone.
func TestLegsOfASmallWikiWithACassette(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the demo snapshot")
	}
	work, dump := t.TempDir(), smallDump(t)
	build := func(more ...string) {
		t.Helper()
		must(t, append([]string{
			"build", "--only", "aar", "--dump", dump, "--texts", "on", "--set", "aar.legs=2", "--work", work,
			"--progress", "none",
		}, more...)...)
	}
	build()
	without, none := legFilesOf(t, work)
	if none != nil {
		t.Error("a build without a cassette publishes one")
	}
	calls := must(t, "aar", "calls", "--work", work, "--limit", "600")
	if again := must(t, "aar", "calls", "--work", work, "--limit", "600"); again != calls {
		t.Error("other calls are wanted the second time")
	}
	if first := must(t, "aar", "calls", "--work", work, "--limit", "10"); !strings.HasPrefix(calls, first) ||
		strings.Count(first, "\n") != 10 {
		t.Errorf("the first calls are %s", first)
	}
	tape := taped(t, calls)

	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	build("--aar-cassette", empty)
	if got, published := legFilesOf(t, work); got != without || published != nil {
		t.Error("an empty cassette makes other legs than none, or is published")
	}

	build("--aar-cassette", tape, "--workers", "1")
	one, published := legFilesOf(t, work)
	whole, err := os.ReadFile(tape)
	if err != nil || !bytes.Equal(whole, published) {
		t.Errorf("%d bytes of the cassette's %d are published (%v)", len(published), len(whole), err)
	}
	if one == without || !strings.Contains(one, "weather_historical") || !strings.Contains(one, "place_rating") {
		t.Error("no leg needs a provider")
	}
	if code, _, errs := wikinav(t, "aar", "leg", "aar-dag-hard-001", "--work", work); code != 2 ||
		!strings.Contains(errs, "--aar-cassette FILE") {
		t.Errorf("a leg without the cassette: exit %d: %s", code, errs)
	}
	alone := must(t, "aar", "leg", "aar-dag-hard-001", "--work", work, "--aar-cassette", tape)
	l, _, err := aar.DecodeLeg([]byte(alone))
	if err != nil || !strings.Contains(one, string(aar.EncodeLine(l))) {
		t.Errorf("a leg alone is another one (%v)", err)
	}
	checkSideInput(t, work)
}

// checkSideInput wants the cassette in what a release says of its build.
func checkSideInput(t *testing.T, work string) {
	t.Helper()
	err := (&workFlags{work: work, build: "default"}).look(func(v *view) error {
		for _, src := range v.build.Source {
			if src.Role == "aar-cassette" && src.Name == "live.jsonl" && licenceOfSide(src.Role) != "" {
				return nil
			}
		}
		t.Errorf("the cassette is not a side input: %+v", v.build.Source)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAReleaseWithACassetteIsRunAgain releases a small wiki whose legs need providers.
func TestAReleaseWithACassetteIsRunAgain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the demo snapshot")
	}
	work, dir := t.TempDir(), filepath.Join(t.TempDir(), "r")
	args := []string{
		"build", "--dump", smallDump(t), "--texts", "on", "--set", "aar.legs=1", "--work", work,
		"--progress", "none",
	}
	must(t, args...)
	tape := taped(t, must(t, "aar", "calls", "--work", work, "--limit", "1500"))
	must(t, append(args, "--aar-cassette", tape)...)
	must(t, "release", "--work", work, "--out", dir, "--allow-short")
	r, err := release.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	m := r.Manifest()
	if len(m.SideInputs) == 0 || m.SideInputs[len(m.SideInputs)-1].Role != "aar-cassette" {
		t.Errorf("side inputs are %+v", m.SideInputs)
	}
	if out := must(t, "verify", dir, "--level", "3"); strings.Contains(out, "answers from a cassette alone") {
		t.Errorf("legs are not run: %s", out)
	}
	path := filepath.Join(dir, "aar", aar.CassetteFile)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
}
