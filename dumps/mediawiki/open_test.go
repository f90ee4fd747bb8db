package mediawiki_test

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestCancelEndsNextSoonAndLeavesNoGoroutine(t *testing.T) {
	m := newMulti(t, 400, 5)
	for _, index := range []string{m.indexText(), ""} {
		before := runtime.NumGoroutine()
		path := write(t, m.bytes(), index)
		ctx, cancel := context.WithCancel(context.Background())
		d, err := mediawiki.Open(ctx, path, mediawiki.Options{Workers: 3})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Next(context.Background()); err != nil {
			t.Fatal(err)
		}
		cancel()
		// What was read ahead may still come, but the end must be Interrupted and never io.EOF.
		start := time.Now()
		for err == nil {
			_, err = d.Next(context.Background())
		}
		if took := time.Since(start); took > 2*time.Second || !errors.Is(err, fault.Interrupted) {
			t.Errorf("index %v: got %v after %v, want an interruption within 2 s", index != "", err, took)
		}
		closeAndCount(t, d, before)
	}
}

func TestCancelOfOneCallIsFinal(t *testing.T) {
	m := newMulti(t, 40, 5)
	d, err := mediawiki.Open(context.Background(), write(t, m.bytes(), m.indexText()), mediawiki.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 2 {
		if _, err := d.Next(ctx); !errors.Is(err, fault.Interrupted) {
			t.Errorf("got %v, want an interruption", err)
		}
		ctx = context.Background()
	}
}

func TestCloseInTheMiddleLeavesNoGoroutine(t *testing.T) {
	m := newMulti(t, 400, 5)
	for _, index := range []string{m.indexText(), ""} {
		before := runtime.NumGoroutine()
		d, err := mediawiki.Open(context.Background(), write(t, m.bytes(), index), mediawiki.Options{Workers: 3})
		if err != nil {
			t.Fatal(err)
		}
		closeAndCount(t, d, before)
		if _, err := d.Next(context.Background()); err == nil {
			t.Error("Next after Close: got no error")
		}
	}
}

func closeAndCount(t *testing.T, d *mediawiki.Dump, before int) {
	t.Helper()
	for range 2 {
		if err := d.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	wantGoroutines(t, before)
}

// wantGoroutines waits for goroutines that have done their work and were not yet taken off the list.
func wantGoroutines(t *testing.T, most int) {
	t.Helper()
	got := runtime.NumGoroutine()
	for range 1000 {
		if got <= most {
			return
		}
		time.Sleep(time.Millisecond)
		got = runtime.NumGoroutine()
	}
	t.Errorf("goroutines: got %d, want at most %d", got, most)
}

func TestProgressEndsAtTheSizeOfTheFile(t *testing.T) {
	m := newMulti(t, 40, 5)
	for _, index := range []string{m.indexText(), ""} {
		d, err := mediawiki.Open(context.Background(), write(t, m.bytes(), index), mediawiki.Options{})
		if err != nil {
			t.Fatal(err)
		}
		last := int64(0)
		for err == nil {
			_, err = d.Next(context.Background())
			done, total := d.Progress()
			if done < last || done > total || total != int64(len(m.bytes())) {
				t.Fatalf("progress: got %d of %d after %d", done, total, last)
			}
			last = done
		}
		if last != int64(len(m.bytes())) {
			t.Errorf("progress at the end: got %d, want %d", last, len(m.bytes()))
		}
		d.Close()
	}
}

func TestIndexIsFoundBesideTheDump(t *testing.T) {
	for dump, index := range map[string]string{
		"w-1-pages-articles-multistream.xml.bz2":           "w-1-pages-articles-multistream-index.txt.bz2",
		"w-1-pages-articles-multistream2.xml-p1p41242.bz2": "w-1-pages-articles-multistream-index2.txt-p1p41242.bz2",
		"w.xml.bz2": "w-index.txt",
	} {
		folder := t.TempDir()
		if got, ok := files.FindIndex(filepath.Join(folder, dump)); ok {
			t.Errorf("%s: found %s in an empty folder", dump, got)
		}
		writeFile(t, filepath.Join(folder, index), nil)
		if got, ok := files.FindIndex(filepath.Join(folder, dump)); !ok || filepath.Base(got) != index {
			t.Errorf("%s: got %q, %v, want %q", dump, got, ok, index)
		}
	}
}

func TestPublishedSumsAreCompared(t *testing.T) {
	data := "content"
	good := map[string]string{
		"SHA256SUMS":       fmt.Sprintf("%x", sha256.Sum256([]byte(data))),
		"w-1-sha1sums.txt": fmt.Sprintf("%x", sha1.Sum([]byte(data))),
		"w-1-md5sums.txt":  fmt.Sprintf("%x", md5.Sum([]byte(data))),
	}
	for file, sum := range good {
		path := filepath.Join(t.TempDir(), "d.xml")
		writeFile(t, path, []byte(data))
		verify := func(lines string) (string, error) {
			writeFile(t, filepath.Join(filepath.Dir(path), file), []byte(lines))
			return files.VerifySums(context.Background(), path)
		}
		if got, err := verify("00  other.xml\n" + sum + "  d.xml\n"); got != files.VerifiedSums || err != nil {
			t.Errorf("%s: got %q, %v, want sums", file, got, err)
		}
		if got, err := verify(sum + "  dd.xml\n"); got != files.VerifiedNone || err != nil {
			t.Errorf("%s of another file: got %q, %v, want none", file, got, err)
		}
		_, err := verify(strings.Repeat("0", len(sum)) + "  d.xml\n")
		wantFault(t, err, fault.Checksum, path, file)
		_, err = verify(sum[1:] + "  d.xml\n")
		wantFault(t, err, fault.Malformed, filepath.Join(filepath.Dir(path), file))
	}
	_, err := files.VerifySums(context.Background(), "nowhere.xml")
	wantFault(t, err, fault.NotFound, "nowhere.xml")
}
