package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/fault"
)

// computeShare is build --only STAGE --shard i/n: one job of an array of them, in a work directory that they share.
func (f *buildFlags) computeShare(cmd *cobra.Command, r pipeline.Recipe) error {
	share, err := parseShare(f.shard)
	if err != nil {
		return err
	}
	dir, unlock, err := openShared(f.work)
	if err != nil {
		return err
	}
	defer unlock()
	return f.with(cmd, dir, r, nil, func(p *pipeline.Pipeline) error {
		done, err := p.Shards(cmd.Context(), share)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "share %s: %d shards computed, %d were there, %d are under way elsewhere\n",
			f.shard, len(done.Computed), len(done.Fresh), len(done.Busy))
		return err
	})
}

func parseShare(text string) (pipeline.Share, error) {
	index, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	if err == nil {
		var n int
		if n, err = strconv.Atoi(of); err == nil && i >= 1 && i <= n {
			return pipeline.Share{Index: i, Of: n}, nil
		}
	}
	return pipeline.Share{}, fault.New(fault.Usage, "--shard %s: want i/n with i from 1 to n", fault.Quote(text))
}
