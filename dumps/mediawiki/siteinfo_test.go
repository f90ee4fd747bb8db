package mediawiki_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/schemas/fault"
)

// namesJSON is a siteinfo-namespaces.json of a wiki.
func namesJSON(wiki string) string {
	return fmt.Sprintf(`{"batchcomplete":"","query":{"general":{"case":"case-sensitive","lang":"de","wikiid":%q,"linktrail":"/^([a-z]+)/"},
		"namespaces":{"0":{"id":0,"case":"first-letter","*":""},"1":{"id":1,"*":"Diskussion","canonical":"Talk"},"4":{"id":4,"name":"Projekt"}},
		"namespacealiases":[{"id":1,"*":"D"},{"id":4,"alias":"P_R"}]}}`, wiki)
}

// namespaceOf reads a title by the rules of a dump.
func namespaceOf(t *testing.T, path string, opts mediawiki.Options, title string) int {
	t.Helper()
	d, err := mediawiki.Open(context.Background(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	got, err := d.Site().ParsePageTitle(title)
	if err != nil {
		t.Fatal(err)
	}
	return got.NS
}

func TestAliasesComeFromTheFileBesideTheDump(t *testing.T) {
	const name = "testwiki-20260101-pages-articles.xml"
	for file, data := range map[string][]byte{
		"testwiki-20260101-siteinfo-namespaces.json":    []byte(namesJSON("testwiki")),
		"testwiki-20260101-siteinfo-namespaces.json.gz": zip(t, namesJSON("testwiki")),
	} {
		dir := folder(t, map[string][]byte{name: []byte(document(1, 2)), file: data})
		path := filepath.Join(dir, name)
		if found, ok := files.FindSiteInfo(path); !ok || filepath.Base(found) != file {
			t.Errorf("found %q, want %s", found, file)
		}
		if got := namespaceOf(t, path, mediawiki.Options{}, "d:X"); got != 1 {
			t.Errorf("%s: alias D has namespace %d, want 1", file, got)
		}
		if got := namespaceOf(t, path, mediawiki.Options{}, "Talk:X"); got != 1 {
			t.Errorf("%s: the dump's own name has namespace %d, want 1", file, got)
		}
	}
	dir := folder(t, map[string][]byte{name: []byte(document(1, 2)), "otherwiki-20260101-siteinfo-namespaces.json": []byte(namesJSON("otherwiki"))})
	if got := namespaceOf(t, filepath.Join(dir, name), mediawiki.Options{}, "D:X"); got != 0 {
		t.Errorf("with the file of another wiki beside it: alias D has namespace %d, want 0", got)
	}
}

func TestSiteInfoInJSONIsUsedByName(t *testing.T) {
	dir := folder(t, map[string][]byte{
		"good": []byte(namesJSON("testwiki")), "other": []byte(namesJSON("otherwiki")), "empty": []byte("{}"), "cut": []byte(namesJSON("testwiki")[:100]),
		"bare.xml": []byte("<mediawiki>" + strings.TrimPrefix(document(1, 2), fixHead)), "whole.xml": []byte(document(1, 2)),
	})
	open := func(dump, info string) error {
		return readAll(t, filepath.Join(dir, dump), mediawiki.Options{SiteInfoFile: filepath.Join(dir, info)}).err
	}
	if got := namespaceOf(t, filepath.Join(dir, "whole.xml"), mediawiki.Options{SiteInfoFile: filepath.Join(dir, "good")}, "P R:X"); got != 4 {
		t.Errorf("alias P_R: got namespace %d, want 4", got)
	}
	if got := namespaceOf(t, filepath.Join(dir, "bare.xml"), mediawiki.Options{SiteInfoFile: filepath.Join(dir, "good")}, "Diskussion:X"); got != 1 {
		t.Errorf("a dump without siteinfo: Diskussion has namespace %d, want 1", got)
	}
	if err := open("whole.xml", "good"); err != nil {
		t.Errorf("good: got %v", err)
	}
	wantFault(t, open("whole.xml", "other"), fault.Malformed, filepath.Join(dir, "other"), "otherwiki")
	wantFault(t, open("whole.xml", "empty"), fault.Malformed, filepath.Join(dir, "empty"), "no namespaces")
	wantFault(t, open("whole.xml", "cut"), fault.Malformed, filepath.Join(dir, "cut"), "siteinfo")
	wantFault(t, open("whole.xml", "none"), fault.NotFound, filepath.Join(dir, "none"))
}

func TestInputsOfFetchAreCompared(t *testing.T) {
	sum := "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73" // of "content"
	for _, c := range []struct {
		inputs string
		kind   *fault.Kind // nil for a sum that holds
	}{
		{fmt.Sprintf(`{"files":[{"name":"other.xml","sha256":"00"},{"name":"d.xml","bytes":7,"sha256":%q}]}`, sum), nil},
		{fmt.Sprintf(`[{"name":"d.xml","sha256":%q}]`, sum), nil},
		{fmt.Sprintf(`{"files":[{"name":"d.xml","sha256":%q}]}`, strings.Repeat("0", 64)), fault.Checksum},
		{`{"files":[{"name":"d.xml","sha256":"12"}]}`, fault.Malformed},
		{`{"files":`, fault.Malformed},
	} {
		dir := folder(t, map[string][]byte{"d.xml": []byte("content"), "inputs.json": []byte(c.inputs)})
		verified, err := files.VerifySums(context.Background(), filepath.Join(dir, "d.xml"))
		switch {
		case c.kind == nil && (err != nil || verified != files.VerifiedSums):
			t.Errorf("%s: got %q, %v, want sums", c.inputs, verified, err)
		case c.kind != nil:
			file := map[*fault.Kind]string{fault.Checksum: "d.xml", fault.Malformed: "inputs.json"}[c.kind]
			wantFault(t, err, c.kind, filepath.Join(dir, file), "inputs.json")
		}
	}
}
