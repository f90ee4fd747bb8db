package verdict

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

//go:embed type2-1.txt
var type2 string

//go:embed type3-1.txt
var type3 string

// contextText is what --judge-context adds. It changes the digest of a template, so its verdicts have keys of their own.
const contextText = "Its true categories: {labels}\nHow the page begins: \"{lead}\"\n"

// contextLength is the number of code points of the lead that are shown.
const contextLength = 500

// Rubric is the wording of a pool, with or without context.
type Rubric struct {
	Pool    string
	Context func(u uint32) string // the lead of a page, "" for none; nil for no context
}

func (r Rubric) text() string {
	if r.Pool == schemas.PoolIII {
		return type3
	}
	return type2
}

// Version names and pins the wording.
func (r Rubric) Version() schemas.Versioned {
	name, text := schemas.BanTypeII, r.text()
	if r.Pool == schemas.PoolIII {
		name = schemas.BanTypeIII
	}
	if r.Context != nil {
		name, text = name+"+context", text+contextText
	}
	sum := sha256.Sum256([]byte(text))
	return schemas.Versioned{Version: name, SHA256: hex.EncodeToString(sum[:])}
}

// Messages gives the prompt about a move.
func (r Rubric) Messages(s family.Statement) []schemas.Message {
	system, user, _ := strings.Cut(strings.TrimSuffix(r.text(), "\n"), "\n----\n")
	context := ""
	if r.Context != nil {
		context = fill(contextText, "labels", orNone(strings.Join(s.Labels, ", ")), "lead", prompt.Beginning(r.Context(s.To), contextLength))
	}
	// In one pass, so that what was put in is not looked at again; the context is rendered text already.
	user = strings.NewReplacer(
		"{page}", prompt.Escape(s.Title), "{category}", prompt.Escape(s.Banned), "{reason}", prompt.Escape(s.Restriction), "{context}", context,
	).Replace(user)
	return []schemas.Message{{Role: schemas.RoleSystem, Content: system}, {Role: schemas.RoleUser, Content: user}}
}

func fill(text string, slotsAndValues ...string) string {
	var pairs []string
	for i := 0; i < len(slotsAndValues); i += 2 {
		pairs = append(pairs, "{"+slotsAndValues[i]+"}", prompt.Escape(slotsAndValues[i+1]))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// Schema gives the JSON Schema of a verdict of the pool.
func (r Rubric) Schema() json.RawMessage {
	flag, kind, types := "reasoning_sound", "error_type", schemas.ErrorTypes
	if r.Pool == schemas.PoolIII {
		flag, kind, types = "is_self_contradictory", "contradiction_type", schemas.ContradictionTypes
	}
	data, err := json.Marshal(map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{flag, kind, "brief_explanation"},
		"properties": map[string]any{
			flag: map[string]any{"type": "boolean"}, kind: map[string]any{"type": "string", "enum": types}, "brief_explanation": map[string]any{"type": "string"},
		},
	})
	if err != nil {
		panic(err) // maps of strings
	}
	return data
}
