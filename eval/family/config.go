package family

import (
	"github.com/wikinav/wikinav/schemas/fault"
)

// Config says which oracles intervene. History needs State: a player must know where it is.
type Config struct {
	Plan    bool // P: one subtask whose call is optimal
	State   bool // S: the current state, without advice
	History bool // H: the task is stated anew from the current state, and the chat is dropped
}

var Configs = []Config{
	{},
	{Plan: true},
	{State: true},
	{Plan: true, State: true},
	{State: true, History: true},
	{Plan: true, State: true, History: true},
}

func (c Config) String() string {
	name := ""
	for _, on := range []struct {
		is     bool
		letter string
	}{{c.State, "S"}, {c.Plan, "P"}, {c.History, "H"}} {
		if on.is {
			name += on.letter
		}
	}
	if name == "" {
		return "base"
	}
	return name
}

func ConfigNames() []string {
	var names []string
	for _, c := range Configs {
		names = append(names, c.String())
	}
	return names
}

// ParseConfig reads a name. Errors: fault.Usage.
func ParseConfig(name string) (Config, error) {
	for _, c := range Configs {
		if c.String() == name {
			return c, nil
		}
	}
	what := "no oracle configuration is called %s"
	if name == "H" || name == "PH" || name == "HP" {
		what = "oracle configuration %s has the history oracle without the state oracle"
	}
	return Config{}, fault.New(fault.Usage, what, fault.Quote(name)).Choose(name, ConfigNames())
}
