package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/release"
	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/family"
	linkgames "github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// twinDoor is a way to play games, and what its players are told in so many of them.
type twinDoor struct {
	name  string
	share int // of 100 games
	told  func(t *testing.T, dir string, games int) string
}

// twinDoors lead to every interface, with rules that tell of pages in all ways there are.
var twinDoors = []twinDoor{
	{"lines", 5, twinsOf("lines", "")},
	{"sorted lines", 5, twinsOf("lines", "order=title back=on context=lead revisit=hide")},
	{"person", 10, twinsOf("human", "back=on")},
	{"person told of a plan", 10, twinsOf("human", "renderer=chat oracle=SP plan=path back=on")},
	{"person told anew", 10, twinsOf("human", "oracle=SPH")},
	{"person under a ban", 10, twinsOf("human", "history=chat oracle=S revisit=allow invalid=consume")},
	{"lines under a ban", 10, twinsOf("lines", "oracle=SPH revisit=allow invalid=consume history=last2")},
	{"HTTP", 10, twinsByHTTP},
	{"MCP", 10, twinsByMCP},
	{"environment", 10, twinsByEnv},
	{"endpoint", 10, twinsByChat},
}

// twinArgs are the arguments of a verb that plays under invented names, and under more options.
func twinArgs(verb, dir string, more ...string) []string {
	args := []string{verb, "--release", dir}
	for _, o := range append([]string{"titles=pseudonym"}, more...) {
		args = append(args, "--option", o)
	}
	return args
}

// twinsOf plays at random, at one of the players who sit in front of the program.
func twinsOf(player, options string) func(t *testing.T, dir string, games int) string {
	return func(t *testing.T, dir string, games int) string {
		args := append(twinArgs("play", dir, append(strings.Fields(options), "max_steps=12")...),
			"--player", player, "--workers", "1", "--progress", "none", "--limit", strconv.Itoa(games),
			"--out", filepath.Join(t.TempDir(), "run"))
		if strings.Contains(options, "history=") {
			args = append(args, "--family", "constrained", "--attempts", "10") // there are few
		}
		var out bytes.Buffer
		if code := run(args, &scribbler{s: rng.New(1, player)}, &out, &out); code != 0 {
			t.Fatalf("exit %d: %s", code, out.Bytes()[max(0, out.Len()-300):])
		}
		if !strings.Contains(out.String(), fmt.Sprintf(": %d games in", games)) {
			t.Errorf("%s %s: not %d games", player, options, games)
		}
		return out.String()
	}
}

// scribbler types a number, or something else, a line at a time, without end.
type scribbler struct {
	s    *rng.Stream
	rest []byte
}

func (b *scribbler) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		b.rest = fmt.Appendf(nil, "%d\n", b.s.Below(14))
		if n := b.s.Below(20); n < 2 {
			b.rest = []byte([]string{"back\n", "what is this\n"}[n])
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func twinsByHTTP(t *testing.T, dir string, games int) string {
	args := twinArgs("serve", dir, "back=on", "max_steps=12")[1:]
	s := startServe(t, append(args, "--expose-oracle", "--accept-replies")...)
	defer s.stop()
	var told strings.Builder
	ask := func(method, path, body string) (answer struct {
		Game        string
		Observation struct{ Step int }
		Done        bool
		Items       []struct{ ID string }
	},
	) {
		req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "/trace") { // nodes are told once a game is over
			data = regexp.MustCompile(`\b\d+\b`).ReplaceAll(data, nil)
		}
		told.Write(data)
		_ = json.Unmarshal(data, &answer) // an error has no game
		return answer
	}
	for _, path := range []string{"/healthz", "/openapi.json"} {
		ask("GET", path, "")
	}
	for id := range 30 {
		ask("GET", fmt.Sprintf("/v1/pages/%d/links", id), "")
		ask("GET", fmt.Sprintf("/v1/oracle/distance?from=%d&to=%d", id, id+1), "")
	}
	stream, items := rng.New(1, "http"), ask("GET", "/v1/instances?limit=1000", "").Items
	for i := range games {
		item := items[i%len(items)]
		ask("POST", "/v1/games", fmt.Sprintf(`{"instance":%q,"options":{"titles":"plain"}}`, item.ID))
		a := ask("POST", "/v1/games", fmt.Sprintf(`{"instance":%q}`, item.ID))
		at, step := "/v1/games/"+a.Game, 1
		for range 12 {
			ask("GET", at, "")
			ask("POST", at+"/move", fmt.Sprintf(`{"step":%d,"choice":99999}`, step))
			ask("POST", at+"/move", fmt.Sprintf(`{"step":%d,"title":"Qwxz 7"}`, step))
			move := fmt.Sprintf(`"choice":%d`, stream.Below(3))
			if stream.Below(4) == 0 {
				move = `"reply":"what is this"`
			}
			if a = ask("POST", at+"/move", fmt.Sprintf(`{"step":%d,%s}`, step, move)); a.Done {
				break
			}
			if a.Observation.Step > 0 {
				step = a.Observation.Step
			}
		}
		ask("POST", at+"/give-up", fmt.Sprintf(`{"step":%d}`, step))
		ask("GET", at+"/trace", "")
	}
	return told.String()
}

func twinsByMCP(t *testing.T, dir string, games int) string {
	var in, told strings.Builder
	n := 0
	send := func(method, params string) {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", n, method, params)
		n++
	}
	call := func(tool, arguments string) {
		send("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	}
	send("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},`+
		`"clientInfo":{"name":"twins","version":"1"}}`)
	in.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	send("tools/list", `{}`)
	call("list_instances", `{"limit":1000}`)
	stream := rng.New(1, "mcp")
	out := filepath.Join(t.TempDir(), "played")
	eval("play", "--release", dir, "--player", "random", "--limit", strconv.Itoa(games), "--out", out).
		want(t, 0)
	data, err := os.ReadFile(filepath.Join(out, "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	ids := regexp.MustCompile(`"instance":"([^"]+)"`).FindAllSubmatch(data, -1)
	for i := range games {
		m := ids[i%len(ids)]
		begin := fmt.Sprintf(`{"instance":%q,"restart":true`, m[1])
		call("start_game", begin+`,"options":{"titles":"plain"}}`)
		call("start_game", begin+`}`)
		for step := 1; step < 12; step++ {
			call("click_link", fmt.Sprintf(`{"step":%d,"choice":%d}`, step, stream.Below(6)))
			call("click_link", fmt.Sprintf(`{"step":%d,"title":"Qwxz 7"}`, step+1))
			call("observe", `{}`)
			tools := []string{"oracle_plan", "oracle_state", "oracle_distance", "go_back"}
			call(tools[stream.Below(len(tools))], `{}`)
		}
		call("give_up", `{"step":1}`)
	}
	var stderr bytes.Buffer
	args := append(twinArgs("mcp", dir, "back=on"), "--expose-oracle")
	code := run(args, strings.NewReader(in.String()), &told, &stderr)
	if answers := strings.Count(told.String(), "\n"); code != 0 || answers != n {
		t.Fatalf("exit %d, %d answers to %d calls: %s", code, answers, n, stderr.String())
	}
	return regexp.MustCompile(`"id":\d+`).ReplaceAllString(told.String(), "")
}

// twinsByEnv plays in words and by numbers, an episode for each seed.
func twinsByEnv(t *testing.T, dir string, games int) string {
	var in strings.Builder
	in.WriteString(`{"op":"list"}` + "\n")
	stream := rng.New(1, "env")
	for seed := range games {
		fmt.Fprintf(&in, `{"op":"reset","slots":[{"slot":0,"seed":%d},`+
			`{"slot":1,"seed":0,"options":{"titles":"plain"}}]}`+"\n", seed)
		for range 12 {
			move := fmt.Sprintf(`"choice":%d`, stream.Below(6))
			if stream.Below(5) == 0 {
				move = `"text":"what is this"`
			}
			fmt.Fprintf(&in, `{"op":"step","slots":[{"slot":0,%s}]}`+"\n", move)
		}
	}
	var out, stderr bytes.Buffer
	args := append(twinArgs("env", dir), "--text", "--expose-oracle", "--slots", "2")
	if code := run(args, strings.NewReader(in.String()), &out, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	if n := strings.Count(out.String(), "is of a server as a whole"); n != games {
		t.Errorf("%d of %d episodes with titles are refused", n, games)
	}
	return out.String()
}

// twinsByChat asks a model that takes what is shown for titles, and tries one of its own.
func twinsByChat(t *testing.T, dir string, games int) string {
	var told strings.Builder
	script(t, &ep.Endpoint{Say: func(messages []schemas.Message) string {
		for _, m := range messages {
			fmt.Fprintln(&told, m.Content)
		}
		if len(messages)%5 == 4 {
			return "I choose Qwxz 7"
		}
		return drunk(messages)
	}})
	eval(append(twinArgs("play", dir, "renderer=chat", "max_steps=8"), "--player", "openai",
		"--base-url", "http://localhost/v1", "--model", "m", "--parallel", "1", "--limit", strconv.Itoa(games),
		"--out", filepath.Join(t.TempDir(), "run"))...).want(t, 0)
	return told.String()
}

// titled is a release whose titles nobody could write by chance.
func titled(t *testing.T) string {
	t.Helper()
	w := gametest.Random(3, 150, 4, 60).Label(3, "Work", "Place")
	for u := range w.Titles {
		w.Titles[u] = fmt.Sprintf("Vxq%c%c", 'a'+u/26, 'a'+u%26)
	}
	dir, _ := newBansOf(t, w)
	return dir
}

// TestTwinsTellNoTitle plays a few games of a small release, and a thousand of each of the releases
// that WIKINAV_TWINS_RELEASES names, with colons between them: the tests of wikinav build such.
func TestTwinsTellNoTitle(t *testing.T) {
	dir, vocabulary := titled(t), map[string]bool{}
	for _, door := range twinDoors {
		text := door.told(t, dir, 3)
		if at := strings.Index(strings.ToLower(text), "vxq"); at >= 0 {
			t.Errorf("%s: %s", door.name, text[max(0, at-80):min(len(text), at+40)])
		}
		if regexp.MustCompile(`page_id\\*":[1-9]`).MatchString(text) {
			t.Errorf("%s tells page ids", door.name)
		}
		for _, word := range wordsOf(text) {
			vocabulary[word] = true
		}
	}
	for _, label := range schemas.LabelNames { // under a ban
		for _, word := range wordsOf(label + " " + render.Gloss(label)) {
			vocabulary[word] = true
		}
	}
	for dir := range strings.SplitSeq(os.Getenv("WIKINAV_TWINS_RELEASES"), ":") {
		if dir != "" {
			t.Run(filepath.Base(dir), func(t *testing.T) {
				playsAlike(t, dir)
				tellsNoTitle(t, dir, vocabulary)
			})
		}
	}
}

// TestTwinsAreScoredReportedAndToldByTitles plays both twins of every instance, whose scores then
// are the same.
func TestTwinsAreScoredReportedAndToldByTitles(t *testing.T) {
	dir := titled(t)
	options := map[string]string{"wikirace": "max_steps=9", "constrained": "target_intro=0"}
	for fam, player := range map[string]string{"wikirace": "random", "constrained": "shortest-legal"} {
		var runs []string
		for _, titles := range []string{"plain", "pseudonym", "pseudonym:9"} {
			out := filepath.Join(t.TempDir(), titles)
			eval("play", "--family", fam, "--release", dir, "--player", player, "--out", out,
				"--option", "titles="+titles, "--option", options[fam]).want(t, 0)
			eval("score", "--family", fam, "--release", dir, "--trajectories", out).want(t, 0)
			runs = append(runs, "--trajectories", out)
		}
		shown := eval("show", "--release", dir, runs[3]).want(t, 0).stdout
		_, game, _ := strings.Cut(shown, "\n")
		game, _, _ = strings.Cut(game, " ")
		text := eval("show", "--release", dir, runs[3], game).want(t, 0).stdout
		if !strings.Contains(text, " at Vxq") {
			t.Errorf("%s, %s: no title in\n%s", fam, game, text)
		}
		if fam == "constrained" {
			judged := eval("judge", "--family", fam, "--release", dir, "--judge", "none",
				"--trajectories", runs[3]).want(t, 2)
			if !strings.Contains(judged.stderr, "invented names") {
				t.Errorf("got %s", judged.stderr)
			}
		}
		var told report.Report
		args := append([]string{"report", "--family", fam, "--release", dir, "--json"}, runs...)
		err := json.Unmarshal([]byte(eval(args...).want(t, 0).stdout), &told)
		if err != nil || len(told.Twins) != 2 {
			t.Fatalf("%d twins, %v", len(told.Twins), err)
		}
		for _, w := range told.Twins {
			alike := *w.All.Value == *w.Twin.Value && *w.Pairs.Accuracy.Value == "0"
			if w.Pairs.N == 0 || w.Pairs.OnlyWith+w.Pairs.OnlyNot != 0 || !alike {
				t.Errorf("%s: %+v", fam, w)
			}
		}
	}
}

// TestWhereTitlesAreHiddenNothingElseTellsThem asks for what would.
func TestWhereTitlesAreHiddenNothingElseTellsThem(t *testing.T) {
	dir := titled(t)
	got := eval(append(twinArgs("serve", dir), "--compat", "wikirace-llms")...).want(t, 2)
	if !strings.Contains(got.stderr, "--compat") {
		t.Errorf("got %s", got.stderr)
	}
	for _, c := range []struct{ server, asked string }{
		{"pseudonym", "plain"}, {"plain", "pseudonym"}, {"pseudonym", "pseudonym:2"},
	} {
		s := startServe(t, "--release", dir, "--option", "titles="+c.server)
		var told struct{ Error struct{ Code, Field string } }
		body := fmt.Sprintf(`{"instance":"wr-tiny-0001","options":{"titles":%q}}`, c.asked)
		code, says := s.post("/v1/games", body, &told), told.Error
		if code != 400 || says.Code != family.CodeBadOption || says.Field != "options.titles" {
			t.Errorf("titles=%s of a server with titles=%s: status %d, %+v", c.asked, c.server, code, says)
		}
		res, err := http.Get(s.url + "/v1/pages/100/links")
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{"plain": 200, "pseudonym": 404}[c.server]; res.StatusCode != want {
			t.Errorf("titles=%s: links of a page have status %d, want %d", c.server, res.StatusCode, want)
		}
		_ = res.Body.Close()
		s.stop()
	}
	for fam, says := range map[string]string{
		"probe": "chance", "onestep": "chance", "mango": "no option",
	} {
		got := eval(append(twinArgs("play", dir), "--family", fam, "--player", "random")...).want(t, 2)
		if !strings.Contains(got.stderr, says) {
			t.Errorf("%s: %s", fam, got.stderr)
		}
	}
}

// TestGamesOfOthersAreImportedByInventedNames reads a path of names, under a ban with categories,
// and none of titles.
func TestGamesOfOthersAreImportedByInventedNames(t *testing.T) {
	dir := titled(t)
	for _, fam := range []string{"wikirace", "constrained"} {
		var shown bytes.Buffer
		at := filepath.Join(t.TempDir(), "lines")
		args := append(twinArgs("play", dir), "--family", fam, "--player", "lines", "--limit", "1", "--out", at)
		if code := run(args, strings.NewReader("quit\n"), &shown, io.Discard); code != 0 {
			t.Fatalf("exit %d", code)
		}
		var o game.Observation
		if err := json.NewDecoder(&shown).Decode(&o); err != nil {
			t.Fatal(err)
		}
		from, to := o.Current.Title, o.Links[0].Title
		for path, want := range map[string]int{fmt.Sprintf("%q,%q", from, to): 0, `"Vxqam","Vxqan"`: 14} {
			log, out := filepath.Join(t.TempDir(), "log.jsonl"), filepath.Join(t.TempDir(), "run")
			put(t, log, fmt.Sprintf(`{"instance":%q,"path":[%s],"model":"m"}`+"\n", o.Instance, path))
			got := eval("import", "titles-jsonl", log, "--family", fam, "--release", dir, "--out", out,
				"--option", "titles=pseudonym").want(t, want)
			if want != 0 {
				continue
			}
			eval("score", "--family", fam, "--release", dir, "--trajectories", out, "--partial").want(t, 0)
			text := eval("show", "--release", dir, out, o.Instance).want(t, 0).stdout
			if !strings.Contains(text, "at Vxq") || !strings.Contains(text, "after 1 steps") {
				t.Errorf("%s: %s\n%s", fam, got.stdout, text)
			}
		}
	}
}

// playsAlike lets the best player play all games of both twins: pages, menus, their order and moves
// are the same.
func playsAlike(t *testing.T, dir string) {
	t.Helper()
	own, steps := regexp.MustCompile(`"(run":"[^"]*"|latency_ms":\d+)`), map[string]string{}
	for _, titles := range []string{"plain", "pseudonym"} {
		out := filepath.Join(t.TempDir(), titles)
		eval("play", "--release", dir, "--player", "shortest", "--out", out,
			"--option", "titles="+titles).want(t, 0)
		data, err := os.ReadFile(filepath.Join(out, "steps.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		steps[titles] = own.ReplaceAllString(string(data), "")
	}
	if steps["plain"] != steps["pseudonym"] || len(steps["plain"]) < 1000 {
		t.Errorf("shortest makes other moves on the twin")
	}
}

func wordsOf(text string) []string {
	text = strings.ToLower(strings.ReplaceAll(text, `\n`, " "))
	return regexp.MustCompile(`[\pL\pN]+`).FindAllString(text, -1)
}

// longest is how many words of a title are looked for.
const longest = 8

// tellsNoTitle plays a thousand games of a release, and looks for each of its titles and redirects
// among what players were told, but for those that are made of words which the program says of any
// release.
func tellsNoTitle(t *testing.T, dir string, vocabulary map[string]bool) {
	t.Helper()
	r, err := open.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w, err := r.World()
	if err != nil {
		t.Fatal(err)
	}
	titles, unsure := map[string]bool{}, 0
	add := func(title string) {
		words := wordsOf(title)
		for _, word := range words {
			if !vocabulary[word] {
				titles[strings.Join(words[:min(longest, len(words))], " ")] = true
				return
			}
		}
		unsure++
	}
	for u := range w.Len() {
		add(w.Title(uint32(u)))
	}
	if err := r.EachAlias(func(title string, _ uint32) { add(title) }); err != nil {
		t.Fatal(err)
	}
	seen := namesOf(t, r, w, titles)
	known, games := 0, 0
	for _, door := range twinDoors {
		words := wordsOf(door.told(t, dir, 10*door.share))
		games += 10 * door.share
		for i := range words {
			if seen[words[i]] {
				known++
			}
			for n := 1; n <= min(longest, len(words)-i); n++ {
				if text := strings.Join(words[i:i+n], " "); titles[text] {
					around := words[max(0, i-8):min(len(words), i+8)]
					t.Fatalf("%s tells %q: %q", door.name, text, around)
				}
			}
		}
	}
	t.Logf("%d games told %d invented names, and none of %d titles and redirects; %d are the program's words",
		games, known, len(titles), unsure)
	if known < 1000*games/10 || unsure > len(titles)/20 {
		t.Errorf("%d names, %d titles that cannot be looked for", known, unsure)
	}
}

// demoNames is the digest of the names of the demo, in the order of its nodes.
const demoNames = "a83685add9c387f5"

// namesOf returns the names of a release in lower case: no two pages have the same one, and none is
// a title, or a word of its leads.
func namesOf(t *testing.T, r *open.Release, w *open.World, titles map[string]bool) map[string]bool {
	t.Helper()
	of, err := linkgames.Of(r, family.Options{})
	if err != nil {
		t.Fatal(err)
	}
	opts := schemas.GameOptions{Titles: "pseudonym"}
	under, err := of.World(opts)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	if r.HasLeads() {
		leads, err := r.Leads()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range leads {
			for _, word := range wordsOf(text) {
				texts[word] = true
			}
		}
	}
	names, h := map[string]bool{}, sha256.New()
	for u := range w.Len() {
		name := under.(interface{ Pseudonym(u uint32) string }).Pseudonym(uint32(u))
		fmt.Fprintln(h, name)
		if name = strings.ToLower(name); names[name] || titles[name] || texts[name] {
			t.Errorf("node %d is %s: another one, a title, or a word of a lead", u, name)
		}
		names[name] = true
	}
	got := fmt.Sprintf("%x", h.Sum(nil)[:8])
	if r.Manifest().Dump.Kind == release.DumpDemo && got != demoNames {
		t.Errorf("the names of the demo have the digest %s, want %s", got, demoNames)
	}
	return names
}
