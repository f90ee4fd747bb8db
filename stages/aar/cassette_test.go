package aar

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/aar/reader"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// market is the atlas, whose towns are traded and whose people are coins.
func market() *atlas {
	a := newAtlas()
	for i := range a.pages {
		p := &a.pages[i]
		switch {
		case strings.Contains(p.Text, "| Infobox | settlement |"):
			p.Text = strings.Replace(p.Text, "| Population total",
				fmt.Sprintf("| Traded as | NYX: T%d |\n| Population total", i), 1)
		case strings.Contains(p.Text, "| Infobox | person |"):
			p.Text = strings.Replace(p.Text, "| Infobox | person |", "| Infobox | cryptocurrency |", 1)
			p.Text = strings.Replace(p.Text, "| Nationality",
				fmt.Sprintf("| Ticker symbol | K%d |\n| Nationality", i), 1)
		}
		p.Chars = uint32(len([]rune(p.Text)))
	}
	return a
}

// marketParams are those of a profile, with legs that begin with coins and towns.
func marketParams(profile string) Params {
	p := params(profile)
	for _, page := range market().pages[8:100] {
		if strings.Contains(page.Text, "| Ticker symbol |") || len(p.Seeds)%4 != 0 {
			p.Seeds = append(p.Seeds, page.Title)
		}
	}
	return p
}

// answer is what a provider of the tests answers: numbers that follow from the call.
func answer(c aar.MadeCall) string {
	n := int(xxhash.Sum64String(c.Tool+string(c.Args)) % 9000)
	switch c.Tool {
	case "weather_historical":
		var args struct{ Select []string }
		if json.Unmarshal(c.Args, &args) != nil || len(args.Select) == 0 {
			return ""
		}
		return fmt.Sprintf(`{%q:%d.5}`, args.Select[0], n%60-20)
	case "maps_directions":
		return fmt.Sprintf(`{"routes":[{"duration":{"value":%d}}]}`, 600+7*n)
	case "maps_search_places":
		return fmt.Sprintf(`{"places":[{"name":"it","rating":%d.%d}]}`, 1+n%5, n%10)
	case "stock_historical_price", "crypto_historical_price":
		return fmt.Sprintf(`{"close_price":%d.25}`, 1+n)
	}
	return fmt.Sprintf(`{"volume":%d}`, 1000+n)
}

// record answers every call.
func record(t testing.TB, tape *aar.Cassette, calls []aar.MadeCall) {
	t.Helper()
	for _, c := range calls {
		err := tape.Put(aar.Recording{
			Tool: c.Tool, Args: c.Args, Response: schemas.AARValue(answer(c)), Status: aar.RecordedOK,
			Provider: "test", RecordedAt: "2026-01-01T00:00:00Z",
		}, false)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// taped is the market with the recordings of two rounds of wanted calls.
var taped = sync.OnceValue(func() func(t testing.TB) (Alone, *aar.Cassette) {
	var in Alone
	tape := aar.NewCassette()
	return func(t testing.TB) (Alone, *aar.Cassette) {
		if in.World != nil {
			return in, tape
		}
		a := market()
		site := aar.Site{Base: "https://test.example/wiki/", Language: "en", Year: 2026}
		in = Alone{
			World: aar.NewWorld(site, a.pages, a.aliases()), Graph: a.graph(),
			Snapshot: schemas.Snapshot{Date: "20260101"},
		}
		p := marketParams(ProfileStrict)
		p.Legs = 4
		for range 2 {
			in.Cassette = tape
			calls, err := p.Calls(t.Context(), in, 3000)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d calls are wanted", len(calls))
			record(t, tape, calls)
		}
		return in, tape
	}
})()

// makeAll makes the first legs of each variant and level with a cassette, or nil.
func makeAll(t *testing.T, profile string, legs int, tape *aar.Cassette) (*maker, []drawn) {
	t.Helper()
	in, _ := taped(t)
	p := marketParams(profile)
	p.Legs = legs
	f, err := p.fieldOf(t.Context(), in, tape.Answers(), 2)
	if err != nil {
		t.Fatal(err)
	}
	m, list := newMaker(t.Context(), f, p), []drawn(nil)
	for _, x := range p.ids() {
		d, err := m.draw(x)
		if err != nil {
			t.Fatal(err)
		}
		if d.made == nil {
			t.Errorf("%+v: no leg: %s", x, reasons(d.failed))
			continue
		}
		list = append(list, d)
	}
	return m, list
}

func lines(list []drawn) string {
	var out bytes.Buffer
	for _, d := range list {
		out.Write(append(aar.EncodeLine(d.made.leg), '\n'))
	}
	return out.String()
}

// forbidDialing fails the test if anybody opens a connection by the default transport.
func forbidDialing(t *testing.T) {
	t.Helper()
	old := http.DefaultTransport
	http.DefaultTransport = &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("%s was dialled", address)
		return nil, net.ErrClosed
	}}
	t.Cleanup(func() { http.DefaultTransport = old })
}

func TestLegsWithACassetteKeepWhatIsPromised(t *testing.T) {
	forbidDialing(t)
	_, tape := taped(t)
	for profile, n := range map[string]int{ProfileStrict: 4, ProfileReleased: 2} {
		m, list := makeAll(t, profile, n, tape)
		var legs []aar.File
		for _, d := range list {
			l := d.made.leg
			legs = append(legs, aar.File{Variant: d.variant, Level: d.level, Leg: l})
			name := aar.LegIDIn(d.variant, l)
			if failed := m.reader.Failures(t.Context(), d.variant, l); len(failed) > 0 {
				t.Errorf("%s: %q", name, failed)
			}
			if misread := aar.MisreadClues(l); len(misread) > 0 {
				t.Errorf("%s: %+v", name, misread)
			}
			again, err := aar.DecodeLine(aar.EncodeLine(l))
			if err != nil || !bytes.Equal(aar.EncodeLine(again), aar.EncodeLine(l)) {
				t.Errorf("%s is read as another leg: %v", name, err)
			}
		}
		var r aar.Report
		r.Follow(m.World, legs, m.kinds)
		t.Logf("%s: %v, %v", profile, r.Uses.Templates, r.Uses.Diamonds)
		if len(r.Uses.Templates) != 17 || profile == ProfileStrict && len(r.Uses.Diamonds) < 6 {
			t.Errorf("%d templates and %d diamonds, want 17 and 7, of few legs 6", len(r.Uses.Templates),
				len(r.Uses.Diamonds))
		}
		checkPlayers(t, m, legs)
	}
}

// checkPlayers wants that who knows the answers gets every digit, and who reads no page few.
func checkPlayers(t *testing.T, m *maker, legs []aar.File) {
	t.Helper()
	rows, err := reader.Baselines(t.Context(), m.reader, 42, legs, 2, func() {})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row.Variant != aar.ReportAll {
			continue
		}
		t.Logf("%s: FA %s, PVR %s, RCR %s", row.Player, row.FA, row.PVR, row.RCR)
		if row.Player == reader.Golden && (row.FA != "1.0000" || row.RCR != "1.0000") ||
			row.Player == reader.RuleRead && row.FA != "1.0000" ||
			row.Player == reader.NoFetch && row.AllKnown > 0 {
			t.Errorf("%+v", row)
		}
	}
}

// TestEveryTemplateOccurs makes short legs, whatever providers are asked for them, until each
// template has occurred.
func TestEveryTemplateOccurs(t *testing.T) {
	in, _ := taped(t)
	p, tape := marketParams(ProfileStrict), aar.NewCassette()
	f, err := p.fieldOf(t.Context(), in, tape, 2)
	if err != nil {
		t.Fatal(err)
	}
	m, found, missed := newMaker(t.Context(), f, p), map[string]int{}, true
	m.missed = func(_ string, chain []schemas.AARCall) {
		if c, ok := aar.Unanswered(chain); ok && !tape.Has(c) {
			record(t, tape, []aar.MadeCall{c})
			missed = true
		}
	}
	for n := 1; len(found) < 17 && n < 1000; n++ {
		var d drawn
		for missed = true; missed; {
			missed = false
			clear(m.ran)
			if d, err = m.draw(id{"linear", "easy", n}); err != nil || d.made == nil {
				t.Fatalf("leg %d: %v %v", n, err, d.failed)
			}
		}
		for i := range d.made.leg.Stops {
			if s := &d.made.leg.Stops[i]; s.Type == schemas.AARTool {
				found[aar.TemplateOf(s)]++
			}
		}
		if failed := m.reader.Failures(t.Context(), d.variant, d.made.leg); len(failed) > 0 {
			t.Errorf("leg %d: %q", n, failed)
		}
	}
	if len(found) != 17 {
		t.Errorf("%d templates occur, want 17: %v", len(found), found)
	}
}

func TestAnEmptyCassetteIsNone(t *testing.T) {
	_, without := makeAll(t, ProfileStrict, 2, nil)
	_, empty := makeAll(t, ProfileStrict, 2, aar.NewCassette())
	if lines(without) != lines(empty) {
		t.Error("an empty cassette makes other legs than none")
	}
}

func TestALegWithACassetteIsTheSameAloneAndByWorkers(t *testing.T) {
	in, tape := taped(t)
	in.Cassette = tape
	_, list := makeAll(t, ProfileStrict, 2, tape)
	for _, d := range list {
		l, err := marketParams(ProfileStrict).Leg(t.Context(), in, aar.LegIDIn(d.variant, d.made.leg), 1)
		if err != nil || !bytes.Equal(aar.EncodeLine(l), aar.EncodeLine(d.made.leg)) {
			t.Fatalf("%+v: another leg alone (%v)", d.id, err)
		}
	}
}

// TestTheStageKeepsTheContractWithACassette runs the stage over the atlas with what was recorded,
// by one worker and by several, and wants the recordings next to the legs that need them.
func TestTheStageKeepsTheContractWithACassette(t *testing.T) {
	p := params(ProfileStrict)
	p.Legs = 1
	plain := giveAtlas(t)
	plain.GiveNone(schemas.AARCassette)
	plain.MustRun(New(p))
	if slices.Contains(plain.OutputNames(), aar.CassetteFile) {
		t.Error("without a cassette one is published")
	}
	a := newAtlas()
	in := Alone{
		World: written(t, plain), Graph: a.graph(), Snapshot: schemas.Snapshot{Date: "20260101"},
	}
	calls, err := p.Calls(t.Context(), in, 2000)
	if err != nil {
		t.Fatal(err)
	}
	tape, text := aar.NewCassette(), bytes.Buffer{}
	record(t, tape, calls)
	if err := tape.Write(&text); err != nil {
		t.Fatal(err)
	}
	env := giveAtlas(t)
	env.GiveExternal(schemas.AARCassette, "live.jsonl", "aar-cassette", text.Bytes())
	stagetest.Run(t, New(p), env)
	env.MustRun(New(p))
	if !bytes.Equal(env.Read(aar.CassetteFile), text.Bytes()) {
		t.Errorf("published are %v", env.OutputNames())
	}
}

// TestACallThatIsNotRecordedIsMissed runs legs over a cassette that lacks a call of theirs.
func TestACallThatIsNotRecordedIsMissed(t *testing.T) {
	forbidDialing(t)
	_, tape := taped(t)
	m, list := makeAll(t, ProfileStrict, 2, tape)
	other := aar.NewCassette()
	record(t, other, []aar.MadeCall{{Tool: "stock_volume", Args: schemas.AARValue(`{"date":"x","ticker":"x"}`)}})
	tools, missed := &aar.Tools{World: m.World, Cassette: other}, 0
	for _, d := range list {
		for _, s := range tools.Execute(t.Context(), d.made.leg).Stops {
			if s.Status == aar.StopMissing && strings.Contains(s.Reason, "cassette: miss: ") {
				missed++
			}
		}
	}
	if missed == 0 {
		t.Error("no call is missed")
	}
	p := params(ProfileStrict)
	p.Legs = 1
	in, _ := taped(t)
	in.Cassette = other
	calls, err := p.Calls(t.Context(), in, 20)
	if err != nil || len(calls) != 20 {
		t.Fatalf("%d calls are wanted, want 20 (%v)", len(calls), err)
	}
	again, _ := p.Calls(t.Context(), in, 20)
	if !slices.EqualFunc(calls, again, func(a, b aar.MadeCall) bool {
		return a.Tool == b.Tool && bytes.Equal(a.Args, b.Args)
	}) {
		t.Error("other calls are wanted the second time")
	}
}
