// Package cli is what the commands of this module share: a program as a function, flags by the tags
// of a struct, errors for people and for programs, progress, and the verb verify. It knows neither
// the pipeline nor the evaluator.
//
// Results go to standard output, progress and errors to standard error; exit codes are those of
// schemas/fault.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Run is a whole program as a function: it returns the exit code. The first signal asks the verb to
// end; a second one ends the program at once, because not every verb looks at the first between two
// steps.
func Run(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	return RunContext(ctx, root, args, stdin, stdout, stderr)
}

// RunContext is Run without signals.
func RunContext(ctx context.Context, root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	// Read from the arguments, because flags after a bad one were never parsed.
	return report(cmd, err, slices.Contains(args, "--json-errors"), stderr)
}

// Root makes root the root of a program with these verbs.
func Root(root *cobra.Command, verbs ...*cobra.Command) *cobra.Command {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions = cobra.CompletionOptions{HiddenDefaultCmd: true}
	root.PersistentFlags().Bool("json-errors", false, "print an error as one JSON object")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return FlagError(cmd, err) })
	root.Version = strings.TrimSpace(Code().Version + " " + Code().VCSRevision)
	help := root.HelpFunc() // a template of our own would link text/template, and with it every method of every type
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		help(cmd, args)
		fmt.Fprintf(cmd.OutOrStdout(), "\nExit status:\n  %s\n", exitStatus())
	})
	root.AddCommand(verbs...)
	typeErrors(root)
	return root
}

// exitStatus lists the exit codes, six on a line.
func exitStatus() string {
	list := []string{"0 ok"}
	for _, k := range fault.Kinds {
		list = append(list, fmt.Sprintf("%d %s", k.Code(), k))
	}
	return strings.Join(list[:6], ", ") + ",\n  " + strings.Join(list[6:], ", ")
}

// FlagError says what is wrong with a flag, and which flag was probably meant.
func FlagError(cmd *cobra.Command, err error) *fault.Error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	f := fault.New(fault.Usage, "%w", err).Hint("%s --help lists the flags", cmd.CommandPath())
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
		if near := nearest(unknown.GetSpecifiedName(), names); near != "" {
			return f.Hint("did you mean --%s?", near)
		}
	case errors.As(err, &missing):
		return fault.New(fault.Usage, "--%s needs a value: %s", missing.GetSpecifiedName(), missing.GetFlag().Usage)
	case errors.As(err, &invalid):
		flag := invalid.GetFlag()
		f = fault.New(fault.Usage, "--%s %s", flag.Name, fault.Quote(invalid.GetValue()))
		if c, ok := flag.Value.(*choice); ok {
			f.What += ": want " + c.list()
			if near := nearest(invalid.GetValue(), c.words); near != "" {
				return f.Hint("did you mean %s?", near)
			}
			return f
		}
		f.What += ": " + cmp.Or(wanted[flag.Value.Type()], fault.Words(invalid.Unwrap()))
	}
	return f
}

// wanted says in words what flags of a type take.
var wanted = map[string]string{
	"int": "want a whole number", "int64": "want a whole number", "bool": "want true or false",
	"duration": "want a time such as 90s or 5m",
}

// nearest returns the word that was probably meant, "" for none.
func nearest(typed string, words []string) string {
	return strings.Join(fault.Near(typed, slices.Values(words), 1), "")
}

// typeErrors makes usage errors of what cobra finds wrong with arguments, which has no type, and an
// error of a file that is cut short while a verb has it mapped, which would end the program. A
// command that has nothing but verbs refuses unknown ones, and shows its help without any.
func typeErrors(cmd *cobra.Command) {
	if cmd.HasSubCommands() && !cmd.Runnable() {
		cmd.Args = knownVerb
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	} else if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if err != nil && cmd.HasSubCommands() {
				return knownVerb(cmd, args)
			}
			if err != nil && check(cmd, nil) == nil {
				err = fmt.Errorf("no argument is wanted but flags, not %s", fault.Quote(args[0]))
			}
			if err != nil {
				return fault.New(fault.Usage, "%w", err).Hint("usage: %s", cmd.UseLine())
			}
			return nil
		}
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			return arrowio.Guard(func() error { return run(cmd, args) })
		}
	}
	for _, sub := range cmd.Commands() {
		typeErrors(sub)
	}
}

func knownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			verbs = append(verbs, sub.Name())
		}
	}
	return fault.New(fault.Usage, "unknown command %s", fault.Quote(args[0])).Choose(args[0], verbs)
}

// report prints an error as one line, or as one object, and returns the exit code.
func report(cmd *cobra.Command, err error, asJSON bool, stderr io.Writer) int {
	code := fault.Code(err)
	if code == fault.Interrupted.Code() {
		err = fault.New(fault.Interrupted, "interrupted").Hint("run the same command again to go on")
	}
	f := describe(cmd.Name(), err, code)
	if asJSON {
		fmt.Fprintf(stderr, "%s\n", canon.MustMarshal(f))
		return code
	}
	place := ""
	if cmd.HasParent() && f.Stage == cmd.Name() {
		place = cmd.Name() + ": "
	}
	text := OneLine(fault.Words(err))
	var e *fault.Error
	if errors.As(err, &e) && e.File != "" && strings.HasPrefix(text, e.File) {
		text = flagOf(cmd, e) + text
	}
	fmt.Fprintf(stderr, "%s: %s%s\n", cmd.Root().Name(), place, text)
	return code
}

// flagOf returns the flag that named the file of a failure, to stand in front of the file's name; ""
// where none did or several, and where the failure names it itself.
func flagOf(cmd *cobra.Command, e *fault.Error) string {
	var names []string
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		if slices.Contains(values, e.File) {
			names = append(names, "--"+flag.Name)
		}
	})
	if len(names) != 1 || strings.Contains(e.What, names[0]) {
		return ""
	}
	return names[0] + " "
}

// Failure is an error for programs.
type Failure struct {
	Code  int    `json:"code"`
	Stage string `json:"stage"` // of a build, else the verb
	File  string `json:"file"`
	Where string `json:"where"`
	What  string `json:"what"` // with the remedy, if there is one
}

func describe(verb string, err error, code int) Failure {
	f := Failure{Code: code, Stage: verb, What: OneLine(fault.Words(err))}
	var staged interface{ InStage() string }
	if errors.As(err, &staged) {
		f.Stage = staged.InStage()
	}
	var e *fault.Error
	if errors.As(err, &e) {
		f.File, f.Where, f.What = OneLine(e.File), OneLine(e.Where), OneLine(e.What)
		if e.Remedy != "" {
			f.What += " (" + e.Remedy + ")"
		}
	}
	return f
}

func OneLine(text string) string { return strings.ReplaceAll(text, "\n", "; ") }

// Commas is a list of which one flag may give several, with commas between them.
type Commas []string

// Bind makes a flag of each field of a struct that has a tag flag, its name; those of embedded
// structs are among them. The tag usage says what it is for, a tag oneof lists the words that it
// may be, and what the field holds is the default.
func Bind(flags *pflag.FlagSet, into any) {
	v := reflect.ValueOf(into).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, usage := f.Tag.Get("flag"), f.Tag.Get("usage")
		if name == "" {
			continue
		}
		switch at := v.FieldByIndex(f.Index).Addr().Interface().(type) {
		case *string:
			if words := strings.Fields(f.Tag.Get("oneof")); len(words) > 0 {
				Choice(flags, at, name, usage, words...)
			} else {
				flags.StringVar(at, name, *at, usage)
			}
		case *bool:
			flags.BoolVar(at, name, *at, usage)
		case *int:
			flags.IntVar(at, name, *at, usage)
		case *int64:
			flags.Int64Var(at, name, *at, usage)
		case *time.Duration:
			flags.DurationVar(at, name, *at, usage)
		case *[]string:
			flags.StringArrayVar(at, name, *at, usage)
		case *Commas:
			flags.StringSliceVar((*[]string)(at), name, *at, usage)
		default:
			panic("cli: no flag is a " + f.Type.String())
		}
	}
}

// Required refuses the first of flags and values, in turn, that has none.
func Required(flagsAndValues ...string) error {
	for i := 0; i < len(flagsAndValues); i += 2 {
		if flagsAndValues[i+1] == "" {
			return fault.New(fault.Usage, "--%s is required", flagsAndValues[i])
		}
	}
	return nil
}

// Choice adds a flag that is one of some words, the first by default.
func Choice(flags *pflag.FlagSet, value *string, name, usage string, words ...string) {
	*value = words[0]
	c := &choice{value, words}
	flags.Var(c, name, usage+": "+c.list())
}

type choice struct {
	value *string
	words []string
}

func (c *choice) list() string {
	last := len(c.words) - 1
	return strings.Join(c.words[:last], ", ") + " or " + c.words[last]
}

// Set, String and Type make c the value of a flag.
func (c *choice) Set(text string) error {
	if !slices.Contains(c.words, text) {
		return fmt.Errorf("want %s", c.list())
	}
	*c.value = text
	return nil
}

func (c *choice) String() string { return *c.value }
func (c *choice) Type() string   { return "string" }

// AddJSON adds the flag that Print looks at.
func AddJSON(flags *pflag.FlagSet) { flags.Bool("json", false, "print one JSON object") }

func AsJSON(cmd *cobra.Command) bool {
	asJSON, _ := cmd.Flags().GetBool("json") // a command without the flag has no JSON
	return asJSON
}

// Print writes a result to standard output: as one JSON object under --json, else in the words of
// text.
func Print(cmd *cobra.Command, object any, text func(io.Writer) error) error {
	if !AsJSON(cmd) {
		return text(cmd.OutOrStdout())
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", canon.MustMarshal(object))
	return err
}

// version is that of a build from a tarball, which nothing else tells: set with -ldflags "-X
// PACKAGE.version=v1.2.3".
var version string

// Code returns which program this is. A build without version control data says so by an empty
// revision.
func Code() schemas.Code {
	c := schemas.Code{Module: "github.com/wikinav/wikinav", Version: cmp.Or(version, "devel"), Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return c
	}
	if version == "" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		c.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			c.VCSRevision = s.Value
		case "vcs.modified":
			c.Dirty = s.Value == "true"
		}
	}
	return c
}

// Thousands writes a number for people.
func Thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
