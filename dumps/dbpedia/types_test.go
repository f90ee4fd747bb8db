package dbpedia

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

func isA(subject, class string) string {
	return fmt.Sprintf("<%s> <%s> <%s> .", subject, typePredicate, class)
}

const page = "http://dbpedia.org/resource/"

// read gives "title class" of each type in a text.
func read(t *testing.T, text string) ([]string, TypeCounts, error) {
	t.Helper()
	var got []string
	counts, err := ReadTypes(t.Context(), file(t, text), "en", func(title, class string) error {
		got = append(got, title+" "+class)
		return nil
	})
	return got, counts, err
}

func TestEveryLineIsCountedOnce(t *testing.T) {
	good := isA(page+"A_b", ontologyPrefix+"Writer")
	lines := []string{
		"# started", good, "", "  ", good + "\r",
		isA(page+"A__Tenure__1", ontologyPrefix+"TimePeriod"),
		isA(page+"A", "http://schema.org/Person"), isA(page+"A", thing),
		isA("http://ga.dbpedia.org/resource/A", ontologyPrefix+"Writer"),
		"<" + page + "A> <http://example.org/p> <" + ontologyPrefix + "Writer> .",
		isA(page+"%FF", ontologyPrefix+"Writer"),
		isA(page+"A b", ontologyPrefix+"Writer"), strings.TrimSuffix(good, "."), good + " # x",
		"<" + page + "\xff> <" + typePredicate + "> <" + ontologyPrefix + "Writer> .",
		"<" + page + "A> a <" + ontologyPrefix + "Writer> .",
		isA(page+strings.Repeat("x", maxLine), ontologyPrefix+"Writer"),
		isA(page+strings.Repeat("x", 3*maxLine), ontologyPrefix+"Writer"),
		`<` + page + `\u12> <` + typePredicate + `> <` + ontologyPrefix + `Writer> .`,
	}
	text := strings.Repeat("# filler\n", 8000) + strings.Join(lines, "\n")
	got, c, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	want := TypeCounts{
		Lines: 8019, Triples: 8, Types: 2, Intermediate: 1, ForeignClass: 2, OtherPrefix: 1, OtherPredicate: 1, BadTitle: 1,
		Comments: 8001, Blank: 2, Bad: 8,
	}
	var why []string
	for _, b := range c.BadLines {
		why = append(why, fmt.Sprintf("%d %s", b.Line-8000, b.Why))
	}
	wantWhy := "12 not three IRIs and a dot, 13 not three IRIs and a dot, 14 not three IRIs and a dot, 15 invalid UTF-8, " +
		"16 not three IRIs and a dot, 17 longer than 64 KiB, 18 longer than 64 KiB, 19 not three IRIs and a dot"
	if c.BadLines = nil; fmt.Sprint(c) != fmt.Sprint(want) {
		t.Errorf("got %+v\nwant %+v", c, want)
	}
	if strings.Join(why, ", ") != wantWhy {
		t.Errorf("got %v", why)
	}
	if fmt.Sprint(got) != "[A b Writer A b Writer]" {
		t.Errorf("got %v", got)
	}
}

func TestTooManyBadLinesAreFatalAndLocated(t *testing.T) {
	text := strings.Repeat(isA(page+"A", ontologyPrefix+"Writer")+"\n", 1998) + "bad\n"
	if _, c, err := read(t, text+"worse\n"); err != nil || c.Bad != 2 {
		t.Errorf("2 of 2000: %+v, %v", c, err)
	}
	_, _, err := read(t, text+"worse\nworst\n")
	if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "line 1999: not three IRIs and a dot, and 3 of 2001 lines") {
		t.Errorf("3 of 2001: %v", err)
	}
}

func TestRealTypesAreCounted(t *testing.T) {
	count := func(name, sum, language string) TypeCounts {
		c, err := ReadTypes(t.Context(), sample(t, name, sum), language, func(string, string) error { return nil })
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return c
	}
	ga := count("dbpedia/instance-types_lang_ga.ttl.bz2", "01dde640ef4f7972f8bb4486de2810c7664d6d449e8f737fb2a7c56ba1c2a544", "ga")
	if ga.Triples != 10735 || ga.Comments != 2 || ga.Intermediate != 21 || ga.Bad != 0 || ga.Types != 10714 {
		t.Errorf("ga: %+v", ga)
	}
	faulty := count("dbpedia/instance-types_lang_ga-faulty.ttl.bz2", "c785e6305136a9717d981041614487ac6a9f14a1fb3bc2d38d23233caa94aaf5", "ga")
	if faulty.Lines != 8598 || faulty.Bad != 2 || faulty.Intermediate != 456 || faulty.BadLines[0].Why != whyUTF8 || faulty.BadLines[1].Why != whyUTF8 {
		t.Errorf("faulty: %+v", faulty)
	}
	speedia := count("wikispeedia/wikispeedia-instance-types.ttl.bz2", "2808141f754cbd7b32372eae0200aeb1a8a6ae13bdbeb4311fa39c0960fc6974", "en")
	if speedia.Types != 4359 || speedia.Triples != 4359 || speedia.Comments != 2 || speedia.Bad != 0 {
		t.Errorf("wikispeedia: %+v", speedia)
	}
}

func TestALineMayHave64KiB(t *testing.T) {
	line := "#" + strings.Repeat("x", maxLine-1)
	if _, c, err := read(t, line+"\r\n"+line+"\n"+line); err != nil || c.Comments != 3 {
		t.Errorf("lines of 64 KiB: %+v, %v", c, err)
	}
	filler := strings.Repeat("\n", 3000)
	if _, c, err := read(t, filler+line+"x\n"+line+"x"); err != nil || c.Bad != 2 || c.Lines != 3002 {
		t.Errorf("lines of one byte more: %+v, %v", c, err)
	}
}
