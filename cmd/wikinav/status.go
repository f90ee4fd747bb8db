package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/fault"
)

func newStatus() *cobra.Command {
	var f workFlags
	var fast bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say what a build holds and whether its files are whole",
		Long: `status lists the stages of a build and compares their files with the recorded digests. While
the build runs it says which stage it is at, since when and how far, and lists what is done.`,
		Example: `  wikinav status
  wikinav status --work ltg --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := store.Open(f.work, store.OS{})
			if err != nil {
				return err
			}
			now, unlock, err := beside(dir)
			if err != nil {
				return err
			}
			defer unlock()
			built, err := f.built(dir, now)
			if err != nil {
				return err
			}
			return printStatus(cmd, now, stageStates(cmd.Context(), dir, built, fast))
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&fast, "fast", false, "compare xxhash64 instead of SHA-256")
	cli.AddJSON(cmd.Flags())
	return cmd
}

// beside takes the lock as a reader, or returns what the writer does who has it. Receipts are
// written last, so that results may be read beside him.
func beside(dir *store.Dir) (now *underWay, unlock func(), err error) {
	lock, err := dir.Share()
	if err == nil {
		return nil, lock.Release, nil
	}
	if !errors.Is(err, fault.Locked) {
		return nil, nil, err
	}
	now = &underWay{}
	if log := dir.Writer(); log != "" {
		now, err = readRunLog(log)
	} else {
		err = nil
	}
	if err == nil && now.ended {
		now = nil
	}
	return now, func() {}, err
}

// built returns the key of each stage of the build: of the one under way those that it has done.
func (f *workFlags) built(dir *store.Dir, now *underWay) (map[string]string, error) {
	if now != nil && now.Build == f.build {
		return now.done, nil
	}
	b, err := dir.Build(f.build)
	switch {
	case err == nil:
		return b.Stages, nil
	case now != nil && errors.Is(err, fault.NotFound):
		return nil, nil
	}
	return nil, err
}

type stageState struct {
	Stage string `json:"stage"`
	Key   string `json:"key"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
	State string `json:"state"` // "whole", or what is wrong
	Whole bool   `json:"whole"`
}

func stageStates(ctx context.Context, dir *store.Dir, built map[string]string, fast bool) []stageState {
	out := []stageState{}
	for _, stage := range pipeline.InOrder(built) {
		s := stageState{Stage: stage, Key: built[stage], State: "whole", Whole: true}
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

func printStatus(cmd *cobra.Command, now *underWay, states []stageState) error {
	damaged := 0
	for _, s := range states {
		if !s.Whole {
			damaged++
		}
	}
	object := map[string]any{"stages": states}
	if now != nil {
		object["running"] = now
	}
	err := cli.Print(cmd, object, func(out io.Writer) error {
		if now != nil {
			fmt.Fprintln(out, now.at(time.Now()))
		}
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
