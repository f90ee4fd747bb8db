// Package mistakes compares a program's answers to plausible mistakes with a golden file.
package mistakes

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update-mistakes", false, "write testdata/mistakes.txt anew")

// WordsOfGo matches what packages of Go say of input that they cannot read.
var WordsOfGo = regexp.MustCompile(`strconv\.|(?:^|[^.a-z])json: |unmarshal|invalid character|Go (?:struct|value)|` +
	`parsing "|parsing time|: open |no such file or directory|is a directory|: toml: `)

// digests matches ids and digests, which follow any byte of a release: their number of digits
// stands in the golden file.
var digests = regexp.MustCompile(`\b(?:[0-9a-f]{64}|[0-9a-f]{16})\b`)

// Program is a whole program as a function.
type Program func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Check is CheckIn in an empty folder, for the testdata of the package under test.
func Check(t *testing.T, name string, run Program, lines string) {
	t.Helper()
	where, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	CheckIn(t, t.TempDir(), where, name, run, lines)
}

// CheckIn runs each line's command in dir and compares command, exit code and answer with
// mistakes.txt of the folder golden. Every command must fail, and answer in one or two lines.
func CheckIn(t *testing.T, dir, golden, name string, run Program, lines string) {
	t.Helper()
	t.Chdir(dir)
	var got bytes.Buffer
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		var errs bytes.Buffer
		code := run(strings.Fields(line), strings.NewReader(""), io.Discard, &errs)
		answer := digests.ReplaceAllStringFunc(strings.ReplaceAll(errs.String(), dir, "."), func(s string) string {
			return fmt.Sprintf("<%d digits>", len(s))
		})
		if n := strings.Count(answer, "\n"); code == 0 || n < 1 || n > 2 {
			t.Errorf("%s %s: exit %d with %d lines: %s", name, line, code, n, answer)
		}
		if inner := WordsOfGo.FindString(answer); inner != "" {
			t.Errorf("%s %s: %q is a word of Go: %s", name, line, inner, answer)
		}
		fmt.Fprintf(&got, "$ %s %s\nexit %d\n%s\n", name, line, code, answer)
	}
	file := filepath.Join(golden, "mistakes.txt")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("answers differ from %s (%v); -update-mistakes writes it anew:\n%s", file, err, got.Bytes())
	}
}
