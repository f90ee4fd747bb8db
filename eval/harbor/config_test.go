package harbor

import (
	"errors"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

// TestConfigsByVersion holds the keys that differ between versions to what readers of each take.
func TestConfigsByVersion(t *testing.T) {
	for version, keys := range map[string][]string{
		"1.0": {`version = "1.0"` + "\n\n[metadata]", "allow_internet = false"},
		"1.1": {`schema_version = "1.1"` + "\n\n[task]", "allow_internet = false"},
		"1.4": {`schema_version = "1.4"` + "\n\n[task]", `network_mode = "no-network"`},
	} {
		c := Config{
			Schema: version, Name: "wikinav/a", Tags: []string{"easy"}, Seconds: 7,
			Metadata: []Entry{{"b", `say "hi"`}, {"a", "2"}},
		}
		text := c.TOML()
		for _, want := range append(keys, `"easy"]`+"\nb = "+`"say \"hi\""`+"\na = \"2\"\n", "timeout_sec = 7\n") {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in\n%s", version, want, text)
			}
		}
		if err := CheckSchema(version); err != nil {
			t.Error(err)
		}
	}
	if err := CheckSchema("2.0"); !errors.Is(err, fault.Usage) {
		t.Errorf("2.0: %v", err)
	}
}
