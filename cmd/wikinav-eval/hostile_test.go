package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/release"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/schemas"
)

// mazeFolder is the folder of the mazes.
const mazeFolder = "mango"

// What one command may cost, whatever it reads: the memory is resident bytes, and a limit on data that the system enforces.
const (
	hostileBytes = 512 << 20
	hostileTime  = 20 * time.Second
)

// TestReleasesOfStrangersCannotHurt changes one file of a release at a time, brings every digest in line with it, and runs verify,
// play and score in a process of its own under a limit of memory. What verify accepts, level 3 of wikinav verify must find, unless
// it says what the honest file says. WIKINAV_HOSTILE is the number of changes for each kind of file, WIKINAV_HOSTILE_ONLY a pattern
// of kinds, WIKINAV_HOSTILE_RELEASE the release that is changed.
func TestReleasesOfStrangersCannotHurt(t *testing.T) {
	times := 2
	if n, err := strconv.Atoi(os.Getenv("WIKINAV_HOSTILE")); err == nil {
		times = n
	}
	only := regexp.MustCompile(os.Getenv("WIKINAV_HOSTILE_ONLY"))
	wikinav := filepath.Join(t.TempDir(), "wikinav")
	if out, err := exec.Command("go", "build", "-o", wikinav, "../wikinav").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if dir := os.Getenv("WIKINAV_HOSTILE_RELEASE"); dir != "" {
		newHostile(t, wikinav, dir).changes(times, only.MatchString)
		return
	}
	// Mazes take most of the time of every command, and are therefore in a release of their own,
	// whose distances are packed.
	ofMazes := func(kind string) bool {
		return strings.HasPrefix(kind, mazeFolder+"/") || strings.HasSuffix(kind, ".packed")
	}
	newHostile(t, wikinav, villageRelease(t, wikinav, release.Arrow, "mango.mazes=0")).
		changes(times, func(kind string) bool { return !ofMazes(kind) && only.MatchString(kind) })
	newHostile(t, wikinav, villageRelease(t, wikinav, release.Packed)).
		changes(times, func(kind string) bool { return ofMazes(kind) && only.MatchString(kind) })
}

// changes changes files of each kind that is wanted.
func (h *hostile) changes(times int, wanted func(kind string) bool) {
	kinds := h.kinds()
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if !wanted(kind) {
			continue
		}
		h.codes, h.peak, h.slowest = map[string]int{}, 0, 0
		for seed := range uint64(times) {
			h.try(kind, kinds[kind], seed)
			if seed%500 == 499 {
				h.t.Logf("%s: %d of %d", kind, seed+1, times)
			}
		}
		h.t.Logf("%s: %d changes to %d files: %v, at most %d MiB and %s", kind, times, len(kinds[kind]), h.codes, h.peak>>20,
			h.slowest.Round(time.Millisecond))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hostile is a release that is changed and put right again, in a folder where nothing else may change.
type hostile struct {
	t        *testing.T
	world    string // holds all of the below, and the victim's home, temporary and working directory
	dir, out string
	wikinav  string            // the program
	played   map[string]string // by family: the run of the honest release
	manifest []byte
	victim   *victim

	codes   map[string]int // of a kind: how often a command ended with which code
	peak    int64
	slowest time.Duration
}

func newHostile(t *testing.T, wikinav, from string) *hostile {
	world := t.TempDir()
	h := &hostile{t: t, world: world, dir: filepath.Join(world, "a/b/c/release"), out: filepath.Join(world, "a/b/runs"), wikinav: wikinav}
	for _, name := range []string{h.out, filepath.Dir(h.dir), world + "/home", world + "/tmp", world + "/cwd"} {
		must(t, os.MkdirAll(name, 0o755))
	}
	must(t, os.CopyFS(h.dir, os.DirFS(from)))
	t.Cleanup(func() { h.victim.stop() })
	h.baseline()
	return h
}

// baseline plays every family that the honest release has, and wants it proved.
func (h *hostile) baseline() {
	var err error
	h.manifest, err = os.ReadFile(filepath.Join(h.dir, release.ManifestName))
	must(h.t, err)
	h.codes, h.played = map[string]int{}, map[string]string{}
	if code := h.run("honest", "verify", h.dir); code != 0 || !h.proved("honest") {
		h.t.Fatalf("the honest release: verify ends with %d: %v", code, h.codes)
	}
	for _, f := range families.All {
		run := filepath.Join(h.out, "honest-"+f.Name())
		if h.run("honest", "play", "--release", h.dir, "--family", f.Name(), "--player", "random", "--limit", "2", "--out", run) == 0 {
			h.played[f.Name()] = run
		}
	}
	if len(h.played) == 0 {
		h.t.Fatal("nothing of the honest release can be played")
	}
	h.t.Logf("honest: %v, at most %d MiB and %s", h.codes, h.peak>>20, h.slowest)
}

// kinds lists the files of the release by what they hold.
func (h *hostile) kinds() map[string][]string {
	kinds := map[string][]string{release.ManifestName: {release.ManifestName}, release.SumsName: {release.SumsName}}
	m, err := release.Decode(h.manifest)
	must(h.t, err)
	for _, f := range m.Files {
		kind := oneOfMany.ReplaceAllString(f.Path, "-*.")
		switch dir, ext := path.Dir(f.Path), path.Ext(f.Path); {
		case dir == mazeFolder && (ext == ".parquet" || ext == ".arrow"):
			kind = mazeFolder + "/*" + ext
		case dir == mazeFolder:
		case ext == ".md" || ext == ".parquet" || ext == ".arrow":
			kind = "*" + ext
		case path.Base(f.Path) == schemas.QuotasFile:
			kind = "*/" + schemas.QuotasFile
		}
		kinds[kind] = append(kinds[kind], f.Path)
	}
	return kinds
}

// oneOfMany is what tells files of one kind apart.
var oneOfMany = regexp.MustCompile(`-(\d+|dev|test|fewshot)\.`)

// try changes a file, runs the commands, and puts the file back.
func (h *hostile) try(kind string, files []string, seed uint64) {
	hash := fnv.New64()
	hash.Write([]byte(kind))
	r := rand.New(rand.NewPCG(seed, hash.Sum64()))
	name := files[r.IntN(len(files))]
	at := filepath.Join(h.dir, filepath.FromSlash(name))
	old, err := os.ReadFile(at)
	must(h.t, err)
	changed := mutate(r, name, old)
	must(h.t, os.WriteFile(at, changed, 0o644))
	h.seal(name, changed)
	what := fmt.Sprintf("%s, seed %d (%s)", kind, seed, name)
	before := h.listing()
	if h.run(what, "verify", h.dir) == 0 {
		if why := h.sameMeaning(name, old, changed); why != "" {
			h.codes["accepted: "+why]++
		} else if h.proved(what) {
			h.codes["accepted: another meaning"]++
			h.t.Errorf("%s: verify accepts %s", what, difference(old, changed))
		}
	}
	family := h.familyOf(r, name)
	run := filepath.Join(h.out, "run")
	if h.run(what, "play", "--release", h.dir, "--family", family, "--player", "random", "--limit", "2", "--out", run) != 0 {
		must(h.t, os.RemoveAll(run))
		must(h.t, os.CopyFS(run, os.DirFS(h.played[family])))
	}
	h.run(what, "score", "--release", h.dir, "--family", family, "--partial", "--trajectories", run)
	must(h.t, os.RemoveAll(run))
	for _, line := range changedLines(before, h.listing()) {
		h.t.Errorf("%s: a write outside: %s", what, line)
	}
	must(h.t, os.WriteFile(at, old, 0o644))
	must(h.t, os.WriteFile(filepath.Join(h.dir, release.ManifestName), h.manifest, 0o644))
	if name == release.ManifestName || name == release.SumsName {
		h.seal("", nil)
	}
}

// familyOf is the family whose folder holds a file, or any.
func (h *hostile) familyOf(r *rand.Rand, name string) string {
	if _, own := h.played[path.Dir(name)]; own {
		return path.Dir(name)
	}
	names := slices.Sorted(maps.Keys(h.played))
	if path.Dir(name) == "splits" {
		return names[len(names)-1]
	}
	return names[r.IntN(len(names))]
}

// listing lists everything in the world but the runs.
func (h *hostile) listing() (lines []string) {
	must(h.t, filepath.WalkDir(h.world, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if p == h.out {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err == nil && !(d.IsDir() && p == filepath.Dir(h.out)) {
			lines = append(lines, fmt.Sprint(p, info.Mode(), info.Size(), info.ModTime().UnixNano()))
		}
		return err
	}))
	return lines
}

func changedLines(a, b []string) (lines []string) {
	if slices.Equal(a, b) {
		return nil
	}
	for _, line := range slices.Concat(a, b) {
		if slices.Contains(a, line) != slices.Contains(b, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// run runs a command in the victim: it may fail in one line and in no other way.
func (h *hostile) run(what string, args ...string) int {
	if h.victim == nil {
		h.victim = newVictim(h.t, h.world)
	}
	start := time.Now()
	got, err := h.victim.run(args)
	if err != nil {
		h.t.Errorf("%s: %s: %v", what, args[0], err)
		h.victim = nil
	}
	h.judge(what, args[0], got, time.Since(start))
	return got.Code
}

// proved reports whether level 3 of wikinav verify finds nothing.
func (h *hostile) proved(what string) bool {
	ctx, cancel := context.WithTimeout(h.t.Context(), 2*hostileTime)
	defer cancel()
	limited := fmt.Sprintf(`ulimit -d %d && exec "$@"`, hostileBytes>>10)
	cmd := exec.CommandContext(ctx, "sh", "-c", limited, "sh", h.wikinav, "verify", "--level", "3", h.dir)
	cmd.Dir, cmd.Env = h.world+"/cwd", victimEnv(h.world)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		h.t.Fatal(err)
	}
	got := outcome{cmd.ProcessState.ExitCode(), stderr.String(), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10}
	h.judge(what, "wikinav verify", got, time.Since(start))
	return got.Code == 0
}

func (h *hostile) judge(what, command string, got outcome, took time.Duration) {
	h.codes[fmt.Sprint(command, " ", got.Code)]++
	h.peak, h.slowest = max(h.peak, got.Peak), max(h.slowest, took)
	switch {
	case got.Peak > hostileBytes:
		h.t.Errorf("%s: %s takes %d MiB", what, command, got.Peak>>20)
	case took > hostileTime:
		h.t.Errorf("%s: %s takes %s", what, command, took)
	case got.Code != 0 && strings.Count(got.Stderr, "\n") != 1 || strings.Contains(got.Stderr, "panic"):
		h.t.Errorf("%s: %s: exit %d with %.2000q", what, command, got.Code, got.Stderr)
	}
}

// victim is the program in a process that runs one command after the other, under a limit of memory.
type victim struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// outcome is how a command ended: its code, what it wrote to standard error, the bytes that were resident at most.
type outcome struct {
	Code   int
	Stderr string
	Peak   int64
}

// asVictim is the environment variable that makes the test binary a victim.
const asVictim = "WIKINAV_EVAL_AS_VICTIM"

func victimEnv(world string) []string {
	return append(os.Environ(), "HOME="+world+"/home", "TMPDIR="+world+"/tmp", "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=")
}

func newVictim(t *testing.T, world string) *victim {
	t.Helper()
	v := &victim{cmd: exec.Command(os.Args[0])}
	v.cmd.Dir, v.cmd.Env, v.cmd.Stderr = world+"/cwd", append(victimEnv(world), asVictim+"=1"), &v.stderr
	var err error
	v.in, err = v.cmd.StdinPipe()
	must(t, err)
	out, err := v.cmd.StdoutPipe()
	must(t, err)
	v.out = bufio.NewReader(out)
	must(t, v.cmd.Start())
	return v
}

func (v *victim) stop() {
	if v != nil {
		v.in.Close()
		v.cmd.Process.Kill()
		v.cmd.Wait()
	}
}

// run runs a command; an error says how the victim died of it.
func (v *victim) run(args []string) (outcome, error) {
	var got outcome
	watch := time.AfterFunc(2*hostileTime, func() { v.cmd.Process.Kill() })
	defer watch.Stop()
	line, err := json.Marshal(args)
	if err == nil {
		v.in.Write(append(line, '\n')) // a broken pipe is told by the missing answer
		line, err = v.out.ReadBytes('\n')
	}
	if err == nil {
		err = json.Unmarshal(line, &got)
	}
	if err != nil {
		v.cmd.Wait()
		return outcome{Code: -1, Stderr: "\n"}, fmt.Errorf("the process died, %v: %.2000s", v.cmd.ProcessState, v.stderr.Bytes())
	}
	return got, nil
}

// beVictim is the other end of run.
func beVictim() int {
	limit := syscall.Rlimit{Cur: hostileBytes, Max: hostileBytes}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	lines, answers := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var args []string
		if err := json.Unmarshal(lines.Bytes(), &args); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		forgetPeak()
		got := eval(args...)
		if err := answers.Encode(outcome{got.code, got.stderr, peak()}); err != nil {
			return 1
		}
	}
	return 0
}

// forgetPeak makes the system count anew how much of this process was resident at most; see proc(5), clear_refs.
func forgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peak returns the bytes of this process that were resident at most, or 0 where the system does not say.
func peak() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	fmt.Sscan(rest, &kib)
	return kib << 10
}
