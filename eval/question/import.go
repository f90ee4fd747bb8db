package question

import (
	"context"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Imports lists the format of other harnesses that every family of questions reads: replies as
// replies.jsonl has them.
func (Base) Imports() []family.Import {
	const format = "replies-jsonl"
	return []family.Import{{
		Format: format, Says: `replies of another harness, a line each: {"id":"...","reply":"..."}`,
		Read: func(set family.Set, path string, req family.ImportRequest) (*family.Imported, error) {
			sum, err := digest.SHA256File(context.Background(), path)
			if err != nil {
				return nil, fault.Opening(path, err)
			}
			var replies []Reply
			_, err = trace.ScanLines(path, true, func(_ int, line []byte) error {
				r, err := decode(line)
				replies = append(replies, r)
				return err
			})
			if err != nil {
				return nil, err
			}
			all, err := set.(interface{ Questions() (*Set, error) }).Questions()
			if err != nil {
				return nil, err
			}
			return NewImport(all, format, sum, replies, nil, req)
		},
	}}
}

// Reasons for which rows are no replies of a run.
const (
	rejectInstance = "unknown_instance"
	rejectTwice    = "attempt_twice"
)

// NewImport makes a run of a foreign file's replies; rejected counts rows that were none. The first
// reply to a question is kept. The run's name hashes the file: no two imports share one.
func NewImport(
	s *Set, format, sha256 string, replies []Reply, rejected map[string]int, req family.ImportRequest,
) (*family.Imported, error) {
	if req.Model == "" {
		return nil, fault.New(fault.Usage, "the replies name no model").Hint("give --model")
	}
	out := &family.Imported{Run: req.Run, Import: schemas.Import{
		Schema: schemas.ImportSchema, Source: "import:" + format, FileSHA256: sha256, Steps: true,
		Rejected: map[string]int{}, Invalid: map[string]int{}, Types: map[string]int{},
	}}
	im := &out.Import
	for reason, n := range rejected {
		im.Rejected[reason], im.Rows = n, im.Rows+n
	}
	var splits []string
	seen := map[string]bool{}
	for _, r := range replies {
		im.Rows++
		q, known := s.byID[r.ID]
		switch {
		case !known:
			im.Rejected[rejectInstance]++
			continue
		case seen[r.ID]:
			im.Rejected[rejectTwice]++
			continue
		case r.Infra != nil:
			im.Rejected[family.RejectInfra]++
			continue
		}
		if reason := s.Unread(q, family.Manner{}, r.Reply); reason != "" {
			im.Invalid[reason]++
		}
		seen[r.ID], splits = true, append(splits, q.Split)
		out.Records = append(out.Records, family.Record{Main: r})
	}
	im.Games = len(out.Records)
	run := &out.Run
	run.Schema, run.Family, run.Attempts, run.Splits = schemas.RunSchema, s.Family, 1, []string{}
	for _, split := range s.splits {
		if slices.Contains(splits, split.Name) {
			run.Splits = append(run.Splits, split.Name)
		}
	}
	run.Model = schemas.Player{Name: req.Model, Kind: schemas.KindForeign}
	run.Rules = schemas.Rules{Options: req.Options.JSON, Interface: schemas.InterfaceForeign}
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
	run.Run = req.Model + "-" + sha256[:12]
	return out, nil
}
