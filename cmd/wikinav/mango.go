package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/mango"
	"github.com/wikinav/wikinav/stages/mango/prompt"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

func init() {
	familyVerbs = append(familyVerbs, newMango)
	audited = append(audited, auditMazes)
}

func newMango() *cobra.Command {
	cmd := &cobra.Command{
		Use: "mango",
		Example: `  wikinav mango stats my-mazes
  wikinav mango import games --format shipped --out my-mazes`,
		Short: "Mazes of others: import, statistics, questions",
	}
	cmd.AddCommand(newMangoImport(), newMangoStats(), newMangoQuestions())
	return cmd
}

func newMangoImport() *cobra.Command {
	job := mango.Import{Workers: runtime.GOMAXPROCS(0)}
	cmd := &cobra.Command{
		Use:   "import DIR",
		Short: "Make the skeletons of published mazes",
		Long: `import reads every <game>.edges.json below DIR and writes a folder per game with edges, DF and RF
skeletons and their labels, in the published layout. Of the data of 2023, RF rows are those of
pairs with a path, as published.`,
		Example: `  wikinav mango import mango/data --format shipped --out mazes
  wikinav mango stats mazes`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			job.Dir = args[0]
			if job.Out == "" || job.Workers < 1 || job.MaxPaths < 0 {
				return fault.New(fault.Usage, "want --out DIR, --workers from 1 on and --max-paths from 0 on")
			}
			games, err := job.Run(cmd.Context())
			if err != nil {
				return err
			}
			df, rf := 0, 0
			for _, g := range games {
				df, rf = df+g.DFRows, rf+g.RFRows
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "imported %d mazes: %d DF skeletons, %d RF pairs\n", len(games), df, rf)
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&job.Format, "format", "", "shipped or v2023; by default each game is taken as it is")
	flags.StringVar(&job.Out, "out", "", "directory for the mazes (required)")
	flags.IntVar(&job.MaxPaths, "max-paths", 0, "DF rows of a game beyond which the import fails (default 5,000,000)")
	flags.IntVar(&job.Workers, "workers", job.Workers, "games at a time")
	return cmd
}

type mangoView struct {
	rule     string
	maxPaths int
}

func (f *mangoView) add(cmd *cobra.Command) {
	cli.Choice(cmd.Flags(), &f.rule, "rule", "what easy means", schemas.MangoRules...)
	cmd.Flags().IntVar(&f.maxPaths, "max-paths", 0, "DF rows of a maze beyond which it is refused (default 5,000,000)")
}

func newMangoStats() *cobra.Command {
	var f mangoView
	var prefixes []string
	cmd := &cobra.Command{
		Use:   "stats DIR",
		Short: "Print the paper's table for every maze below DIR",
		Long: `stats prints a row per maze: locations and edges that the steps 0..N show, the mean length of the
answerable DF paths, and the questions that are easy and hard. --steps full is the whole maze.`,
		Example: `  wikinav mango stats mazes
  wikinav mango stats mazes --steps 10,20,full --rule released
  wikinav mango stats mazes-2023 --rule paper-2023 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := parsePrefixes(prefixes)
			if err != nil {
				return err
			}
			var rows []mango.StatsRow
			err = mango.OpenAll(args[0], f.maxPaths, func(m *mango.Opened) error {
				for _, n := range list {
					rows = append(rows, m.Stats(n, f.rule))
				}
				return cmd.Context().Err()
			})
			if err != nil {
				return err
			}
			footers := sumPrefixes(rows, list)
			if cli.AsJSON(cmd) {
				return printStatsJSON(cmd.OutOrStdout(), f.rule, rows, footers)
			}
			return printStats(cmd.OutOrStdout(), append(rows, footers...))
		},
	}
	f.add(cmd)
	cmd.Flags().StringSliceVar(&prefixes, "steps", []string{"full"}, "last step that is shown, repeatable: a number, or full")
	cli.AddJSON(cmd.Flags())
	return cmd
}

func parsePrefixes(texts []string) ([]int, error) {
	var out []int
	for _, text := range texts {
		n, err := strconv.Atoi(text)
		if text == "full" {
			n, err = skeleton.Full, nil
		}
		if err != nil || n < 0 || n > skeleton.Full {
			return nil, fault.New(fault.Usage, "--steps %s: want 0 to %d, or full", fault.Quote(text), skeleton.Full)
		}
		out = append(out, n)
	}
	return out, nil
}

func sumPrefixes(rows []mango.StatsRow, prefixes []int) []mango.StatsRow {
	var out []mango.StatsRow
	for i := range prefixes {
		var column []mango.StatsRow
		for at := i; at < len(rows); at += len(prefixes) {
			column = append(column, rows[at])
		}
		footer := mango.Sum(column)
		if prefixes[i] != skeleton.Full {
			footer.Steps = &prefixes[i]
		}
		out = append(out, footer)
	}
	return out
}

func printStats(w io.Writer, rows []mango.StatsRow) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, strings.Join(mango.StatsColumns, "\t"))
	for _, r := range rows {
		fmt.Fprintln(out, strings.Join(r.Cells(), "\t"))
	}
	return out.Flush()
}

func printStatsJSON(w io.Writer, rule string, rows, footers []mango.StatsRow) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		Rule   string           `json:"rule"`
		Rows   []mango.StatsRow `json:"rows"`
		Totals []mango.StatsRow `json:"totals"`
	}{rule, append([]mango.StatsRow{}, rows...), append([]mango.StatsRow{}, footers...)})
}

func newMangoQuestions() *cobra.Command {
	var f mangoView
	ask := mango.Ask{Steps: -1}
	cmd := &cobra.Command{
		Use:   "questions DIR",
		Short: "Print the questions on every maze below DIR, a JSON line each",
		Long: `questions renders the DF and RF questions that the steps 0..N of the walkthrough answer. Without
--steps it shows the whole walk, of an imported maze at most 70 steps. A maze needs its
<maze>.walkthrough.`,
		Example: `  wikinav mango questions mazes --steps 20 > questions.jsonl
  wikinav mango questions mazes --max-tokens 4000 --rule released`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.Rule = f.rule
			out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<20)
			err := mango.OpenAll(args[0], f.maxPaths, func(m *mango.Opened) error {
				questions, err := m.Questions(ask)
				if err != nil {
					return err
				}
				return jsonl.Write(out, questions)
			})
			if err != nil {
				return err
			}
			return out.Flush()
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&ask.Steps, "steps", -1, "last step of the walkthrough that is shown")
	flags.IntVar(&ask.MaxTokens, "max-tokens", 0, "show as many steps as have so many tokens, a quarter of the characters each")
	flags.BoolVar(&ask.All, "all", false, "also questions that the shown steps do not answer")
	cli.Choice(cmd.Flags(), &ask.Style, "keys", "keys of an answer's objects", prompt.Styles...)
	return cmd
}

// auditMazes audits a folder of mazes: each with the numbers of the paper's table.
func auditMazes(ctx context.Context, dir string) ([]*audit.Table, error) {
	if _, err := maze.Find(dir); errors.Is(err, fault.NotFound) {
		return nil, nil
	}
	var rows []audit.Row
	err := mango.OpenAll(dir, 0, func(m *mango.Opened) error {
		stats := m.Stats(skeleton.Full, schemas.MangoRules[0])
		rows = append(rows, audit.Row{ID: stats.Maze, Record: stats})
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	t, err := audit.TableOf(schemas.Mango.Name, "mazes", release.Audit{Hardness: "avg_len_path"}, rows)
	return []*audit.Table{t}, err
}
