package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/cmd/internal/cli/mistakes"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
)

// mistakenRuns puts beside a release what is given in place of something else.
func mistakenRuns(t *testing.T, rel string) {
	at := func(name string) string { return filepath.Join(filepath.Dir(rel), name) }
	eval("play", "--release", rel, "--player", "random", "--out", at("run")).want(t, 0)
	eval("play", "--release", rel, "--player", "greedy-degree", "--out", at("greedy")).want(t, 0)
	other := newRelease(t, gametest.G9(), 2, 3)
	eval("play", "--release", other, "--player", "random", "--out", at("elsewhere")).want(t, 0)
	for _, dir := range []string{"folder", "work/builds", "work/stages"} {
		must(t, os.MkdirAll(at(dir), 0o755))
	}
	for name, text := range map[string]string{
		"mine.jsonl": "{\"instance\":\"wr-none\",\"path\":[\"A\"]}\n", "broken.jsonl": "{\"instance\":\"x\",\"path\":[\n",
		"typo.jsonl": "{\"instnace\":\"x\",\"path\":[\"A\"]}\n", "replies.jsonl": "{\"id\":\"x\",\"reply\":5}\n", "empty.jsonl": "",
		"notes.txt": "to do\n",
	} {
		put(t, at(name), text)
	}
}

func TestMistakesAreAnsweredWithWhatToDo(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 5, 4, 5)
	where, err := filepath.Abs("testdata")
	must(t, err)
	mistakenRuns(t, rel)
	lines := `
paly
play
play --release none --player random
play --release releas --player random
play --release work --player random
play --release run --player random
play --release notes.txt --player random
play --release
play @ --player random
play --release @ --player randon
play --release @ --player
play --release @ --player random --family wikirase
play --release @ --player random --family onestep
play --release @ --player random --split esay
play --release @ --player random --split tyni
play --release @ --player random --option max_step=3
play --release @ --player random --option max_steps=many
play --release @ --player random --option max_steps=-1
play --release @ --player random --option max_steps
play --release @ --player random --option order=shufled
play --release @ --player random --option titles=pseudonyms
play --release @ --player random --option titles=pseudonym:0
play --release @ --player random --option titles=pseudonym --family onestep
play --release @ --player random --option budget=x
play --release @ --player random --instance wr-none
play --release @ --player random --instance wr-tiny-001
play --release @ --player random --seed x
play --release @ --player random --seed
play --release @ --player random --workers 0
play --release @ --player random --limit -1
play --release @ --player random --attempts 0
play --release @ --player random --out notes.txt
play --release @ --player openai
play --release @ --player openai --model m --base-url nowhere
play --release @ --player openai --model m --base-url http://127.0.0.1:1 --extra-body {x
play --release @ --player openai --model m --base-url http://127.0.0.1:1 --response-format jsn
play --release @ --player openai --model m --base-url http://127.0.0.1:1 --temperature warm
play --release @ --player openai --model m --base-url http://127.0.0.1:1 --parser 3
play --release @ --player openai --model m --base-url http://127.0.0.1:1 --api-key-file none
play --release @ --player random --temperatur 1
score --release @
score --release @ --trajectories
score --trajectories run
score --release run --trajectories @
score --release @ --trajectories none
score --release @ --trajectories rnu
score --release @ --trajectories folder
score --release @ --trajectories work
score --release @ --trajectories elsewhere
score --release @ --trajectories notes.txt
score --release @ --trajectories broken.jsonl
score --release @ --trajectories typo.jsonl
score --release @ --trajectories run --family probe
score --release @ --trajectories run --split esay
score --release @ --trajectories run --reparse 3
score --release @ --trajectories run --attempts -1
score --release @ --trajectories run --option order=page
score --release @ --trajectories run --max-infra-errors -1
score --release @ --trajectories none --format html
report --release @
report --release @ --trajectories none --out plots
show
show run
show none --release @
show folder --release @
show notes.txt --release @
show run --release none
show run wr-none --release @
show run wr-tiny-0001-b1 --release @
show elsewhere --release @
report itms
report items --release @
report items --release @ --trajectories run
report items --release @ --trajectories none --trajectories run
report items --release @ --trajectories run --trajectories run
report items --release @ --trajectories run --trajectories greedy --model 3pl
report items --release @ --trajectories run --trajectories greedy --format csv
report items --release @ --trajectories run --trajectories elsewhere
report subset --release @ --trajectories run --trajectories greedy --n 0
report subset --release @ --trajectories run --trajectories greedy --n 50
report subset --release @ --trajectories run --trajectories greedy --n x
report subset --release @ --trajectories run --trajectories greedy --n 2 --check none
report subset --release @ --trajectories run --trajectories greedy --n 2 --check run
report subset --release @ --trajectories run --trajectories greedy --n 2 --out notes.txt
submit
submit run --release @
submit none --release @ --out x.tar
submit folder --release @ --out x.tar
submit run --out x.tar
submit elsewhere --release @ --out x.tar
submit run --release @ --out notes.txt
submit run --release @ --family probe --out x.tar
board ad
board add
board add none.tar --release @ --submitted 2026-01-31
board add notes.txt --release @ --submitted 2026-01-31
board add run --release @ --submitted 2026-01-31
board add notes.txt --release @
board add notes.txt --submitted 2026-01-31
board add notes.txt --release @ --submitted 2026-01-31 --max-mib 0
board show
board show --release @
board show --board folder
board show --board folder --format html
board show --board folder --family wikirase
board verify
board verify --board folder
board results --release @
board results --board folder --dataset me/demo --revision v1
verify none
verify work
verify @ --level 9
verify @ --subset 0/2
verify @ --level 4
import snap-path none --release @
import snap-paths none --release @
import none snap-paths --release @
import titles-jsonl broken.jsonl --release @
import wikigame notes.txt --release @
import titles-jsonl empty.jsonl --release @
judge --release @ --trajectories run
judge --release @
serve --release @ --listen nowhere
serve --release @ --option titles=pseudonym --compat wikirace-llms
serve --release none
view
view --release none
view --release @ --run none
view --release @ --run folder
view --release @ --option order=page
view --release @ --family wikirase
view --release @ --family wikirace --option order=page
view --release @ --addr nowhere
view --release @ --log=
env --release none
env --release @ --slots 0
env --release @ --reward shapd
env --release @ --reward=
env --release @ --reward shaped,success,shaped
env --release @ --gamma 2
env --release @ --model a/b
env --release @ --instance wr-none
env --release @ --text --option reshuffle=attempt
env --families
mcp --release none
mcp --release @ --listen nowhere
mcp --release @ --listen 127.0.0.1:99999
mcp --release @ --listen 127.0.0.1:0 --max-sessions 0
mcp --release @ --listen 127.0.0.1:0 --session-ttl 0s
mcp --release @ --listen 127.0.0.1:0 --session-ttl 30
mcp --release @ --max-sessions 5
mcp --release @ --json
tools cal
tools call fetch_webpag {}
tools list extra`
	mistakes.CheckIn(t, filepath.Dir(rel), where, "wikinav-eval", run, strings.ReplaceAll(lines, "@", filepath.Base(rel)))
}

// badTexts are files of JSON lines as people spoil them.
var badTexts = []string{
	"", "\n", "x\n", "{\n", "[]\n", "null\n", "5\n", `"text"` + "\n", "{}\n", "{\"id\":5}\n", "{\"id\":\"a\",\"reply\":5}\n", "{\"id\":\"a\",\"reply\":null}\n",
	"{\"id\":\"a\",\"usage\":{\"prompt\":1.5}}\n", "{\"instance\":5}\n", "{\"instance\":\"a\",\"path\":\"A\"}\n", "{\"instance\":\"a\",\"path\":[true]}\n",
	"{\"instance\":\"a\",\"path\":[-1]}\n", "{\"instance\":\"a\",\"path\":[99999999999]}\n", "{\"instance\":\"a\",\"path\":[1.5]}\n",
	"{\"instance\":\"a\",\"path\":[1],\"attempt\":\"1\"}\n", "{'instance':'a'}\n", "{\"instance\":\"a\",}\n", "{\"instance\":\"a\"}{}\n", "\xff\xfe\n", "\x00\n",
	"{\"schema\":\"wikinav.game/9\"}\n", "{\"schema\":5}\n", "{\"instance\":\"\\q\"}\n", "{\"instance\":\"tab\there\"}\n", "a\tb\tc\n", "1\t2\tx;y;z\t1\n",
	"{\"a\":1e999}\n", "{\"game_name\":5,\"sample_id\":\"x\"}\n", "[{\"history\":5}]\n", "{\"sessions\":\"x\"}\n", "[1,2\n", "tru\n", "{\"instance\":truth}\n",
}

// TestNoMessageHoldsWordsOfGo hands bad files to every reader of the program.
func TestNoMessageHoldsWordsOfGo(t *testing.T) {
	rel := wholeRelease(t)
	dir := t.TempDir()
	bad, runDir, n := filepath.Join(dir, "bad.jsonl"), filepath.Join(dir, "run"), 0
	check := func(text string, args ...string) {
		r := eval(append(args, "--release", rel)...)
		if word := mistakes.WordsOfGo.FindString(r.stdout + r.stderr); word != "" {
			t.Errorf("%q to %v: %q in %s%s", text, args, word, r.stdout, r.stderr)
		}
		n++
	}
	for _, f := range families.All {
		must(t, os.MkdirAll(runDir, 0o755))
		for _, text := range badTexts {
			put(t, bad, text)
			put(t, filepath.Join(runDir, trace.RunFile), text)
			check(text, "score", "--family", f.Name(), "--trajectories", bad)
			check(text, "score", "--family", f.Name(), "--trajectories", runDir)
			check(text, "show", runDir)
			if im, ok := f.(family.Importer); ok {
				for _, format := range im.Imports() {
					check(text, "import", format.Format, bad, "--family", f.Name(), "--model", "m", "--out", filepath.Join(dir, "out"))
				}
			}
			if !strings.ContainsAny(text, "\n\x00") {
				check(text, "play", "--family", f.Name(), "--player", "random", "--option", text)
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d bad files", n)
	}
}
