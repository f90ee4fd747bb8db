package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
)

// handedIn plays games on a small release and packs them.
func handedIn(t *testing.T) (rel, dir, file string) {
	t.Helper()
	rel = newRelease(t, gametest.G9(), 5, 4, 5)
	dir = playedBy(t, rel, "wikirace", "random")
	return rel, dir, handIn(t, rel, dir)
}

// member is one of a tar as a stranger writes it.
type member struct {
	tar.Header
	data string
}

// members reads a submission.
func members(t *testing.T, file string) (list []member) {
	t.Helper()
	r := tar.NewReader(strings.NewReader(read(t, file)))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return list
		}
		must(t, err)
		data, err := io.ReadAll(r)
		must(t, err)
		list = append(list, member{tar.Header{
			Name: h.Name, Mode: 0o644, Size: h.Size, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR,
		}, string(data)})
	}
}

// tarOf writes members as another program does, with the two empty blocks at the end.
func tarOf(t *testing.T, list []member) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, m := range list {
		if m.Typeflag == tar.TypeReg {
			m.Size = int64(len(m.data))
		}
		must(t, w.WriteHeader(&m.Header))
		_, err := io.WriteString(w, m.data)
		must(t, err)
	}
	must(t, w.Close())
	return out.Bytes()
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
	return out.Bytes()
}

// TestASubmissionIsATarThatOthersRead compares what another library reads with the files of the
// run.
func TestASubmissionIsATarThatOthersRead(t *testing.T) {
	rel, dir, file := handedIn(t)
	var names []string
	for _, m := range members(t, file) {
		names = append(names, m.Name)
		if m.Name != board.ProofFile && m.Name != trace.SummaryFile && m.data != read(t, dir, m.Name) {
			t.Errorf("%s differs from the file of the run", m.Name)
		}
	}
	if got := strings.Join(names, " "); got != "submission.json games.jsonl run.json steps.jsonl summary.json" {
		t.Errorf("got %s", got)
	}
	plain := []byte(read(t, file))
	if !bytes.Equal(tarOf(t, members(t, file))[:512], plain[:512]) {
		t.Error("the header is not the one of another library")
	}
	path := filepath.Join(t.TempDir(), "a.tar.gz")
	put(t, path, string(gzipped(t, plain)))
	lb := filepath.Join(t.TempDir(), "board")
	adding(rel, path, "--board", lb).want(t, 0)
	kept, err := filepath.Glob(filepath.Join(lb, "wikirace.unfrozen", "*.tar"))
	if err != nil || len(kept) != 1 || read(t, kept[0]) != string(plain) {
		t.Errorf("kept %v", kept)
	}
}

func TestArchivesOfStrangersCannotHurt(t *testing.T) {
	rel, _, file := handedIn(t)
	good := members(t, file)
	plain := []byte(read(t, file))
	outside := filepath.Join(t.TempDir(), "evil")
	at := func(i int, change func(m *member)) []byte {
		list := append([]member{}, good...)
		change(&list[i])
		return tarOf(t, list)
	}
	kind := func(flag byte) []byte {
		return at(1, func(m *member) { m.Typeflag, m.Linkname, m.Size, m.data = flag, "/etc/passwd", 0, "" })
	}
	proof := func(change func(text string) string) []byte {
		return at(0, func(m *member) { m.data = change(m.data) })
	}
	flipped := func(i int) []byte {
		data := bytes.Clone(plain)
		data[i] ^= 1
		return data
	}
	huge := fmt.Sprintf(`"bytes":%d`, int64(1)<<40)
	for _, c := range []struct {
		name string
		data []byte
		code int
		says string
	}{
		{"nothing", nil, 14, "no submission"},
		{"a text", []byte(strings.Repeat("hello\n", 200)), 14, "no submission"},
		{"another first member", tarOf(t, good[1:]), 14, `it begins with "games.jsonl"`},
		{
			"a way out", at(1, func(m *member) { m.Name = "../../evil" }), 3,
			`"../../evil" is a file that submission.json does not list`,
		},
		{"an absolute path", at(1, func(m *member) { m.Name = outside }), 3, "does not list here"},
		{"a symbolic link", kind(tar.TypeSymlink), 3, "is a symbolic link"},
		{"a hard link", kind(tar.TypeLink), 3, "is a hard link"},
		{"a device", kind(tar.TypeChar), 3, "is a device"},
		{"a pipe", kind(tar.TypeFifo), 3, "is a pipe"},
		{
			"a directory",
			at(1, func(m *member) { m.Typeflag, m.Name, m.Size, m.data = tar.TypeDir, "games.jsonl/", 0, "" }),
			3, "is a directory",
		},
		{"a program", at(1, func(m *member) { m.Mode = 0o4755 }), 3, "not that of a plain file"},
		{"a time", at(1, func(m *member) { m.ModTime = m.ModTime.AddDate(2026, 0, 0) }), 3, "not that of a plain file"},
		{"an owner", at(1, func(m *member) { m.Uname = "me" }), 3, "not that of a plain file"},
		{
			"a member twice", tarOf(t, append(append([]member{}, good[:2]...), good[1:]...)), 3,
			`"games.jsonl" is a file that submission.json does not list here`,
		},
		{
			"a member more", tarOf(t, append(append([]member{}, good...), member{
				tar.Header{Name: "x", Typeflag: tar.TypeReg, Mode: 0o644, Format: tar.FormatUSTAR}, "x",
			})), 3, "after the end",
		},
		{"a member less", tarOf(t, good[:3]), 3, "want steps.jsonl"},
		{"a member that grew", at(1, func(m *member) { m.data += "\n" }), 3, "not that of a plain file"},
		{
			"another byte of a game", flipped(bytes.Index(plain, []byte("wr-tiny"))), 3,
			"games.jsonl does not have the SHA-256",
		},
		{"another byte of the filling", flipped(len(plain) - 1), 3, "hidden after"},
		{"the end is missing", plain[:len(plain)-1024], 3, "ends within"},
		{"half of it", plain[:len(plain)/2], 3, "ends within"},
		{"something follows", append(bytes.Clone(plain), 0), 3, "something follows"},
		{
			"a petabyte", proof(func(s string) string { return strings.Replace(s, `"bytes":`, huge[:]+`,"x":`, 1) }),
			14, "submission.json",
		},
		{"a terabyte", proof(func(s string) string {
			i := strings.Index(s, `"bytes":`)
			end := i + strings.Index(s[i:], ",")
			return s[:i] + huge + s[end:]
		}), 3, "--max-mib"},
		{
			"a file of ours",
			proof(func(s string) string { return strings.Replace(s, `"games.jsonl"`, `"../x.jsonl"`, 1) }),
			3, `"../x.jsonl" is none of`,
		},
		{
			"a file twice",
			proof(func(s string) string { return strings.Replace(s, `"run.json"`, `"games.jsonl"`, 1) }),
			3, "stands twice",
		},
		{
			"a key twice",
			proof(func(s string) string { return strings.Replace(s, `{"family"`, `{"family":"x","family"`, 1) }),
			14, "submission.json",
		},
		{
			"an unknown key",
			proof(func(s string) string { return strings.Replace(s, `{"family"`, `{"extra":1,"family"`, 1) }),
			14, "submission.json",
		},
		{
			"another version",
			proof(func(s string) string { return strings.Replace(s, board.ProofSchema, "wikinav.submission/9", 1) }),
			14, "wikinav.submission/9",
		},
		{
			"another family",
			proof(func(s string) string { return strings.Replace(s, `"family":"wikirace"`, `"family":"chess"`, 1) }),
			3, `no family "chess"`,
		},
		{"depth", proof(func(string) string { return strings.Repeat("[", 100_000) }), 14, "submission.json"},
		{"no text", proof(func(string) string { return "\xff\xfe" }), 14, "submission.json"},
		{"a bomb of zeros", gzipped(t, make([]byte, 64<<20)), 14, "no submission"},
		{"a bomb behind", gzipped(t, append(bytes.Clone(plain), make([]byte, 64<<20)...)), 3, "something follows"},
		{"half of a gzip", gzipped(t, plain)[:200], 3, "ends within"},
		{"a zstd", append([]byte("\x28\xb5\x2f\xfd"), plain...), 14, "packed by zstd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			path := filepath.Join(t.TempDir(), "submission.tar")
			put(t, path, string(c.data))
			got := adding(rel, path)
			if got.code != c.code || !strings.Contains(got.stderr, c.says) || !strings.Contains(got.stderr, path) ||
				strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("exit %d, want %d and %q: %s", got.code, c.code, c.says, got.stderr)
			}
			if left := tree(t, temp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			for _, path := range []string{
				outside, filepath.Join(temp, "..", "evil"), filepath.Join(rel, "leaderboard"),
			} {
				if _, err := os.Lstat(path); err == nil {
					t.Errorf("%s was written", path)
				}
			}
		})
	}
}

// TestEveryByteOfASubmissionCounts flips bits all over one.
func TestEveryByteOfASubmissionCounts(t *testing.T) {
	rel, _, file := handedIn(t)
	plain := []byte(read(t, file))
	path := filepath.Join(t.TempDir(), "flipped.tar")
	for i := 0; i < len(plain); i += len(plain)/300 + 1 {
		data := bytes.Clone(plain)
		data[i] ^= 1 << (i % 8)
		put(t, path, string(data))
		if got := adding(rel, path); got.code != 3 && got.code != 14 {
			t.Fatalf("byte %d: exit %d: %s", i, got.code, got.stderr)
		}
	}
}

func TestWhatIsNotForOthersIsNotPacked(t *testing.T) {
	rel, dir, file := handedIn(t)
	home, err := os.UserHomeDir()
	must(t, err)
	for _, word := range []string{dir, rel, home + "/"} {
		if strings.Contains(read(t, file), word) {
			t.Errorf("%s stands in a submission", word)
		}
	}
	key := "sk-canary-0123456789"
	t.Setenv(apiKeyVariable, key)
	for _, secret := range []string{key, dir, rel, home + "/notes"} {
		run := read(t, dir, trace.RunFile)
		bad := filepath.Join(t.TempDir(), "bad")
		must(t, os.CopyFS(bad, os.DirFS(dir)))
		if secret == dir {
			secret = bad // which is the run's directory then
		}
		put(t, filepath.Join(bad, trace.RunFile), strings.Replace(run, `"name":"random"`, `"name":"`+secret+`"`, 1))
		out := filepath.Join(t.TempDir(), "x.tar")
		got := eval("submit", bad, "--release", rel, "--out", out).want(t, 2)
		if !strings.Contains(got.stderr, "run.json: line 1") || strings.Contains(got.stderr, key) {
			t.Errorf("got %s", got.stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s was packed", secret)
		}
	}
}

func TestWhatHasNoScoreIsNotPacked(t *testing.T) {
	rel, dir, file := handedIn(t)
	part := filepath.Join(t.TempDir(), "part")
	eval("play", "--release", rel, "--player", "random", "--out", part, "--limit", "2").want(t, 0)
	out := filepath.Join(t.TempDir(), "x.tar")
	got := eval("submit", part, "--release", rel, "--out", out).want(t, 1)
	if !strings.Contains(got.stderr, "missing") {
		t.Errorf("got %s", got.stderr)
	}
	got = eval("submit", part, "--release", rel, "--partial", "--out", out).want(t, 0)
	if !strings.Contains(got.stdout, "PARTIAL 2/") {
		t.Errorf("got %s", got.stdout)
	}
	adding(rel, out).want(t, 0)
	md := eval("board", "show", "--release", rel, "--format", "markdown").want(t, 0).stdout
	if !strings.Contains(md, "PARTIAL 2/") {
		t.Errorf("got %s", md)
	}
	eval("submit", dir, "--release", rel, "--out", file).want(t, 2)
	eval("submit", dir, "--release", rel).want(t, 2)
	eval("submit", filepath.Join(dir, "none"), "--release", rel, "--out", out+"2").want(t, 10)
	put(t, filepath.Join(dir, trace.GamesFile),
		strings.Replace(read(t, dir, trace.GamesFile), `"moves":`, `"moves":1`, 1))
	eval("submit", dir, "--release", rel, "--out", out+"2").want(t, 3)
}

func TestAddersAtOnceLoseNothing(t *testing.T) {
	rel, dir, _ := handedIn(t)
	const adders = 8
	var files []string
	for i := range adders {
		run := filepath.Join(t.TempDir(), "run")
		must(t, os.CopyFS(run, os.DirFS(dir)))
		put(t, filepath.Join(run, trace.RunFile),
			strings.Replace(read(t, run, trace.RunFile), `"name":"random"`, fmt.Sprintf(`"name":"m%d"`, i), 1))
		files = append(files, handIn(t, rel, run))
	}
	done := make(chan result, adders)
	for _, file := range files {
		go func() { done <- adding(rel, file) }()
	}
	for range adders {
		if got := <-done; got.code != 0 {
			t.Errorf("exit %d: %s", got.code, got.stderr)
		}
	}
	eval("board", "verify", "--release", rel).want(t, 0)
	if n := strings.Count(read(t, rel, "leaderboard", "wikirace.unfrozen.jsonl"), "\n"); n != adders {
		t.Errorf("%d entries, want %d", n, adders)
	}
}

func TestNobodyReplacesTheResultsOfAnother(t *testing.T) {
	rel, dir, file := handedIn(t)
	adding(rel, file).want(t, 0)
	// The same run and model, with fewer games.
	games := strings.SplitAfter(read(t, dir, trace.GamesFile), "\n")
	put(t, filepath.Join(dir, trace.GamesFile), strings.Join(games[1:], ""))
	other := handIn(t, rel, dir, "--partial")
	before := tree(t, filepath.Join(rel, "leaderboard"))
	if got := adding(rel, other).want(t, 2); !strings.Contains(got.stderr, "--replace") {
		t.Errorf("got %s", got.stderr)
	}
	for path, data := range tree(t, filepath.Join(rel, "leaderboard")) {
		if before[path] != data {
			t.Errorf("%s changed", path)
		}
	}
	adding(rel, other, "--replace").want(t, 0)
	eval("board", "verify", "--release", rel).want(t, 0)
	if n := len(tree(t, filepath.Join(rel, "leaderboard"))); n != len(before) {
		t.Errorf("%d files, want %d: what was replaced goes", n, len(before))
	}
}

func TestAnEditedLeaderboardIsFound(t *testing.T) {
	rel, _, file := handedIn(t)
	adding(rel, file).want(t, 0)
	lb := filepath.Join(rel, "leaderboard")
	kept, err := filepath.Glob(filepath.Join(lb, "wikirace.unfrozen", "*.tar"))
	must(t, err)
	csv, err := filepath.Glob(filepath.Join(lb, "wikirace.unfrozen", "*.csv"))
	must(t, err)
	lines := filepath.Join(lb, "wikirace.unfrozen.jsonl")
	other := handIn(t, rel, disguised(t, playedBy(t, rel, "wikirace", "shortest")))
	eval("board", "verify", "--release", rel).want(t, 0)
	replacing := func(old, to string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, to, 1) }
	}
	for _, c := range []struct {
		name, path string
		edit       func(string) string // nil removes the file
		says       string
		code       int
	}{
		{"a model", lines, replacing(`"model":"random"`, `"model":"mine"`), "not those of its summary", 3},
		{
			"a digest of the trajectories", lines,
			replacing(`"trajectories_sha256":"`, `"trajectories_sha256":"`+digest.SHA256(nil)[:8]), "digest", 14,
		},
		{
			"a claim said to be replayed", lines, replacing(`"verified":"replayed"`, `"verified":"imported"`),
			"claims verified", 3,
		},
		{"a submission that is gone", kept[0], nil, ".tar", 3},
		{"a submission that is another", kept[0], func(string) string { return read(t, other) }, "another one", 3},
		{"a submission with another byte", kept[0], replacing("wr-tiny", "wr-tinx"), "SHA-256", 3},
		{"a table", csv[0], replacing("random", "Random"), "not what the entries give", 3},
		{
			"the page", filepath.Join(lb, "wikirace.unfrozen.md"), replacing("random", "Random"),
			"not what the entries give", 3,
		},
		{
			"a stray file", filepath.Join(lb, "wikirace.unfrozen", "x.sh"), func(string) string { return "rm" },
			"no entry makes or names", 3,
		},
	} {
		was, err := os.ReadFile(c.path)
		if c.edit == nil {
			must(t, os.Remove(c.path))
		} else {
			put(t, c.path, c.edit(string(was)))
		}
		got := eval("board", "verify", "--release", rel)
		if got.code != c.code || !strings.Contains(got.stdout+got.stderr, c.says) {
			t.Errorf("%s: exit %d, want %d and %q: %s%s", c.name, got.code, c.code, c.says, got.stdout, got.stderr)
		}
		if err != nil {
			must(t, os.Remove(c.path))
		} else {
			put(t, c.path, string(was))
		}
	}
	eval("board", "verify", "--release", rel).want(t, 0)
}
