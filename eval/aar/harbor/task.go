package harbor

import (
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	evalaar "github.com/wikinav/wikinav/eval/aar"
	tasks "github.com/wikinav/wikinav/eval/harbor"
	"github.com/wikinav/wikinav/schemas"
)

// socket is where the tools are called that have a container of their own.
const socket = "/run/aar/tools.sock"

// task is what the files of a task say.
type task struct {
	*Export
	id, variant   string
	leg           *schemas.AARLeg
	store, digest string
}

// files returns the texts of a task by their names.
func (k *task) files(t *aar.Tools) map[string]string {
	out := map[string]string{
		"task.toml":                 k.toml(),
		"instruction.md":            k.instruction(t),
		"solution/solve.sh":         fmt.Sprintf(solve, k.leg.Passcode),
		"environment/.dockerignore": "Dockerfile\ndocker-compose.yaml\n",
		"environment/Dockerfile":    singleImage,
		"environment/aar-tools":     fmt.Sprintf(client, "--store /opt/aar/store --log /app/tool_log.jsonl --python /usr/local/bin/python3"),
		"tests/test.sh":             fmt.Sprintf(test, "--store /opt/aar/store --log /app/tool_log.jsonl"),
	}
	if k.Mode == Sidecar {
		out["environment/Dockerfile"] = sidecarImage
		out["environment/Dockerfile.tools"] = toolsImage
		out["environment/python-nobody"] = pythonNobody
		out["environment/docker-compose.yaml"] = compose.YAML()
		out["environment/aar-tools"] = fmt.Sprintf(client, "--socket "+socket)
		out["tests/test.sh"] = fmt.Sprintf(test, "--socket "+socket)
	}
	return out
}

func (k *task) toml() string {
	level := k.leg.Metadata.Difficulty
	return tasks.Config{
		Schema: k.Schema, Name: "wikinav/" + k.id, Tags: []string{k.variant, level}, Seconds: 600,
		Description: "A riddle over pages of an encyclopedia, with tools, that ends in one digit.",
		Metadata: []tasks.Entry{
			{Key: "difficulty", Value: level},
			{Key: "variant", Value: "aar-" + k.variant},
			{Key: "level", Value: level},
			{Key: "sample", Value: k.leg.Metadata.SampleID},
			{Key: "leg_sha256", Value: k.digest},
			{Key: "store_sha256", Value: k.store},
			{Key: "snapshot_sha256", Value: k.Snapshot},
			{Key: "release", Value: k.Release},
			{Key: "log", Value: logs[k.Mode]},
		},
	}.TOML()
}

// instruction is what the agent is told.
func (k *task) instruction(t *aar.Tools) string {
	offered := &aar.Tools{World: t.World, Cassette: t.Cassette, Python: evalaar.Python("")}
	return fmt.Sprintf(instruction, k.leg.SeedURL, k.leg.Riddle, evalaar.HarborBudget(len(k.leg.Stops)), Listing(offered))
}

// Listing lists the tools that are offered, with their arguments.
func Listing(t *aar.Tools) string {
	var b strings.Builder
	for _, s := range t.Offered() {
		fmt.Fprintf(&b, "- `%s`: %s\n  `%s`\n", s.Name, s.Description, s.Input)
	}
	return b.String()
}

func describe(x *Export) string {
	return "Legs of the release " + x.Release + ": riddles over pages of an encyclopedia, with tools that answer offline. Log: " +
		logs[x.Mode] + "."
}

// trusts say what a log is worth, by mode.
var trusts = map[string]string{
	Sidecar: "The tools run in a container of their own, with pages and log. The agent has a client, no pages,\n" +
		"and cannot write the log. The verifier asks that container for its verdict. Who has the rights of root\n" +
		"in the agent's container can replace the programs that the verifier starts there, as in every task of\n" +
		"Harbor whose verifier shares the container.",
	Single: "The tools run in the agent's container, beside pages and log: the agent can read the pages at large,\n" +
		"and forge the log. Take FA from such tasks, and do not compare PVR and RCR.",
}

const readme = `# The Amazing Agent Race

%s

Each folder is a task of Harbor, registry.json lists them. The reward is 1 for the right digit, else 0;
reward.json has the share of the pages that were fetched (pvr) and of the tool stops that were done (rcr).
Every call is a step, because the turns of a model are not seen.

%s
`

const instruction = `You solve a scavenger hunt over an encyclopedia: work through the clues in order, and keep each answer
for later clues. The last clue leads to one digit, which is the answer.

# Seed URL

%s

# Riddle

%s

# Budget

You have %d calls of tools. Further calls are not answered.

# Tools

%s
# How to call a tool

Run ` + "`aar-tools NAME JSON`, such as `aar-tools fetch_webpage '{\"url\":\"/wiki/Title\"}'`" + `. It prints the answer.
` + "`aar-tools --list`" + ` prints the tools. There is no network.

# Answer

Write the digit into ` + "`/app/answer.txt`" + `, one digit without a line feed.
`

const solve = `#!/bin/sh
mkdir -p /app
printf %%s %d >/app/answer.txt
`

const client = `#!/bin/sh
if [ "$1" = --list ]; then
  exec /opt/aar/wikinav-eval harbor list
fi
exec /opt/aar/wikinav-eval harbor call %s -- "$@"
`

const test = `#!/bin/sh
exec /opt/aar/wikinav-eval harbor verify --leg /tests/leg.json --answer /app/answer.txt %s --out /logs/verifier
`

// pythonNobody runs Python as nobody, who can neither read the store nor write the log.
const pythonNobody = `#!/bin/sh
exec setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs /usr/local/bin/python3 "$@"
`

const singleImage = tasks.From + `COPY wikinav-eval /opt/aar/
COPY aar-tools /usr/local/bin/
COPY store /opt/aar/store
WORKDIR /app
`

// Two files rather than two targets of one: some readers of compose files know no targets.
const sidecarImage = tasks.From + `COPY wikinav-eval /opt/aar/
COPY aar-tools /usr/local/bin/
WORKDIR /app
`

const toolsImage = tasks.From + `COPY wikinav-eval python-nobody /opt/aar/
COPY store /opt/aar/store
RUN chmod go= /opt/aar/store && mkdir -m u=rwx,go= /var/log/aar
`

var compose = tasks.Compose{
	Server: "tools", Socket: socket, Patient: 9,
	Command: []string{
		"/opt/aar/wikinav-eval", "harbor", "serve", "--store=/opt/aar/store",
		"--log=/var/log/aar/tool_log.jsonl", "--socket=" + socket, "--python=/opt/aar/python-nobody",
	},
	Volumes: []tasks.Volume{{Name: "aar-socket", Path: "/run/aar"}},
}
