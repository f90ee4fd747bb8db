package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/env"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type envFlags struct {
	hostFlags
	Slots   int        `flag:"slots" usage:"episodes at a time"`
	Rewards cli.Commas `flag:"reward" usage:"what a turn is paid, in sum: success, shaped, accuracy"`
	Gamma   float64
	Seed    int64  `flag:"seed" usage:"of the tasks in slots that are reset without a seed"`
	Text    bool   `flag:"text" usage:"play in words, as a model is asked: messages out, replies in"`
	Strict  bool   `flag:"strict" usage:"refuse a choice that is not listed; an invalid turn otherwise"`
	Model   string `flag:"model" usage:"who plays, as the log says it"`
	List    bool   `flag:"families" usage:"print the families of the release and their splits"`
}

func newEnv() *cobra.Command {
	f := &envFlags{
		hostFlags: defaultHost(), Slots: 1, Rewards: cli.Commas{env.RewardSuccess},
		Model: session.Anonymous,
	}
	cmd := &cobra.Command{
		Use:   "env",
		Short: "Let a program train or measure a player, many episodes at a time",
		Long: `env reads requests as JSON lines from standard input and answers each with a line: reset
begins episodes in slots, step makes a turn in each and pays for it. One request may be for all
slots, so that one process plays many episodes at once. The Python package wikinav
(eval/clients/python) is its client; docs/evaluator/env.md has the protocol.

The reward success is 1 for the turn that wins. shaped pays what a turn changed of the turns that an
optimal player would still make, so that its sum over an episode is the way that was gained;
accuracy pays 1 for a turn that such a player could have made. Both are for the families that know
what is left. No observation tells it without --expose-oracle. With either, and with
--expose-oracle, runs of the log are those of an oracle.

With --log episodes that end stand in DIR/<run id>, which score takes. One that is left for another,
or when the input ends, is not logged. It opens no connection. It ends with its input, with the
request close, or with a signal.`,
		Example: `  wikinav-eval env --release demo-release --slots 64 --reward shaped
  wikinav-eval env --release demo-release --split easy --text --log runs --model my-agent
  echo '{"op":"reset","slots":[{"slot":0,"seed":7}]}' | wikinav-eval env --release demo-release`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	cli.Bind(cmd.Flags(), f)
	cmd.Flags().Float64Var(&f.Gamma, "gamma", 1, "discount of the potential of --reward shaped")
	f.rules = addRuleFlags(cmd.Flags(), false)
	return cmd
}

func (f *envFlags) run(cmd *cobra.Command) (err error) {
	if f.List {
		return f.list(cmd.OutOrStdout())
	}
	if err := checkModel(f.Model); err != nil {
		return err
	}
	at, kind := schemas.InterfaceEnv, schemas.KindEnv
	if f.Text {
		at = schemas.InterfaceChat
	}
	if slices.ContainsFunc(f.Rewards, func(name string) bool { return name != env.RewardSuccess }) {
		kind = schemas.KindOracle
	}
	h, err := f.host(at, kind)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, h.Close()) }()
	if f.Log != "" { // before an episode is played that could not be kept
		if err := os.MkdirAll(f.Log, 0o755); err != nil {
			return err
		}
	}
	h.host.Strict = f.Strict
	e, err := env.New(env.Config{
		Host: h.host, Rewards: f.Rewards, Gamma: f.Gamma, Slots: f.Slots, Seed: f.Seed, Client: f.Model,
		Release: h.Manifest().ID, Program: tool(),
	})
	if errors.Is(err, env.ErrUnmeasured) {
		others, damaged := measured(h.Release)
		return cmp.Or(damaged, error(fault.New(fault.Usage, "%w", err).Hint("families here that do: %s; or --reward %s",
			cmp.Or(strings.Join(others, ", "), "none"), env.RewardSuccess)))
	}
	if err != nil {
		return err
	}
	return e.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
}

// listed is a family as --families prints it.
type listed struct {
	Family   string   `json:"family"`
	Splits   []string `json:"splits"`
	Measured bool     `json:"measured"` // it has the rewards of what is left
}

func (f *envFlags) list(out io.Writer) error {
	if err := cli.Required("release", f.dir); err != nil {
		return err
	}
	r, err := open.Open(f.dir)
	if err != nil {
		return err
	}
	defer r.Close()
	list, err := familiesOf(r)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(
		out,
		"%s\n",
		canon.MustMarshal(map[string]any{"release": r.Manifest().ID, "families": list}),
	)
	return err
}

// familiesOf lists the families that can be played of a release under their own rules. One that is
// not there, or lacks what its rules show, is left out; one that is damaged is an error.
func familiesOf(r *open.Release) ([]listed, error) {
	list := []listed{}
	for _, f := range families.All {
		h := &session.Host{
			Family: f,
			Manner: family.Manner{Interface: schemas.InterfaceEnv},
			Now:    time.Now,
		}
		e, err := offer(h, r)
		switch {
		case errors.Is(err, fault.NotFound) || errors.Is(err, fault.Usage):
			continue
		case err != nil:
			return nil, err
		case e != nil:
			_, is := e.(family.Measured)
			list = append(list, listed{f.Name(), h.Splits(), is})
		}
	}
	return list, nil
}

// offer completes a host whose family plays all of a release by its own rules, and tries a game; nil
// if there is none.
func offer(h *session.Host, r *open.Release) (e family.Episode, err error) {
	if h.Options, err = h.Family.Options(nil); err == nil {
		h.Options, err = family.Settle(h.Family, r, h.Options)
	}
	if err == nil {
		h.Set, err = h.Family.Open(r, h.Options)
	}
	if err == nil {
		err = h.Offer(nil, nil)
	}
	if err == nil {
		e, err = h.Try()
	}
	return e, err
}

func measured(r *open.Release) (names []string, err error) {
	list, err := familiesOf(r)
	for _, f := range list {
		if f.Measured {
			names = append(names, f.Family)
		}
	}
	return names, err
}
