package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func newStatus() *cobra.Command {
	var f workFlags
	var fast bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say what a build holds and whether its files are whole",
		Example: `  wikinav status
  wikinav status --work ltg --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, unlock, err := openShared(f.work)
			if err != nil {
				return err
			}
			defer unlock()
			b, err := dir.Build(f.build)
			if err != nil {
				return err
			}
			return printStatus(cmd, stageStates(cmd.Context(), dir, b, fast))
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&fast, "fast", false, "compare xxhash64 instead of SHA-256")
	cli.AddJSON(cmd.Flags())
	return cmd
}

type stageState struct {
	Stage string `json:"stage"`
	Key   string `json:"key"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
	State string `json:"state"` // "whole", or what is wrong
	Whole bool   `json:"whole"`
}

func stageStates(ctx context.Context, dir *store.Dir, b *schemas.Build, fast bool) []stageState {
	var out []stageState
	for _, stage := range pipeline.InOrder(b.Stages) {
		s := stageState{Stage: stage, Key: b.Stages[stage], State: "whole", Whole: true}
		receipt, err := dir.Result(stage, s.Key).Fresh(ctx, fast)
		if err != nil {
			s.State, s.Whole = err.Error(), false
		} else {
			for _, o := range receipt.Outputs {
				s.Files++
				s.Bytes += o.Bytes
			}
		}
		out = append(out, s)
	}
	return out
}

func printStatus(cmd *cobra.Command, states []stageState) error {
	damaged := 0
	for _, s := range states {
		if !s.Whole {
			damaged++
		}
	}
	err := cli.Print(cmd, map[string]any{"stages": states}, func(out io.Writer) error {
		t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, s := range states {
			fmt.Fprintf(t, "%s\t%.12s\t%d files\t%s\t%s\n", s.Stage, s.Key, s.Files, pipeline.Bytes(s.Bytes), s.State)
		}
		return t.Flush()
	})
	if err == nil && damaged > 0 {
		return fault.New(fault.Mismatch, "%d of %d stages are damaged", damaged, len(states)).Hint("run wikinav build again")
	}
	return err
}
