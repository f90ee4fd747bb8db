package main

import (
	"strings"

	"github.com/spf13/pflag"

	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas/fault"
)

// ruleFlags are the flags that families have for some of their options.
type ruleFlags struct {
	set    *pflag.FlagSet
	scored bool // those of score, else those of play
}

func flagsOf(f family.Family) []family.Flag {
	if flagged, ok := f.(family.Flagged); ok {
		return flagged.Flags()
	}
	return nil
}

func flagName(f family.Flag) string { return strings.ReplaceAll(f.Option, "_", "-") }

// addRuleFlags adds the flags of all families; two may share one.
func addRuleFlags(set *pflag.FlagSet, scored bool) ruleFlags {
	for _, fam := range families.All {
		for _, f := range flagsOf(fam) {
			if name := flagName(f); f.Scored == scored && set.Lookup(name) == nil {
				set.String(name, "", fam.Name()+": "+f.Usage)
			}
		}
	}
	return ruleFlags{set, scored}
}

// options returns what a user said by --option, and by the flags of the family. A flag of another
// family is refused.
func (r ruleFlags) options(fam family.Family, given []string) ([]string, error) {
	taken := map[string]bool{}
	for _, other := range append([]family.Family{fam}, families.All...) {
		for _, f := range flagsOf(other) {
			name := flagName(f)
			flag := r.set.Lookup(name)
			switch {
			case f.Scored != r.scored || flag == nil || !flag.Changed || taken[name]:
				continue
			case other.Name() != fam.Name():
				return nil, fault.New(fault.Usage, "--%s means nothing to family %s", name, fam.Name()).
					Hint("it is for --family %s", other.Name())
			}
			given, taken[name] = append(given, f.Option+"="+flag.Value.String()), true
		}
	}
	return given, nil
}
