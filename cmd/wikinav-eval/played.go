package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// sitting is a run of a model, from the first look at its directory to the summary.
type sitting struct {
	flags   *playFlags
	contact *contact
	config  play.Config
	layout  trace.Layout
	plan    []string
}

// account is the summary of a sitting for programs.
type account struct {
	Run      string            `json:"run"`
	Out      string            `json:"out"`
	Games    int               `json:"games"` // in the directory, infra included
	Planned  int               `json:"planned"`
	Infra    []play.Unanswered `json:"infra"`
	Unplayed []string          `json:"unplayed"`
	Moves    int               `json:"moves"`
	Usage    schemas.Usage     `json:"usage"`
	Untold   int               `json:"untold"` // games that do not tell their tokens
	Cost     *string           `json:"cost"`
	Currency *string           `json:"currency"`
	Client   endpoint.Books    `json:"client"` // of this process alone
}

// end prints what was played, also of a run that was stopped or interrupted, and says whether that
// is good enough.
func (s *sitting) end(cmd *cobra.Command, played error) error {
	if played != nil && !errors.Is(played, play.ErrStop) && fault.KindOf(played) != fault.Interrupted {
		return played
	}
	t, err := play.Count(s.config.Dir, s.layout, s.contact.priced())
	if err != nil {
		return err
	}
	r := account{
		Run: s.config.Run.Run, Out: s.config.Dir, Games: len(t.Done), Planned: len(s.plan),
		Infra: []play.Unanswered{}, Unplayed: []string{}, Moves: t.Moves, Usage: t.Usage,
		Untold: t.Untold, Cost: t.Cost,
	}
	if s.contact != nil {
		r.Client = s.contact.client.Books()
	}
	r.Infra = append(r.Infra, t.Infra...)
	for _, name := range s.plan {
		if !t.Done[name] {
			r.Unplayed = append(r.Unplayed, name)
		}
	}
	if price := s.contact.priced(); price != nil {
		r.Currency = &price.Currency
	}
	if s.flags.tell != nil {
		s.flags.tell(r)
	} else if err := cli.Print(cmd, r, s.text(r, errors.Is(played, play.ErrStop))); err != nil {
		return err
	}
	return s.verdict(r, played)
}

func (s *sitting) verdict(r account, played error) error {
	switch {
	case errors.Is(played, play.ErrStop):
		return stopped(s.config.Dir, s.layout.Unit, len(r.Unplayed), len(s.plan), played)
	case played != nil:
		return played
	case len(r.Infra) > s.flags.model.MaxInfra:
		return fault.New(fault.Failure, "the endpoint failed on %d %s, at most %d are allowed", len(r.Infra), s.layout.Unit, s.flags.model.MaxInfra).
			At(s.config.Dir, "").Hint("play them once more with --retry-infra, or raise --max-infra-errors")
	}
	return nil
}

// print lists every game that failed, and with all every game that was left out; an interrupted run
// is about to go on.
func (s *sitting) text(r account, all bool) func(io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "run %s: %d of %d %s in %s\n", r.Run, len(s.plan)-len(r.Unplayed), len(s.plan), s.layout.Unit, r.Out)
	fmt.Fprintf(&b, "  infra %d, not played %d, moves %d\n", len(r.Infra), len(r.Unplayed), r.Moves)
	fmt.Fprintf(&b, "  tokens %d of prompts%s, %d of replies, %d of them reasoning", r.Usage.Prompt, cached(r.Usage), r.Usage.Output, r.Usage.Reasoning)
	if r.Untold > 0 {
		fmt.Fprintf(&b, "; %d %s do not tell", r.Untold, s.layout.Unit)
	}
	if s.contact.price != nil {
		fmt.Fprintf(&b, "; cost %s", money(s.contact.price, r.Usage))
	}
	fmt.Fprintf(&b, "\n  this time: %d requests, %d replies, %d lost on the way, %d questions given up\n", r.Client.Tries, r.Client.Replies, r.Client.Lost, r.Client.Failed)
	if len(r.Client.Served) > 1 {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(r.Client.Served)) {
			names = append(names, fmt.Sprintf("%s %d", report.Printable(name), r.Client.Served[name]))
		}
		fmt.Fprintf(&b, "warning: the endpoint served several models, by replies: %s\n", strings.Join(names, ", "))
	}
	for _, u := range r.Infra {
		fmt.Fprintf(&b, "infra: %s: %s\n", report.Printable(u.Item), report.Printable(u.Reason))
	}
	for _, name := range r.Unplayed {
		if !all {
			break
		}
		fmt.Fprintf(&b, "not played: %s\n", report.Printable(name))
	}
	return func(out io.Writer) error {
		_, err := io.WriteString(out, b.String())
		return err
	}
}

// cached says how many tokens of prompts were cached, where any were.
func cached(u schemas.Usage) string {
	if u.Cached == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d cached)", u.Cached)
}

// money returns what tokens cost, for people.
func money(p *schemas.Price, u schemas.Usage) string {
	text := judge.Cost(p, &u)
	if text == nil {
		return "unknown"
	}
	x, err := strconv.ParseFloat(*text, 64)
	if err != nil {
		return *text
	}
	return fmt.Sprintf("%.4f %s", x, p.Currency)
}
