package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
)

func newPlan() *cobra.Command {
	f := &buildFlags{}
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Say what build would run, and why",
		Example: `  wikinav plan
  wikinav plan --dump ltgwiki-20170901-pages-articles.xml.bz2 --work ltg --seed 7`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.plan(cmd) },
	}
	f.bind(cmd)
	return cmd
}

func (f *buildFlags) plan(cmd *cobra.Command) error {
	r, err := f.load(cmd)
	if err != nil {
		return err
	}
	dir, unlock, err := openToPlan(f.work)
	if err != nil {
		return err
	}
	defer unlock()
	return f.with(cmd, dir, r, nil, func(p *pipeline.Pipeline) error {
		steps, err := p.Plan(cmd.Context())
		if err != nil {
			return err
		}
		return printPlan(cmd, steps)
	})
}

// openToPlan is openShared for a work directory that need not be there yet: an empty one stands in for it, so that
// planning makes nothing where the build will be.
func openToPlan(path string) (*store.Dir, func(), error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return openShared(path)
	}
	temp, err := os.MkdirTemp("", "wikinav-plan-*")
	if err != nil {
		return nil, nil, err
	}
	dir, err := store.Open(temp, store.OS{})
	return dir, func() { os.RemoveAll(temp) }, err
}

func openShared(path string) (*store.Dir, func(), error) {
	dir, err := store.Open(path, store.OS{})
	if err != nil {
		return nil, nil, err
	}
	lock, err := dir.Share()
	if err != nil {
		return nil, nil, err
	}
	return dir, lock.Release, nil
}

func printPlan(cmd *cobra.Command, steps []pipeline.Step) error {
	return cli.Print(cmd, map[string]any{"steps": steps}, func(out io.Writer) error {
		t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		runs := 0
		for _, s := range steps {
			if s.State != pipeline.Fresh {
				runs++
			}
			fmt.Fprintf(t, "%s\t%s\t%.12s\t%s\n", s.Stage, s.State, s.Key, s.Why)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "%d of %d stages would run, or may: an unknown stage runs if what it waits for changes\n", runs, len(steps))
		return err
	})
}
