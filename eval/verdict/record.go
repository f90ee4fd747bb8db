package verdict

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	RecordFile   = "verdicts.jsonl"       // schemas.Verdict, a line each; it only grows
	RequestsFile = "judge-requests.jsonl" // Request, a line each: what a judge elsewhere is to be asked
)

// Record is the verdicts of a run, open for more. It is not safe for concurrent use. Of two lines with one key the first has an error, and
// the second, which was asked for again, counts.
type Record struct {
	file  *os.File
	list  []schemas.Verdict
	place map[Key]int // in list
}

// OpenRecord opens the record of a run directory; a last line that an interruption tore off is removed.
func OpenRecord(dir string) (*Record, error) {
	path := filepath.Join(dir, RecordFile)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	r := &Record{place: map[Key]int{}}
	list, err := Decode(whole, path)
	if err != nil {
		return nil, err
	}
	for i, v := range list {
		if err := r.keep(v); err != nil {
			return nil, fault.New(fault.Malformed, "%w", err).At(path, fmt.Sprintf("line %d", i+1))
		}
	}
	if r.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	if len(whole) < len(data) {
		err = r.file.Truncate(int64(len(whole)))
	}
	return r, err
}

// Decode reads verdicts, a line each, strictly; file is the name for messages.
func Decode(data []byte, file string) ([]schemas.Verdict, error) {
	list, err := trace.Lines[schemas.Verdict](data, file)
	if err != nil {
		return nil, err
	}
	for i, v := range list {
		if err := checkVerdict(v); err != nil {
			return nil, fault.New(fault.Malformed, "%w", err).At(file, fmt.Sprintf("line %d", i+1))
		}
	}
	return list, nil
}

func checkVerdict(v schemas.Verdict) error {
	switch {
	case v.Schema != schemas.VerdictSchema:
		return fmt.Errorf("schema is %s, this version reads %s", fault.Quote(v.Schema), schemas.VerdictSchema)
	case v.Judge.Model == "" || v.TemplateSHA256 == "":
		return errors.New("a verdict names its judge and the digest of its template")
	case !slices.Contains([]string{"", schemas.FlagTruncated, schemas.FlagFiltered, schemas.FlagToolCalls}, v.Flag):
		return fmt.Errorf("no flag is called %s", fault.Quote(v.Flag))
	case (v.Verdict == nil) == (v.Error == nil):
		return errors.New("a verdict or an error, one of both")
	case v.RawSHA256 != digest.SHA256([]byte(v.Raw)):
		return errors.New("raw_sha256 is not that of raw")
	case v.Verdict == nil:
		return nil
	}
	return Check(v.Pool, *v.Verdict)
}

// Verdicts lists what the record holds, a verdict for each key. The slice belongs to the record.
func (r *Record) Verdicts() []schemas.Verdict { return r.list }

// settled tells whether nothing more is to be asked about a key.
func (r *Record) settled(k Key, retryErrors bool) bool {
	i, ok := r.place[k]
	return ok && (r.list[i].Error == nil || !retryErrors)
}

// Add appends a verdict, on disk before it returns.
func (r *Record) Add(v schemas.Verdict) error {
	if err := r.keep(v); err != nil {
		return err
	}
	if _, err := r.file.Write(append(canon.MustMarshal(v), '\n')); err != nil {
		return err
	}
	return r.file.Sync()
}

func (r *Record) keep(v schemas.Verdict) error {
	k := KeyOf(v)
	i, known := r.place[k]
	switch {
	case !known:
		r.place[k] = len(r.list)
		r.list = append(r.list, v)
	case r.list[i].Error == nil:
		return fmt.Errorf("a second verdict of %s on step %d of %s, pool %s", fault.Quote(k.Model), k.Step, fault.Quote(k.Game), k.Pool)
	default:
		r.list[i] = v
	}
	return nil
}

// Import adds verdicts that were given elsewhere, all of them or none: each is about a move of the run, and a prompt of ours is the one
// that we would have asked. Those that the record holds already are left out and counted as known.
func (r *Record) Import(list []schemas.Verdict, moves []family.Statement, rubrics map[string]Rubric) (added, known int, err error) {
	about := map[Key]family.Statement{}
	for _, s := range moves {
		about[Key{Run: s.Run, Game: s.Game, Step: s.Step, Pool: PoolOf(s)}] = s
	}
	var fresh []schemas.Verdict
	seen := map[Key]bool{}
	for i, v := range list {
		where := fmt.Sprintf("line %d", i+1)
		s, ok := about[Key{Run: v.Run, Game: v.Game, Step: v.Step, Pool: v.Pool}]
		if !ok {
			return 0, 0, fault.New(fault.Mismatch, "step %d of %s in run %s is no move of pool %s", v.Step, fault.Quote(v.Game), fault.Quote(v.Run), fault.Quote(v.Pool)).At("", where)
		}
		want := Asking{Rubrics: rubrics}.blank(s) // a prompt's digest is known where the wording is ours
		if v.TemplateSHA256 == want.TemplateSHA256 && v.PromptSHA256 != want.PromptSHA256 && v.Judge.EndpointKind != schemas.JudgeHuman {
			return 0, 0, fault.New(fault.Mismatch, "prompt_sha256 is %s, that of the template and this move is %s",
				fault.Quote(v.PromptSHA256), want.PromptSHA256).At("", where)
		}
		k := KeyOf(v)
		if seen[k] {
			return 0, 0, fault.New(fault.Malformed, "a second verdict with one key").At("", where)
		}
		if seen[k] = true; r.settled(k, true) {
			known++
			continue
		}
		fresh = append(fresh, v)
	}
	for _, v := range fresh {
		if err := r.Add(v); err != nil {
			return added, known, err
		}
		added++
	}
	return added, known, nil
}

func (r *Record) Close() error { return r.file.Close() }

// Request is a question to a judge elsewhere, whose verdict comes back by Import.
type Request struct {
	Run            string            `json:"run"`
	Game           string            `json:"game"`
	Step           int               `json:"step"`
	Pool           string            `json:"pool"`
	Template       string            `json:"template"`
	TemplateSHA256 string            `json:"template_sha256"`
	PromptSHA256   string            `json:"prompt_sha256"`
	Messages       []schemas.Message `json:"messages"`
	Schema         string            `json:"schema"` // of the reply, as JSON
}

// Requests gives the questions about all moves that no rule judges, a line each.
func Requests(moves []family.Statement, rubrics map[string]Rubric) []byte {
	var out strings.Builder
	for _, s := range moves {
		if _, ruled := byRule(s); ruled {
			continue
		}
		rubric := rubrics[PoolOf(s)]
		v := Asking{Rubrics: rubrics}.blank(s)
		out.Write(canon.MustMarshal(Request{
			v.Run, v.Game, v.Step, v.Pool, v.Template, v.TemplateSHA256, v.PromptSHA256, rubric.Messages(s), string(rubric.Schema()),
		}))
		out.WriteByte('\n')
	}
	return []byte(out.String())
}
