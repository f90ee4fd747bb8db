package main

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/lineup"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// roster is the models of a file, each with flags of play of its own. A setting of the file is a
// flag by its name, so that whatever play takes can be said of all models, or of one.
type roster struct {
	file   *lineup.File
	given  *cobra.Command // whose flags stand over those of the file
	out    string
	shared purse
	seats  []*seat
}

// purse is what all models may take together; what is zero has no bound.
type purse struct {
	cost   *big.Rat
	tokens int64
	turns  int64
	until  time.Time
}

// seat is a model, or another player, with what came of it.
type seat struct {
	name     string
	line     int
	settings []lineup.Setting
	cmd      *cobra.Command
	flags    *playFlags
	took     play.Tally // in its directory
	price    *schemas.Price
	account  *account // nil for what was not played
	err      error
}

// Settings that are not a model's own: those of the sitting, and those that all models share.
var (
	ofSitting = []string{"out", "models", "json", "progress", "help", "resume"}
	ofAll     = []string{"max-cost", "max-tokens-total", "max-turns-total", "max-time"}
)

// settingName is that of a model's directory.
const settingName = "name"

// playModels plays the models of a file one after another, each into a directory of its own.
func (f *playFlags) playModels(cmd *cobra.Command) error {
	if err := cli.Required("out", f.Out); err != nil {
		return err
	}
	file, err := lineup.Read(f.Models)
	if err != nil {
		return err
	}
	r := &roster{file: file, given: cmd, out: f.Out}
	if err := r.prepare(f); err != nil {
		return err
	}
	say := cli.NewProgress(cmd.ErrOrStderr(), f.Progress)
	for i, s := range r.seats {
		say.Say(map[string]any{"model": s.name, "number": i + 1, "of": len(r.seats)},
			fmt.Sprintf("model %d of %d: %s", i+1, len(r.seats), s.name))
		if s.err = r.play(s); fault.KindOf(s.err) == fault.Interrupted {
			break
		}
	}
	if err := cli.Print(cmd, r.record(), r.text); err != nil {
		return err
	}
	return r.verdict()
}

// prepare seats all models and checks all that can be checked before any of them is asked.
func (r *roster) prepare(f *playFlags) error {
	if err := r.share(f); err != nil {
		return err
	}
	for _, m := range r.file.Models {
		s, err := r.seat(m)
		if err == nil {
			err = r.check(s)
		}
		if err != nil {
			return err
		}
		r.seats = append(r.seats, s)
	}
	return nil
}

// share takes what bounds all models out of the settings that they have in common. A flag of the
// sitting stands for a setting.
func (r *roster) share(f *playFlags) error {
	common, scratch := r.file.Common, &playFlags{}
	flags := pflag.NewFlagSet("shared", pflag.ContinueOnError)
	cli.Bind(flags, &scratch.budgetFlags)
	cli.Bind(flags, &scratch.model)
	r.file.Common = nil
	for _, s := range common {
		switch {
		case !slices.Contains(ofAll, s.Name):
			r.file.Common = append(r.file.Common, s)
		case !r.given.Flags().Changed(s.Name):
			if err := r.set(r.given, flags, s); err != nil {
				return err
			}
		}
	}
	r.given.Flags().Visit(func(flag *pflag.Flag) {
		if slices.Contains(ofAll, flag.Name) {
			_ = flags.Set(flag.Name, flag.Value.String()) // it was read before
		}
	})
	if err := scratch.budgetFlags.check(); err != nil {
		return r.blame(common, fault.New(fault.Usage, "%w", err), 1)
	}
	if n := scratch.model.MaxTokensTotal; n < 0 {
		return r.blame(common, fault.New(fault.Usage, "--max-tokens-total %d: want more than 0", n), 1)
	}
	r.shared = purse{tokens: scratch.model.MaxTokensTotal, turns: scratch.MaxTurns}
	if scratch.MaxTime > 0 {
		r.shared.until = time.Now().Add(scratch.MaxTime)
	}
	if text := scratch.model.MaxCost; text != "" {
		var ok bool
		if r.shared.cost, ok = judge.PlainDecimal(text); !ok {
			return r.blame(common, fault.New(fault.Usage,
				"--max-cost %s: want a decimal number such as 2.50", fault.Quote(text)), 1)
		}
	}
	return nil
}

// set sets a flag to the values of a setting.
func (r *roster) set(cmd *cobra.Command, flags *pflag.FlagSet, s lineup.Setting) error {
	flag := flags.Lookup(s.Name)
	if flag == nil || slices.Contains(ofSitting, s.Name) {
		return r.unknown(flags, s)
	}
	if _, many := flag.Value.(pflag.SliceValue); s.List && !many {
		return r.file.Wrong(s.Line, "%s: want one value, not a list", s.Name)
	}
	for _, value := range s.Values {
		if err := flags.Set(s.Name, value); err != nil {
			return cli.FlagError(cmd, err).At(r.file.Path, fmt.Sprintf("line %d", s.Line))
		}
	}
	return nil
}

func (r *roster) unknown(flags *pflag.FlagSet, s lineup.Setting) error {
	names := []string{settingName}
	flags.VisitAll(func(flag *pflag.Flag) {
		if !slices.Contains(ofSitting, flag.Name) {
			names = append(names, flag.Name)
		}
	})
	switch {
	case slices.Contains(ofSitting, s.Name):
		return r.file.Wrong(s.Line, "%s is said on the command line, not in the file", s.Name)
	case strings.Contains(strings.ToLower(s.Name), "key"):
		return r.file.Wrong(s.Line, "no setting is called %s", fault.Quote(s.Name)).
			Hint("a key stands in no file: api-key-env names the environment's variable that holds it")
	}
	return r.file.Wrong(s.Line, "no setting is called %s", fault.Quote(s.Name)).Choose(s.Name, names)
}

// seat makes the flags of a model: those in common, then its own, then those of the command line.
func (r *roster) seat(m lineup.Model) (*seat, error) {
	s := &seat{line: m.Line}
	for _, c := range r.file.Common {
		if !slices.ContainsFunc(m.Settings, func(own lineup.Setting) bool { return own.Name == c.Name }) {
			s.settings = append(s.settings, c)
		}
	}
	common := len(s.settings)
	s.settings = append(s.settings, m.Settings...)
	s.cmd, s.flags = playCommand()
	s.cmd.SetContext(r.given.Context())
	s.cmd.SetIn(r.given.InOrStdin())
	s.cmd.SetOut(r.given.OutOrStdout())
	s.cmd.SetErr(r.given.ErrOrStderr())
	s.flags.Player = play.OpenAI
	for _, x := range s.settings { // first: what others mean depends on it
		if x.Name == "player" && len(x.Values) == 1 {
			s.flags.Player = x.Values[0]
		}
	}
	for i, x := range s.settings {
		flag := s.cmd.Flags().Lookup(x.Name)
		switch {
		case x.Name == settingName && i >= common:
			s.name = strings.Join(x.Values, " ")
		case i < common && flag != nil && !s.takes(flag):
		default:
			if err := r.set(s.cmd, s.cmd.Flags(), x); err != nil {
				return nil, err
			}
		}
	}
	r.given.Flags().Visit(func(flag *pflag.Flag) { s.override(flag) })
	s.flags.tell = func(a account) { s.account = &a }
	return s, r.place(s)
}

// takes reports whether what all models have in common means something to a player: a baseline is
// neither asked nor told anything.
func (s *seat) takes(flag *pflag.Flag) bool {
	if s.flags.Player == play.OpenAI {
		return true
	}
	words := flag.Name == "prompt" && interfaceOf(s.flags.Player) == schemas.InterfaceBuiltin
	return !strings.HasPrefix(flag.Usage, play.OpenAI+": ") && !words
}

// override takes a flag of the command line.
func (s *seat) override(flag *pflag.Flag) {
	own := s.cmd.Flags().Lookup(flag.Name)
	if own == nil || slices.Contains(ofAll, flag.Name) || !s.takes(flag) ||
		slices.Contains(ofSitting, flag.Name) && flag.Name != "resume" && flag.Name != "progress" {
		return
	}
	if list, many := flag.Value.(pflag.SliceValue); many {
		_ = own.Value.(pflag.SliceValue).Replace(list.GetSlice()) // they were read before
		own.Changed = true
		return
	}
	_ = s.cmd.Flags().Set(flag.Name, flag.Value.String())
}

// dirName is the form of names of models, which are those of directories.
var dirName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// place settles the name and the directory of a model.
func (r *roster) place(s *seat) error {
	if s.name == "" {
		s.name = s.flags.Player
		if s.name == play.OpenAI {
			s.name = strings.Trim(strings.Map(nameRune, s.flags.model.Name), "-.")
		}
	}
	if !dirName.MatchString(s.name) {
		return r.file.Wrong(s.line, "name %s: want letters, digits, dots, hyphens and underscores",
			fault.Quote(s.name)).Hint("it names the directory of the run")
	}
	for _, other := range r.seats {
		if strings.EqualFold(other.name, s.name) {
			return r.file.Wrong(s.line, "a second model is called %s, the first in line %d", s.name, other.line).
				Hint("give one of them another %s", settingName)
		}
	}
	s.flags.Out = filepath.Join(r.out, s.name)
	return nil
}

func nameRune(c rune) rune {
	if strings.ContainsRune("-_.", c) || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
		return c
	}
	return '-'
}

// check does all that play does before it asks, and counts what the directory took.
func (r *roster) check(s *seat) error {
	ready, err := s.flags.ready(s.cmd)
	if err != nil {
		return r.blameOf(s, err)
	}
	defer ready.Close()
	s.price = ready.model.priced()
	if s.flags.Player == play.OpenAI {
		switch {
		case r.shared.cost != nil && s.price == nil:
			return r.blameOf(s, fault.New(fault.Usage, "max-cost is of all models, and nothing has a price here").
				Hint("add price-prompt and price-output, which may be 0"))
		case (r.shared.cost != nil || r.shared.tokens > 0) && s.flags.model.MaxTokens == 0:
			return r.blameOf(s, fault.New(fault.Usage,
				"--max-tokens 0: without a bound of one reply nothing bounds the run"))
		}
		for _, other := range r.seats {
			if r.shared.cost != nil && other.price != nil && other.price.Currency != s.price.Currency {
				return r.blameOf(s, fault.New(fault.Usage,
					"max-cost is of all models, and %s is in %s, this one in %s",
					other.name, other.price.Currency, s.price.Currency).
					Hint("bound each model by a max-cost of its own"))
			}
		}
	}
	if _, err = s.flags.settle(s.cmd, ready); err != nil {
		return r.blameOf(s, err)
	}
	s.took, err = play.Count(s.flags.Out, ready.Layout(), nil)
	return err
}

// blameOf says of an error which model it is of, and the line of the setting that it names.
func (r *roster) blameOf(s *seat, err error) error {
	if kind := fault.KindOf(err); kind != fault.Usage {
		return fault.New(kind, "model %s: %w", s.name, err)
	}
	return r.blame(s.settings, fault.New(fault.Usage, "model %s: %w", s.name, err), s.line)
}

// blame places an error in the line of the setting that it names, or else in that one.
func (r *roster) blame(settings []lineup.Setting, err *fault.Error, line int) error {
	for _, s := range settings {
		if isNamed(err.What, s) {
			line = s.Line
		}
	}
	return err.At(r.file.Path, fmt.Sprintf("line %d", line))
}

// isNamed reports whether a text names a setting as a flag, or one of its NAME=VALUE as a rule.
func isNamed(text string, s lineup.Setting) bool {
	if _, after, found := strings.Cut(text, "--"+s.Name); found && !strings.HasPrefix(after, "-") {
		return true
	}
	return slices.ContainsFunc(s.Values, func(value string) bool {
		name, _, is := strings.Cut(value, "=")
		return is && (strings.Contains(text, fault.Quote(name)) || strings.Contains(text, "option "+name))
	})
}

// play plays one model within what the others leave of the shared budget.
func (r *roster) play(s *seat) error {
	if err := r.ration(s); err != nil {
		return err
	}
	ready, err := s.flags.ready(s.cmd)
	if err != nil {
		return err
	}
	defer ready.Close()
	err = s.flags.begin(s.cmd, ready)
	took, counted := play.Count(s.flags.Out, ready.Layout(), nil)
	if counted != nil {
		return errors.Join(err, counted)
	}
	s.took = took
	if ready.model != nil && ready.model.client.Budget != nil {
		s.took.Usage = ready.model.client.Budget.Spent() // with what was lost on the way
	}
	if errors.Is(err, endpoint.ErrSpent) { // by the first question, which finds out how to ask
		err = stopped(s.flags.Out, ready.Layout().Unit, 1, 1, err)
	}
	return err
}

// ration bounds a model by what the others leave of the shared budget, and by its own.
func (r *roster) ration(s *seat) error {
	tokens, turns, cost := r.shared.tokens, r.shared.turns, new(big.Rat)
	if r.shared.cost != nil {
		cost.Set(r.shared.cost)
	}
	for _, other := range r.seats {
		if other == s {
			continue
		}
		tokens -= other.took.Usage.Prompt + other.took.Usage.Output
		turns -= int64(other.took.Moves)
		if spent := judge.ExactCost(other.price, &other.took.Usage); spent != nil {
			cost.Sub(cost, spent)
		}
	}
	over := fault.New(fault.Failure, "stopped: the models have used up what they share").
		Hint("raise the bound at the head of the file and run the same command again")
	if r.shared.turns > 0 {
		if turns <= 0 {
			return over
		}
		s.flags.MaxTurns = least(s.flags.MaxTurns, turns)
	}
	if left := time.Until(r.shared.until); !r.shared.until.IsZero() {
		if left <= 0 {
			return over
		}
		s.flags.MaxTime = least(s.flags.MaxTime, left)
	}
	if s.flags.Player != play.OpenAI {
		return nil
	}
	if r.shared.tokens > 0 {
		if tokens <= 0 {
			return over
		}
		s.flags.model.MaxTokensTotal = least(s.flags.model.MaxTokensTotal, tokens)
	}
	if own, ok := judge.PlainDecimal(s.flags.model.MaxCost); r.shared.cost != nil && (!ok || cost.Cmp(own) < 0) {
		if cost.Sign() < 0 {
			return over
		}
		s.flags.model.MaxCost = cost.FloatString(18)
	}
	return nil
}

// least returns the lesser of two bounds, of which the first may be none.
func least[T int64 | time.Duration](own, shared T) T {
	if own == 0 {
		return shared
	}
	return min(own, shared)
}

// ended is a model in the summary for programs.
type ended struct {
	Name   string   `json:"name"`
	Player string   `json:"player"`
	Error  string   `json:"error,omitempty"`
	Played *account `json:"played"` // null for what was not begun
}

func (r *roster) record() any {
	list := []ended{}
	for _, s := range r.seats {
		o := ended{Name: s.name, Player: s.flags.Player, Played: s.account}
		if s.err != nil {
			o.Error = fault.Words(s.err)
		}
		list = append(list, o)
	}
	return map[string]any{"out": r.out, "models": list}
}

// text prints a row a model, and what kept some from their end.
func (r *roster) text(out io.Writer) error {
	t := report.Table{Rows: [][]string{
		{"model", "played", "infra", "turns", "prompt tokens", "reply tokens", "cost", "end"},
	}}
	sheet := report.Sheet{Head: [][2]string{{"runs", r.out}}, Width: report.PageWidth}
	for _, s := range r.seats {
		row, end := []string{s.name, "-", "-", "-", "-", "-", "-"}, "complete"
		if a := s.account; a != nil {
			cost := "-"
			if s.price != nil {
				cost = money(s.price, a.Usage)
			}
			row = []string{
				s.name, fmt.Sprintf("%d of %d", a.Planned-len(a.Unplayed), a.Planned),
				fmt.Sprint(len(a.Infra)), fmt.Sprint(a.Moves), fmt.Sprint(a.Usage.Prompt),
				fmt.Sprint(a.Usage.Output), cost,
			}
		}
		if s.err != nil {
			end = "see below"
			sheet.Notes = append(sheet.Notes, report.Note{Text: s.name + ": " + fault.Words(s.err)})
		} else if s.account == nil {
			end = "not begun"
		}
		t.Rows = append(t.Rows, append(row, end))
	}
	sheet.Tables = []report.Table{t}
	_, err := out.Write(sheet.Text())
	return err
}

// verdict returns the first error, with how many models have one.
func (r *roster) verdict() error {
	var first *seat
	n := 0
	for _, s := range r.seats {
		if s.err == nil {
			continue
		}
		if n++; first == nil || fault.KindOf(s.err) == fault.Interrupted {
			first = s
		}
	}
	if first == nil {
		return nil
	}
	return fault.New(fault.KindOf(first.err), "%d of %d models did not come to their end, %s: %w",
		n, len(r.seats), first.name, first.err).
		Hint("run the same command again: it goes on where each stopped")
}
