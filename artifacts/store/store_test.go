package store_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/artifacts/store/storetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

var (
	keyA = strings.Repeat("a", 64)
	keyB = strings.Repeat("b", 64)
)

func newDir(t *testing.T, fs store.FS) *store.Dir {
	t.Helper()
	d, err := store.Create(t.TempDir(), fs)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// put commits a result of one output.
func put(d *store.Dir, stage, key, content string) error {
	r := d.Result(stage, key)
	if err := r.Begin(context.Background(), func(int) (string, bool) { return "", false }); err != nil {
		return err
	}
	out, err := r.Write("out.txt", text(content))
	if err != nil {
		return err
	}
	return r.Commit(schemas.Receipt{
		Schema: schemas.ReceiptSchema, Stage: stage, StageVersion: 1, Key: key, Params: []byte("{}"),
		Inputs: []schemas.ReceiptInput{}, Outputs: []schemas.ReceiptOutput{out},
		Counters: map[string]int64{}, Warnings: []schemas.Warning{},
	})
}

func text(content string) func(io.Writer) (int64, string, error) {
	return func(w io.Writer) (int64, string, error) {
		_, err := io.WriteString(w, content)
		return -1, "", err
	}
}

func build(stages map[string]string) schemas.Build {
	return schemas.Build{Schema: schemas.BuildSchema, Stages: stages, Source: []schemas.SourceFile{}}
}

func TestAResultIsFreshOnlyWhileItsBytesAreTheRecordedOnes(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, folder string){
		"a changed byte":    func(t *testing.T, f string) { write(t, f+"/out.txt", "jello") },
		"a longer file":     func(t *testing.T, f string) { write(t, f+"/out.txt", "hello!") },
		"a missing file":    func(t *testing.T, f string) { remove(t, f+"/out.txt") },
		"a missing receipt": func(t *testing.T, f string) { remove(t, f+"/receipt.json") },
		"half a receipt":    func(t *testing.T, f string) { truncate(t, f+"/receipt.json") },
		"a directory":       func(t *testing.T, f string) { remove(t, f+"/out.txt"); os.Mkdir(f+"/out.txt", 0o755) },
		"an edited receipt": func(t *testing.T, f string) { edit(t, f+"/receipt.json", `"bytes":5`, `"bytes":6`) },
		"another key":       func(t *testing.T, f string) { edit(t, f+"/receipt.json", keyA, keyB) },
		"an unknown field":  func(t *testing.T, f string) { edit(t, f+"/receipt.json", `"stage":`, `"x":1,"stage":`) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDir(t, store.OS{})
			if err := put(d, "s", keyA, "hello"); err != nil {
				t.Fatal(err)
			}
			r := d.Result("s", keyA)
			if _, err := r.Fresh(t.Context(), false); err != nil {
				t.Fatalf("an untouched result is not fresh: %v", err)
			}
			if err := os.Chtimes(r.Path()+"/out.txt", fixedTime, fixedTime); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Fresh(t.Context(), true); err != nil {
				t.Fatalf("a new modification time made the result stale: %v", err)
			}
			spoil(t, r.Path())
			for _, fast := range []bool{false, true} {
				if _, err := r.Fresh(t.Context(), fast); err == nil {
					t.Errorf("fast=%t: the spoilt result is fresh", fast)
				}
			}
		})
	}
}

func TestAReceiptNeverStandsWithoutItsOutputs(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		fs := storetest.Dies(n)
		d := newDir(t, store.OS{})
		broken, err := store.Open(d.Path(), fs)
		if err != nil {
			t.Fatal(err)
		}
		err = put(broken, "s", keyA, "hello")
		if !fs.Broke() {
			if err != nil {
				t.Fatal(err)
			}
			if n < 8 {
				t.Fatalf("only %d operations: the test does not reach the protocol", n-1)
			}
			return
		}
		r := d.Result("s", keyA)
		if _, err := os.Stat(filepath.Join(r.Path(), "receipt.json")); err == nil {
			if _, err := r.Fresh(t.Context(), false); err != nil {
				t.Errorf("death at operation %d: a receipt without its outputs: %v", n, err)
			}
		}
		if err := put(d, "s", keyA, "hello"); err != nil {
			t.Errorf("death at operation %d: the next attempt fails: %v", n, err)
		}
		if temps, _ := filepath.Glob(r.Path() + "/.tmp-*"); len(temps) > 0 {
			t.Errorf("death at operation %d: left behind after the next attempt: %v", n, temps)
		}
	}
}

func TestAFullDiskLeavesNoTempAndHasItsOwnKind(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		fs := storetest.FailsFrom(n, syscall.ENOSPC)
		d := newDir(t, store.OS{})
		full, err := store.Open(d.Path(), fs)
		if err != nil {
			t.Fatal(err)
		}
		err = put(full, "s", keyA, "hello")
		if !fs.Broke() {
			return
		}
		if fault.Code(err) != 13 {
			t.Errorf("operation %d: exit code %d of %v, want 13", n, fault.Code(err), err)
		}
		if temps, _ := filepath.Glob(d.Result("s", keyA).Path() + "/.tmp-*"); len(temps) > 0 {
			t.Errorf("operation %d: left behind: %v", n, temps)
		}
	}
}

func TestBeginKeepsFreshShardsAndNothingElse(t *testing.T) {
	t.Parallel()
	d := newDir(t, store.OS{})
	r := d.Result("s", keyA)
	subKey := func(n int) (string, bool) { return []string{keyA, keyB}[n], n < 2 }
	if err := r.Begin(t.Context(), subKey); err != nil {
		t.Fatal(err)
	}
	for n, name := range []string{"part-0.txt", "part-1.txt"} {
		out, err := r.Write(name, text(name))
		if err != nil {
			t.Fatal(err)
		}
		key, _ := subKey(n)
		receipt := schemas.Receipt{Schema: schemas.ReceiptSchema, Key: key, Outputs: []schemas.ReceiptOutput{out}}
		receipt.Params, receipt.Inputs, receipt.Warnings = []byte("{}"), []schemas.ReceiptInput{}, []schemas.Warning{}
		if err := r.CommitShard(n, receipt); err != nil {
			t.Fatal(err)
		}
	}
	write(t, r.Path()+"/part-1.txt", "spoilt")
	write(t, r.Path()+"/.tmp-part-2.txt", "half")
	write(t, r.Path()+"/old.txt", "of an earlier attempt")
	if err := r.Begin(t.Context(), subKey); err != nil {
		t.Fatal(err)
	}
	if got := names(t, r.Path()); got != "part-0.txt receipt-0000.json" {
		t.Errorf("left: %s", got)
	}
}

func TestPruneRemovesWhatNoBuildNamesAndNothingElse(t *testing.T) {
	t.Parallel()
	d := newDir(t, store.OS{})
	for _, r := range [][2]string{{"s", keyA}, {"s", keyB}, {"t", keyA}} {
		if err := put(d, r[0], r[1], "hello"); err != nil {
			t.Fatal(err)
		}
	}
	foreign := filepath.Join(d.Path(), "stages", "s", "my-notes")
	if err := os.Mkdir(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteBuild("one", build(map[string]string{"s": keyA})); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteBuild("two", build(map[string]string{"t": keyA})); err != nil {
		t.Fatal(err)
	}
	if pruned, err := d.Prune(true); err != nil || len(pruned) != 1 || pruned[0].Bytes == 0 {
		t.Fatalf("dry run: %+v, %v", pruned, err)
	}
	if _, err := d.Result("s", keyB).Fresh(t.Context(), false); err != nil {
		t.Fatalf("a dry run removed something: %v", err)
	}
	if _, err := d.Prune(false); err != nil {
		t.Fatal(err)
	}
	if got := names(t, filepath.Join(d.Path(), "stages", "s")); got != keyA[:32]+" my-notes" {
		t.Errorf("left of s: %s", got)
	}
	for _, stage := range []string{"s", "t"} {
		if _, err := d.Result(stage, keyA).Fresh(t.Context(), false); err != nil {
			t.Errorf("a named result of %s is gone: %v", stage, err)
		}
	}
}

func TestPruneKilledAnywhereCostsNoBuildAByte(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		d := newDir(t, store.OS{})
		for _, key := range []string{keyA, keyB} {
			if err := put(d, "s", key, "hello"); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.WriteBuild("default", build(map[string]string{"s": keyA})); err != nil {
			t.Fatal(err)
		}
		fs := storetest.Dies(n)
		dying, err := store.Open(d.Path(), fs)
		if err != nil {
			t.Fatal(err)
		}
		_, err = dying.Prune(false)
		if _, err := d.Result("s", keyA).Fresh(t.Context(), false); err != nil {
			t.Fatalf("death at operation %d: the build's result is damaged: %v", n, err)
		}
		if _, err := os.Stat(d.Result("s", keyB).Path() + "/receipt.json"); err == nil {
			if _, err := d.Result("s", keyB).Fresh(t.Context(), false); err != nil {
				t.Fatalf("death at operation %d: a receipt without its outputs: %v", n, err)
			}
		}
		if _, err := d.Prune(false); err != nil {
			t.Fatalf("death at operation %d: the next prune fails: %v", n, err)
		}
		if !fs.Broke() {
			if err != nil || n < 4 {
				t.Fatalf("%d operations, %v", n-1, err)
			}
			return
		}
	}
}

func TestPruneStopsAtADamagedBuild(t *testing.T) {
	t.Parallel()
	d := newDir(t, store.OS{})
	if err := put(d, "s", keyA, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteBuild("default", build(map[string]string{"s": keyA})); err != nil {
		t.Fatal(err)
	}
	truncate(t, filepath.Join(d.Path(), "builds", "default.json"))
	if _, err := d.Prune(false); !errors.Is(err, fault.Mismatch) {
		t.Errorf("got %v, want a mismatch", err)
	}
	if _, err := d.Result("s", keyA).Fresh(t.Context(), false); err != nil {
		t.Errorf("prune removed what the damaged build named: %v", err)
	}
}

func TestOneWriterOrManyReaders(t *testing.T) {
	t.Parallel()
	d := newDir(t, store.OS{})
	writer, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	for _, take := range []func() (*store.Lock, error){d.Lock, d.Share} {
		if _, err := take(); !errors.Is(err, fault.Locked) {
			t.Errorf("beside a writer: %v, want locked", err)
		}
	}
	writer.Release()
	reader, err := d.Share()
	if err != nil {
		t.Fatal(err)
	}
	second, err := d.Share()
	if err != nil {
		t.Fatalf("a second reader: %v", err)
	}
	if _, err := d.Lock(); !errors.Is(err, fault.Locked) {
		t.Errorf("beside readers: %v, want locked", err)
	}
	reader.Release()
	second.Release()
	if last, err := d.Lock(); err != nil {
		t.Errorf("after all: %v", err)
	} else {
		last.Release()
	}
}

func TestALockNamesTheRunLogOfTheWriterWhoHoldsItAndOfNobodyBefore(t *testing.T) {
	t.Parallel()
	d := newDir(t, store.OS{})
	for _, want := range []string{"a-long-name.jsonl", "b.jsonl", ""} {
		l, err := d.Lock()
		if err != nil {
			t.Fatal(err)
		}
		if err := l.NameLog(want); err != nil {
			t.Fatal(err)
		}
		if want != "" {
			want = filepath.Join(d.LogDir(), want)
		}
		if got := d.Writer(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		l.Release()
	}
}

func TestAMissingBuildNamesThoseThatThereAre(t *testing.T) {
	t.Parallel()
	d := newDir(t, store.OS{})
	if err := d.WriteBuild("night", build(map[string]string{})); err != nil {
		t.Fatal(err)
	}
	_, err := d.Build("default")
	if !errors.Is(err, fault.NotFound) || !strings.Contains(err.Error(), "night") {
		t.Errorf("got %v", err)
	}
	if _, err := store.Open(filepath.Join(d.Path(), "nowhere"), store.OS{}); !errors.Is(err, fault.NotFound) {
		t.Errorf("a missing directory: %v", err)
	}
}

func TestAnEditedReceiptIsNoReceipt(t *testing.T) {
	t.Parallel()
	d := newDir(t, store.OS{})
	if err := put(d, "s", keyA, "content"); err != nil {
		t.Fatal(err)
	}
	r := d.Result("s", keyA)
	path := r.Path() + "/receipt.json"
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][2]string{{`"counters":{}`, `"counters":{"pages":7}`}, {`"rows":-1`, `"rows":-2`}, {`"stage_version":1`, `"stage_version":2`}, {`"sha256":"`, `"sha256":"0`}} {
		edited := strings.Replace(string(whole), edit[0], edit[1], 1)
		if edited == string(whole) {
			t.Fatalf("%s is not in %s", edit[0], whole)
		}
		write(t, path, edited)
		if _, err := r.Receipt(); !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "receipt.json was changed") {
			t.Errorf("%s: %v", edit[1], err)
		}
		if _, err := r.Fresh(t.Context(), true); err == nil {
			t.Errorf("%s: fresh", edit[1])
		}
	}
}
