package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/retell"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/fault"
)

type showFlags struct {
	Release string `flag:"release" usage:"release directory (required)"`
	Full    bool   `flag:"full" usage:"show whole menus and the messages that the player read"`
}

func newShow() *cobra.Command {
	f := &showFlags{}
	cmd := &cobra.Command{
		Use:   "show RUN [GAME]",
		Short: "Show what was played: the games of a run, or one of them step by step",
		Long: `show plays the log of a run directory again and shows, of any family, what happened.

Without GAME it lists the games: how each ended, its steps and those of an optimal player, and the step where it
was lost. GAME is a name of that list, or an instance that was played once: then each step is shown with the place,
what could be chosen, with the choice (>) and what was optimal (*) marked, the player's words and reasoning, the steps
that an optimal player has left, and a remark (!) where a step led away, in a loop, or was not valid.

What a page is called is shown on one line; control characters are spelled out. Whether games are won is said by
score, which show agrees with.`,
		Example: `  wikinav-eval show --release demo-release runs/random
  wikinav-eval show --release demo-release runs/random wr-easy-0001-a1
  wikinav-eval show --release demo-release runs/random wr-easy-0001 --full
  wikinav-eval show --release demo-release runs/random --json`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *showFlags) run(cmd *cobra.Command, args []string) error {
	if err := cli.Required("release", f.Release); err != nil {
		return err
	}
	r, err := open.Open(f.Release)
	if err != nil {
		return err
	}
	defer r.Close()
	run, err := retold(&door{release: r, sets: map[string]family.Set{}}, args[0])
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	s := &teller{out: out, full: f.Full, bold: cli.IsTerminal(out)}
	if len(args) > 1 {
		told, err := run.Tell(args[1])
		if err != nil {
			return err
		}
		return cmp.Or(cli.Print(cmd, told, func(io.Writer) error { return s.game(told) }), run.Wrong)
	}
	games, err := run.Games()
	if err != nil {
		return err
	}
	list := map[string]any{"run": run.Scores.Run, "family": run.Scores.Family, "games": games}
	return cmp.Or(cli.Print(cmd, list, func(io.Writer) error { return s.games(games) }), run.Wrong)
}

// retold opens a run of whatever family its run.json names.
func retold(d *door, path string) (*retell.Run, error) {
	head, err := trace.Open(path, trace.Layout{})
	if err != nil {
		return nil, err
	}
	if head.Run == nil {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return nil, fault.New(fault.Usage, "is a file, want a run directory").At(path, "").
				Hint("only a run directory tells what a player was asked; score takes single files")
		}
		_, err := trace.ReadRun(path)
		return nil, err
	}
	if d.Family, err = families.Find(head.Run.Family); err != nil {
		return nil, err
	}
	log, set, err := d.log(path)
	if err != nil {
		return nil, err
	}
	o, err := optionsOf(d.Family, rulesOf(log))
	if err != nil {
		return nil, err
	}
	return retell.Open(d.Family, set, o, log)
}

// teller writes games as lines of text.
type teller struct {
	out  io.Writer
	full bool
	bold bool // the output is a terminal
	err  error
}

func (s *teller) line(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.out, format+"\n", args...)
	}
}

func (s *teller) games(list []retell.Game) error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "game\toutcome\tsteps\toptimal\twhere most was lost")
	for _, g := range list {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\n", plain(g.Item), plain(g.Outcome), g.Steps, g.Optimal,
			lost(g))
	}
	return w.Flush()
}

func lost(g retell.Game) string {
	if g.Lost == 0 {
		return plain(g.Why)
	}
	return fmt.Sprintf("step %d: %s", g.Lost, plain(g.Why))
}

func (s *teller) game(t *retell.Told) error {
	s.line("%s: %s after %d steps, an optimal player makes %d", plain(t.Item), plain(t.Outcome),
		t.Steps, t.Optimal)
	if at := lost(t.Game); at != "" {
		what := "lost at"
		if t.Success {
			what = "turns were lost at"
		}
		s.line("%s %s", what, at)
	}
	for _, n := range t.Turns {
		s.line("")
		s.turn(n)
	}
	s.line("")
	if t.Final != "" {
		s.line("ended at %s", plain(t.Final))
	}
	if t.Untold != "" {
		s.line("the rest is told by the log alone: %s", plain(t.Untold))
	}
	return s.err
}

func (s *teller) turn(n retell.Turn) {
	s.line("step %d%s%s", n.Step, prefixed(", at ", plain(n.Place)), left(n))
	if s.full {
		for _, m := range n.Messages {
			s.text(m.Role, m.Content)
		}
	}
	s.menu(n)
	s.text("reasoning", n.Reasoning)
	if s.full || len(n.Reply) > len(n.Done)+fenceLength {
		s.text("reply", n.Reply)
	}
	for _, r := range n.Remarks {
		s.line("  ! %s", plain(r))
	}
}

// fenceLength is how much longer a reply may be than what it does, and hold no more than that.
const fenceLength = 20

func left(n retell.Turn) string {
	count := func(d *int) string {
		if d == nil {
			return "none lead on"
		}
		return fmt.Sprint(*d)
	}
	if n.Before == nil && n.After == nil {
		return ""
	}
	return fmt.Sprintf(", left %s -> %s", count(n.Before), count(n.After))
}

// menu shows what was chosen and what was optimal, and all the rest if the game is shown in full.
func (s *teller) menu(n retell.Turn) {
	others, listed := 0, false
	for _, c := range n.Menu {
		chosen := n.Valid && c.Label == n.Done
		listed = listed || chosen
		switch {
		case chosen && c.Optimal:
			s.mark(">*", c.Label)
		case chosen:
			s.mark("> ", c.Label)
		case c.Optimal:
			s.line("   * %s", plain(c.Label))
		case s.full:
			s.line("     %s", plain(c.Label))
		default:
			others++
		}
	}
	if !listed && n.Done != "" {
		s.mark("> ", n.Done)
	}
	if others > 0 {
		s.line("     and %d others", others)
	}
}

func (s *teller) mark(sign, label string) {
	if s.bold {
		s.line("  \x1b[1m%s %s\x1b[0m", sign, plain(label))
		return
	}
	s.line("  %s %s", sign, plain(label))
}

// text shows a text of several lines under its name.
func (s *teller) text(name, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	for i, l := range strings.Split(strings.TrimSpace(text), "\n") {
		if i > 0 {
			name = strings.Repeat(" ", len(name))
		}
		s.line("  %s| %s", name, plain(l))
	}
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// plain spells out what would move a terminal's cursor or turn its writing, and keeps words that
// run from right to left from turning the rest of their line.
func plain(text string) string {
	text = prompt.Escape(strings.ReplaceAll(text, "\n", " / "))
	if strings.ContainsFunc(text, fromTheRight) {
		return "\u2068" + text + "\u2069"
	}
	return text
}

// fromTheRight reports whether a character is of a script that is written from right to left.
func fromTheRight(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF ||
		r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}
