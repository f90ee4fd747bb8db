package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	evalaar "github.com/wikinav/wikinav/eval/aar"
	"github.com/wikinav/wikinav/eval/aar/harbor"
	tasks "github.com/wikinav/wikinav/eval/harbor"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func newHarbor() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "harbor",
		Short: "Write legs of The Amazing Agent Race as tasks of Harbor, and run inside them",
		Long: `harbor export writes a task for each leg, with this program and the pages that the leg needs. The
other verbs run inside the containers of a task: serve is the tool server, call and list are what
aar-tools runs, and verify writes the reward.`,
	}
	cmd.AddCommand(newHarborExport(), newHarborServe(), newHarborCall(), newHarborList(), newHarborVerify())
	return cmd
}

type harborExport struct {
	cli.ProgressFlag
	Release     string   `flag:"release" usage:"release directory with the legs (required)"`
	Out         string   `flag:"out" usage:"folder for the tasks, which must not exist (required)"`
	Legs        []string `flag:"leg" usage:"id of a leg, such as aar-dag-hard-007; repeatable; all by default"`
	Mode        string   `flag:"harbor-mode" usage:"where the tools run: sidecar, a container of their own, or single, that of the agent, where the log can be forged"`
	Schema      string   `flag:"harbor-schema" usage:"version of task.toml: 1.0, 1.1 or 1.4"`
	Cassette    string   `flag:"cassette" usage:"recorded answers that the legs were made with"`
	Distractors int      `flag:"distractors" usage:"pages in each store that its leg does not need"`
	Binary      string   `flag:"binary" usage:"static wikinav-eval for Linux that goes into the containers; this program by default"`
}

func newHarborExport() *cobra.Command {
	f := &harborExport{Mode: harbor.Sidecar, Schema: "1.1", Distractors: harbor.Distractors}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write a task directory for each leg",
		Long: `export writes a task directory for each leg, registry.json and README.md. A task holds the pages of
its leg, those that they link to, the places that its stops count, and distractors. All gates and the
golden executor run again over these pages; a leg that fails one is not exported and named with the
reason, and the exit code is 15. The folder appears once it is whole; what breaks off leaves none.`,
		Example: `  wikinav-eval harbor export --release demo-release --out tasks
  wikinav-eval harbor export --release demo-release --out tasks --leg aar-dag-hard-007 --harbor-mode single`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *harborExport) run(cmd *cobra.Command) (err error) {
	x, err := f.prepare()
	if err != nil {
		return err
	}
	r, err := open.Open(f.Release)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, r.Close()) }()
	part, m := r.Part(aar.Part), r.Manifest()
	legs, err := f.choose(part)
	if err != nil {
		return err
	}
	if x.World, err = aar.OpenWorld(part); err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, x.World.Close()) }()
	if x.Tape == nil && part.Has(aar.CassetteFile) { // the release's own
		if x.Tape, err = part.Read(aar.CassetteFile); err == nil {
			x.Cassette, err = aar.ReleasedCassette(part)
		}
		if err != nil {
			return err
		}
	}
	x.Release, x.Version, x.Snapshot = r.Name(), m.Release.Version, m.Dump.SiteinfoSHA256
	if len(m.Dump.Files) > 0 {
		x.Snapshot = m.Dump.Files[0].SHA256
	}
	var done taskSet
	err = harbor.Beside(f.Out, func(dir string) (err error) {
		x.Out = dir
		done, err = f.tasks(cmd, x, legs)
		return err
	})
	if err != nil {
		return err
	}
	return done.tell(cmd, f.Out)
}

// prepare refuses what the flags say wrongly, before anything is read or written.
func (f *harborExport) prepare() (*harbor.Export, error) {
	if err := cli.Required("release", f.Release, "out", f.Out); err != nil {
		return nil, err
	}
	x := &harbor.Export{Mode: f.Mode, Schema: f.Schema, Distractors: f.Distractors}
	err := x.Check()
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(f.Out); err == nil {
		return nil, fault.New(fault.Usage, "--out %s: it is there already", fault.Quote(f.Out)).
			Hint("name a folder that is not there yet")
	}
	if x.Binary, err = cli.Static(f.Binary); err != nil || f.Cassette == "" {
		return x, err
	}
	if x.Tape, err = os.ReadFile(f.Cassette); err == nil {
		x.Cassette, err = aar.OpenCassette(f.Cassette)
	}
	return x, err
}

// variantLeg is a leg and its variant.
type variantLeg struct {
	variant string
	*schemas.AARLeg
}

// choose reads the legs that are asked for.
func (f *harborExport) choose(part release.Files) (legs []variantLeg, err error) {
	have := map[string]bool{}
	for _, variant := range schemas.AARVariants {
		for _, level := range schemas.AARLevels {
			name := aar.LegsFile(variant, level)
			if !part.Has(name) {
				continue
			}
			err := part.Each(name, func(_ int, line []byte) error {
				l, err := aar.DecodeLine(line)
				if err != nil {
					return err
				}
				id := aar.LegIDIn(variant, l)
				if have[id] = true; len(f.Legs) == 0 || slices.Contains(f.Legs, id) {
					legs = append(legs, variantLeg{variant, l})
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	if len(have) == 0 || !part.Has(aar.TextsFile) {
		return nil, fault.New(fault.NotFound, "the release has no legs of The Amazing Agent Race").
			At(f.Release, "").Hint("build it with page texts and legs, and release it again")
	}
	for _, id := range f.Legs {
		if !have[id] {
			return nil, fault.New(fault.NotFound, "--leg %s: the release has no such leg", fault.Quote(id)).
				At(f.Release, "").Choose(id, slices.Sorted(maps.Keys(have)))
		}
	}
	return legs, nil
}

// taskSet is what became of the legs.
type taskSet struct {
	Tasks   []tasks.Task    `json:"tasks"`
	Failed  []harbor.Failed `json:"failed"`
	Refused map[string]int  `json:"refused"` // by gate; a leg may fail several
	Bytes   int64           `json:"bytes"`   // without the program
	Program int64           `json:"program_bytes"`
}

// tasks writes the tasks of legs.
func (f *harborExport) tasks(cmd *cobra.Command, x *harbor.Export, legs []variantLeg) (done taskSet, err error) {
	done = taskSet{Tasks: []tasks.Task{}, Failed: []harbor.Failed{}, Refused: map[string]int{}}
	meter := cli.NewProgress(cmd.ErrOrStderr(), f.Progress).Meter("export", "legs", "legs", int64(len(legs)))
	defer meter.Done()
	for _, l := range legs {
		not, err := x.Task(cmd.Context(), l.variant, l.AARLeg)
		if err = cmp.Or(cmd.Context().Err(), err); err != nil { // what fails then may fail because of it
			return done, err
		}
		if id := aar.LegIDIn(l.variant, l.AARLeg); not == nil {
			done.Tasks = append(done.Tasks, tasks.Task{Name: id, Path: id})
		} else {
			done.refuse(not)
		}
		meter.Add(1)
	}
	if err := x.Finish(done.Tasks); err != nil {
		return done, err
	}
	done.Bytes, done.Program, err = x.Size()
	return done, err
}

func (d *taskSet) refuse(not *harbor.Failed) {
	d.Failed = append(d.Failed, *not)
	gates := map[string]bool{}
	for _, why := range not.Why {
		gate, _, _ := strings.Cut(why, ":")
		gates[gate] = true
	}
	for gate := range gates { // each by itself
		d.Refused[gate]++
	}
}

// tell says what was written, and what was not and why.
func (d *taskSet) tell(cmd *cobra.Command, out string) error {
	of := len(d.Tasks) + len(d.Failed)
	err := cli.Print(cmd, d, func(w io.Writer) error {
		for _, x := range d.Failed {
			for _, why := range x.Why {
				fmt.Fprintf(w, "%s: not exported: %s\n", x.ID, why)
			}
		}
		for _, gate := range slices.Sorted(maps.Keys(d.Refused)) {
			fmt.Fprintf(w, "refused by %s: %d\n", gate, d.Refused[gate])
		}
		_, err := fmt.Fprintf(w, "%s: %d tasks of %d legs, %s bytes, and a program of %s bytes\n", out,
			len(d.Tasks), of, cli.Thousands(d.Bytes), cli.Thousands(d.Program))
		return err
	})
	if err == nil && len(d.Failed) > 0 {
		err = fault.New(fault.Shortage, "%d of %d legs are no tasks: they fail a gate over the pages of their store",
			len(d.Failed), of).Hint("raise --distractors, or take other legs with --leg")
	}
	return err
}

// deskFlags say where the tools of a task are.
type deskFlags struct {
	Store  string `flag:"store" usage:"pages of the task"`
	Log    string `flag:"log" usage:"file that calls are added to"`
	Socket string `flag:"socket" usage:"where the tool server listens"`
}

func newHarborServe() *cobra.Command {
	f, python := &deskFlags{}, ""
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer the calls of a task over a Unix socket, and keep their log",
		Long: `serve is the tool server of a task: it answers calls from the pages of its store, adds each to the
log before it is answered, and judges when the verifier asks. It listens at a Unix socket and opens no
connection. It ends with a signal.`,
		Example: `  wikinav-eval harbor serve --store /opt/aar/store --log /var/log/aar/tool_log.jsonl --socket /run/aar/tools.sock`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := f.open(python)
			if err != nil {
				return err
			}
			d.Mode = harbor.Sidecar
			return f.listen(cmd, d)
		},
	}
	cli.Bind(cmd.Flags(), f)
	cmd.Flags().StringVar(&python, "python", "", "interpreter that runs code; it should run as a user who can neither read the store nor write the log")
	return cmd
}

func (f *deskFlags) open(python string) (*harbor.Desk, error) {
	if f.Store == "" || f.Log == "" {
		return nil, fault.New(fault.Usage, "--store and --log are required")
	}
	return harbor.OpenDesk(f.Store, f.Log, python)
}

// listen answers one connection after another: the calls of a log have an order.
func (f *deskFlags) listen(cmd *cobra.Command, d *harbor.Desk) error {
	ctx := cmd.Context()
	if err := cli.Required("socket", f.Socket); err != nil {
		return err
	}
	l, err := listen("unix:" + f.Socket)
	if err != nil {
		return fault.New(fault.Failure, "%w", err).At(f.Socket, "").Hint("choose another --socket")
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	for {
		conn, err := l.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			err = d.Serve(ctx, conn)
		}
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "wikinav-eval: harbor serve: %s\n", cli.OneLine(err.Error()))
		}
	}
}

func newHarborCall() *cobra.Command {
	f, python := &deskFlags{}, ""
	cmd := &cobra.Command{
		Use:   "call NAME JSON",
		Short: "Call a tool of a task",
		Long: `call asks the tool server at --socket, or answers from --store and adds the call to --log. It prints
what the tool answers; a tool without an answer prints an error object.`,
		Example: `  wikinav-eval harbor call --socket /run/aar/tools.sock fetch_webpage '{"url":"/wiki/Funabia"}'`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			output, err := f.call(cmd.Context(), python, args[0], args[1])
			if err == nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), output)
			}
			return err
		},
	}
	cli.Bind(cmd.Flags(), f)
	cmd.Flags().StringVar(&python, "python", "", "interpreter that runs code, with --store")
	return cmd
}

func (f *deskFlags) call(ctx context.Context, python, name, args string) (string, error) {
	if f.Socket != "" {
		out, err := f.ask(harbor.Request{Tool: name, Args: args})
		return out.Output, err
	}
	d, err := f.open(python)
	if err != nil {
		return "", err
	}
	return d.Call(ctx, name, []byte(args))
}

func (f *deskFlags) ask(q harbor.Request) (out harbor.Response, err error) {
	conn, err := net.Dial("unix", f.Socket)
	if err != nil {
		return out, fault.New(fault.NotFound, "%w", err).At(f.Socket, "").Hint("is the tool server up?")
	}
	return harbor.Ask(conn, q)
}

func newHarborList() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the tools of a task and what they take",
		Long:    `list prints the tools that a task without a cassette offers. instruction.md has those of its task.`,
		Example: `  wikinav-eval harbor list`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), harbor.Listing(&aar.Tools{Python: evalaar.Python("")}))
			return err
		},
	}
}

type harborVerify struct {
	deskFlags
	Leg    string `flag:"leg" usage:"the hidden leg (required)"`
	Answer string `flag:"answer" usage:"file with the answer (required)"`
	Out    string `flag:"out" usage:"folder for the reward (required)"`
}

func newHarborVerify() *cobra.Command {
	f := &harborVerify{}
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Judge an answer and the log of a task, and write the reward",
		Long: `verify judges an answer and the log of calls as score does, by replay, and writes reward.txt,
reward.json and reward-details.json. It writes all three and exits with 0 also without an answer, which
is worth 0; without a leg it exits with 2. With --socket the tool server judges, which has store and log.`,
		Example: `  wikinav-eval harbor verify --leg /tests/leg.json --answer /app/answer.txt --socket /run/aar/tools.sock --out /logs/verifier`,
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return f.run() },
	}
	cli.Bind(cmd.Flags(), f)
	return cmd
}

func (f *harborVerify) run() error {
	line, err := os.ReadFile(f.Leg)
	if err != nil {
		return fault.New(fault.Usage, "--leg: %w", err)
	}
	line = bytes.TrimSuffix(line, []byte{'\n'})
	l, err := aar.DecodeLine(line)
	switch {
	case err != nil:
		return fault.New(fault.Usage, "--leg: %w", err).At(f.Leg, "")
	case f.Out == "":
		return fault.New(fault.Usage, "--out is required")
	}
	var answer *string
	if data, err := os.ReadFile(f.Answer); err == nil {
		text := string(data)
		answer = &text
	}
	r, err := f.judge(l, line, answer)
	if err != nil {
		mode := harbor.Single
		if f.Socket != "" {
			mode = harbor.Sidecar
		}
		r = harbor.Unlogged(l, answer, mode, err)
	}
	return harbor.WriteReward(f.Out, r)
}

func (f *harborVerify) judge(l *schemas.AARLeg, line []byte, answer *string) (r evalaar.Reward, err error) {
	if f.Socket == "" {
		d, err := f.open("")
		if err != nil {
			return r, err
		}
		return d.Judge(l, answer), nil
	}
	out, err := f.ask(harbor.Request{Leg: string(line), Answer: answer})
	if err == nil && out.Reward == nil {
		err = errors.New("the tool server says no verdict")
	}
	if err != nil {
		return r, err
	}
	return *out.Reward, nil
}
