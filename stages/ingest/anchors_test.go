package ingest

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// anchorMode gives what the file of the anchors says of itself.
func anchorMode(t *testing.T, env *stagetest.Env) string {
	t.Helper()
	f := open(t, env, anchorsFile, schemas.LinkAnchorsTable)
	defer f.Close()
	return f.Metadata(schemas.KeyAnchors)
}

func TestAnchorsNameTheRowsOfTheirLinks(t *testing.T) {
	env := runOn(t, dumpOf(oddPages...))
	equal(t, "links", lines(t, env, "link-titles.arrow", schemas.LinkTitlesTable), []string{"Zebra", "Fruit", "Apple", "Zebra", "Zebra", "Elsewhere", "Apple", "Apple"})
	equal(t, "anchors", lines(t, env, anchorsFile, schemas.LinkAnchorsTable), []string{
		"0|0|8|Zebra", "1|1|1|Fruit", "2|0|1|Apple#Sweet", "3|0|1|Zebra", "4|0|1|Zebra", "5|0|1|Elsewhere", "6|1|1|Apple",
		"7|0|1|Apple", "7|1|2|apple",
	})
	if got, want := env.Counters["link_anchors"], int64(9); got != want || anchorMode(t, env) != schemas.AnchorsOn {
		t.Errorf("got %d anchors, mode %q; want %d, on", got, anchorMode(t, env), want)
	}
}

func TestAnchorsAreOffWhereThatIsSaidOrTheWikiIsLarge(t *testing.T) {
	dump := dumpOf(manyPages(200)...)
	on := runOn(t, dump)
	for _, c := range []struct {
		mode  string
		pages int64 // from which auto is off
		want  string
	}{
		{schemas.AnchorsAuto, 215, schemas.AnchorsOn},
		{schemas.AnchorsAuto, 214, schemas.AnchorsOff},
		{schemas.AnchorsAuto, 3, schemas.AnchorsOff},
		{schemas.AnchorsOn, 3, schemas.AnchorsOn},
		{schemas.AnchorsOff, 1000, schemas.AnchorsOff},
		{"", 1000, schemas.AnchorsOn},
	} {
		for _, workers := range []int{1, 4} {
			env := envOf(t, dump)
			env.NumWorkers = workers
			limit := autoPages
			autoPages = c.pages
			env.MustRun(New(Params{VerifyText: "count", Anchors: c.mode}, ""))
			autoPages = limit
			rows := env.Outputs[anchorsFile].Rows
			if got := anchorMode(t, env); got != c.want || (rows > 0) != (got == schemas.AnchorsOn) || env.Counters["link_anchors"] != rows {
				t.Errorf("%q, limit %d: got %s with %d rows, want %s", c.mode, c.pages, got, rows, c.want)
			}
			for name, out := range on.Outputs {
				if got := env.Outputs[name]; name != anchorsFile && name != "snapshot.json" && got.Logical != out.Logical {
					t.Errorf("%q: %s depends on anchors", c.mode, name)
				}
			}
		}
	}
}

func TestALinkTrailThatCannotBeReadIsWarnedOf(t *testing.T) {
	names := func(trail string) []byte {
		return []byte(`{"query":{"general":{"wikiid":"testwiki","linktrail":"` + trail + `"},"namespaces":{"0":{"id":0}}}}`)
	}
	for _, c := range []struct {
		trail, mode, want string
		unknown           int64
	}{
		{"/^([a-z\u00e9]+)(.*)$/sDu", "on", "Catsé", 0},
		{"/^(odd|[a-z]{2})(.*)$/sD", "on", "Cats", 1},
		{"/^(odd|[a-z]{2})(.*)$/sD", "off", "", 0},
	} {
		env := envOf(t, dumpOf(testPage{id: 1, title: "A", text: "[[Cat]]sé"}))
		env.GiveExternal(schemas.Dump, "names-index.txt.bz2", roleSiteInfo, names(c.trail)) // any name of the artifact will do
		env.MustRun(New(Params{VerifyText: "count", Anchors: c.mode}, ""))
		got := strings.Join(lines(t, env, anchorsFile, schemas.LinkAnchorsTable), "")
		if !strings.HasSuffix(got, c.want) || (c.want == "") != (got == "") || env.Counters["link_trail_unknown"] != c.unknown || len(env.Warnings) != int(c.unknown) {
			t.Errorf("%s, %s: got %q, counter %d, warnings %v; want %q, %d", c.trail, c.mode, got, env.Counters["link_trail_unknown"], env.Warnings, c.want, c.unknown)
		}
	}
}
