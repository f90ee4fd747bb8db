package releasetest

import (
	"encoding/json"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// constants are what documents say with digits that is of no release, and why.
var constants = map[string]string{
	"doi:10.1145/3458723":                 "the paper whose questions a data sheet answers",
	"n<1K":                                "a category of sizes of a host of datasets",
	"1K<n<10K":                            "as above",
	"10K<n<100K":                          "as above",
	"100K<n<1M":                           "as above",
	"cff-version: 1.2.0":                  "the format of CITATION.cff",
	"croissant/1.1":                       "the format of croissant.json",
	"profiles/2.0/":                       "the format of datapackage.json",
	"Data Package, version 2":             "the same in words",
	"sha256":                              "the name of a hash",
	"SHA256SUMS":                          "the name of a file",
	"SHA-256":                             "the name of a hash",
	"LIMIT 10":                            "rows that a snippet asks for",
	"255 where the target is not reached": "what columns of distances say of a page out of reach",
	"which of 22 labels":                  "what the section of labels says of their columns",
	"255 for none":                        "as above",
	"at most 8,000":                       "the characters of a page's text as its readers see it",
}

// Numbers may have a point, and those of versions more than one.
var (
	digits  = regexp.MustCompile(`\d+(?:\.\d+)*`)
	decimal = regexp.MustCompile(`^\d+\.\d{4}$`) // how reports write one
)

// Numbers knows from where those of the documents of a release may come.
type Numbers struct {
	words   *strings.Replacer // what has digits in it and is not a number: names, digests, dates
	numbers map[string]bool

	documents []string
}

// NumbersOf reads the sources of the numbers in the documents of the release in dir: the manifest
// and what follows from its list of files, the reports and quotas of parts, which their cards
// repeat, and what is known of the columns of tables. The digits of digests are no numbers.
func NumbersOf(t testing.TB, dir string, parts []release.Part) *Numbers {
	t.Helper()
	n := &Numbers{numbers: map[string]bool{}}
	words := map[string]bool{}
	for word := range constants { // into a set, or sorted below
		words[word] = true
	}
	m := manifestIn(t, dir, n, words)
	for _, f := range m.Files {
		part := slices.IndexFunc(parts, func(p release.Part) bool { return p.Folder() == path.Dir(f.Path) })
		if part >= 0 && slices.Contains([]string{"report.json", schemas.QuotasFile}, path.Base(f.Path)) {
			n.read(t, dir, f.Path, words)
		}
		if part >= 0 {
			k, _ := parts[part].Kind(path.Base(f.Path))
			columns(k, words)
		}
	}
	for _, table := range []schemas.Table{
		schemas.ReleaseNodesTable, schemas.ReleaseAliasesTable, schemas.ReleaseLeadsTable,
	} {
		columns(release.TableKind("", table), words)
	}
	list := []string{}
	for word := range words { // into a set, or sorted below
		list = append(list, word)
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) }) // the first that fits is taken
	pairs := []string{}
	for _, word := range list {
		pairs = append(pairs, word, "|")
	}
	n.words = strings.NewReplacer(pairs...)
	return n
}

// manifestIn reads the manifest, and adds up its files by folder.
func manifestIn(t testing.TB, dir string, n *Numbers, words map[string]bool) *release.Manifest {
	t.Helper()
	m, err := release.Decode(n.read(t, dir, release.ManifestName, words))
	if err != nil {
		t.Fatal(err)
	}
	n.numbers[strings.ReplaceAll(m.SnapshotDate, "-", "")] = true // in the key of the citation
	words[strings.ToLower(m.Licence.SPDX)] = true
	if year, _, ok := strings.Cut(m.Release.Published, "-"); ok {
		n.numbers[year] = true
	}
	sums, rows := map[string][3]int64{}, map[string]int64{}
	for _, f := range m.Files {
		if f.Role == "document" {
			n.documents = append(n.documents, f.Path)
			continue
		}
		s := sums[path.Dir(f.Path)]
		s[0], s[1] = s[0]+1, s[1]+f.Bytes
		if f.Rows != nil {
			s[2] += *f.Rows
		}
		if path.Ext(f.Path) == ".parquet" && f.Rows != nil { // of configs, which are tables of one layout
			stem, _, _ := strings.Cut(f.Path, "-")
			rows[path.Dir(f.Path)+*f.Schema] += *f.Rows
			rows[stem+"-"+*f.Schema] += *f.Rows
		}
		sums[path.Dir(f.Path)] = s
	}
	for _, s := range sums { // into a set, or sorted below
		for _, v := range s {
			n.numbers[strconv.FormatInt(v, 10)] = true
		}
	}
	for _, v := range rows { // into a set, or sorted below
		n.numbers[strconv.FormatInt(v, 10)] = true
	}
	return m
}

func columns(k release.Kind, words map[string]bool) {
	word := func(s string) {
		if digits.MatchString(s) {
			words[s], words[strings.ReplaceAll(s, "|", `\|`)] = true, true
		}
	}
	if k.Table != nil {
		for _, c := range k.Table.Columns {
			word(c.Name)
		}
	}
	if k.Fields != nil {
		for _, f := range k.Fields() {
			word(f.Doc)
			word(f.Type)
		}
	}
}

// read takes the numbers of a JSON document, and the words that have digits.
func (n *Numbers) read(t testing.TB, dir, name string, words map[string]bool) []byte {
	t.Helper()
	data, err := os.ReadFile(dir + "/" + name)
	var doc any
	if err == nil {
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.UseNumber()
		err = d.Decode(&doc)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	n.take(doc, words)
	return data
}

func (n *Numbers) take(v any, words map[string]bool) {
	word := func(s string) {
		if decimal.MatchString(s) { // cards cut it
			n.numbers[s[:len(s)-2]], n.numbers[s[:len(s)-3]] = true, true
		}
		if s == digits.FindString(s) {
			n.numbers[s] = true
		} else if digits.MatchString(s) {
			words[s] = true
		}
	}
	switch v := v.(type) {
	case json.Number:
		for _, d := range digits.FindAllString(v.String(), -1) {
			n.numbers[d] = true
		}
	case string:
		word(v)
	case []any:
		for _, x := range v {
			n.take(x, words)
		}
	case map[string]any:
		for k, x := range v { // into a set, or sorted below
			word(k)
			n.take(x, words)
		}
	}
}

// Untraced lists the numbers of a document that come from nowhere, each with its line.
func (n *Numbers) Untraced(text string) (bad []string) {
	for line := range strings.Lines(text) {
		for _, d := range digits.FindAllString(n.words.Replace(line), -1) {
			if !n.numbers[d] {
				bad = append(bad, d+" in "+strings.TrimSpace(line))
			}
		}
	}
	return bad
}

// Trace reports numbers in the documents of a release that come from nowhere, and documents in
// which such a number would not be seen.
func Trace(t testing.TB, dir string, parts []release.Part) {
	t.Helper()
	n := NumbersOf(t, dir, parts)
	for _, name := range n.documents {
		data, err := os.ReadFile(dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if bad := n.Untraced(string(data)); bad != nil {
			t.Errorf("%s has numbers from nowhere: %q", name, bad)
		}
		t.Logf("%s: %d numbers", name, len(digits.FindAllString(n.words.Replace(string(data)), -1)))
		if bad := n.Untraced(string(data) + "\n| nodes | 7100171 |"); len(bad) != 1 {
			t.Errorf("%s: a number from nowhere is not seen", name)
		}
	}
}
