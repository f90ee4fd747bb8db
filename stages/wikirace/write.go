package wikirace

import (
	"context"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// write writes the files of each split, then the quotas. list has the splits one after another.
func (s stage) write(ctx context.Context, env stages.Env, list []schemas.WikiraceInstance, quotas []schemas.Quota) error {
	for _, split := range s.params.Splits {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := 0
		for n < len(list) && list[n].Split == split.Name {
			n++
		}
		env.Count("accepted_"+split.Name, int64(n))
		slices.SortFunc(list[:n], func(a, b schemas.WikiraceInstance) int { return strings.Compare(a.ID, b.ID) }) // ids of five digits
		if err := stages.WriteRecords(env, split.Name, wikirace.Table, list[:n]); err != nil {
			return err
		}
		if err := env.Write(split.Name+".ids", stages.Lines(wikirace.IDs(list[:n]), n)); err != nil {
			return err
		}
		list = list[n:]
	}
	return stages.WriteQuotas(env, quotas)
}
