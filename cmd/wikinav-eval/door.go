package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// releaseFlags say what of which release is played or scored.
type releaseFlags struct {
	dir    string
	family string
	splits []string
}

func (f *releaseFlags) add(cmd *cobra.Command) {
	f.addFamily(cmd.Flags())
	cmd.Flags().StringSliceVar(&f.splits, "split", nil, "split, repeatable; all by default")
}

func (f *releaseFlags) addFamily(flags *pflag.FlagSet) {
	flags.StringVar(&f.dir, "release", "", "release directory (required)")
	flags.StringVar(&f.family, "family", families.All[0].Name(), "benchmark family: "+strings.Join(families.Names(), ", "))
}

// door is a family and the release that its instances are of.
type door struct {
	family.Family
	release *open.Release
	sets    map[string]family.Set // by family and options
}

// open finds the family and opens the release; its files are checked against their digests as they
// are read.
func (f *releaseFlags) open() (*door, error) {
	fam, err := families.Find(f.family)
	if err != nil {
		return nil, err
	}
	if err := cli.Required("release", f.dir); err != nil {
		return nil, err
	}
	r, err := open.Open(f.dir)
	return &door{fam, r, map[string]family.Set{}}, err
}

func (d *door) Close() error { return d.release.Close() }

// set is what can be played of the release under options.
func (d *door) set(o family.Options) (family.Set, error) {
	key := d.Name() + string(o.JSON)
	if s, ok := d.sets[key]; ok {
		return s, nil
	}
	s, err := d.Open(d.release, o)
	if err == nil {
		d.sets[key] = s
	}
	return s, err
}

// under is the set under the rules of a run, nil for the family's own.
func (d *door) under(rules *schemas.Rules) (family.Set, error) {
	o, err := optionsOf(d.Family, rules)
	if err != nil {
		return nil, err
	}
	return d.set(o)
}

func optionsOf(f family.Family, rules *schemas.Rules) (family.Options, error) {
	if rules == nil {
		return f.Options(nil)
	}
	return f.ReadOptions(rules.Options)
}

// log opens what was played, with the set under its rules. A run of another family is refused.
func (d *door) log(path string) (*trace.Log, family.Set, error) {
	log, err := openLog(d.Family, path)
	if err != nil {
		return nil, nil, err
	}
	set, err := d.under(rulesOf(log))
	return log, set, err
}

func rulesOf(log *trace.Log) *schemas.Rules {
	if log.Run == nil || log.Import != nil && log.Import.Human {
		return nil // people play by none of our rules
	}
	return &log.Run.Rules
}

func openLog(f family.Family, path string) (*trace.Log, error) {
	log, err := trace.Open(path, f.Layout())
	if err != nil {
		return nil, err
	}
	if log.Run != nil && log.Run.Family != f.Name() {
		return nil, fault.New(fault.Usage, "a run of the family %s", fault.Quote(log.Run.Family)).At(path, trace.RunFile).
			Hint("add --family %s", log.Run.Family)
	}
	return log, nil
}

// named returns the names of the splits that a user means, nil for none.
func named(set family.Set, splits []string) ([]string, error) {
	if len(splits) == 0 {
		return nil, nil
	}
	chosen, err := family.Choose(set, splits)
	names := []string{}
	for _, s := range chosen {
		names = append(names, s.Name)
	}
	return names, err
}

// template reads the user's own words for a family's prompts, nil for no file.
func template(fam family.Family, path string) (*wording.Template, error) {
	if path == "" {
		return nil, nil
	}
	if !is[family.Templated](fam) {
		return nil, family.NotOffered(fam, family.DoorTemplate, having(is[family.Templated]))
	}
	return wording.Open(path)
}

// having lists the families that offer something.
func having(offers func(family.Family) bool) []string {
	var names []string
	for _, f := range families.All {
		if offers(f) {
			names = append(names, f.Name())
		}
	}
	return names
}

// is reports whether a family has what T asks for.
func is[T any](f family.Family) bool {
	_, ok := f.(T)
	return ok
}

// replaced names what took the place of flags that only one family had.
var replaced = map[string]string{
	"reward": "--option reward=VALUE", "rule": "--option rule=VALUE", "moves": "--option moves=VALUE", "duplicates": "--option duplicates=VALUE",
	"mazes": "--folder DIR", "questions": "--folder DIR, with the questions beside the mazes",
}

// explainFlag adds to the error about an unknown flag what took its place.
func explainFlag(cmd *cobra.Command, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	f := cli.FlagError(cmd, err)
	if now, ok := replaced[name]; unknown && ok && slices.Contains([]string{"score", "play"}, cmd.Name()) {
		return f.Hint("now %s", now)
	}
	return f
}
