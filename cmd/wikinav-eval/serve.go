package main

import (
	"fmt"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type serveFlags struct {
	releaseFlags
	hostFlags
	listen   string
	replies  bool
	gameOnly bool
	compat   string
	limits   serve.Limits
	json     bool
}

// hostFlags say how games are played that somebody outside plays.
type hostFlags struct {
	options  []string
	fixed    bool
	exposed  bool
	log      string
	attempts int
}

func (f *hostFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.options, "option", nil, "a rule of games that ask for no other, as NAME=VALUE, repeatable")
	flags.BoolVar(&f.fixed, "fixed-options", false, "refuse games under other rules")
	flags.BoolVar(&f.exposed, "expose-oracle", false, "tell distances and optimal links to whoever asks")
	flags.StringVar(&f.log, "log", "", "keep finished games in run directories below this one")
	flags.IntVar(&f.attempts, "attempts", 1, "games of each instance in one run of the log; what is played beyond begins another run")
}

// check settles the rules that games have unless they ask for others; rules are the family's.
func (f *hostFlags) check(rules schemas.GameOptions) (schemas.GameOptions, error) {
	opts, err := setOptions(rules, f.options)
	switch {
	case err != nil:
		return opts, err
	case f.attempts < 1 || f.attempts > trace.MaxAttempts:
		return opts, fault.New(fault.Usage, "--attempts %d: want 1 to %d", f.attempts, trace.MaxAttempts)
	case game.TellsOracle(opts) && !f.exposed:
		return opts, fault.New(fault.Usage, "--option oracle=%s tells what only an oracle knows", opts.Oracle).Hint("add --expose-oracle")
	}
	return opts, nil
}

// runs gives the log of a host, nil for none. Who may ask the oracle plays with it, whether it asks or not.
func (f *hostFlags) runs(h *hosted, kind string, wording *schemas.Versioned) *session.Runs {
	if f.log == "" {
		return nil
	}
	if f.exposed {
		kind = schemas.KindOracle
	}
	return session.NewRuns(f.log, schemas.GameRun{
		ReleaseID: h.Manifest().ID, ManifestSHA256: h.ManifestSHA256(), Family: h.name, Splits: h.splits,
		Attempts: f.attempts, Model: schemas.Model{Kind: kind}, Tool: tool(), Prompt: wording,
	}, time.Now)
}

func newServe() *cobra.Command {
	f := &serveFlags{limits: serve.DefaultLimits()}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the games of a release over HTTP",
		Long: `serve answers HTTP requests: clients begin games, see observations and play turns. It tells
neither distances nor optimal links unless --expose-oracle says so. With --log every game that ends
is on disk before its client hears of the end, in run directories that score takes: one for each
client_id and set of rules. A game that is never ended is not logged.

With --family constrained the games are those under a ban; a choice or title may come with its
reasoning and restriction_reasoning, a reply is the JSON object that a model gives.

There are no passwords: whoever reaches the address can play. It is a loopback address unless
--listen names another. On SIGTERM no new game begins, those that run have --drain to end, and the
exit code is 0. The routes are described in docs/evaluator/http.md.`,
		Example: `  wikinav-eval serve --release demo-release --log runs/http
  wikinav-eval serve --release demo-release --split easy --accept-replies --game-only --fixed-options
  wikinav-eval serve --release demo-release --family constrained --accept-replies
  wikinav-eval serve --release demo-release --listen 127.0.0.1:0 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	f.hostFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8080", "address and port; port 0 takes a free one")
	flags.BoolVar(&f.replies, "accept-replies", false, "moves may be what a model said, which the family's parser reads")
	flags.BoolVar(&f.gameOnly, "game-only", false, "show the links of a page in its game alone")
	flags.StringVar(&f.compat, "compat", "", "also serve the routes of another tool's web interface: wikirace-llms")
	flags.BoolVar(&f.json, "json", false, "print address and release as one JSON object")
	f.addLimits(cmd)
	return cmd
}

func (f *serveFlags) addLimits(cmd *cobra.Command) {
	flags, l := cmd.Flags(), &f.limits
	flags.DurationVar(&l.ReadHeader, "read-header-timeout", l.ReadHeader, "time for the headers of a request")
	flags.DurationVar(&l.Read, "read-timeout", l.Read, "time for a whole request")
	flags.DurationVar(&l.Write, "write-timeout", l.Write, "time for an answer")
	flags.DurationVar(&l.Idle, "idle-timeout", l.Idle, "time between two requests of a connection")
	flags.IntVar(&l.Header, "max-header-bytes", l.Header, "largest headers")
	flags.IntVar(&l.Body, "max-body-bytes", l.Body, "largest body")
	flags.IntVar(&l.Reply, "max-reply-bytes", l.Reply, "largest body of a move that carries a raw reply")
	flags.IntVar(&l.Sessions, "max-games", l.Sessions, "games at a time")
	flags.DurationVar(&l.TTL, "session-ttl", l.TTL, "time after which a game is forgotten that nobody asked for")
	flags.DurationVar(&l.Drain, "drain", l.Drain, "time that games have to end on SIGTERM")
}

func (f *serveFlags) check() (schemas.GameOptions, error) {
	l := f.limits
	switch {
	case f.compat != "" && f.compat != "wikirace-llms":
		return schemas.GameOptions{}, fault.New(fault.Usage, "--compat %s: want wikirace-llms", fault.Quote(f.compat))
	case f.compat != "" && f.gameOnly:
		return schemas.GameOptions{}, fault.New(fault.Usage, "--compat and --game-only contradict each other: its routes show all links")
	case l.ReadHeader <= 0 || l.Read <= 0 || l.Write <= 0 || l.Idle <= 0 || l.TTL <= 0 || l.Drain < 0:
		return schemas.GameOptions{}, fault.New(fault.Usage, "a timeout is not positive")
	case l.Header < 1 || l.Body < 1 || l.Reply < 1 || l.Sessions < 1:
		return schemas.GameOptions{}, fault.New(fault.Usage, "a limit is less than 1")
	}
	return f.hostFlags.check(f.rules())
}

func (f *serveFlags) run(cmd *cobra.Command) error {
	opts, err := f.check()
	if err != nil {
		return err
	}
	h, err := f.host(f.releaseFlags, opts)
	if err != nil {
		return err
	}
	defer h.Close()
	server, runs := f.server(cmd, h)
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fault.New(fault.Failure, "%w", err).Hint("choose another --listen")
	}
	if err := f.announce(cmd, h.source, l); err != nil {
		return err
	}
	err = server.Run(cmd.Context(), l)
	begun, ended, left := server.Counts()
	fmt.Fprintf(cmd.ErrOrStderr(), "%d games begun, %d ended, %d left before their end\n", begun, ended, left)
	if runs != nil {
		err = firstOf(err, runs.Close())
	}
	return err
}

func (f *serveFlags) server(cmd *cobra.Command, h *hosted) (*serve.Server, *session.Runs) {
	h.family.Replies = f.replies
	host := &session.Host{Family: h.family, Mover: session.Harness, Exposed: f.exposed, Now: time.Now}
	runs := f.runs(h, schemas.KindHTTP, nil)
	if runs != nil {
		host.Log = runs
	}
	return serve.New(serve.Config{
		Host: host, Manifest: h.Manifest(), Pages: h.world, Resolve: h.family.Resolve, Replies: f.replies,
		GameOnly: f.gameOnly, Compat: f.compat != "", Limits: f.limits,
		Failed: func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "wikinav-eval: serve: %s\n", cli.OneLine(err.Error())) },
	}), runs
}

// announce says where the server is, once it can be asked.
func (f *serveFlags) announce(cmd *cobra.Command, src *source, l net.Listener) error {
	url, id := "http://"+l.Addr().String(), src.Manifest().ID
	if f.json {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", canon.MustMarshal(map[string]any{"url": url, "release": id}))
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "release %s at %s\n", id, url)
	return err
}
