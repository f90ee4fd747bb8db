package dbpedia

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/title_vectors.tsv
var titleVectors string

func TestTitlesAndNamesGoRoundExactly(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(titleVectors), "\n")[1:]
	if len(rows) != 20 {
		t.Errorf("%d vectors, want 20", len(rows))
	}
	for _, row := range rows {
		title, iri, _ := strings.Cut(row, "\t")
		if got := ResourcePrefix("en") + Name(title); got != iri {
			t.Errorf("%s: got %s, want %s", title, got, iri)
		}
		if got, err := Title(strings.TrimPrefix(iri, ResourcePrefix("en"))); got != title || err != nil {
			t.Errorf("%s: got %s, %v, want %s", iri, got, err, title)
		}
	}
}

func TestNamesAreReadAsWritten(t *testing.T) {
	for name, want := range map[string]string{
		`\u00C9mile_Zola`: "Émile Zola", `\U0001F600`: "😀", "E\u0301mile": "Émile", "100%25": "100%", "_A__B_": "A B", "%2541": "%41", "%3Cb%3e": "<b>",
	} {
		if got, err := Title(name); got != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
	for _, name := range []string{`\u12`, `\x41`, `\U00110000`, `\uD800`, "_", "%FF"} {
		if got, err := Title(name); err == nil {
			t.Errorf("%s: got %q, want an error", name, got)
		}
	}
}

func TestEachLanguageHasItsPrefix(t *testing.T) {
	for language, want := range map[string]string{
		"en": "http://dbpedia.org/resource/", "": "http://dbpedia.org/resource/", "ga": "http://ga.dbpedia.org/resource/",
	} {
		if got := ResourcePrefix(language); got != want {
			t.Errorf("%s: got %s, want %s", language, got, want)
		}
	}
}
