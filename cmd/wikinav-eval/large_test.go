//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/schemas"
)

// largeRelease writes a release of one consistent split of about so many bytes of JSON lines, in which no pair comes twice.
func largeRelease(t *testing.T, bytes int) (dir string, records int) {
	t.Helper()
	const first, last = 20, 120 // distances
	b := newBuilder(t, gametest.Random(3, 2000, 3, 60), 0, first)
	b.quotas = nil
	s, got := splitInput{name: "easy"}, map[int]int{}
	for target := uint32(0); target < uint32(b.w.Len()) && bytes > 0; target++ {
		column, _ := b.w.Column(target)
		for u, d := range column {
			if int(d) >= first && int(d) <= last && bytes > 0 {
				inst := b.instance("easy", 0, uint32(u), target)
				inst.ID = fmt.Sprintf("wr-easy-%07d", len(s.instances)+1)
				s.instances = append(s.instances, inst)
				got[int(d)]++
				bytes -= lineLength(inst)
			}
		}
	}
	for d := first; d <= last; d++ {
		q := schemas.NewQuota("easy", got[d], got[d], "", nil)
		q.Distance = d
		b.quotas = append(b.quotas, q)
	}
	b.splits = []splitInput{s}
	return b.release(), len(s.instances)
}

// lineLength is about the length of an instance's line.
func lineLength(x schemas.WikiraceInstance) int {
	n := 900 + 2*len(x.Features.DAGLayers)
	for _, u := range x.Witness {
		n += 1 + len(strconv.Itoa(int(u)))
	}
	return n
}

// A large split costs what is kept of each instance, and neither its lines nor its tables. WIKINAV_LARGE_SPLIT is the size of the split in
// MB: with 400, no command may have 512 MiB at any time.
func TestALargeSplitIsReadAsAStream(t *testing.T) {
	megabytes := 16
	if n, err := strconv.Atoi(os.Getenv("WIKINAV_LARGE_SPLIT")); err == nil {
		megabytes = n
	}
	bin := filepath.Join(t.TempDir(), "wikinav-eval")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	small, few := largeRelease(t, 1<<20)
	large, many := largeRelease(t, megabytes*1_000_000)
	info, err := os.Stat(filepath.Join(large, "splits", "easy.jsonl"))
	must(t, err)
	t.Logf("%d records, %d bytes", many, info.Size())
	const most, each = 512 << 20, 2500 // of which a row group of the table, packed and unpacked, is most where there is but one
	for name, args := range map[string][]string{
		"verify, level 1": {"verify", "RELEASE", "--level", "1"},
		"verify, level 2": {"verify", "RELEASE", "--level", "2"},
		"play --limit":    {"play", "--release", "RELEASE", "--player", "random", "--limit", "1"},
		"play --instance": {"play", "--release", "RELEASE", "--player", "random", "--instance", "wr-easy-0000007"},
	} {
		base, peak := peakOf(t, bin, small, args), peakOf(t, bin, large, args)
		perRecord := (peak - base) / int64(many-few)
		t.Logf("%s: at most %d MiB, %d bytes for a record more", name, peak>>20, perRecord)
		if peak >= most || perRecord > each && megabytes < 200 {
			t.Errorf("%s: %d MiB for %d bytes of %d records, want less than %d MiB and %d bytes for a record", name, peak>>20, info.Size(), many, most>>20, each)
		}
	}
}

// peakOf runs the program on a release, which must succeed, and returns the most memory that it had.
func peakOf(t *testing.T, bin, dir string, args []string) (peak int64) {
	t.Helper()
	args = append([]string{}, args...)
	for i := range args {
		if args[i] == "RELEASE" {
			args[i] = dir
		}
	}
	if args[0] == "play" {
		args = append(args, "--out", filepath.Join(t.TempDir(), "run"))
	}
	var out bytes.Buffer
	cmd := exec.Command(bin, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	must(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// What the system says after the end counts this process before it became the other, too.
	for status := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid); ; time.Sleep(2 * time.Millisecond) {
		if data, err := os.ReadFile(status); err == nil {
			if found := highWater.FindSubmatch(data); found != nil {
				kib, err := strconv.ParseInt(string(found[1]), 10, 64)
				must(t, err)
				peak = max(peak, kib<<10)
			}
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %v\n%.2000s", args, err, out.String())
			}
			return peak
		default:
		}
	}
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
