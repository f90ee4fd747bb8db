package harbor

import (
	"cmp"
	"encoding/json"
)

// Task is a task in registry.json.
type Task struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// Registry is what registry.json says, the index of the tasks in a folder.
type Registry struct {
	Name        string `json:"name"`
	Version     string `json:"version"` // 1.0.0 if it is empty
	Description string `json:"description"`
	Tasks       []Task `json:"tasks"`
}

// JSON returns the text of registry.json.
func (r Registry) JSON() (string, error) {
	r.Version = cmp.Or(r.Version, "1.0.0")
	data, err := json.MarshalIndent([]Registry{r}, "", "  ")
	return string(data) + "\n", err
}
