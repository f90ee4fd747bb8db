package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

func TestFieldsComeBackFromAnotherReader(t *testing.T) {
	rows := [][]string{
		{"plain", "Ünïcode, with a comma", `say "hi"`}, {"", "two\nlines", " blanks "}, {`""`, "\n", "=1+1"}, {"", "", ""},
	}
	var out bytes.Buffer
	w := newLines(&out, []string{"a", "b,c", `"d"`})
	for _, row := range rows {
		for _, field := range row {
			w.field(field)
		}
		w.end()
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	got, err := csv.NewReader(&out).ReadAll()
	want := append([][]string{{"a", "b,c", `"d"`}}, rows...)
	if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

func TestALineOfOneEmptyFieldIsALine(t *testing.T) {
	var out bytes.Buffer
	w := newLines(&out, []string{"title"})
	w.field("")
	w.end()
	if err := w.Flush(); err != nil || out.String() != "title\r\n\"\"\r\n" {
		t.Errorf("got %q, %v", &out, err)
	}
}

func TestCellsAreSpelledWithoutLoss(t *testing.T) {
	for want, cell := range map[string]any{
		"[1,2]": []uint32{1, 2}, "[]": []uint32{}, "true": true, "255": uint8(255), "18446744073709551615": uint64(1<<64 - 1),
		"0.1": 0.1, "1e+300": 1e300, "00ff": []byte{0, 255}, "a\nb": "a\nb",
	} {
		if got := text(cell); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for value, want := range map[string]string{`"a\nb"`: "a\nb", "null": "", "": "", "1.50": "1.50", `{"b":[1]}`: `{"b":[1]}`} {
		if got, err := spelled(json.RawMessage(value)); got != want || err != nil {
			t.Errorf("%s: got %q, %v; want %q", value, got, err, want)
		}
	}
}

const croissant = `{"@type":"sc:Dataset","distribution":[{"@id":"a","contentUrl":"splits/a b.parquet"},{"@id":"set","includes":"*"}]}`

func TestFilesOfADocumentAreWhereTheReleaseIs(t *testing.T) {
	base, err := addressOf("https://example.org/demo/")
	if err != nil {
		t.Fatal(err)
	}
	doc, paths, err := located([]byte(croissant), base)
	if err != nil || !slices.Equal(paths, []string{"splits/a b.parquet"}) {
		t.Fatalf("got %q, %v", paths, err)
	}
	if want := `"contentUrl": "https://example.org/demo/splits/a%20b.parquet"`; !strings.Contains(doc, want) {
		t.Errorf("no %s in %s", want, doc)
	}
	if same, _, err := located([]byte(croissant), nil); err != nil || same != croissant {
		t.Errorf("without an address the document is %s, %v", same, err)
	}
	if _, _, err := located([]byte(`{"distribution":[]}`), nil); !errors.Is(err, fault.Malformed) {
		t.Errorf("a document without a file: %v", err)
	}
	for _, address := range []string{"example.org/demo", "file:///demo", "https://", "https:///x", "%"} {
		if _, err := addressOf(address); !errors.Is(err, fault.Usage) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestPathsOfConfigsAreFoundInAnyForm(t *testing.T) {
	head, body, ok := cutHead("---\nconfigs:\n- config_name: a\n  data_files:\n  - split: \"x\"\n    path: a/x.parquet\n" +
		"  - {split: y, path: \"b/*.parquet\"}\n- config_name: nodes\n  data_files: graph/nodes.parquet\n---\n# Title\n")
	var paths []string
	for _, m := range configPath.FindAllStringSubmatch(head, -1) {
		paths = append(paths, m[1])
	}
	if !ok || body != "# Title\n" || !slices.Equal(paths, []string{"a/x.parquet", "b/*.parquet", "graph/nodes.parquet"}) {
		t.Errorf("got %q, %q, %v", paths, body, ok)
	}
	if _, _, ok := cutHead("# Title\n"); ok {
		t.Error("a card without a head has one")
	}
	for text, want := range map[string]bool{"split: all\n": true, `split: "all"`: true, "split: allowed": false, "split: test": false} {
		if got := reserved.MatchString(text); got != want {
			t.Errorf("%s: reserved is %v", text, got)
		}
	}
}
