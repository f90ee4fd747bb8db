package fetch_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/fetch"
	"github.com/wikinav/wikinav/schemas/fault"
)

func names(l fetch.Listing) (out []string) {
	for _, f := range l.Files {
		out = append(out, f.Name)
	}
	return out
}

// run is a classic run with tables: its jobs, for tests that spoil them.
func run(t *testing.T) (*site, map[string]any) {
	s, _ := one(t, size)
	jobs := map[string]any{}
	for job, name := range map[string]string{
		"articlesmultistreamdump": "pages-articles-multistream.xml.bz2", "articlesdump": "pages-articles.xml.bz2",
		"pagetable": "page.sql.gz", "pagepropstable": "page_props.sql.gz", "namespaces": "siteinfo-namespaces.json.gz",
	} {
		content := append([]byte("\x1f\x8b"), name...)
		if strings.HasSuffix(name, ".bz2") {
			content = packed(500, 3)
		}
		jobs[job] = s.classic(map[string][]byte{wiki + "-" + date + "-" + name: content})["articlesmultistreamdump"]
	}
	s.status(jobs)
	return s, jobs
}

func TestClassicRunsListTextsTablesAndNamespaces(t *testing.T) {
	for _, c := range []struct {
		plain  bool
		tables []string
		want   []string
	}{
		{false, nil, []string{"pages-articles-multistream.xml.bz2", "siteinfo-namespaces.json.gz"}},
		{true, []string{"page_props", "page"}, []string{"pages-articles.xml.bz2", "page.sql.gz", "page_props.sql.gz", "siteinfo-namespaces.json.gz"}},
	} {
		s, _ := run(t)
		opts := s.options(t.TempDir())
		opts.Plain, opts.Tables = c.plain, c.tables
		l, err := fetch.List(t.Context(), opts)
		must(t, err)
		for i := range c.want {
			c.want[i] = wiki + "-" + date + "-" + c.want[i]
		}
		if got := names(l); !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
		opts.Connections = 3
		in, err := fetch.Get(t.Context(), opts, l)
		must(t, err)
		wantFiles(t, opts.Folder, append(c.want, fetch.InputsName)...)
		if len(in.Files) != len(c.want) || in.Files[0].Published["sha1"] == "" || in.Files[0].URL != s.URL+tree+in.Files[0].Name {
			t.Errorf("inputs are %+v", in)
		}
	}
}

func TestMoreTablesLaterJoinTheInputs(t *testing.T) {
	s, _ := run(t)
	opts := s.options(t.TempDir())
	_, err := get(t, opts)
	must(t, err)
	opts.Plain, opts.Tables = true, []string{"page"}
	in, err := get(t, opts)
	must(t, err)
	if len(in.Files) != 4 {
		t.Errorf("inputs are %+v, want 4 files", in.Files)
	}
}

func TestRunsThatAreNotCompleteAreRefused(t *testing.T) {
	dump := func(jobs map[string]any) map[string]any {
		return jobs["articlesmultistreamdump"].(map[string]any)["files"].(map[string]any)[dumpName].(map[string]any)
	}
	for name, spoil := range map[string]func(jobs map[string]any){
		"in progress":       func(jobs map[string]any) { jobs["articlesmultistreamdump"].(map[string]any)["status"] = "in-progress" },
		"no such job":       func(jobs map[string]any) { delete(jobs, "pagetable") },
		"no files":          func(jobs map[string]any) { jobs["pagetable"].(map[string]any)["files"] = map[string]any{} },
		"another path":      func(jobs map[string]any) { dump(jobs)["url"] = "/otherwiki/" + date + "/" + dumpName },
		"another host":      func(jobs map[string]any) { dump(jobs)["url"] = "//example.org" + tree + dumpName },
		"no sum":            func(jobs map[string]any) { delete(dump(jobs), "sha1"); delete(dump(jobs), "md5") },
		"a sum that is cut": func(jobs map[string]any) { dump(jobs)["sha1"] = "12ab" },
	} {
		s, jobs := run(t)
		spoil(jobs)
		s.status(jobs)
		opts := s.options(t.TempDir())
		opts.Tables = []string{"page"}
		_, err := fetch.List(t.Context(), opts)
		if fault.KindOf(err) != fault.Checksum || !strings.Contains(err.Error(), "dumpstatus.json") {
			t.Errorf("%s: got %v, want a checksum fault of dumpstatus.json", name, err)
		}
	}
}

func TestAStatusThatIsCutIsRefusedAtEveryByte(t *testing.T) {
	s, _ := run(t)
	whole := s.files[tree+"dumpstatus.json"]
	for n := 0; n < len(whole); n += 13 {
		s.files[tree+"dumpstatus.json"] = whole[:n]
		_, err := fetch.List(t.Context(), s.options(t.TempDir()))
		wantFault(t, err, fault.Checksum, "dumpstatus.json")
	}
}

// contentSite makes a complete run of the content exports with three shards.
func contentSite(t *testing.T) (s *site, root string, opts fetch.Options) {
	s = newSite(t)
	root = "/other/mediawiki_content_current/" + wiki + "/2026-01-01/xml/bzip2/"
	var sums strings.Builder
	for i, part := range []string{"p1p100", "p101p500", "p777r1r9"} {
		name, content := fmt.Sprintf("%s-2026-01-01-%s.xml.bz2", wiki, part), packed(1000+i, uint64(i))
		sum := sha256.Sum256(content)
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), name)
		s.files[root+name] = content
	}
	s.files[root+"SHA256SUMS"] = []byte(sums.String())
	opts = s.options(t.TempDir())
	opts.Source = fetch.Content
	return s, root, opts
}

func TestContentExportsAreShardsWithTheirSums(t *testing.T) {
	s, root, opts := contentSite(t)
	in, err := get(t, opts)
	must(t, err)
	sum := sha256.Sum256(s.files[root+"SHA256SUMS"])
	if in.SumsSHA256 != hex.EncodeToString(sum[:]) || in.Snapshot != "content_current:testwiki:2026-01-01" || len(in.Files) != 4 {
		t.Errorf("inputs are %+v", in)
	}
	for _, f := range in.Files {
		got, err := os.ReadFile(filepath.Join(opts.Folder, f.Name))
		must(t, err)
		if string(got) != string(s.files[root+f.Name]) {
			t.Errorf("%s is unlike the site's", f.Name)
		}
	}
}

func TestContentExportsWithoutWholeSumsAreRefused(t *testing.T) {
	s, root, opts := contentSite(t)
	sums := s.files[root+"SHA256SUMS"]
	line := len(sums) / 3
	for n := range sums { // a cut between two lines looks whole, but for the length that the site says
		s.files[root+"SHA256SUMS"] = sums[:n]
		l, err := fetch.List(t.Context(), opts)
		if between := n > 0 && sums[n-1] == '\n'; !between {
			wantFault(t, err, fault.Checksum, "SHA256SUMS")
		} else if err != nil || len(l.Files) != strings.Count(string(sums[:n]), "\n")+1 {
			t.Errorf("cut at %d: got %v, %q", n, err, names(l))
		}
	}
	delete(s.files, root+"SHA256SUMS")
	_, err := fetch.List(t.Context(), opts)
	wantFault(t, err, fault.Checksum, "not complete")
	s.files[root+"SHA256SUMS"] = []byte(strings.Replace(string(sums), wiki, "../x", 1))
	_, err = fetch.List(t.Context(), opts)
	wantFault(t, err, fault.Checksum, "no shard")
	s.files[root+"SHA256SUMS"] = sums[1:]
	_, err = fetch.List(t.Context(), opts)
	wantFault(t, err, fault.Checksum, "line 1")
	s.files[root+"SHA256SUMS"] = sums
	s.scripts[root+"SHA256SUMS"] = []script{cut(line), cut(2 * line)}
	l, err := fetch.List(t.Context(), opts)
	if err != nil || len(l.Files) != 4 {
		t.Errorf("after two cuts: got %v, %q", err, names(l))
	}
}

func TestLatestIsResolvedAndRecorded(t *testing.T) {
	s, _ := run(t)
	sums := "/" + wiki + "/latest/" + wiki + "-latest-md5sums.txt"
	s.files[sums] = []byte(strings.Repeat("0", 32) + "  " + dumpName + "\n")
	opts := s.options(t.TempDir())
	opts.Date, opts.Latest = "latest", true
	in, err := get(t, opts)
	must(t, err)
	if in.Date != date || in.Requested != "latest" {
		t.Errorf("got date %q, requested %q", in.Date, in.Requested)
	}
	s.files[sums] = append(s.files[sums], strings.ReplaceAll(string(s.files[sums]), date, "20260201")...)
	_, err = fetch.List(t.Context(), opts)
	wantFault(t, err, fault.Checksum, "20260201")
}

func TestBytesMayComeFromAReplica(t *testing.T) {
	s, content := one(t, size)
	replica, _ := one(t, size)
	opts := s.options(t.TempDir())
	opts.Mirror = replica.URL + "/"
	in, err := get(t, opts)
	must(t, err)
	wantDump(t, opts.Folder, content)
	if len(s.requests(dumpName)) > 0 || in.Files[0].URL != replica.URL+tree+dumpName {
		t.Errorf("asked the original for %q; inputs say %s", s.requests(dumpName), in.Files[0].URL)
	}
	replica.files[tree+dumpName] = packed(size, 5)
	opts.Folder = t.TempDir()
	_, err = get(t, opts)
	wantFault(t, err, fault.Checksum, "sha1")
}

func TestSitesAreAskedOverTLSAndTheirCertificatesCount(t *testing.T) {
	s, content := one(t, size)
	tls := httptest.NewUnstartedServer(s)
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	tls.StartTLS()
	defer tls.Close()
	opts := s.options(t.TempDir())
	opts.Base = tls.URL
	_, err := get(t, opts)
	wantFault(t, err, fault.Failure, "certificate")
	opts.Transport = tls.Client().Transport
	_, err = get(t, opts)
	must(t, err)
	wantDump(t, opts.Folder, content)
	opts.Folder, opts.Hosts = t.TempDir(), []string{"example.org"}
	s.scripts[tree+dumpName] = []script{status(302, "Location", "http://example.org/x")}
	_, err = get(t, opts)
	wantFault(t, err, fault.Failure, "want https")
}
