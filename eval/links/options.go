package links

import (
	"encoding/json"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Rules are what a family of link games lays down, and by embedding has of them all.
type Rules struct {
	Defaults    func() schemas.GameOptions
	Temperature string // of a model where its user names none; "" leaves it to the endpoint
}

// Options reads rules of the form NAME=VALUE over the defaults.
func (r Rules) Options(texts []string) (family.Options, error) {
	o, err := game.SetOptions(r.Defaults(), texts)
	return Packed(o), err
}

// ReadOptions reads rules by their names from a JSON object over the defaults.
func (r Rules) ReadOptions(data json.RawMessage) (family.Options, error) {
	o, err := game.ReadOptions(r.Defaults(), data)
	if err == nil {
		err = game.CheckOptions(o)
	}
	return Packed(o), err
}

// Packed returns options that were checked.
func Packed(o schemas.GameOptions) family.Options {
	return family.Options{JSON: game.OptionsJSON(o), Value: o}
}

// rulesOf returns the rules that a family of this package made of its options.
func rulesOf(o family.Options) schemas.GameOptions {
	if opts, ok := o.Value.(schemas.GameOptions); ok {
		return opts
	}
	panic("links: the options of another family")
}

func (r Rules) Introduction() string { return "The Wikipedia link game." }

// Reveals returns the oracle that tells what no player knows.
func (r Rules) Reveals(o family.Options) string {
	if opts := rulesOf(o); game.TellsOracle(opts) {
		return "oracle=" + opts.Oracle
	}
	return ""
}

// Masks returns the rule by which pages have invented names, wherever they are told.
func (r Rules) Masks(o family.Options) string {
	opts := rulesOf(o)
	if _, ok := game.PseudonymSeed(opts); ok {
		return "titles=" + opts.Titles
	}
	return ""
}

// Twin tells games apart by what pages are called in them.
func (r Rules) Twin(o family.Options) family.Twin {
	var t family.Twin
	opts := rulesOf(o)
	if opts.Titles != game.TitlesPlain {
		t.Less = "titles=" + opts.Titles
	}
	opts.Titles = game.TitlesPlain
	t.Rest = game.OptionsJSON(opts)
	return t
}

// Words names what a player at an interface reads, and how its replies are read.
func (r Rules) Words(o family.Options, m family.Manner) (family.Words, error) {
	opts, w := rulesOf(o), family.Words{Temperature: r.Temperature}
	reader, err := readerOf(opts, m)
	if err != nil {
		return w, err
	}
	prompt, parser := render.Version(opts), reader.Version()
	switch m.Interface {
	case schemas.InterfaceChat:
		w.Prompt, w.Parser, w.Schema = &prompt, &parser, render.Schema(opts)
		if w.Schema != nil {
			w.Format = &schemas.Versioned{Version: formatVersion, SHA256: digest.SHA256(w.Schema)}
		}
	case schemas.InterfaceHuman:
		w.Prompt, w.Parser = &prompt, &parser
	case schemas.InterfaceHTTP, schemas.InterfaceEnv:
		w.Parser = &parser
	case schemas.InterfaceMCP:
		prompt = taskVersion(opts)
		w.Prompt = &prompt
	}
	return w, nil
}

// Form says what a template of the games may hold: over MCP their task, else what is asked.
func (r Rules) Form(o family.Options, m family.Manner) (wording.Form, error) {
	switch m.Interface {
	case schemas.InterfaceBuiltin, schemas.InterfaceForeign:
		return wording.Form{}, family.NoReader()
	case schemas.InterfaceMCP:
		return taskForm(rulesOf(o)), nil
	}
	return render.Form(rulesOf(o)), nil
}

// formatVersion names the form that replies to a game with a ban are asked to follow.
const formatVersion = "structured/1"

func readerOf(o schemas.GameOptions, m family.Manner) (reply.Reader, error) {
	reader, ok := reply.For(o, m.Parser)
	if !ok {
		return nil, fault.New(fault.Usage, "no parser is called %s", fault.Quote(m.Parser)).
			Choose(m.Parser, reply.Names)
	}
	return reader, nil
}

// Parsers lists the parsers by which the replies of a run can be read again.
func (r Rules) Parsers() []string { return reply.Names }

func (r Rules) Layout() trace.Layout {
	l := trace.Layout{
		Unit: "games", Main: trace.GamesFile, Side: trace.StepsFile, Key: trace.KeyField("game"), Entry: entry,
		Item: func(task string, attempt int) string { return task + "-a" + strconv.Itoa(attempt) },
	}
	l.Check = func(dir string) error { return replay.Check(dir, l) }
	return l
}

func entry(line []byte) (trace.Entry, error) {
	var g schemas.Game
	err := json.Unmarshal(line, &g)
	e := trace.Entry{Instance: g.Instance, Attempt: g.Attempt, Turns: g.Turns, Usage: g.Usage}
	if g.Outcome == schemas.OutcomeInfra {
		if e.Infra = g.Reason; e.Infra == nil {
			e.Infra = new(string)
		}
	}
	return e, err
}

func (r Rules) Arm(o family.Options) (family.Arm, bool) {
	opts := rulesOf(o)
	a := family.Arm{Config: opts.Oracle, Planned: game.TellsPlan(opts), Plan: opts.Plan}
	opts.Oracle, opts.Plan, opts.Renderer = "", "", ""
	if opts.BanRules != nil {
		ban := *opts.BanRules
		ban.History = ""
		opts.BanRules = &ban
	}
	a.Rest = canon.MustMarshal(opts)
	return a, a.Config != game.OracleNone
}
