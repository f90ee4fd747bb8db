package main

import (
	"cmp"
	"errors"
	"time"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// hostFlags say how games are played that somebody outside plays.
type hostFlags struct {
	releaseFlags
	rules     ruleFlags
	Options   []string   `flag:"option" usage:"a rule of games that ask for no other, as NAME=VALUE, repeatable"`
	Instances cli.Commas `flag:"instance" usage:"offer this instance alone, repeatable; all of the splits by default"`
	Fixed     bool       `flag:"fixed-options" usage:"refuse games under other rules"`
	Exposed   bool       `flag:"expose-oracle" usage:"tell distances and optimal turns to whoever asks"`
	Prompt    string     `flag:"prompt" usage:"file with a prompt of your own, a template with named fields (default: the family's words)"`
	Log       string     `flag:"log" usage:"keep finished games in run directories below this one"`
	Currency  string     `flag:"currency" usage:"of the costs that clients tell"`
	Attempts  int        `flag:"attempts" usage:"games of each instance in one run of the log; what is played beyond begins another run"`
}

func defaultHost() hostFlags {
	return hostFlags{Attempts: 1, Currency: schemas.DefaultCurrency}
}

// check settles which family is played, and by which rules where a game asks for no others.
func (f *hostFlags) check() (family.Family, family.Options, error) {
	fam, err := families.Find(f.family)
	if err != nil {
		return nil, family.Options{}, err
	}
	texts, err := f.rules.options(fam, f.Options)
	if err != nil {
		return nil, family.Options{}, err
	}
	opts, err := fam.Options(texts)
	switch err = cmp.Or(err, cli.Required("release", f.dir)); {
	case err != nil:
		return nil, opts, err
	case f.Attempts < 1 || f.Attempts > trace.MaxAttempts:
		return nil, opts, fault.New(fault.Usage, "--attempts %d: want 1 to %d", f.Attempts, trace.MaxAttempts)
	case f.Attempts > 1 && fam.Layout().Once:
		return nil, opts, fault.New(fault.Usage, "--attempts %d: family %s plays each task once", f.Attempts, fam.Name())
	}
	if r, ok := fam.(family.Revealing); ok && !f.Exposed {
		if rule := r.Reveals(opts); rule != "" {
			return nil, opts, fault.New(fault.Usage, "--option %s tells what only an oracle knows", rule).Hint("add --expose-oracle")
		}
	}
	return fam, opts, nil
}

// hosted is an open release and what is played on it from outside.
type hosted struct {
	*open.Release
	host *session.Host
	runs *session.Runs // nil for no log
}

// host opens the release for games at an interface. Whether it has what their rules show is known then.
func (f *hostFlags) host(at, kind string) (*hosted, error) {
	fam, opts, err := f.check()
	if err != nil {
		return nil, err
	}
	manner := family.Manner{Interface: at}
	if manner.Prompt, err = template(fam, f.Prompt); err != nil {
		return nil, err
	}
	if _, err = family.WordsOf(fam, opts, manner); err != nil {
		return nil, err
	}
	r, err := open.Open(f.dir)
	if err != nil {
		return nil, err
	}
	if opts, err = family.Settle(fam, r, opts); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	h := &hosted{Release: r, host: &session.Host{
		Family: fam, Options: opts, Manner: manner, Fixed: f.Fixed, Exposed: f.Exposed, Now: time.Now,
	}}
	if h.host.Set, err = fam.Open(r, opts); err == nil {
		err = h.host.Offer(f.splits, f.Instances)
	}
	if err == nil {
		_, err = h.host.Try()
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	if f.Log == "" {
		return h, nil
	}
	if f.Exposed { // who may ask the oracle plays with it, whether it asks or not
		kind = schemas.KindOracle
	}
	currency := f.Currency
	if currency == schemas.DefaultCurrency {
		currency = ""
	}
	h.runs = session.NewRuns(f.Log, h.host, schemas.Run{
		Currency:  currency,
		ReleaseID: h.Manifest().ID, ManifestSHA256: h.ManifestSHA256(), Splits: h.host.Splits(), Instances: f.Instances,
		Attempts: f.Attempts, Model: schemas.Player{Kind: kind}, Tool: tool(),
	}, time.Now)
	h.host.Log = h.runs
	return h, nil
}

// checkModel refuses a name of a model that a run cannot have.
func checkModel(name string) error {
	if session.CheckClient(name) == nil {
		return nil
	}
	return fault.New(fault.Usage, "--model %s: want up to 64 letters, digits, dots, hyphens and "+
		"underscores, a letter or digit first", fault.Quote(name))
}

func (h *hosted) Close() error {
	var err error
	if h.runs != nil {
		err = h.runs.Close()
	}
	return errors.Join(err, h.Release.Close())
}
