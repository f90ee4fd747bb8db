package main

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

type serveFlags struct {
	hostFlags
	Listen   string `flag:"listen" usage:"address and port; port 0 takes a free one; or unix:PATH, a Unix socket"`
	Replies  bool   `flag:"accept-replies" usage:"moves may be what a model said, which the family's parser reads"`
	GameOnly bool   `flag:"game-only" usage:"show the links of a page in its game alone"`
	compat   string
	limits   serve.Limits
}

func newServe() *cobra.Command {
	f := &serveFlags{hostFlags: defaultHost(), Listen: "127.0.0.1:8080", limits: serve.DefaultLimits()}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the games of a release over HTTP",
		Long: `serve answers HTTP requests: clients begin games, see observations and play turns. It tells
neither distances nor optimal links unless --expose-oracle says so. With --log every game that ends
is on disk before its client hears of the end, in run directories that score takes: one for each
client_id and set of rules. A game that is never ended is not logged.

Every family is served: --family names it. A turn is a choice or a title of what the observation lists,
or with --accept-replies what a model said, which the family's parser reads.

There are no passwords: whoever reaches the address can play. It is a loopback address unless
--listen names another. On SIGTERM no new game begins, those that run have --drain to end, and the
exit code is 0. The routes are described in docs/evaluator/http.md.`,
		Example: `  wikinav-eval serve --release demo-release --log runs/http
  wikinav-eval serve --release demo-release --split easy --accept-replies --game-only --fixed-options
  wikinav-eval serve --release demo-release --option max_steps=20 --instance wr-easy-0001
  wikinav-eval serve --release demo-release --listen 127.0.0.1:0 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	flags := cmd.Flags()
	cli.Bind(flags, f)
	f.rules = addRuleFlags(flags, false)
	cli.AddJSON(flags)
	flags.StringVar(&f.compat, "compat", "", "also serve the routes of another tool's web interface: "+compatName)
	cli.Bind(flags, &f.limits)
	return cmd
}

func (f *serveFlags) check() error {
	switch l := f.limits; {
	case f.compat != "" && f.compat != compatName:
		return fault.New(fault.Usage, "--compat %s: want %s", fault.Quote(f.compat), compatName)
	case f.compat != "" && f.GameOnly:
		return fault.New(fault.Usage, "--compat and --game-only contradict each other: its routes show all links")
	case l.ReadHeader <= 0 || l.Read <= 0 || l.Write <= 0 || l.Idle <= 0 || l.TTL <= 0 || l.Drain < 0:
		return fault.New(fault.Usage, "a timeout is not positive")
	case l.Header < 1 || l.Body < 1 || l.Reply < 1 || l.Sessions < 1:
		return fault.New(fault.Usage, "a limit is less than 1")
	}
	return nil
}

func (f *serveFlags) run(cmd *cobra.Command) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	h, err := f.host(schemas.InterfaceHTTP, schemas.KindHTTP)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, h.Close()) }()
	server, err := f.server(cmd, h)
	if err != nil {
		return err
	}
	l, err := listen(f.Listen)
	if err != nil {
		return fault.New(fault.Failure, "%w", err).Hint("choose another --listen")
	}
	if err := announce(cmd, h.Manifest().ID, l, ""); err != nil {
		return err
	}
	err = server.Run(cmd.Context(), l)
	begun, ended, left := server.Counts()
	fmt.Fprintf(cmd.ErrOrStderr(), "%d games begun, %d ended, %d left before their end\n", begun, ended, left)
	return err
}

func (f *serveFlags) server(cmd *cobra.Command, h *hosted) (*serve.Server, error) {
	h.host.Replies, h.host.Strict = f.Replies, true
	c := serve.Config{
		Host: h.host, Manifest: h.Manifest(), GameOnly: f.GameOnly, Compat: f.compat != "", Limits: f.limits,
		Failed: func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "wikinav-eval: serve: %s\n", cli.OneLine(err.Error())) },
	}
	charted, ok := h.host.Set.(family.Charted)
	if !ok && c.Compat {
		return nil, fault.New(fault.Usage, "--compat %s: family %s is not played on links", f.compat, h.host.Family.Name())
	}
	if masked := h.host.Masks(h.host.Options); masked != "" && c.Compat {
		return nil, fault.New(fault.Usage,
			"--compat %s and --option %s contradict each other: its routes show titles", f.compat, masked)
	}
	if !ok {
		return serve.New(c), nil
	}
	var err error
	if c.Pages, err = charted.Chart(); err == nil && c.Compat {
		c.Resolve, err = charted.Finder()
	}
	return serve.New(c), err
}

// listen opens an address, or the Unix socket that anybody who can reach its path may ask: in place
// of a socket that a server before left, and of no other file.
func listen(at string) (net.Listener, error) {
	path, ok := strings.CutPrefix(at, "unix:")
	if !ok {
		return net.Listen("tcp", at)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		_ = os.Remove(path)
	}
	l, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o666)
	}
	return l, err
}

// announce says where the server is, once it can be asked.
func announce(cmd *cobra.Command, id string, l net.Listener, path string) error {
	url := "http://" + l.Addr().String() + path
	if l.Addr().Network() == "unix" {
		url = "unix:" + l.Addr().String()
	}
	return cli.Print(cmd, map[string]any{"url": url, "release": id}, func(out io.Writer) error {
		_, err := fmt.Fprintf(out, "release %s at %s\n", id, url)
		return err
	})
}
