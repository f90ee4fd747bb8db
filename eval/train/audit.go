package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// AuditSchema names the layout of a report. 1: first layout.
const AuditSchema = "train.audit/1"

// Audit says what data to train on share with what a release has frozen.
type Audit struct {
	Schema  string  `json:"schema"`
	Against *Frozen `json:"against"`
	Walks   int     `json:"walks"`
	Rows    int     `json:"rows"`
	Bare    int     `json:"rows_without_walk"` // which are compared by their words alone
	Clean   bool    `json:"clean"`             // no kind that is forbidden occurs
	Kinds   []Found `json:"kinds"`
}

// Found is the walks or rows of one kind of overlap.
type Found struct {
	Kind      string   `json:"kind"`
	Forbidden bool     `json:"forbidden"`
	Count     int      `json:"count"`
	IDs       []string `json:"ids"` // in the order of the files
}

// Files of data to train on: rows in the folder, the walks that they are of in another.
const (
	RowsPattern  = "*.jsonl"
	WalksPattern = "walks/*.jsonl"
)

// Compare reads the data in dir, ours or any dialogues in JSON lines with a field messages, and
// compares them with what is frozen, prompts included.
func Compare(dir fs.FS, f *Frozen) (*Audit, error) {
	a := &auditor{frozen: f, ids: map[string][]string{}, walks: map[string]bool{}}
	if err := a.each(dir, WalksPattern, a.walk); err != nil {
		return nil, err
	}
	if err := a.each(dir, RowsPattern, a.row); err != nil {
		return nil, err
	}
	if a.rows == 0 {
		return nil, fault.New(fault.NotFound, "there are no dialogues").At(RowsPattern, "").
			Hint("want files of JSON lines with a field messages")
	}
	report := &Audit{
		Schema: AuditSchema, Against: f, Walks: len(a.walks), Rows: a.rows, Bare: a.bare, Clean: true,
		Kinds: []Found{},
	}
	for _, k := range Overlaps {
		ids := append([]string{}, a.ids[k.Name]...)
		report.Kinds = append(report.Kinds, Found{k.Name, k.Forbidden, len(ids), ids})
		report.Clean = report.Clean && !(k.Forbidden && len(ids) > 0)
	}
	return report, nil
}

type auditor struct {
	frozen *Frozen
	ids    map[string][]string // by kind
	walks  map[string]bool
	rows   int
	bare   int
}

// each visits the lines of the files that match.
func (a *auditor) each(
	dir fs.FS, pattern string, visit func(file string, n int, line []byte) error,
) error {
	names, err := fs.Glob(dir, pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := dir.Open(name)
		if err != nil {
			return fault.Opening(name, err)
		}
		err = jsonl.Each(f, name, func(n int, line []byte) error { return visit(name, n, line) })
		_ = f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *auditor) walk(_ string, _ int, line []byte) error {
	var w Walk
	if err := canon.Decode(line, canon.MaxLine, &w); err != nil {
		return err
	}
	if w.Schema != schemas.TrainWalkSchema {
		return fmt.Errorf("schema is %s, want %s", fault.Quote(w.Schema), schemas.TrainWalkSchema)
	}
	a.walks[w.ID] = true
	for _, kind := range a.frozen.Shares(w.Family, marksOf(&w)) {
		a.ids[kind] = append(a.ids[kind], w.ID)
	}
	return nil
}

// row compares the words of a dialogue: whatever begins it and ends before a reply.
func (a *auditor) row(file string, n int, line []byte) error {
	var r struct {
		ID       string            `json:"id"`
		Walk     string            `json:"walk"`
		Messages []schemas.Message `json:"messages"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	if r.Messages == nil {
		return fmt.Errorf("no messages")
	}
	if r.ID == "" {
		r.ID = fmt.Sprintf("%s:%d", path.Base(file), n)
	}
	if a.rows++; !a.walks[r.Walk] {
		a.bare++
	}
	if a.frozen.begins(r.Messages) {
		a.ids["prompt"] = append(a.ids["prompt"], r.ID)
	}
	return nil
}

// begins reports whether a dialogue begins as a frozen task does. Prompts may hold replies of
// examples, so that each reply may be the first.
func (f *Frozen) begins(messages []schemas.Message) bool {
	h := sha256.New()
	for _, m := range messages {
		if m.Role == schemas.RoleAssistant && f.prompts[hex.EncodeToString(h.Sum(nil))] {
			return true
		}
		hashMessage(h, m)
	}
	return f.prompts[hex.EncodeToString(h.Sum(nil))]
}

// promptKey names the messages of a first turn.
func promptKey(messages []schemas.Message) string {
	h := sha256.New()
	for _, m := range messages {
		hashMessage(h, m)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func hashMessage(h io.Writer, m schemas.Message) {
	fmt.Fprintf(h, "%s %d\n%s\n", m.Role, len(m.Content), m.Content)
}

// String is the report as text: a line for each kind, with the first ids.
func (a *Audit) String() string {
	const shown = 5
	var b bytes.Buffer
	for _, k := range a.Kinds {
		policy := "reported"
		if k.Forbidden {
			policy = "forbidden"
		}
		fmt.Fprintf(&b, "%-22s %-9s %8d", k.Kind, policy, k.Count)
		if k.Count > 0 {
			fmt.Fprintf(&b, "  %s", strings.Join(k.IDs[:min(shown, k.Count)], " "))
		}
		if k.Count > shown {
			fmt.Fprintf(&b, " and %d more", k.Count-shown)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
