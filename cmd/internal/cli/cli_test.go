package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas/fault"
)

var missingFile = &fs.PathError{Op: "open", Path: "gone", Err: fs.ErrNotExist}

type staged struct{ error }

func (staged) InStage() string { return "scc" }
func (s staged) Unwrap() error { return s.error }

// program has one verb that ends with err, and a group of one verb.
func program(err error) *cobra.Command {
	var word string
	verb := &cobra.Command{Use: "verb A", Args: cobra.ExactArgs(1), RunE: func(*cobra.Command, []string) error { return err }}
	cli.Choice(verb.Flags(), &word, "word", "a word", "yes", "no")
	verb.Flags().Int("n", 1, "a number")
	group := &cobra.Command{Use: "group"}
	group.AddCommand(&cobra.Command{Use: "inner", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return err }})
	return cli.Root(&cobra.Command{Use: "prog"}, verb, group)
}

func run(root *cobra.Command, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = cli.RunContext(context.Background(), root, args, nil, &out, &errs)
	return code, out.String(), errs.String()
}

func TestErrorsHaveTheCodeThePlaceAndTheRemedy(t *testing.T) {
	missing := fault.New(fault.NotFound, "no such\nfile").At("a.xml", "line 3").Hint("look again")
	for _, c := range []struct {
		err  error
		args string
		code int
		line string
		json string
	}{
		{
			missing, "verb x", 10, "prog: verb: a.xml: line 3: no such; file (look again)",
			`{"code":10,"file":"a.xml","stage":"verb","what":"no such; file (look again)","where":"line 3"}`,
		},
		{
			staged{fmt.Errorf("scc: %w", missing)},
			"verb x", 10, "prog: scc: a.xml: line 3: no such; file (look again)",
			`{"code":10,"file":"a.xml","stage":"scc","what":"no such; file (look again)","where":"line 3"}`,
		},
		{
			fmt.Errorf("reading: %w", missingFile), "verb x", 1, "prog: verb: reading: gone: there is no such file or folder",
			`{"code":1,"file":"","stage":"verb","what":"reading: gone: there is no such file or folder","where":""}`,
		},
		{errors.New("plain"), "group inner", 1, "prog: inner: plain", `{"code":1,"file":"","stage":"inner","what":"plain","where":""}`},
		{
			context.Canceled, "verb x", 130, "prog: verb: interrupted (run the same command again to go on)",
			`{"code":130,"file":"","stage":"verb","what":"interrupted (run the same command again to go on)","where":""}`,
		},
		{nil, "verb", 2, "prog: verb: accepts 1 arg(s), received 0 (usage: prog verb A [flags])", `{"code":2,"file":"","stage":"verb","what":"accepts 1 arg(s), received 0 (usage: prog verb A [flags])","where":""}`},
		{nil, "verb x --bogus", 2, "prog: verb: unknown flag: --bogus (prog verb --help lists the flags)", `{"code":2,"file":"","stage":"verb","what":"unknown flag: --bogus (prog verb --help lists the flags)","where":""}`},
		{
			nil, "fly", 2, `prog: unknown command "fly" (choose from group, verb)`,
			`{"code":2,"file":"","stage":"prog","what":"unknown command \"fly\" (choose from group, verb)","where":""}`,
		},
		{
			nil, "group fly", 2, `prog: group: unknown command "fly" (choose from inner)`,
			`{"code":2,"file":"","stage":"group","what":"unknown command \"fly\" (choose from inner)","where":""}`,
		},
		{nil, "verb x --word yess", 2, `prog: verb: --word "yess": want yes or no (did you mean yes?)`, ""},
		{nil, "verb x --n", 2, `prog: verb: --n needs a value: a number`, ""},
		{nil, "verb x --wrod yes", 2, `prog: verb: unknown flag: --wrod (did you mean --word?)`, ""},
		{nil, "verb x --n many", 2, `prog: verb: --n "many": want a whole number`, ""},
		{nil, "group inner x", 2, `prog: inner: no argument is wanted but flags, not "x" (usage: prog group inner [flags])`, ""},
		{nil, "verbs", 2, `prog: unknown command "verbs" (did you mean verb? choose from group, verb)`, ""},
		{nil, "verb x --word maybe", 2, `prog: verb: --word "maybe": want yes or no`, ""},
	} {
		if code, out, errs := run(program(c.err), strings.Fields(c.args)...); code != c.code || out != "" || errs != c.line+"\n" {
			t.Errorf("%s: exit %d, %q, want exit %d, %q", c.args, code, errs, c.code, c.line)
		}
		if _, _, errs := run(program(c.err), append(strings.Fields(c.args), "--json-errors")...); c.json != "" && errs != c.json+"\n" {
			t.Errorf("%s --json-errors: %s, want %s", c.args, errs, c.json)
		}
	}
}

func TestAProgramTellsItsVersion(t *testing.T) {
	if code, out, errs := run(program(nil), "--version"); code != 0 || !strings.HasPrefix(out, "prog version ") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
}

func TestVerifySaysOfAFolderThatItIsNoRelease(t *testing.T) {
	root := cli.Root(&cobra.Command{Use: "prog"}, new(cli.Verify).Command("prog"))
	if code, out, errs := run(root, "verify", t.TempDir()); code != 10 || out != "" || !strings.Contains(errs, "no release is here") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
}

func TestAGroupWithoutAVerbShowsItsHelp(t *testing.T) {
	if code, out, _ := run(program(nil), "group"); code != 0 || !strings.Contains(out, "inner") || !strings.Contains(out, "Exit status:") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

func TestProgressCountsForPeopleAndForPrograms(t *testing.T) {
	work := func(kind string) string {
		var out bytes.Buffer
		m := cli.NewProgress(&out, kind).Meter("ingest", "reading", "pages", 2000)
		m.Add(1500)
		m.Done()
		games := cli.NewProgress(&out, kind).Meter("play", "games", "games", 3)
		games.Watch(func(time.Duration) string { return "2 tokens" })
		games.Reach(3, 3)
		games.Done()
		return out.String()
	}
	lines := strings.Split(work("plain"), "\n")
	if !strings.HasPrefix(lines[0], "ingest: reading 1,500 of 2,000 pages, ") || !strings.HasPrefix(lines[1], "3 of 3 games, 2 tokens, ") {
		t.Errorf("plain: %q", lines)
	}
	var got struct {
		Stage, Phase, Unit, Status string
		Done, Total                int
	}
	last := strings.Split(strings.TrimSpace(work("json")), "\n")
	if err := json.Unmarshal([]byte(last[1]), &got); err != nil || got.Stage != "play" || got.Status != "2 tokens" || got.Done != 3 || got.Total != 3 {
		t.Errorf("json: %s, %v", last, err)
	}
	if out := work("auto") + work("none"); out != "" {
		t.Errorf("auto where there is no terminal, and none: %q", out)
	}
}
