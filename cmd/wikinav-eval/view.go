package main

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/retell"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/view"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

type viewFlags struct {
	Release string   `flag:"release" usage:"release directory (required)"`
	Runs    []string `flag:"run" usage:"run directory to look at, or a folder of them, repeatable"`
	Addr    string   `flag:"addr" usage:"address at which the page is; port 0 is any free one"`
	Log     string   `flag:"log" usage:"folder of the games that are played in the page"`
	Family  string   `flag:"family" usage:"show this family alone, with the rules of --option"`
	Options []string `flag:"option" usage:"a rule of the games of --family, as NAME=VALUE, repeatable"`
}

func newView() *cobra.Command {
	f := &viewFlags{Addr: "127.0.0.1:8090", Log: "runs/view"}
	cmd := &cobra.Command{
		Use:   "view",
		Short: "Look at a release and at runs in a browser, and play",
		Long: `view serves one web page to this machine, until it is interrupted. In it

  - the instances of every family are searched, sorted by what makes them hard, and drawn as what they are;
  - games of runs are replayed step by step next to the best player's, with what the player read, said and thought;
  - two runs are compared game by game;
  - every family is played, by keyboard alone if you like. Such a game is logged as serve logs it, so that score takes
    it; of an instance that is being played the page shows nothing but what its player may see.

The page is in the program and asks nobody else for anything. Every view has an address of its own (#/...) to keep or
to send to somebody who looks at the same files. There are no passwords: another --addr than one of this machine's own
opens the page, and the release's answers, to whoever reaches it.`,
		Example: `  wikinav-eval view --release demo-release
  wikinav-eval view --release demo-release --run runs/random --run runs/bound --addr 127.0.0.1:0
  wikinav-eval view --release demo-release --log runs/people --addr 127.0.0.1:0 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *viewFlags) check() error {
	switch {
	case f.Family == "" && len(f.Options) > 0:
		return fault.New(fault.Usage, "--option %s: of which family?",
			fault.Quote(f.Options[0])).Hint("add --family")
	case f.Log == "":
		return fault.New(fault.Usage, "--log is empty: games must be kept somewhere")
	}
	if f.Family != "" {
		if _, err := families.Find(f.Family); err != nil {
			return err
		}
	}
	return cli.Required("release", f.Release)
}

func (f *viewFlags) run(cmd *cobra.Command) error {
	if err := f.check(); err != nil {
		return err
	}
	r, err := open.Open(f.Release)
	if err != nil {
		return err
	}
	defer r.Close()
	s, logs, err := f.server(cmd, r)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", f.Addr)
	if err != nil {
		return fault.New(fault.Failure, "%w", err).Hint("choose another --addr")
	}
	if err := announce(cmd, r.Manifest().ID, l, ""); err != nil {
		return err
	}
	return errors.Join(s.Run(cmd.Context(), l), logs.close())
}

// server checks the runs before anybody looks at them; families are opened once somebody does.
func (f *viewFlags) server(cmd *cobra.Command, r *open.Release) (*view.Server, *viewLogs, error) {
	logs := &viewLogs{}
	failed := func(err error) {
		fmt.Fprintf(cmd.ErrOrStderr(), "wikinav-eval: view: %s\n",
			cli.OneLine(err.Error()))
	}
	sets := map[string]family.Set{} // those of runs under the same rules are one
	c := view.Config{Release: r, Failed: failed, Runs: &view.Runs{
		Named: f.Runs, Log: f.Log,
		Read: func(dir string) (*retell.Run, error) {
			return retold(&door{release: r, sets: sets}, dir)
		},
	}}
	for _, fam := range families.All {
		if f.Family != "" && f.Family != fam.Name() {
			continue
		}
		opts, err := fam.Options(f.Options) // none but with --family
		if err != nil {
			return nil, nil, err
		}
		entry := &view.Family{Name: fam.Name()}
		if i, ok := fam.(family.Introduced); ok {
			entry.Says = i.Introduction()
		}
		entry.Open = sync.OnceValues(func() (*view.Opened, error) {
			return f.open(r, fam, opts, logs,
				failed)
		})
		c.Families = append(c.Families, entry)
	}
	return view.New(c), logs, c.Runs.Check()
}

// open opens a family for games as serve has them.
func (f *viewFlags) open(
	r *open.Release, fam family.Family, opts family.Options, logs *viewLogs, failed func(error),
) (*view.Opened, error) {
	opts, err := family.Settle(fam, r, opts)
	if err != nil {
		return nil, err
	}
	h := &session.Host{
		Family: fam, Options: opts, Manner: family.Manner{Interface: schemas.InterfaceHTTP}, Strict: true,
		Now: time.Now,
	}
	if h.Set, err = fam.Open(r, opts); err == nil {
		err = h.Offer(nil, nil)
	}
	if err != nil {
		return nil, err
	}
	h.Log = logs.add(session.NewRuns(f.Log, h, schemas.Run{
		ReleaseID: r.Manifest().ID, ManifestSHA256: r.ManifestSHA256(), Splits: h.Splits(), Attempts: 1,
		Model: schemas.Player{Kind: schemas.KindHuman}, Tool: tool(),
	}, time.Now))
	games := serve.New(serve.Config{
		Host: h, Manifest: r.Manifest(), GameOnly: true,
		Limits: serve.DefaultLimits(), Failed: failed,
	})
	return &view.Opened{Set: h.Set, Options: opts, Games: games}, nil
}

// viewLogs are the logs of the families that were opened.
type viewLogs struct {
	mu   sync.Mutex
	list []*session.Runs
}

func (l *viewLogs) add(r *session.Runs) *session.Runs {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, r)
	return r
}

func (l *viewLogs) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, r := range l.list {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}
