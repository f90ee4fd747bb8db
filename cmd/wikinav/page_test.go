package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// twoTexts builds a wiki of two articles and a redirect, with texts or without.
func twoTexts(t *testing.T, mode string) (work string) {
	t.Helper()
	dump := xmlDump(t,
		xmlPage(1, "Old bridge", "", "{{Short description|Bridge in B}}\n{{Infobox bridge|name=x|length={{convert|23|m}}|opened=[[1718]]}}\n"+
			"'''It''' leads to a [[town b|town]].\n== History ==\n* [[File:x.jpg]]one\n** two &amp; three"),
		xmlPage(2, "Town b", "", "[[old bridge]]"),
		xmlPage(5, "The bridge", `<redirect title="Old bridge" />`, "#REDIRECT [[Old bridge]]"),
		xmlPage(7, "7", "", "[[Town b]]"))
	work = t.TempDir()
	must(t, "build", "--dump", dump, "--only", "linkgraph", "--texts", mode, "--work", work, "--progress", "none")
	return work
}

const bridgeText = `# Old bridge
Bridge in B

| Infobox | bridge |
| --- | --- |
| Length | 23 m |
| Opened | [1718](/wiki/1718) |

It leads to a [town](/wiki/Town_b).

## History
- one
  - two & three
`

func TestPagePrintsTheTextOfATitleARedirectOrAnID(t *testing.T) {
	work := twoTexts(t, "on")
	for name, want := range map[string]string{
		"Old bridge": bridgeText, "The bridge": bridgeText, "1": bridgeText,
		"7": "# 7\n\n[Town b](/wiki/Town_b)\n", // a title is one before it is an id
	} {
		if got := must(t, "page", name, "--work", work); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	var record struct {
		PageID           int    `json:"page_id"`
		Title            string `json:"title"`
		ShortDescription string `json:"short_description"`
		Text             string `json:"text"`
		Chars            int    `json:"chars"`
		Truncated        bool   `json:"truncated"`
	}
	text := must(t, "page", "Old bridge", "--work", work, "--json")
	if err := json.Unmarshal([]byte(text), &record); err != nil || record.Text+"\n" != bridgeText || record.PageID != 1 ||
		record.Chars != len(bridgeText)-1 || record.ShortDescription != "Bridge in B" || record.Truncated {
		t.Errorf("%v, %s", err, text)
	}
}

func TestPageSaysWhatItDoesNotFind(t *testing.T) {
	with, without := twoTexts(t, "on"), twoTexts(t, "off")
	for _, c := range []struct {
		work, name, want string
		code             int
	}{
		{with, "old_bridg", "did you mean Old bridge?", 10},
		{with, "Nothing like it", "want the title of an article or of a redirect to one, or a page id", 10},
		{with, "5", "no text of a page", 10}, // a redirect has none
		{with, "", "no text of a page", 10},
		{without, "Old bridge", "wikinav build --texts on reads them", 10},
		{t.TempDir(), "Old bridge", "", 10},
	} {
		code, out, errs := wikinav(t, "page", c.name, "--work", c.work)
		if code != c.code || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%q: exit code %d, %q, %q", c.name, code, out, errs)
		}
	}
}

func TestInspectPrintsTextsOneALine(t *testing.T) {
	work := twoTexts(t, "on")
	want := `{"chars":181,"page_id":1,"short_description":"Bridge in B",` +
		`"text":"# Old bridge\nBridge in B\n\n| Infobox | bridge |\n| --- | --- |\n| Length | 23 m |\n| Opened | [1718](/wiki/1718) |\n\n` +
		`It leads to a [town](/wiki/Town_b).\n\n## History\n- one\n  - two & three","title":"Old bridge","truncated":false}` + "\n" +
		`{"chars":40,"page_id":2,"short_description":"","text":"# Town b\n\n[old bridge](/wiki/Old_bridge)","title":"Town b","truncated":false}` + "\n"
	if got := must(t, "inspect", "texts", "--work", work, "--limit", "2"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := must(t, "inspect", "texts", "--work", work); strings.Count(got, "\n") != 3 {
		t.Errorf("got %s, want 3 lines", got)
	}
	if got := must(t, "inspect", "texts", "--work", twoTexts(t, "off")); got != "" {
		t.Errorf("without texts: got %s", got)
	}
}

// TestAPipeThatClosesEndsAVerbQuietly runs the program with a reader that goes away after a line.
func TestAPipeThatClosesEndsAVerbQuietly(t *testing.T) {
	work := t.TempDir()
	var pages []string
	for i := range 400 {
		pages = append(pages, xmlPage(i+1, fmt.Sprint("P", i), "", strings.Repeat("word ", 2000)))
	}
	must(t, "build", "--dump", xmlDump(t, pages...), "--only", "ingest", "--texts", "on", "--work", work, "--progress", "none")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "inspect", "texts", "--work", work)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var first [100]byte
	if _, err := io.ReadFull(out, first[:]); err != nil {
		t.Errorf("its output ends after %q: %v", first, err)
	}
	out.Close()
	if err := cmd.Wait(); said.Len() > 0 || err == nil {
		t.Errorf("it ended with %v and said %s, want a broken pipe and nothing said", err, said.String())
	}
}
