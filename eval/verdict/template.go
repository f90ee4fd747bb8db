package verdict

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

//go:embed type2-1.txt
var type2 string

//go:embed type3-1.txt
var type3 string

// form is the wording of a pool, and the verdict that it asks for: a flag, which is true for some of the types.
type form struct {
	text, version    string
	flag, kind       string // names of fields
	types, whereTrue []string
}

var forms = map[string]form{
	schemas.PoolII:  {type2, schemas.BanTypeII, "reasoning_sound", "error_type", schemas.ErrorTypes, []string{schemas.ErrorNone}},
	schemas.PoolIII: {type3, schemas.BanTypeIII, "is_self_contradictory", "contradiction_type", schemas.ContradictionTypes, contradictory},
}

// contradictory are the types that go with is_self_contradictory.
var contradictory = schemas.ContradictionTypes[:4]

// contextText is what --judge-context adds. It changes the digest of a template, so its verdicts have keys of their own.
const contextText = "Its true categories: {labels}\nHow the page begins: \"{lead}\"\n"

// contextLength is the number of code points of the lead that are shown.
const contextLength = 500

// Rubric is the wording of a pool, with or without context.
type Rubric struct {
	Pool    string
	Context func(u uint32) string // the lead of a page, "" for none; nil for no context
}

func (r Rubric) Version() schemas.Versioned {
	name, text := forms[r.Pool].version, forms[r.Pool].text
	if r.Context != nil {
		name, text = name+"+context", text+contextText
	}
	return schemas.Versioned{Version: name, SHA256: digest.SHA256([]byte(text))}
}

func (r Rubric) Messages(s family.Statement) []schemas.Message {
	system, user, _ := strings.Cut(strings.TrimSuffix(forms[r.Pool].text, "\n"), "\n----\n")
	context := ""
	if r.Context != nil {
		labels := cmp.Or(strings.Join(s.Labels, ", "), "none")
		lead := prompt.Beginning(r.Context(s.To), contextLength)
		context = prompt.Fill(contextText, "labels", prompt.Escape(labels), "lead", prompt.Escape(lead))
	}
	// In one pass, so that what was put in is not looked at again; the context is rendered text already.
	user = prompt.Fill(user,
		"page", prompt.Escape(s.Title), "category", prompt.Escape(s.Banned), "reason", prompt.Escape(s.Restriction), "context", context)
	return []schemas.Message{{Role: schemas.RoleSystem, Content: system}, {Role: schemas.RoleUser, Content: user}}
}

func (r Rubric) Schema() json.RawMessage {
	f := forms[r.Pool]
	data, err := json.Marshal(map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{f.flag, f.kind, "brief_explanation"},
		"properties": map[string]any{
			f.flag: map[string]any{"type": "boolean"}, f.kind: map[string]any{"type": "string", "enum": f.types}, "brief_explanation": map[string]any{"type": "string"},
		},
	})
	if err != nil {
		panic(err) // maps of strings
	}
	return data
}
