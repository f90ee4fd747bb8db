package wikirace

import (
	"context"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// write writes a file for each split, then the report on them. list has the splits one after another.
func (s stage) write(ctx context.Context, env stages.Env, list []schemas.WikiraceInstance, shortage []schemas.Shortage) error {
	for _, split := range s.params.Splits {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := 0
		for n < len(list) && list[n].Split == split.Name {
			n++
		}
		env.Count("accepted_"+split.Name, int64(n))
		if err := env.Write(split.Name+".jsonl", stages.JSONLines(list[:n])); err != nil {
			return err
		}
		list = list[n:]
	}
	return env.Write("shortage.json", stages.JSONDocument(shortage))
}
