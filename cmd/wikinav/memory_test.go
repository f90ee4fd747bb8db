//go:build linux && !race

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hostile are texts of about so many bytes each that are nothing but what is kept while a text is read.
var hostile = map[string]func(size int) string{
	"calls":           repeated("{{a}}"),
	"open parameters": repeated("{{{"),
	"open links":      repeated("[["),
	"open calls":      repeated("{{a|"),
	"calls in calls":  func(size int) string { return repeated("{{a|")(4*size/6) + repeated("}}")(2*size/6) },
	"links in links":  func(size int) string { return repeated("[[a|")(4*size/6) + repeated("]]")(2*size/6) },
	"arguments":       func(size int) string { return "{{a" + repeated("|")(size-5) + "}}" },
	"conversions":     repeated("{{convert|1|m}}\n"),
	"infoboxes":       numbered("{{Infobox x|%07x=1}}"),
	"parameters":      func(size int) string { return "{{Infobox x" + numbered("|%07x=1")(size-13) + "}}" },
	"links":           numbered("[[%07x]]"),
	"labels":          numbered("[[a|%07x]]"),
	"a label":         func(size int) string { return "[[a|" + repeated("x ")(size-6) + "]]" },
	"a value":         func(size int) string { return "{{Infobox x|a=" + repeated("x")(size-16) + "}}" },
	"the page's name": repeated("{{PAGENAME}}"),
	"pipes":           repeated("{{!}}"),
	"references":      repeated("<ref></ref>"),
	"comments":        repeated("<!---->"),
	"tables":          repeated("\n{|"),
	"pictures":        repeated("[[File:a|"),
	"quotes":          repeated(`"`),
	"cells":           func(size int) string { return "{|\n" + repeated("|a|")(size-8) + "\n|}" },
	"breaks":          func(size int) string { return "{{Infobox x|a=" + repeated("<br>1")(size-17) + "}}" },
	"lists in lists":  repeated("{{plainlist|\n* a\n}}"),
	"nowikis":         repeated("<nowiki>{{</nowiki>"),
	"ligatures":       repeated("ﷺ"), // 18 characters each when they are taken apart
}

func repeated(unit string) func(int) string {
	return func(size int) string { return strings.Repeat(unit, size/len(unit)) }
}

func numbered(unit string) func(int) string {
	return func(size int) string {
		var b strings.Builder
		for i := 0; b.Len()+len(unit)+4 < size; i++ {
			fmt.Fprintf(&b, unit, i)
		}
		return b.String()
	}
}

// hostileDump writes a dump of pages, each with a text of size bytes of the kind named.
func hostileDump(t *testing.T, size int, kinds ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "testwiki-20260101-pages-articles.xml")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	w.WriteString(`<mediawiki version="0.11" xml:lang="en"><siteinfo><dbname>testwiki</dbname><case>first-letter</case><namespaces>` +
		`<namespace key="0" case="first-letter" /><namespace key="6" case="first-letter">File</namespace></namespaces></siteinfo>` + "\n")
	quote := strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;")
	for i, kind := range kinds {
		fmt.Fprintf(w, "<page><title>P%d</title><ns>0</ns><id>%d</id><revision><id>1</id><timestamp>2026-01-01T00:00:00Z</timestamp><text>", i+1, i+1)
		quote.WriteString(w, hostile[kind](size))
		w.WriteString("</text></revision></page>\n")
	}
	w.WriteString("</mediawiki>\n")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return path
}

// peak runs the program and returns the most memory that it took, and what it said. What the operating system tells of a process that
// has ended counts its parent's memory as well, so that the process is looked at while it runs.
func peak(t *testing.T, args ...string) (most int64, errs string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("wikinav %s: %v: %s", strings.Join(args, " "), err, said.String())
			}
			return most, said.String()
		case <-time.After(5 * time.Millisecond):
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			_, line, _ := strings.Cut(string(status), "VmHWM:")
			var kib int64
			fmt.Sscan(line, &kib)
			most = max(most, kib<<10)
		}
	}
}

// TestHostileTextsTakeBoundedMemory: pages of the largest size that are nothing but marks, under the usual cap of a text and under the
// largest, whose texts are read up to a number of marks and warned of.
func TestHostileTextsTakeBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads some 500 MiB of marks")
	}
	const most = 512 << 20
	var all []string
	for kind := range hostile {
		all = append(all, kind, kind)
	}
	conversions := strings.Split(strings.Repeat("conversions ", 24), " ")[:24]
	for _, c := range []struct {
		name  string
		size  int
		kinds []string
	}{
		{"every kind, twice", 2 << 20, all},
		{"conversions", 2 << 20, conversions},
		{"calls of 64 MiB", 64 << 20, []string{"calls", "open links", "conversions"}},
		{"nests of 64 MiB", 64 << 20, []string{"calls in calls", "open parameters", "a value"}},
		{"quotes of 64 MiB", 64 << 20, []string{"quotes", "a label", "links"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := []string{"build", "--only", "ingest", "--dump", hostileDump(t, c.size, c.kinds...), "--work", t.TempDir(), "--set", "ingest.anchors=on", "--texts", "on"}
			if c.size > 2<<20 {
				args = append(args, "--set", "ingest.page_text=64MiB")
			}
			took, said := peak(t, args...)
			if took == 0 || took > most {
				t.Errorf("took %d MiB, want at most %d", took>>20, most>>20)
			}
			if warned := strings.Contains(said, "W_TEXT_CUT"); warned != (c.size > 2<<20) {
				t.Errorf("warned of a text that is not read to its end: %t: %s", warned, said)
			}
			t.Logf("%d MiB", took>>20)
		})
	}
}
