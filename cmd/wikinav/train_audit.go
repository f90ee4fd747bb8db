package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/train"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func newTrainAudit() *cobra.Command {
	var against string
	cmd := &cobra.Command{
		Use:   "audit DIR",
		Short: "Report what training data share with a release",
		Long: `audit compares training data with everything that a release has frozen, of all families:
pairs, targets, legs, mazes and worlds by what the data say of their walks, and the words of first
turns whatever they say. Data of others are any dialogues in JSON lines with a field messages; they
are compared by their words alone. It counts each kind and lists the ids; the exit code is 1 if a
kind occurs that training data must not have.`,
		Example: `  wikinav train audit demo-train --against demo-release
  wikinav train audit demo-train --against other-release --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.Required("against", against); err != nil {
				return err
			}
			return auditTraining(cmd, args[0], against)
		},
	}
	cmd.Flags().StringVar(&against, "against", "", "release directory (required)")
	cli.AddJSON(cmd.Flags())
	return cmd
}

func auditTraining(cmd *cobra.Command, dir, against string) error {
	r, err := open.Open(against)
	if err != nil {
		return err
	}
	defer r.Close()
	doc, err := trainDocIn(dir, r.Manifest().Wiki)
	if err != nil {
		return err
	}
	frozen, err := train.Freeze(r, doc.Wiki, families.All)
	if err != nil {
		return err
	}
	options := map[string]family.Options{}
	for name, rules := range doc.Rules { // each by itself
		f, err := families.Find(name)
		if err != nil {
			return err
		}
		if options[name], err = f.ReadOptions(rules.Options); err != nil {
			return fault.New(fault.KindOf(err), "rules of %s: %w", name, err).
				At(filepath.Join(dir, trainFile), "")
		}
	}
	if err := frozen.ReadPrompts(r, families.All, options); err != nil {
		return err
	}
	report, err := train.Compare(os.DirFS(dir), frozen)
	if err != nil {
		return fault.New(fault.KindOf(err), "%w", err).At(dir, "")
	}
	err = cli.Print(cmd, report, func(out io.Writer) error {
		_, err := fmt.Fprintf(out, "%s%d walks, %d rows against %s %s\n", report, report.Walks,
			report.Rows, frozen.Name, frozen.ManifestID)
		return err
	})
	if err == nil && !report.Clean {
		err = fault.New(fault.Failure, "the data share with the release what training data must not").
			At(dir, "").
			Hint("leave out the walks that are listed, or score on nothing of this release")
	}
	return err
}

// trainDocIn reads train.json; of data of others, which have none, the wiki is taken to be that of
// the release.
func trainDocIn(dir, wiki string) (doc trainDoc, err error) {
	if _, err := os.Stat(dir); err != nil {
		return doc, fault.Opening(dir, err)
	}
	path := filepath.Join(dir, trainFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return trainDoc{Wiki: wiki}, nil
	}
	if err != nil {
		return doc, fault.Opening(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, canon.MaxManifest+1))
	if err == nil && len(data) > canon.MaxManifest {
		err = fmt.Errorf("is longer than %d bytes", canon.MaxManifest)
	}
	if err == nil {
		err = json.Unmarshal(data, &doc)
	}
	if err == nil && doc.Schema != trainSchema {
		err = fmt.Errorf("schema is %s, want %s", fault.Quote(doc.Schema), trainSchema)
	}
	if err != nil {
		return doc, fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	return doc, nil
}
