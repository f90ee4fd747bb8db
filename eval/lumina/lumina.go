// Package lumina is the family of the three worlds: ListWorld, TreeWorld and GridWorld, played with
// and without the interventions of oracles.
//
// It owns the turn loop, the parser of replies, the interventions, the record of an episode and its
// judge. An episode is a pure function of instance, configuration, options and replies: no clock,
// file or randomness, so the judge repeats the replies and has the same episode, prompts included.
// Of a log the judge trusts the instance, the configuration, the replies, and that an episode ended
// for no fault of the model; whatever else it says is compared with the replay, and the replay
// counts.
//
// The rules and the optimal calls are those of artifacts/lumina/worlds, the words those of package
// prompt. The package does not know how instances are generated.
package lumina

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type Family struct{}

var (
	_ family.Family    = Family{}
	_ family.Revealing = Family{}
	_ family.Armed     = Family{}
	_ family.Importer  = Family{}
)

func (Family) Name() string { return "lumina" }

func (Family) Introduction() string { return "Puzzles in three small worlds." }

// Defaults returns the published options: no oracle intervenes.
func Defaults() schemas.LuminaOptions {
	return schemas.LuminaOptions{Oracle: []string{family.Config{}.String()}, MaxFormatErrors: worlds.MaxFormatErrors}
}

// Options reads oracle=NAME,... (base by default, all for the six) and max_format_errors=N.
func (Family) Options(texts []string) (family.Options, error) {
	o := Defaults()
	var configs []string
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		var err error
		switch name {
		case "oracle":
			configs, err = addConfigs(configs, value)
		case "max_format_errors":
			if o.MaxFormatErrors, err = strconv.Atoi(value); err != nil {
				err = fault.New(fault.Usage, "--option %s: want a number", fault.Quote(text))
			}
		default:
			err = fault.New(fault.Usage, "--option %s: lumina has oracle=NAME,... and max_format_errors=N", fault.Quote(text))
		}
		if err != nil {
			return family.Options{}, err
		}
	}
	if configs != nil {
		o.Oracle = configs
	}
	return checked(o)
}

// addConfigs adds the configurations of a list, each once.
func addConfigs(configs []string, list string) ([]string, error) {
	names := strings.Split(list, ",")
	if list == "all" {
		names = family.ConfigNames()
	}
	for _, name := range names {
		cfg, err := family.ParseConfig(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(configs, cfg.String()) {
			configs = append(configs, cfg.String())
		}
	}
	return configs, nil
}

func (Family) ReadOptions(data json.RawMessage) (family.Options, error) {
	o := Defaults()
	if len(data) == 0 {
		return checked(o)
	}
	if err := canon.Decode(data, canon.MaxLine, &o); err != nil {
		return family.Options{}, fault.New(fault.Usage, "options of lumina: %w", err).
			Hint("they are oracle, a list of configurations, and max_format_errors, a number")
	}
	return checked(o)
}

// maxFormatErrors bounds the option; no episode has so many turns.
const maxFormatErrors = 1_000_000

func checked(o schemas.LuminaOptions) (family.Options, error) {
	for i, name := range o.Oracle {
		if _, err := family.ParseConfig(name); err != nil {
			return family.Options{}, err
		}
		if slices.Contains(o.Oracle[:i], name) {
			return family.Options{}, fault.New(fault.Usage, "option oracle names %s twice", name)
		}
	}
	switch {
	case len(o.Oracle) == 0:
		return family.Options{}, fault.New(fault.Usage, "option oracle names no configuration").
			Choose("", family.ConfigNames())
	case o.MaxFormatErrors < 1 || o.MaxFormatErrors > maxFormatErrors:
		return family.Options{}, fault.New(fault.Usage, "option max_format_errors is %d, want 1 to %d", o.MaxFormatErrors, maxFormatErrors)
	}
	return family.Options{JSON: canon.MustMarshal(o), Value: o}, nil
}

// Reveals returns the option if a configuration tells the optimal call.
func (Family) Reveals(o family.Options) string {
	rules := optionsOf(o)
	for _, name := range rules.Oracle {
		if cfg, err := family.ParseConfig(name); err == nil && cfg.Plan {
			return "oracle=" + strings.Join(rules.Oracle, ",")
		}
	}
	return ""
}

// Arm returns the configuration of runs in a single one, so that report compares such runs.
func (Family) Arm(o family.Options) (family.Arm, bool) {
	rules := optionsOf(o)
	if len(rules.Oracle) != 1 {
		return family.Arm{}, false
	}
	cfg, err := family.ParseConfig(rules.Oracle[0])
	rules.Oracle = nil
	return family.Arm{Config: cfg.String(), Planned: cfg.Plan, Rest: canon.MustMarshal(rules)}, err == nil
}

func optionsOf(o family.Options) schemas.LuminaOptions {
	if v, ok := o.Value.(schemas.LuminaOptions); ok {
		return v
	}
	return Defaults()
}

// temperature is that at which the paper's models were asked.
const temperature = "0.7"

// Words names the texts of the three worlds and the grammar of calls. Observations of programs hold
// the same texts; a baseline is not shown any.
func (Family) Words(_ family.Options, m family.Manner) (family.Words, error) {
	if m.Parser != "" && m.Parser != parserVersion {
		return family.Words{}, fault.New(fault.Usage, "no parser of lumina is called %s", fault.Quote(m.Parser)).
			Choose(m.Parser, []string{parserVersion})
	}
	w := family.Words{Temperature: temperature}
	if m.Interface == schemas.InterfaceBuiltin {
		return w, nil
	}
	grammar, templates := []string{parserVersion}, []string{}
	for _, env := range schemas.LuminaEnvs {
		grammar, templates = append(grammar, calls.Shown(forms[env])...), append(templates, prompt.TemplateSHA256(env))
	}
	pinned := func(version string, lines []string) *schemas.Versioned {
		return &schemas.Versioned{Version: version, SHA256: digest.SHA256([]byte(strings.Join(lines, "\n")))}
	}
	w.Parser = pinned(parserVersion, grammar)
	if m.Interface != schemas.InterfaceForeign {
		w.Prompt = pinned(prompt.Version, templates)
	}
	return w, nil
}

// Form says what a template of an episode may hold. Where every configuration puts the task anew,
// no turn follows another.
func (Family) Form(o family.Options, m family.Manner) (wording.Form, error) {
	if m.Interface == schemas.InterfaceBuiltin || m.Interface == schemas.InterfaceForeign {
		return wording.Form{}, family.NoReader()
	}
	f := wording.Form{Fields: []wording.Field{
		{Name: fieldTask, Says: "the task of the world", Need: wording.Once},
		{Name: fieldRules, Says: "the rules of the world and the form of a call"},
		{Name: fieldExamples, Says: "examples of other tasks"},
	}}
	for _, name := range optionsOf(o).Oracle {
		if cfg, err := family.ParseConfig(name); err == nil && !cfg.History {
			f.Dialogue = true
		}
	}
	if f.Dialogue {
		f.Fields = append(f.Fields, wording.Field{
			Name: fieldResult, Says: "what the last call did", Need: wording.Later,
		})
	}
	return f, nil
}

// parserVersion rises with any change of the grammar. 1: first grammar.
const parserVersion = "lumina.calls/1"

// Open reads all instances of a release; each is checked by the rules of its world.
func (Family) Open(r *open.Release, o family.Options) (family.Set, error) {
	return openSet(r, optionsOf(o))
}

// episodesFile is the log of a run directory: a line for each episode.
const episodesFile = "episodes.jsonl"

// Layout returns that of run directories: a log, with each instance once in each configuration.
func (Family) Layout() trace.Layout {
	l := trace.Layout{
		Unit: "episodes", Main: episodesFile, Once: true,
		Item: func(task string, _ int) string { return task },
		Key: func(line []byte) (string, error) {
			var e episodeLine
			err := json.Unmarshal(line, &e)
			return taskID(e.Instance, e.Config), err
		},
		Entry: readEntry,
	}
	l.Check = func(dir string) error {
		log, err := trace.Open(dir, l)
		if err != nil {
			return err
		}
		_, err = readEpisodes(log)
		return err
	}
	return l
}

func taskID(instance, config string) string { return instance + "/" + config }

// episodeLine is what runners need of an episode's line.
type episodeLine struct {
	Instance string            `json:"instance_id"`
	Config   string            `json:"config"`
	Outcome  string            `json:"outcome"`
	Reason   string            `json:"reason"`
	Steps    []json.RawMessage `json:"steps"`
	Usage    *schemas.Usage    `json:"usage"`
}

func readEntry(line []byte) (trace.Entry, error) {
	var e episodeLine
	if err := json.Unmarshal(line, &e); err != nil {
		return trace.Entry{}, err
	}
	entry := trace.Entry{Instance: e.Instance, Attempt: 1, Turns: len(e.Steps), Usage: e.Usage}
	if e.Outcome == schemas.OutcomeInfra {
		entry.Infra = &e.Reason
	}
	return entry, nil
}
