package listed

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// envOf is nine pages and a few more: `Alpha Beta` and `Star Trek: A` of the graph, a redirect to
// A, one to a page outside the graph, and that page; with files of pairs by split.
func envOf(t *testing.T, files map[string]string) *stagetest.Env {
	t.Helper()
	w := stagetest.ParseWiki("A->B  B->A,C  C->A,D  D->A,E  E->A")
	w.Titles[3], w.Titles[4] = "Alpha Beta", "Star Trek: A"
	env := stagetest.New(t)
	env.GiveSnapshot()
	env.GiveGraph(w)
	aliases := func(out *arrowio.Writer) error {
		if err := out.Row("Gone", uint32(5), "Island", uint32(4), "", uint8(1), schemas.AliasOK); err != nil {
			return err
		}
		return out.Row("Old A", uint32(6), "A", w.PageIDs[0], "", uint8(1), schemas.AliasOK)
	}
	pages := func(out *arrowio.Writer) error {
		for i, title := range append([]string{"Island", "Gone", "Old A"}, w.Titles...) {
			err := out.Row(uint32(4+i), int16(0), title, false, schemas.ModelWikitext, uint64(0), "", uint32(0),
				make([]byte, 32), uint16(0), uint8(0))
			if err != nil {
				return err
			}
		}
		return nil
	}
	env.Give(schemas.Aliases, "aliases.arrow", stages.Rows(schemas.AliasesTable, arrowio.Options{}, aliases))
	env.Give(schemas.Pages, "pages.arrow", stages.Rows(schemas.PagesTable, arrowio.Options{}, pages))
	for split, text := range files {
		env.GiveExternal(schemas.PairFiles, split+".txt", schemas.RolePairs+split, []byte(text))
	}
	return env
}

// outcomes writes the rows of a split as `line node>node reason`.
func outcomes(t *testing.T, env *stagetest.Env, split string) string {
	t.Helper()
	var list []string
	for line := range strings.Lines(string(env.Read(split + ".jsonl"))) {
		var r schemas.ListedRow
		if err := canon.Decode([]byte(line), canon.MaxLine, &r); err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprint(r.Line)
		if len(r.Nodes) == 2 {
			said += fmt.Sprintf(" %d>%d", r.Nodes[0], r.Nodes[1])
		}
		list = append(list, strings.TrimSpace(said+" "+r.Reason))
	}
	return strings.Join(list, "; ")
}

func TestNamesAreFoundAsThoseOfRecordedGames(t *testing.T) {
	t.Parallel()
	env := envOf(t, map[string]string{
		"lab": "A\tB\nOld_A\tAlpha_Beta\nalpha Beta\ta\nAlpha%20Beta\tStar_Trek__A\nOld A\tA\n" +
			"A\tNowhere\nIsland\tA\nA\tgone\nA\tB\nNowhere\tIsland\nA\n",
		"ids": `{"key":"testwiki:1003:1000","source":{"page_id":1003,"title":"Before it moved"},"target":{"page_id":1000,"title":"B"}}` + "\n" +
			`{"key":"otherwiki:1003:1000","source":{"page_id":1003,"title":"C"},"target":{"page_id":1000,"title":"B"}}`,
	})
	env.MustRun(New())
	for split, want := range map[string]string{
		"lab": "1 0>1; 2 0>3; 3 3>0; 4 3>4; 5 0>0 source_is_target; 6 unknown_title; 7 outside_graph; 8 outside_graph; " +
			"9 0>1; 10 unknown_title; 11 field_count",
		"ids": "1 1>0; 2 2>1",
	} {
		if got := outcomes(t, env, split); got != want {
			t.Errorf("%s:\n got %s\nwant %s", split, got, want)
		}
	}
	if env.Counters["rows_lab"] != 11 || env.Counters["rows_ids"] != 2 {
		t.Errorf("counters %v", env.Counters)
	}
}

func TestAFileWithoutAPairOfTheGraphIsRefused(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"# none\n":         "lists no pair of pages",
		"Xa\tYb\nZc\tWd\n": `none of its 2 rows lists a pair of pages of the graph; the first is unknown_title: "Xa", "Yb"`,
		"1\tA\tB\n":        "3 columns",
	} {
		err := envOf(t, map[string]string{"lab": text}).Run(t.Context(), New())
		if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want %q", text, err, says)
		}
	}
}

func TestTheStageKeepsTheContract(t *testing.T) {
	t.Parallel()
	stagetest.Run(t, New(), envOf(t, map[string]string{"lab": "A\tB\nA\tNowhere\n", "day": `{"start":"B","target":"A"}`}))
}
