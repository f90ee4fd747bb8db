package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

// What a hostile file may cost more than an honest one.
const (
	hostileBytes = 512 << 20
	hostileTime  = 20 * time.Second
)

// TestReleasesOfStrangersCannotHurt changes one file of a release at a time, brings every digest in line with it, and runs verify, play and
// score. WIKINAV_HOSTILE is the number of changes for each kind of file, WIKINAV_HOSTILE_RELEASE the release that is changed.
func TestReleasesOfStrangersCannotHurt(t *testing.T) {
	times := 3
	if n, err := strconv.Atoi(os.Getenv("WIKINAV_HOSTILE")); err == nil {
		times = n
	}
	dir := filepath.Join(t.TempDir(), "release")
	if from := os.Getenv("WIKINAV_HOSTILE_RELEASE"); from != "" {
		must(t, os.CopyFS(dir, os.DirFS(from)))
	} else {
		dir = newRelease(t, gametest.G9(), 2, 3, 5)
	}
	h := &hostile{t: t, dir: dir, out: t.TempDir()}
	h.baseline()
	for kind, files := range h.kinds() {
		codes := map[string]int{}
		for i := range times {
			seed := uint64(i)
			h.try(kind, files, seed, codes)
		}
		t.Logf("%s: %d changes to %d files: %v", kind, times, len(files), codes)
	}
	t.Logf("at most %d MiB allocated and %s for one command", h.mostBytes>>20, h.mostTime.Round(time.Millisecond))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hostile is a release that is changed and put right again.
type hostile struct {
	t         *testing.T
	dir, out  string
	played    map[string]string // by family: the run of the honest release
	manifest  []byte
	honest    uint64 // bytes that verify allocates, one after the other, for the honest release
	mostBytes uint64
	mostTime  time.Duration
}

// baseline plays every family that the honest release has.
func (h *hostile) baseline() {
	var err error
	h.manifest, err = os.ReadFile(filepath.Join(h.dir, release.ManifestName))
	must(h.t, err)
	h.honest = 1 << 62
	h.run("honest", "verify", h.dir)
	h.honest, h.mostBytes = h.mostBytes, 0
	h.played = map[string]string{}
	for _, f := range families.All {
		run := filepath.Join(h.out, "honest-"+f.Name())
		if eval("play", "--release", h.dir, "--family", f.Name(), "--player", "random", "--limit", "2", "--out", run).code == 0 {
			h.played[f.Name()] = run
		}
	}
	if len(h.played) == 0 {
		h.t.Fatal("nothing of the honest release can be played")
	}
}

// kinds lists the files of the release by what they hold.
func (h *hostile) kinds() map[string][]string {
	kinds := map[string][]string{release.ManifestName: {release.ManifestName}, release.SumsName: {release.SumsName}}
	m, err := release.Decode(h.manifest)
	must(h.t, err)
	for _, f := range m.Files {
		kind := path.Join(path.Dir(f.Path), "*"+path.Ext(f.Path))
		switch ext := path.Ext(f.Path); ext {
		case ".parquet", ".arrow", ".md", ".sqlite", ".ids":
			kind = "*" + ext
		}
		kinds[kind] = append(kinds[kind], f.Path)
	}
	return kinds
}

// try changes a file, runs the commands, and puts the file back.
func (h *hostile) try(kind string, files []string, seed uint64, codes map[string]int) {
	r := rand.New(rand.NewPCG(seed, uint64(len(kind))))
	name := files[r.IntN(len(files))]
	at := filepath.Join(h.dir, filepath.FromSlash(name))
	old, err := os.ReadFile(at)
	must(h.t, err)
	changed := mutate(r, name, old)
	must(h.t, os.WriteFile(at, changed, 0o644))
	h.seal(name, changed, bytes.Count(changed, []byte("\n")))
	what := fmt.Sprintf("%s, seed %d (%s)", kind, seed, name)
	codes[fmt.Sprint("verify ", h.run(what, "verify", h.dir))]++
	for family, run := range h.played {
		out := filepath.Join(h.out, "run")
		code := h.run(what, "play", "--release", h.dir, "--family", family, "--player", "random", "--limit", "2", "--out", out)
		if codes[fmt.Sprint("play ", code)]++; code == 0 {
			run = out // a run of this very release
		}
		codes[fmt.Sprint("score ", h.run(what, "score", "--release", h.dir, "--family", family, "--partial", "--trajectories", run))]++
		must(h.t, os.RemoveAll(out))
	}
	must(h.t, os.WriteFile(at, old, 0o644))
	h.seal("", nil, 0)
}

// seal brings the manifest and SHA256SUMS in line with a file that was changed.
func (h *hostile) seal(name string, data []byte, lines int) {
	sealed := h.manifest
	m, err := release.Decode(h.manifest)
	must(h.t, err)
	for i := range m.Files {
		if f := &m.Files[i]; f.Path == name {
			sum := digest.Bytes(data)
			honest := f.SHA256
			f.Bytes, f.SHA256, f.XXH64 = sum.Bytes, sum.SHA256, sum.XXH64
			if f.Rows != nil && (strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ids")) {
				*f.Rows = int64(lines)
			}
			m.ID = release.ID(m)
			// Splits repeat the digests of their files, and so may others.
			var fresh release.Manifest
			must(h.t, json.Unmarshal(bytes.ReplaceAll(release.Encode(m), []byte(honest), []byte(f.SHA256)), &fresh))
			fresh.ID = release.ID(&fresh)
			sealed = release.Encode(&fresh)
		}
	}
	if name == release.ManifestName {
		sealed = data
	}
	must(h.t, os.WriteFile(filepath.Join(h.dir, release.ManifestName), sealed, 0o644))
	if name == release.SumsName {
		return
	}
	var sums strings.Builder
	done := false
	line := func(sum, p string) { fmt.Fprintf(&sums, "%s  %s\n", sum, p) }
	if now, err := release.Decode(sealed); err == nil {
		m = now
	}
	for _, f := range m.Files {
		if !done && f.Path > release.ManifestName {
			line(digest.SHA256(sealed), release.ManifestName)
			done = true
		}
		line(f.SHA256, f.Path)
	}
	if !done {
		line(digest.SHA256(sealed), release.ManifestName)
	}
	must(h.t, os.WriteFile(filepath.Join(h.dir, release.SumsName), []byte(sums.String()), 0o644))
}

// run runs a command, which may fail in one line and in no other way.
func (h *hostile) run(what string, args ...string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			h.t.Errorf("%s: %v: panic: %v", what, args[0], p)
			code = -1
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	got := eval(args...)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	used := after.TotalAlloc - before.TotalAlloc
	h.mostBytes, h.mostTime = max(h.mostBytes, used), max(h.mostTime, took)
	switch {
	case used > h.honest+hostileBytes:
		h.t.Errorf("%s: %s allocates %d MiB", what, args[0], used>>20)
	case took > hostileTime:
		h.t.Errorf("%s: %s takes %s", what, args[0], took)
	case got.code != 0 && strings.Count(got.stderr, "\n") != 1:
		h.t.Errorf("%s: %s: exit %d with %.500q", what, args[0], got.code, got.stderr)
	}
	return got.code
}

// mutate changes a file by its form: documents and lines of JSON as trees or as text, others as bytes.
func mutate(r *rand.Rand, name string, data []byte) []byte {
	switch path.Ext(name) {
	case ".json":
		return mutateJSON(r, data)
	case ".jsonl":
		lines := bytes.SplitAfter(data, []byte("\n"))
		i := r.IntN(max(1, len(lines)-1))
		switch r.IntN(8) {
		case 0:
			lines = append(lines[:i:i], lines[min(i+1, len(lines)):]...)
		case 1:
			lines = append(lines[:i:i], append([][]byte{lines[i]}, lines[i:]...)...)
		case 2:
			lines[i] = bytes.Repeat(lines[i], 1000)
		case 3:
			lines[i] = mutateBytes(r, lines[i])
		default:
			lines[i] = append(mutateJSON(r, bytes.TrimSuffix(lines[i], []byte("\n"))), '\n')
		}
		return bytes.Join(lines, nil)
	}
	return mutateBytes(r, data)
}

// mutateBytes flips, cuts, repeats, moves and resizes.
func mutateBytes(r *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	if len(out) == 0 {
		return []byte{0}
	}
	at := r.IntN(len(out))
	if r.IntN(2) == 0 { // the footers of tables decide about everything else
		at = len(out) - 1 - r.IntN(min(len(out), 4096))
	}
	switch r.IntN(6) {
	case 0:
		out[at] ^= 1 << r.IntN(8)
	case 1:
		for i := at; i < min(len(out), at+8); i++ {
			out[i] = 0xff
		}
	case 2:
		return out[:at]
	case 3:
		n := min(len(out)-at, 1+r.IntN(64))
		return append(out[:at+n:at+n], out[at:]...)
	case 4:
		from := r.IntN(len(out))
		copy(out[at:], out[from:min(len(out), from+1+r.IntN(256))])
	default:
		out[at] = byte(r.Uint32())
	}
	return out
}

// hostileValues are put where others stood.
var hostileValues = []string{
	"null", "0", "-1", "9007199254740991", "9007199254740992", "1e400", "1.5", `""`, `"\u0000"`, `"\ud800"`, `"é\n\u001b[2J"`, "[]", "{}", `{"é":1}`, "true",
	strings.Repeat("[", 70) + strings.Repeat("]", 70), strings.Repeat("[", 60) + strings.Repeat("]", 60), `"` + strings.Repeat("x", 1<<20) + `"`,
	"4294967295", "4294967296", "255", "254", `"../../x"`, "[[1]]", "-9007199254740991",
}

// mutateJSON replaces, repeats, renames or deletes one value of a document, found by its text.
func mutateJSON(r *rand.Rand, data []byte) []byte {
	var spans [][2]int // of values and, before a colon, of keys
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	for {
		before := dec.InputOffset()
		tok, err := dec.Token()
		if err != nil {
			break
		}
		if _, delim := tok.(json.Delim); delim {
			continue
		}
		start := int(before)
		for start < len(data) && strings.IndexByte(" ,:\n\t", data[start]) >= 0 {
			start++
		}
		spans = append(spans, [2]int{start, int(dec.InputOffset())})
	}
	if len(spans) == 0 {
		return []byte(hostileValues[r.IntN(len(hostileValues))])
	}
	s := spans[r.IntN(len(spans))]
	value := hostileValues[r.IntN(len(hostileValues))]
	isKey := s[1] < len(data) && data[s[1]] == ':'
	switch {
	case isKey && r.IntN(2) == 0:
		value = []string{`"é":1,` + string(data[s[0]:s[1]]), `"x":1,` + string(data[s[0]:s[1]]), string(data[s[0]:s[1]]) + ":" + value + "," + string(data[s[0]:s[1]])}[r.IntN(3)]
	case isKey:
		value = []string{`"é"`, `""`, strings.ToUpper(string(data[s[0]:s[1]]))}[r.IntN(3)]
	case r.IntN(3) == 0:
		other := spans[r.IntN(len(spans))]
		value = string(data[other[0]:other[1]])
	}
	return append(append(bytes.Clone(data[:s[0]]), value...), data[s[1]:]...)
}
