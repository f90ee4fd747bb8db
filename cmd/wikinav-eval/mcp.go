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
)

type mcpFlags struct {
	hostFlags
	Model string `flag:"model" usage:"who plays, as the log says it"`
}

func newMCP() *cobra.Command {
	f := &mcpFlags{hostFlags: defaultHost(), Model: session.Anonymous}
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

It opens no connection. It ends with its input, or with a signal.`,
		Example: `  wikinav-eval mcp --release demo-release --log runs --model my-agent
  wikinav-eval mcp --release demo-release --split easy --option max_steps=20 --fixed-options
  wikinav-eval mcp --release demo-release --instance wr-easy-0001 --log runs --model my-agent`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	cli.Bind(cmd.Flags(), f)
	f.rules = addRuleFlags(cmd.Flags(), false)
	return cmd
}

func (f *mcpFlags) run(cmd *cobra.Command) (err error) {
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
	return mcp.Serve(cmd.Context(), mcp.Config{
		Host: h.host, Client: f.Model, Version: strings.TrimPrefix(tool(), "wikinav-eval "),
		Report: func(tool string, err error) {
			fmt.Fprintf(cmd.ErrOrStderr(), "wikinav-eval: mcp: %s: %s\n", tool, cli.OneLine(err.Error()))
		},
	}, cmd.InOrStdin(), cmd.OutOrStdout())
}
