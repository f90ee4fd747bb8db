package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/mcp"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

type mcpFlags struct {
	releaseFlags
	hostFlags
	model string
}

func newMCP() *cobra.Command {
	f := &mcpFlags{}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the games of a release as tools to a model",
		Long: `mcp speaks the Model Context Protocol over standard input and output, with the client that starts
it: an agent, an editor, a harness. Its tools are list_instances, start_game, observe, click_link and
give_up, and go_back where the rules allow it; the first observation of a game tells the task with
all rules. One game is played at a time. A link that is not on the menu is an invalid turn; a call
that is wrong in form changes nothing and is answered with an error.

With --family constrained the games are those under a ban: click_link takes the title of a link as
next_page, with reasoning and restriction_reasoning.

With --log finished games stand in DIR/<run id>, which score takes. A game that was not finished when
the input ended is not among them; one that was left for another counts as given up. --expose-oracle
adds oracle_distance, oracle_plan and oracle_state, and marks the games as played with an oracle.

It opens no connection. It ends with its input, or with a signal.`,
		Example: `  wikinav-eval mcp --release demo-release --log runs --model my-agent
  wikinav-eval mcp --release demo-release --split easy --option max_steps=20 --fixed-options
  wikinav-eval mcp --release demo-release --family constrained --log runs --model my-agent`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	f.hostFlags.add(cmd)
	cmd.Flags().StringVar(&f.model, "model", session.Anonymous, "who plays, as the log says it")
	return cmd
}

func (f *mcpFlags) run(cmd *cobra.Command) error {
	opts, err := f.hostFlags.check(f.rules())
	if err != nil {
		return err
	}
	if session.CheckClient(f.model) != nil {
		return fault.New(fault.Usage, "--model %s: want up to 64 letters, digits, dots, hyphens and underscores, a letter or digit first", fault.Quote(f.model))
	}
	h, err := f.hostFlags.host(f.releaseFlags, opts)
	if err != nil {
		return err
	}
	defer h.Close()
	host, runs, err := f.seat(h, opts)
	if err != nil {
		return err
	}
	err = mcp.Serve(cmd.Context(), mcp.Config{
		Host: host, Client: f.model, Back: opts.Back == game.BackOn, Version: strings.TrimPrefix(tool(), "wikinav-eval "),
		Report: func(tool string, err error) {
			fmt.Fprintf(cmd.ErrOrStderr(), "wikinav-eval: mcp: %s: %s\n", tool, cli.OneLine(err.Error()))
		},
	}, cmd.InOrStdin(), cmd.OutOrStdout())
	if runs != nil {
		err = firstOf(err, runs.Close())
	}
	return err
}

func (f *mcpFlags) seat(h *hosted, opts schemas.GameOptions) (host *session.Host, runs *session.Runs, err error) {
	host = &session.Host{Family: h.family, Mover: session.Model, Exposed: f.exposed, Now: time.Now}
	runs = f.runs(h, schemas.KindMCP, mcp.Wording(opts))
	if runs != nil {
		host.Log = runs
		err = os.MkdirAll(f.log, 0o755) // before a game is played that could not be kept
	}
	return host, runs, err
}
