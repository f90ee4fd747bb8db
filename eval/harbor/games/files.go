package games

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	tasks "github.com/wikinav/wikinav/eval/harbor"
	"github.com/wikinav/wikinav/schemas/canon"
)

//go:embed game.py
var client string

//go:embed verify.py
var verifier string

// seconds is how long an agent has for a game.
const seconds = 1800

// texts returns the files of a task that are short, by their names.
func (x *Export) texts(t family.Task, moves []family.Reply, says string) map[string]string {
	return map[string]string{
		"task.toml":                       x.toml(t),
		"instruction.md":                  fmt.Sprintf(instruction, says),
		"environment/.dockerignore":       "Dockerfile\nDockerfile.server\ndocker-compose.yaml\n",
		"environment/Dockerfile":          playerImage,
		"environment/Dockerfile.server":   serverImage,
		"environment/docker-compose.yaml": x.compose(t).YAML(),
		"environment/game":                client,
		"solution/solve.sh":               solution(moves),
		"tests/test.sh":                   test,
		"tests/verify.py":                 verifier,
		"tests/task.json":                 x.expected(t),
	}
}

func (x *Export) toml(t family.Task) string {
	m := x.Release.Manifest()
	metadata := []tasks.Entry{
		{Key: "family", Value: x.Family.Name()},
		{Key: "split", Value: t.Split},
		{Key: "instance", Value: t.Instance},
		{Key: "release", Value: m.Release.Name},
		{Key: "manifest_id", Value: m.ID},
	}
	if set, ok := x.set.(family.Described); ok {
		if hard, ok := set.Difficulty(t.Instance); ok {
			metadata = append(metadata, tasks.Entry{Key: hard.Called, Value: strconv.Itoa(hard.Length)})
		}
	}
	return tasks.Config{
		Schema: x.Schema, Name: "wikinav/" + t.Instance, Tags: []string{x.Family.Name(), t.Split},
		Description: "A walk along links from a page of an encyclopedia to another.",
		Seconds:     seconds, Metadata: metadata,
	}.TOML()
}

// compose has room for one game, which is forgotten after the agent's time is over.
func (x *Export) compose(t family.Task) tasks.Compose {
	const socket = "/run/wikinav/game.sock"
	return tasks.Compose{
		Server: "server", Socket: socket, Patient: 60,
		Command: []string{
			"/opt/wikinav/wikinav-eval", "serve", "--release=/opt/wikinav/release",
			"--family=" + x.Family.Name(), "--split=" + t.Split, "--instance=" + t.Instance,
			"--fixed-options", "--game-only", "--max-games=1", "--session-ttl=168h",
			"--log=/var/log/wikinav", "--listen=unix:" + socket,
		},
		Volumes: []tasks.Volume{
			{Name: "game-socket", Path: "/run/wikinav"},
			{Name: "game-log", Path: "/var/log/wikinav", ReadOnly: true},
		},
	}
}

// expected is what the verifier holds a log to.
func (x *Export) expected(t family.Task) string {
	return string(canon.MustMarshal(map[string]any{
		"family": x.Family.Name(), "split": t.Split, "instance": t.Instance, "options": x.options.JSON,
		"manifest_id": x.Release.Manifest().ID, "metric": x.metric(),
	})) + "\n"
}

// solution is the script that makes the moves.
func solution(moves []family.Reply) string {
	var b strings.Builder
	b.WriteString("#!/bin/sh\nset -e\n")
	for _, m := range moves {
		fmt.Fprintf(&b, "game choose %d\n", *m.Choice)
	}
	return b.String()
}

// describe is README.md of the tasks.
func (x *Export) describe() string {
	m := x.Release.Manifest()
	return fmt.Sprintf(readme, m.Release.Name, m.ID, x.Family.Name())
}

const readme = `# Games of %s as tasks of Harbor

Of the release with manifest id ` + "`%s`" + `, family %s, under its default rules. Each folder is
a task, registry.json lists them. The reward is 1 for a success, else 0; reward.json also has the
turns, those that came no nearer to the target (suboptimal), and whether a page was seen twice
(loops).

The game runs in a container of its own, which holds the release and writes the log. The agent's
container has a client and can read the log of the game that ended, but not write it. The verifier
brings the release and the program along, plays the first game of the log again and trusts nothing
that it says. Who has the rights of root in the agent's container can replace the interpreter that
the verifier starts there, as in every task of Harbor whose verifier shares the container.
`

const instruction = `Play one game over an encyclopedia by its links.

%s
# How to play

In place of the tools that the rules name, run ` + "`game`" + ` in a terminal; every call prints JSON.

- ` + "`game`" + ` shows the page you are on, its links with their numbers, and the target. The first
  call begins the game.
- ` + "`game choose N`" + ` follows the link with number N, ` + "`game title TITLE`" + ` the one called so.
- ` + "`game back`" + ` goes back, where the rules allow it.
- ` + "`game give-up`" + ` ends the game.

A number or title that is not in the list is refused and costs nothing. There is one game, and its first move counts as much as its last. It is over when the answer says
` + "`\"done\":true`" + `. Nothing is to be written into a file.
`

const test = `#!/bin/sh
game give-up >/dev/null 2>&1
exec python3 /tests/verify.py
`

const playerImage = tasks.From + `COPY game /usr/local/bin/
WORKDIR /app
`

const serverImage = tasks.From + `COPY wikinav-eval /opt/wikinav/
COPY release /opt/wikinav/release
`
