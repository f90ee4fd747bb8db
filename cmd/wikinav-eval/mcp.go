package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/mcp"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

type mcpFlags struct {
	hostFlags
	Model  string `flag:"model" usage:"who plays, as the log says it"`
	Listen string `flag:"listen" usage:"serve HTTP at this address and port, or unix:PATH, in place of standard input and output"`
	limits mcp.Limits
}

func newMCP() *cobra.Command {
	f := &mcpFlags{hostFlags: defaultHost(), Model: session.Anonymous, limits: mcp.DefaultLimits()}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the games of a release as tools to a model",
		Long: `mcp speaks the Model Context Protocol over standard input and output, with the client that starts
it: an agent, an editor, a harness. Its tools are list_instances, start_game, observe and give_up, and
those of the family that make a turn, such as click_link; a family without any is played in words, by
answer. The first observation of a game tells the task with all rules. One game is played at a time. A
turn that the rules do not allow is an invalid turn; a call that is wrong in form changes nothing and
is answered with an error. --instance offers some instances alone; start_game begins a single one
without being told which.

With --log finished games stand in DIR/<run id>, which score takes; several processes may share DIR. A
game that was not finished when the input ended is not among them; one that was left for another counts
as given up. --expose-oracle adds what the oracle of the family tells, such as oracle_plan, and marks
the games as played with an oracle.

Without --listen it opens no connection, and ends with its input or a signal. With --listen it speaks
the streamable HTTP of the protocol at http://ADDRESS/mcp: each session of the protocol plays at a table
of its own, and /mcp/INSTANCE offers that instance alone. Whoever reaches the address can play. The
protocol and its limits are described in docs/evaluator/mcp.md.`,
		Example: `  wikinav-eval mcp --release demo-release --log runs --model my-agent
  wikinav-eval mcp --release demo-release --split easy --option max_steps=20 --fixed-options
  wikinav-eval mcp --release demo-release --instance wr-easy-0001 --log runs --model my-agent
  wikinav-eval mcp --release demo-release --listen 127.0.0.1:8081 --log runs --model my-agent`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	cli.Bind(cmd.Flags(), f)
	cli.Bind(cmd.Flags(), &f.limits)
	cli.AddJSON(cmd.Flags())
	f.rules = addRuleFlags(cmd.Flags(), false)
	return cmd
}

// check refuses what means nothing without --listen, or nothing at all.
func (f *mcpFlags) check(cmd *cobra.Command) error {
	for _, name := range []string{"max-sessions", "session-ttl", "json"} {
		if f.Listen == "" && cmd.Flags().Changed(name) {
			return fault.New(fault.Usage, "--%s without --listen: standard input and output carry "+
				"one session and nothing else", name).Hint("add --listen 127.0.0.1:8081, or leave it out")
		}
	}
	switch {
	case f.limits.Sessions < 1:
		return fault.New(fault.Usage, "--max-sessions %d: want at least 1", f.limits.Sessions)
	case f.limits.TTL <= 0:
		return fault.New(fault.Usage, "--session-ttl %s: want a time above 0", f.limits.TTL)
	}
	return nil
}

func (f *mcpFlags) run(cmd *cobra.Command) (err error) {
	if err := f.check(cmd); err != nil {
		return err
	}
	if err := checkModel(f.Model); err != nil {
		return err
	}
	h, err := f.host(schemas.InterfaceMCP, schemas.KindMCP)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, h.Close()) }()
	if f.Log != "" { // before a game is played that could not be kept
		if err := os.MkdirAll(f.Log, 0o755); err != nil {
			return err
		}
	}
	c := mcp.Config{
		Host: h.host, Client: f.Model, Version: strings.TrimPrefix(tool(), "wikinav-eval "),
		Report: func(tool string, err error) {
			fmt.Fprintf(cmd.ErrOrStderr(), "wikinav-eval: mcp: %s: %s\n", tool, cli.OneLine(err.Error()))
		},
	}
	if f.Listen != "" {
		return f.serve(cmd, h, c)
	}
	return mcp.Serve(cmd.Context(), c, cmd.InOrStdin(), cmd.OutOrStdout())
}

// serve answers HTTP until a signal.
func (f *mcpFlags) serve(cmd *cobra.Command, h *hosted, c mcp.Config) error {
	l, err := listen(f.Listen)
	if err != nil {
		return fault.New(fault.Failure, "%w", err).Hint("choose another --listen")
	}
	if err := announce(cmd, h.Manifest().ID, l, "/mcp"); err != nil {
		return err
	}
	web := mcp.NewWeb(c, f.limits)
	err = web.Run(cmd.Context(), l)
	begun, _ := web.Counts()
	fmt.Fprintf(cmd.ErrOrStderr(), "%d sessions\n", begun)
	return err
}
