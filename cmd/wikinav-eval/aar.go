package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	evalaar "github.com/wikinav/wikinav/eval/aar"
	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/provider"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// toolFlags say what answers calls of tools.
type toolFlags struct {
	Release  string `flag:"release" usage:"release directory with the world that answers"`
	Cassette string `flag:"cassette" usage:"recorded answers of what only a provider answers"`
	Python   string `flag:"python" usage:"interpreter that runs code; no sandbox: use it inside a container only"`
}

func newTools() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Call the tools of The Amazing Agent Race, or record the answers of a provider",
		Long: `tools calls, lists and records the tools that agents have in The Amazing Agent Race. A release answers
most of them, a cassette what was recorded of others, and nothing is dialled but by tools record.`,
	}
	cmd.AddCommand(newToolsCall(), newToolsList(), newToolsRecord(provider.All))
	return cmd
}

func newToolsCall() *cobra.Command {
	f := &toolFlags{}
	cmd := &cobra.Command{
		Use:   "call NAME JSON",
		Short: "Answer one call as an agent would see it",
		Long: `call answers one call of a tool and prints what an agent would see, cut as for one. A tool without an answer
prints an error object with its code. A call that the cassette lacks also has exit code 10.`,
		Example: `  wikinav-eval tools call fetch_webpage '{"url":"/wiki/Funabia"}' --release demo-release
  wikinav-eval tools call maps_directions '{"origin":"A","destination":"B"}' --release demo-release --cassette live.jsonl`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.call(cmd, args[0], args[1]) },
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func toolNames() (names []string) {
	for _, s := range aar.Specs() {
		names = append(names, s.Name)
	}
	return names
}

func (f *toolFlags) call(cmd *cobra.Command, name, args string) error {
	if _, ok := aar.FindSpec(name); !ok {
		return fault.New(fault.Usage, "there is no tool %s", fault.Quote(name)).Choose(name, toolNames())
	}
	t, closeWorld, err := f.open()
	if err != nil {
		return err
	}
	a := t.Call(cmd.Context(), name, []byte(args))
	if err := closeWorld(); err != nil {
		return err
	}
	object := map[string]any{"output": a.Output, "source": a.Source, "code": a.Code}
	err = cli.Print(cmd, object, func(out io.Writer) error { _, err := fmt.Fprintln(out, a.Output); return err })
	if err == nil && a.Code == aar.CassetteMiss {
		return fault.New(fault.NotFound, "the cassette has no answer to this call of %s", name).At(f.Cassette, "").
			Hint("wikinav-eval tools record asks a provider")
	}
	return err
}

// open opens what answers; the world is mapped until close.
func (f *toolFlags) open() (t *aar.Tools, closeWorld func() error, err error) {
	t = &aar.Tools{}
	if f.Cassette != "" {
		if t.Cassette, err = aar.OpenCassette(f.Cassette); err != nil {
			return nil, nil, err
		}
	}
	if f.Python != "" {
		t.Python = evalaar.Python(f.Python)
	}
	if err := cli.Required("release", f.Release); err != nil {
		return nil, nil, err
	}
	r, err := open.Open(f.Release)
	if err != nil {
		return nil, nil, err
	}
	if t.World, err = aar.OpenWorld(r.Part(aar.Part)); err != nil {
		return nil, nil, errors.Join(err, r.Close())
	}
	if t.Cassette == nil {
		if t.Cassette, err = aar.ReleasedCassette(r.Part(aar.Part)); err != nil {
			return nil, nil, errors.Join(err, t.World.Close(), r.Close())
		}
	}
	return t, func() error { return errors.Join(t.World.Close(), r.Close()) }, nil
}

func newToolsList() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the tools, who answers them and what they take",
		Long:    `list prints the tools in the order in which agents are offered them.`,
		Example: `  wikinav-eval tools list --json`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cli.AsJSON(cmd) { // schemas have numbers that canonical JSON has not
				return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{"tools": aar.Specs()})
			}
			for _, s := range aar.Specs() {
				fmt.Fprintf(cmd.OutOrStdout(), "%s (%s)\n  %s\n  %s\n", s.Name, s.Offline, s.Description, s.Input)
			}
			return nil
		},
	}
	cli.AddJSON(cmd.Flags())
	return cmd
}

type recordFlags struct {
	Provider string `flag:"provider" usage:"live provider (required)"`
	Cassette string `flag:"cassette" usage:"file that the answers go to (required)"`
	Calls    string `flag:"calls" usage:"calls as JSON lines of tool and args (required)"`
	Refresh  bool   `flag:"refresh" usage:"take a new answer in place of a recorded one"`

	BaseURL string `flag:"base-url" usage:"with --provider openai: address of the endpoint, such as https://host/v1"`
	Model   string `flag:"model" usage:"with --provider openai: model that is asked"`
}

// rewords is the provider of rewordings: an endpoint of chat completions, asked at temperature 0.
type rewords struct {
	client *endpoint.Client
	model  string
	secret string
}

const rewordsName = "openai"

func (r *rewords) Name() string      { return rewordsName }
func (r *rewords) Tools() []string   { return []string{aar.ToolLLM} }
func (r *rewords) Secrets() []string { return []string{r.secret} }

func (r *rewords) Call(ctx context.Context, _ string, args []byte) ([]byte, error) {
	var asked struct{ Messages []schemas.Message }
	if err := json.Unmarshal(args, &asked); err != nil {
		return nil, err
	}
	zero := "0"
	reply, err := r.client.Ask(ctx, endpoint.Request{
		Model: r.model, Messages: asked.Messages, Asked: schemas.Asked{Temperature: &zero},
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(reply.Text)
}

// rewords opens the provider of rewordings; its key comes from the environment.
func (f *recordFlags) rewords() (*rewords, error) {
	if f.BaseURL == "" || f.Model == "" {
		return nil, fault.New(fault.Usage, "--provider %s needs --base-url and --model", rewordsName)
	}
	key := os.Getenv("WIKINAV_API_KEY")
	secret, err := endpoint.NewSecret(key)
	if err != nil {
		return nil, err
	}
	client, err := endpoint.New(endpoint.Config{BaseURL: f.BaseURL, Key: secret})
	return &rewords{client, f.Model, key}, err
}

func newToolsRecord(all []provider.Provider) *cobra.Command {
	f := &recordFlags{}
	cmd := &cobra.Command{
		Use:   "record",
		Short: "Ask a live provider and keep its answers in a cassette",
		Long: `record asks a provider each call of a file, {"tool":...,"args":{...}} a line, and keeps its answers, errors among
them, in a cassette; those before an error are kept. Another answer than a recorded one is an error without
--refresh. Keys of a provider come from the environment and are never recorded. This program ships one provider,
openai, which rewords riddles at temperature 0; its key is the environment's WIKINAV_API_KEY.`,
		Example: `  wikinav-eval tools record --provider NAME --cassette live.jsonl --calls calls.jsonl
  wikinav-eval tools record --provider openai --base-url http://localhost:8000/v1 --model NAME \
      --cassette live.jsonl --calls rewordings.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, all) },
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *recordFlags) run(cmd *cobra.Command, all []provider.Provider) error {
	if err := cli.Required("provider", f.Provider, "cassette", f.Cassette, "calls", f.Calls); err != nil {
		return err
	}
	if f.Provider == rewordsName {
		own, err := f.rewords()
		if err != nil {
			return err
		}
		all = append(slices.Clone(all), own)
	}
	p, err := provider.Find(f.Provider, all)
	if err != nil {
		return err
	}
	calls, err := readCalls(f.Calls)
	if err != nil {
		return err
	}
	tape, err := aar.OpenCassette(f.Cassette)
	if fault.KindOf(err) == fault.NotFound {
		tape, err = aar.NewCassette(), nil
	}
	if err != nil {
		return err
	}
	err = provider.Record(cmd.Context(), p, calls, time.Now, func(r provider.Recorded) error {
		status := aar.RecordedOK
		if r.Failed {
			status = aar.RecordedError
		}
		return tape.Put(aar.Recording{
			Tool: r.Tool, Args: r.Args, Response: aar.ResponseOf(r.Response), Status: status, Provider: r.Provider, RecordedAt: r.At,
		}, f.Refresh)
	})
	if tape.Len() > 0 { // after an error, too: answers may have cost something
		err = cmp.Or(err, writeCassette(f.Cassette, tape))
	}
	if err != nil {
		return err
	}
	return cli.Print(cmd, map[string]any{"recorded": len(calls), "cassette": tape.Len()}, func(out io.Writer) error {
		_, err := fmt.Fprintf(out, "%d calls recorded, %s has %d\n", len(calls), f.Cassette, tape.Len())
		return err
	})
}

// readCalls reads the calls to record, by the names of their tools and with canonical arguments.
func readCalls(path string) (calls []provider.Call, err error) {
	data, err := os.Open(path)
	if err != nil {
		return nil, fault.Opening(path, err)
	}
	defer data.Close()
	err = jsonl.Each(data, path, func(_ int, line []byte) error {
		name, args, err := aar.ReadCall(line)
		spec, ok := aar.FindSpec(name)
		switch {
		case err != nil:
			return err
		case name == aar.ToolLLM:
			calls = append(calls, provider.Call{Tool: name, Args: args})
			return nil
		case !ok:
			return fault.New(fault.Malformed, "there is no tool %s", fault.Quote(name)).Choose(name, toolNames())
		}
		calls = append(calls, provider.Call{Tool: spec.Name, Args: args})
		return nil
	})
	return calls, err
}

// writeCassette replaces a cassette at once.
func writeCassette(path string, c *aar.Cassette) error {
	var out bytes.Buffer
	err := c.Write(&out)
	if err == nil {
		err = os.WriteFile(path+".new", out.Bytes(), 0o644)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	return err
}
