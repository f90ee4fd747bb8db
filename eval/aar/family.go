// Package aar is the family of The Amazing Agent Race: a riddle leads over pages, tool calls and
// small computations to one digit.
//
// It owns the words and the turn loop of an episode, what answers calls of tools, the record of an
// episode, and its judge. A call is answered by the world of the release, a cassette, or an
// interpreter that the user named; nothing is dialled. What a log says of an output is compared
// with the release, and the release counts.
package aar

import (
	"context"
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type Family struct{}

var (
	_ family.Family     = Family{}
	_ family.Introduced = Family{}
	_ family.Flagged    = Family{}
)

func (Family) Name() string { return schemas.AAR.Name }

func (Family) Introduction() string {
	return "Riddles that lead over pages of an encyclopedia and calls of tools to one digit."
}

// rules are the options with what the user brought along to answer calls.
type rules struct {
	schemas.AAROptions
	cassette *aar.Cassette
	python   aar.Interpreter
}

// Defaults are the options without a cassette and without Python.
func Defaults() schemas.AAROptions {
	return schemas.AAROptions{
		Budget: schemas.AARBudget, LegTimeout: 600, MaxOutput: schemas.TextLimit,
		ToolFormat: schemas.AARFormatOpenAI, Tools: offered(&aar.Tools{}),
	}
}

// offered lists the names of the tools that t answers.
func offered(t *aar.Tools) []string {
	names := []string{}
	for _, s := range t.Offered() {
		names = append(names, s.Name)
	}
	return names
}

// Names of the options.
const (
	optionBudget   = "budget"
	optionTimeout  = "leg_timeout"
	optionOutput   = "max_output"
	optionFormat   = "tool_format"
	optionCassette = "cassette"
	optionPython   = "python"
	optionOracle   = "oracle"
)

// Flags lists the options as flags, those of scores last.
func (Family) Flags() []family.Flag {
	return append([]family.Flag{
		{Option: optionBudget, Usage: "turns of a leg of K stops: 1.5k or 3k, and 10 at least"},
		{Option: optionTimeout, Usage: "wall clock of a leg, as 600s"},
		{Option: optionOutput, Usage: "characters of a tool's output, as 8000"},
		{Option: optionFormat, Usage: "how a model calls tools: openai, or text where an endpoint has none"},
		{
			Option: optionCassette,
			Usage: "file of recorded answers of what only a provider answers; " +
				"by default that of the release, if there is one",
		},
		{
			Option: optionPython,
			Usage:  "interpreter that runs a model's code; no sandbox: use it inside a container only",
		},
	}, scoreFlags...)
}

// Options reads the options as texts; cassette and python name files.
func (f Family) Options(texts []string) (family.Options, error) {
	r := rules{AAROptions: Defaults()}
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		if err := r.set(name, value); err != nil {
			return family.Options{}, fault.New(fault.KindOf(err), "--option %s: %w", fault.Quote(text), err)
		}
	}
	r.Tools = offered(&aar.Tools{Cassette: r.cassette, Python: r.python})
	return checked(r)
}

func (r *rules) set(name, value string) (err error) {
	switch name {
	case optionBudget:
		r.Budget = value
	case optionFormat:
		r.ToolFormat = value
	case optionOracle:
		if r.Oracle = value; value == (family.Config{}).String() {
			r.Oracle = ""
		}
	case optionOutput:
		if r.MaxOutput, err = strconv.Atoi(value); err != nil {
			err = fault.New(fault.Usage, "want a number of characters")
		}
	case optionTimeout:
		err = r.setTimeout(value)
	case optionCassette:
		err = r.openCassette(value)
	case optionPython:
		if _, err := exec.LookPath(value); err != nil {
			return fault.New(fault.Usage, "there is no such interpreter").Hint("name the path of python3")
		}
		r.python = Python(value)
	default:
		err = fault.New(fault.Usage, "%s has no such option", Family{}.Name()).
			Hint("it has %s=%s or %s, %s=600s, %s=%d, %s=%s or %s, %s=NAME, %s=FILE and %s=PATH",
				optionBudget, schemas.AARBudget, schemas.AARBudgetLong, optionTimeout,
				optionOutput, schemas.TextLimit, optionFormat, schemas.AARFormatOpenAI,
				schemas.AARFormatText, optionOracle, optionCassette, optionPython)
	}
	return err
}

// setTimeout reads a duration, or a number of seconds.
func (r *rules) setTimeout(text string) error {
	d, err := time.ParseDuration(text)
	if seconds, plain := strconv.ParseInt(text, 10, 32); plain == nil {
		d, err = time.Duration(seconds)*time.Second, nil
	}
	if err != nil || d%time.Second != 0 {
		return fault.New(fault.Usage, "want whole seconds, as 600s")
	}
	r.LegTimeout = int64(d / time.Second)
	return nil
}

func (r *rules) openCassette(path string) (err error) {
	if r.cassette, err = aar.OpenCassette(path); err != nil {
		return err
	}
	r.Cassette, err = digest.SHA256File(context.Background(), path)
	return err
}

// Settle takes the recorded answers of the release where no others are named.
func (f Family) Settle(released *open.Release, o family.Options) (family.Options, error) {
	r, files := rulesOf(o), released.Part(aar.Part)
	if r.Cassette != "" || !files.Has(aar.CassetteFile) {
		return o, nil
	}
	var err error
	if r.cassette, err = aar.ReleasedCassette(files); err != nil {
		return o, err
	}
	r.Cassette = files.Digest(aar.CassetteFile).SHA256
	r.Tools = offered(&aar.Tools{Cassette: r.cassette, Python: r.python})
	return checked(r)
}

// ReadOptions reads the canonical object. A cassette and Python are there by name alone: what was
// recorded can be judged without them, and nobody can play.
func (f Family) ReadOptions(data json.RawMessage) (family.Options, error) {
	r := rules{AAROptions: Defaults()}
	if len(data) > 0 {
		if err := canon.Decode(data, canon.MaxLine, &r.AAROptions); err != nil {
			return family.Options{}, fault.New(fault.Usage, "options of %s: %w", f.Name(), err).
				Hint("they are %s, %s, %s, %s, %s, %s and tools",
					optionBudget, optionTimeout, optionOutput, optionFormat, optionOracle, optionCassette)
		}
	}
	return checked(r)
}

// Bounds of the options; a record is one line, whatever they are.
const (
	maxTimeout = 7 * 24 * 3600 // seconds
	maxOutput  = 100_000
)

var sha256Form = regexp.MustCompile(`^[0-9a-f]{64}$`)

func checked(r rules) (family.Options, error) {
	bad := func(name string, value any, want string) (family.Options, error) {
		return family.Options{}, fault.New(fault.Usage, "option %s is %v, want %s", name, value, want)
	}
	switch {
	case r.Budget != schemas.AARBudget && r.Budget != schemas.AARBudgetLong:
		return bad(optionBudget, fault.Quote(r.Budget), schemas.AARBudget+" or "+schemas.AARBudgetLong)
	case r.LegTimeout < 1 || r.LegTimeout > maxTimeout:
		return bad(optionTimeout, r.LegTimeout, "1 to "+strconv.Itoa(maxTimeout)+" seconds")
	case r.MaxOutput < 1 || r.MaxOutput > maxOutput:
		return bad(optionOutput, r.MaxOutput, "1 to "+strconv.Itoa(maxOutput))
	case r.ToolFormat != schemas.AARFormatOpenAI && r.ToolFormat != schemas.AARFormatText:
		return bad(optionFormat, fault.Quote(r.ToolFormat),
			schemas.AARFormatOpenAI+" or "+schemas.AARFormatText)
	case r.Cassette != "" && !sha256Form.MatchString(r.Cassette):
		return bad(optionCassette, fault.Quote(r.Cassette), "a SHA-256")
	}
	if _, err := family.ParseConfig(oracleOf(r.AAROptions)); err != nil {
		return family.Options{}, err
	}
	if r.Oracle == (family.Config{}).String() {
		r.Oracle = ""
	}
	for i, name := range r.Tools {
		spec, ok := aar.FindSpec(name)
		if !ok || spec.Name != name || slices.Contains(r.Tools[:i], name) {
			return bad("tools", fault.Quote(name), "names of tools, each once")
		}
	}
	return family.Options{JSON: canon.MustMarshal(r.AAROptions), Value: r}, nil
}

func rulesOf(o family.Options) rules {
	if r, ok := o.Value.(rules); ok {
		return r
	}
	return rules{AAROptions: Defaults()}
}

// Open reads the lists of legs; the world is opened by the first call of a tool.
func (Family) Open(r *open.Release, o family.Options) (family.Set, error) {
	source := family.Source{Name: r.Name(), ID: r.Manifest().ID, ManifestSHA256: r.ManifestSHA256()}
	return newSet(source, rulesOf(o), r.Part(aar.Part), r.Keep)
}

// episodesFile is the log of a run directory: a line for each episode.
const episodesFile = "episodes.jsonl"

// Layout returns that of run directories: a log with a line for each attempt at a leg.
func (Family) Layout() trace.Layout {
	l := trace.Layout{
		Unit: "episodes", Main: episodesFile, Item: itemOf,
		Key: func(line []byte) (string, error) {
			e, err := readEntry(line)
			return itemOf(e.Instance, e.Attempt), err
		},
		Entry: readEntry,
	}
	l.Check = func(dir string) error {
		log, err := trace.Open(dir, l)
		if err != nil {
			return err
		}
		return log.Main(func(_ int, line []byte) error { _, err := decodeEpisode(line); return err })
	}
	return l
}

func itemOf(task string, attempt int) string { return task + "-a" + strconv.Itoa(attempt) }

// readEntry reads what runners need of a line, and no more.
func readEntry(line []byte) (trace.Entry, error) {
	var e struct {
		Instance string            `json:"instance"`
		Attempt  int               `json:"attempt"`
		Outcome  string            `json:"outcome"`
		Reason   string            `json:"reason"`
		Turns    []json.RawMessage `json:"turns"`
		Usage    *schemas.Usage    `json:"usage"`
	}
	err := json.Unmarshal(line, &e)
	entry := trace.Entry{Instance: e.Instance, Attempt: e.Attempt, Turns: len(e.Turns), Usage: e.Usage}
	if e.Outcome == schemas.OutcomeInfra {
		entry.Infra = &e.Reason
	}
	return entry, err
}

// decodeEpisode reads a line of the log strictly.
func decodeEpisode(line []byte) (*schemas.AAREpisode, error) {
	e := new(schemas.AAREpisode)
	err := canon.Decode(line, canon.MaxLine, e)
	if err == nil {
		err = trace.CheckSchema(e.Schema, schemas.AAREpisodeSchema)
	}
	return e, err
}
