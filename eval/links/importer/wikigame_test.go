package importer_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/importer"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestWikiGameSessionsArePeoplesGames(t *testing.T) {
	text := `{"FROM_A_TO_E":[
	  {"player_name":"x","path_concept":["A","B","E"],"won":true,"time":4,"points":9},
	  {"player_name":"y","path_concept":["A","B","C","E"],"won":true,"time":4,"points":9},
	  {"player_name":"x","path_concept":["A","B"],"won":false,"time":null,"points":null},
	  {"player_name":"x","path_concept":[],"won":false},
	  {"player_name":"x","path_concept":["A","E"],"won":true},
	  {"player_name":"x","path_concept":["B","E"],"won":true}],
	 "FROM_A_TO_Nowhere":[{"player_name":"z","path_concept":["A","B"],"won":false}]}`
	r, s, err := convert(t, g9(), "wikigame", text)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{importer.RejectEmptyPath: 1, importer.RejectMissingEdge: 1, importer.RejectBadText: 1, importer.RejectOutside: 1}
	if !maps.Equal(r.Import.Rejected, want) || r.Import.Rows != 7 || r.Import.Games != 3 || r.Import.Types["lost"] != 1 {
		t.Errorf("got %+v, want rejected %v, 3 of 7 games, 1 lost", r.Import, want)
	}
	m := s.Rows[0].Metrics
	if *m[judge.MetricSuccess].Num != 2 || m[judge.MetricSuccess].Den != 3 || *m[judge.MetricEffective].Num != 1 || m[judge.MetricEffective].Den != 2 {
		t.Errorf("success %+v, effective %+v; want 2/3 and 1/2", m[judge.MetricSuccess], m[judge.MetricEffective])
	}
	if name := r.Games[1].Game; !strings.HasPrefix(name, "player-2-") {
		t.Errorf("the second game is called %s", name)
	}
}

func TestAWikiGameKeyIsSplitWhereTheSessionStarts(t *testing.T) {
	w := gametest.Parse("A_TO_B->C C->A_TO_B")
	for u, title := range w.Titles {
		w.Titles[u] = strings.ReplaceAll(title, "_", " ")
	}
	rel := races(w)
	r, _, err := convert(t, rel, "wikigame", `{"FROM_A_TO_B_TO_C":[{"player_name":"x","path_concept":["A_TO_B","C"],"won":true}]}`)
	if err != nil || r.Import.Games != 1 {
		t.Errorf("got %+v, %v; want 1 game", r.Import, err)
	}
}

func TestWhatIsNoWikiGameFileIsMalformed(t *testing.T) {
	for _, text := range []string{
		"", "[]", `{"A_TO_B":[]}`, `{"FROM_A":[]}`, `{"FROM_A_TO_B":{}}`, `{"FROM_A_TO_B":[{"path_concept":["A"]}]}`, `{"FROM_A_TO_B":[]`, `{} {}`,
	} {
		if _, err := importer.Read(formats["wikigame"], "x", strings.NewReader(text)); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
