// Package harbor writes what all tasks of Harbor have in common, whatever is played in them: the
// file that says their limits, the containers of those with a server, and the index of a folder.
package harbor

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Schemas are the versions of task.toml that can be written.
var Schemas = []string{"1.0", "1.1", "1.4"}

// networkKeys say that a container has no network, by version.
var networkKeys = map[string]string{
	"1.0": "allow_internet = false", "1.1": "allow_internet = false", "1.4": `network_mode = "no-network"`,
}

// versionKeys name the version of task.toml.
var versionKeys = map[string]string{
	"1.0": `version = "1.0"`, "1.1": `schema_version = "1.1"`, "1.4": `schema_version = "1.4"`,
}

// CheckSchema refuses a version that there is not.
func CheckSchema(schema string) error {
	if networkKeys[schema] != "" {
		return nil
	}
	return fault.New(fault.Usage, "--harbor-schema %s: there is no such schema", fault.Quote(schema)).
		Choose(schema, Schemas)
}

// Config is what task.toml says.
type Config struct {
	Schema, Name, Description string
	Metadata                  []Entry // in this order
	Tags                      []string
	Seconds                   int // that the agent has
}

// Entry is a text of the metadata and its name.
type Entry struct{ Key, Value string }

// TOML returns the text of task.toml.
func (c Config) TOML() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", versionKeys[c.Schema])
	if c.Schema != "1.0" {
		line("\n[task]\nname = %s\ndescription = %s", quoted(c.Name), quoted(c.Description))
		line("keywords = [\"navigation\", \"tool-use\"]\n\n[[task.authors]]\nname = \"wikinav\"")
	}
	tags := []string{`"navigation"`, `"tool-use"`}
	for _, t := range c.Tags {
		tags = append(tags, quoted(t))
	}
	line("\n[metadata]\ncategory = \"navigation\"\ntags = [%s]", strings.Join(tags, ", "))
	for _, m := range c.Metadata {
		line("%s = %s", m.Key, quoted(m.Value))
	}
	line("\n[verifier]\ntimeout_sec = 300\n\n[agent]\ntimeout_sec = %d", c.Seconds)
	line("\n[environment]\nbuild_timeout_sec = 600\ncpus = 1\nmemory_mb = 10240\nstorage_mb = 10240")
	line("%s", networkKeys[c.Schema])
	return b.String()
}

// quoted writes a text of TOML.
func quoted(s string) string {
	data, _ := json.Marshal(s) // of a text; its escapes are TOML's
	return string(data)
}
