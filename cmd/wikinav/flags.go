package main

import (
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/targets"
)

// defaultWork is where a build goes when nobody says otherwise.
const defaultWork = "wikinav-work"

// workFlags say which build of which work directory.
type workFlags struct{ work, build string }

func (f *workFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.work, "work", defaultWork, "work directory")
	cmd.Flags().StringVar(&f.build, "build", store.DefaultBuild, "name of the build")
}

type recipeFlags struct {
	Seed        int64  `flag:"seed" usage:"root seed of the samplers"`
	LinkSource  string `flag:"link-source" usage:"where links come from: wikitext, or pagelinks, the table of --sql; the recipe's by default"`
	Targets     string `flag:"targets" usage:"target set: all, random:N, a file with a title or page id a line, or a release directory"`
	Texts       string `flag:"texts" usage:"texts of pages: on, off, or auto, which is on below a million pages; the recipe's by default"`
	recipe      string
	splits, set []string
}

func (f *recipeFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.recipe, "recipe", pipeline.DefaultRecipe,
		"recipe: a preset ("+strings.Join(pipeline.Presets(), ", ")+") or a TOML file")
	flags.StringArrayVar(&f.splits, "split", nil, "a split of your own as `NAME:SIZE:D,D` in place of the recipe's; repeatable")
	flags.StringArrayVar(&f.set, "set", nil, "a value of the recipe as `TABLE.KEY=VALUE`, for example graph.link_parts=body,tables; repeatable")
	cmd.SetFlagErrorFunc(removedFlag)
}

// removedFlag names what took the place of a flag of earlier versions.
func removedFlag(cmd *cobra.Command, err error) error {
	var unknown interface{ GetSpecifiedName() string }
	if errors.As(err, &unknown) {
		if now := pipeline.RemovedFlags[unknown.GetSpecifiedName()]; now != "" {
			return fault.New(fault.Usage, "%w", err).Hint("now it is a value of the recipe: --set %s", now)
		}
	}
	return cli.FlagError(cmd, err)
}

// load reads the recipe of a build of in and lays the flags that were given over it, --set last.
func (f *recipeFlags) load(cmd *cobra.Command, in pipeline.Input) (pipeline.Recipe, error) {
	r, err := pipeline.LoadRecipe(f.recipe, in)
	if err != nil {
		return r, err
	}
	if cmd.Flags().Changed("seed") {
		if err := r.SetSeed(f.Seed); err != nil {
			return r, err
		}
	}
	if err := f.takeSource(&r); err != nil {
		return r, err
	}
	if f.Texts != "" {
		if err := r.SetValues("ingest", map[string]any{"texts": f.Texts}); err != nil {
			return r, fault.New(fault.Usage, "--texts %s: there is no such choice", fault.Quote(f.Texts)).
				Choose(f.Texts, []string{schemas.TextsOn, schemas.TextsOff, schemas.TextsAuto})
		}
	}
	if err := f.takeTargets(&r); err != nil {
		return r, err
	}
	for _, text := range f.set {
		if err := r.Set(text); err != nil {
			return r, err
		}
	}
	return r, r.Validate()
}

// takeSource lays --link-source and --split over the recipe.
func (f *recipeFlags) takeSource(r *pipeline.Recipe) error {
	switch f.LinkSource {
	case "":
	case schemas.SourceWikitext, schemas.SourcePagelinks:
		if err := r.SetLinkSource(f.LinkSource); err != nil {
			return err
		}
	default:
		return fault.New(fault.Usage, "--link-source %s: there is no such source", fault.Quote(f.LinkSource)).
			Choose(f.LinkSource, []string{schemas.SourceWikitext, schemas.SourcePagelinks})
	}
	splits, err := parseSplits(f.splits)
	if err != nil || len(splits) == 0 {
		return err
	}
	return r.SetSplits(splits)
}

// takeTargets lays --targets over the table of the target set.
func (f *recipeFlags) takeTargets(r *pipeline.Recipe) error {
	values := map[string]any{}
	count, isRandom := strings.CutPrefix(f.Targets, "random:")
	switch info, err := os.Stat(f.Targets); {
	case f.Targets == "":
		return nil
	case f.Targets == targets.ModeAll:
		values["mode"] = targets.ModeAll
	case isRandom:
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return fault.New(fault.Usage, "--targets %s: want random:N with a number N from 1 on", fault.Quote(f.Targets)).
				Hint("for example random:500")
		}
		values["mode"], values["random_n"] = targets.ModeRandom, n
	case err == nil && info.IsDir():
		pages, err := releaseTargets(f.Targets)
		if err != nil {
			return err
		}
		values["release"] = pages
	default:
		data, err := os.ReadFile(f.Targets)
		if err != nil {
			e := fault.Missing(f.Targets)
			return e.Hint("it may be all, random:N, a file with a title or page id a line, or a release; %s", e.Remedy)
		}
		text := strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
		values["named"] = strings.Split(text, "\n")
	}
	return r.SetValues("targets", values)
}

// releaseTargets lists the pages that have a distance column in a release.
func releaseTargets(dir string) ([]uint32, error) {
	r, err := release.Open(dir)
	if err != nil {
		return nil, fault.New(fault.KindOf(err), "this folder is no release: %w", err).At(dir, "")
	}
	defer r.Close()
	set, err := r.Distances()
	if err != nil {
		return nil, err
	}
	var pages []uint32
	for _, c := range set.Columns() {
		pages = append(pages, c.PageID)
	}
	return pages, nil
}

// parseSplits reads texts of the form NAME:SIZE:D,D.
func parseSplits(texts []string) ([]pipeline.Split, error) {
	var out []pipeline.Split
	for _, text := range texts {
		parts := strings.Split(text, ":")
		if len(parts) != 3 {
			return nil, notSplit(text, "it has not three parts with colons between them")
		}
		s := pipeline.Split{Name: parts[0]}
		var err error
		if s.Size, err = strconv.Atoi(parts[1]); err != nil {
			return nil, notSplit(text, "the size "+fault.Quote(parts[1])+" is no whole number")
		}
		for _, d := range strings.Split(parts[2], ",") {
			n, err := strconv.Atoi(d)
			if err != nil {
				return nil, notSplit(text, "the distance "+fault.Quote(d)+" is no whole number")
			}
			s.Distances = append(s.Distances, n)
		}
		out = append(out, s)
	}
	return out, nil
}

func notSplit(text, why string) error {
	return fault.New(fault.Usage, "--split %s: %s", fault.Quote(text), why).
		Hint("want NAME:SIZE:D,D, for example easy:200:2,3 for 200 pairs at the distances 2 and 3")
}

// addSides adds a flag for each file that users may bring for one stage.
func addSides(flags *pflag.FlagSet, in *pipeline.Input) {
	in.Sides = map[string]*string{}
	for _, side := range pipeline.Sides() {
		in.Sides[side.Flag] = flags.String(side.Flag, "", side.Usage)
	}
}

type dumpFlags struct{ in pipeline.Input }

// oneDump is the flags about reading the dump itself, which links has as well.
var oneDump = strings.Fields("index siteinfo wiki date verify-text tolerate hatnotes reader no-verify-input allow-latest")

func (f *dumpFlags) check() error {
	switch in := f.in; {
	case in.Date != "" && (len(in.Date) != 8 || strings.Trim(in.Date, "0123456789") != ""):
		return fault.New(fault.Usage, "--date %s: want YYYYMMDD", fault.Quote(in.Date)).Hint("for example 20170901")
	case in.Tolerate < 0:
		return fault.New(fault.Usage, "--tolerate %d: want a number from 0 on", in.Tolerate)
	case in.Edges == "" && (in.Nodes != "" || in.Language != ""):
		return fault.New(fault.Usage, "--nodes and --language need --edges")
	case in.Edges != "" && (in.Dump != "" || in.Index != "" || in.SiteInfo != ""):
		return fault.New(fault.Usage, "--edges takes the place of a dump: give one of the two")
	case in.Dump == "" && len(in.SQL) > 0:
		return fault.New(fault.Usage, "--sql needs a --dump")
	case in.Demo() && (in.Index != "" || in.SiteInfo != ""):
		return fault.New(fault.Usage, "--index and --siteinfo need a --dump")
	}
	return nil
}

// runFlags say how to work; nothing that comes out depends on them.
type runFlags struct {
	cli.ProgressFlag
	Workers int `flag:"workers" usage:"parallel workers"`
}

func (f *runFlags) check() error {
	if f.Workers < 1 {
		return fault.New(fault.Usage, "--workers %d: want a number from 1 on", f.Workers)
	}
	return nil
}
