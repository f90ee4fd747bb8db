package fault_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

// foreign matches what packages of Go say of input that they cannot read.
var foreign = regexp.MustCompile(`strconv\.|json:|unmarshal|invalid character|Go struct|Go value|parsing "|^open |: open `)

func TestWhatGoSaysOfInputIsSaidInWords(t *testing.T) {
	number := func(_ any, err error) error { return err }
	object := func(text string) error {
		var v struct {
			N    int               `json:"n"`
			List []string          `json:"list"`
			Sub  struct{ B bool }  `json:"sub"`
			Map  map[string]string `json:"map"`
		}
		return json.Unmarshal([]byte(text), &v)
	}
	gone := filepath.Join(t.TempDir(), "gone")
	opened := func(path string) error { _, err := os.ReadFile(path); return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{number(strconv.Atoi("many")), `"many" is not a whole number`},
		{number(strconv.ParseUint("-1", 10, 32)), `"-1" is not a whole number`},
		{number(strconv.ParseFloat("x", 64)), `"x" is not a number`},
		{number(strconv.ParseInt("99999999999999999999", 10, 64)), `"99999999999999999999" is a number out of range`},
		{object(`{"n":x}`), `this is not JSON: 'x' cannot stand at byte 6`},
		{object(`{"n":1 "`), `this is not JSON: '"' cannot stand at byte 8`},
		{object("{\"n\":\"\n\"}"), `this is not JSON: '\n' cannot stand at byte 7`},
		{object(`{"n":1`), `the JSON ends too early`},
		{object(``), `the JSON ends too early`},
		{object(`{"n":"1"}`), `"n" is a JSON string, want a whole number in range`},
		{object(`{"n":1.5}`), `"n" is a JSON number, want a whole number in range`},
		{object(`{"list":{}}`), `"list" is a JSON object, want a list`},
		{object(`{"sub":{"B":1}}`), `"sub.B" is a JSON number, want true or false`},
		{object(`[]`), `a JSON array stands where an object is wanted`},
		{opened(gone), gone + ": there is no such file or folder"},
		{opened(t.TempDir()), "it is a folder, want a file"},
	} {
		wrapped := fmt.Errorf("a flag: %w", c.err)
		for _, got := range []string{fault.Words(c.err), fault.Words(wrapped), fault.New(fault.Usage, "here: %w", wrapped).Error()} {
			if !strings.HasSuffix(got, c.want) || foreign.MatchString(got) {
				t.Errorf("%v: got %s, want %s", c.err, got, c.want)
			}
		}
		if plain := fault.Plain(wrapped); !errors.Is(plain, c.err) || plain.Error() != fault.Words(wrapped) {
			t.Errorf("%v: got %v, which is another error", c.err, plain)
		}
	}
	if err := errors.New("our own"); fault.Plain(err) != err || fault.Plain(nil) != nil || fault.Words(err) != "our own" {
		t.Error("errors of our own change")
	}
}

func TestAFileIsNamedOnce(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	_, err := os.Open(gone)
	f := fault.New(fault.NotFound, "reading: %w", err).At(gone, "")
	if got, want := f.Error(), gone+": reading: there is no such file or folder"; got != want || !errors.Is(f, fs.ErrNotExist) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWhatWasMeantIsSaid(t *testing.T) {
	words := []string{"wikirace", "probe", "onestep", "New_York"}
	for typed, want := range map[string]string{
		"wikirase": "wikirace", "porbe": "probe", "OneStep": "onestep", "new york": "New_York", "one-step": "onestep", "chess": "", "": "",
	} {
		if got := strings.Join(fault.Near(typed, slices.Values(words), 1), ""); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
	if got := fault.Near("Bäm", slices.Values([]string{"Bern", "Baum", "Bäume", "BAM", "Bäm II"}), 3); len(got) != 1 || got[0] != "BAM" {
		t.Errorf("got %q", got)
	}
	got := fault.New(fault.Usage, "no").Choose("porbe", words).Error()
	if want := "no (did you mean probe? choose from wikirace, probe, onestep, New_York)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "replies.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"reples.jsonl": "did you mean " + filepath.Join(dir, "replies.jsonl") + "?", "x": "has no file of a name like it",
		"nowhere/x": "nor is there a folder " + filepath.Join(dir, "nowhere"),
	} {
		if err := fault.Missing(filepath.Join(dir, name)); !strings.Contains(err.Error(), want) || !errors.Is(err, fault.NotFound) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// TestClosedChoicesAreRefusedInOnePlace reads every Go file of the module.
func TestClosedChoicesAreRefusedInOnePlace(t *testing.T) {
	own := regexp.MustCompile(`fault\.New\(fault\.Usage,[^;{}]*?\.\s*Hint\("(choose from|it has|there are|its keys|its tables|presets)|` +
		`fault\.New\(fault\.Usage, "[^"]*want (one|some) of %[sv]`)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		if found := own.Find(data); found != nil {
			t.Errorf("%s refuses a word of a list by itself; fault.Error has Choose: %s", path, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
