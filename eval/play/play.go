// Package play lets players play the episodes of any family and keeps what they did in a run
// directory (package trace).
//
// It owns the runner, the journal of a run directory, and the three players that every family has:
// openai, lines and human. It promises that a run's files depend on release, rules, player and seed
// alone, the clock fields apart: each episode draws from a stream of its own, and a run that has
// come to its end is in the order of play however many episodes were played at once, by however
// many processes. A run that was interrupted goes on where it stopped and ends with the same files.
// It never judges, and knows a family by package family alone.
package play

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Player takes part in many episodes, several at a time.
type Player struct {
	schemas.Player
	Interface string         // one of the schemas.Interface words
	Asked     *schemas.Asked // how a model is asked to sample; nil for other players
	Alone     bool           // it plays one episode at a time
	Splits    []string       // that it plays; nil for one that plays all

	// Start seats it at an episode; schema is what its replies are asked to follow, nil for
	// nothing.
	Start func(e family.Episode, seat family.Seat, schema json.RawMessage) Agent
}

type Agent struct {
	// Reply makes the next turn. An error that is ErrGaveUp or ErrInfra ends the episode, any other
	// the run.
	Reply func(ctx context.Context) (family.Reply, error)
	End   func() // called once the episode is over; nil for an agent that does not look at the end
}

// Errors with which an agent ends its episode.
var (
	ErrGaveUp = errors.New("the player gave up")
	ErrInfra  = errors.New("the player could not be asked")
)

// ErrStop is an error with which a player ends the run cleanly: episodes under way go on until they
// meet it themselves, and no new ones are begun.
var ErrStop = errors.New("the player plays no more")

// Unreachable is an ErrInfra that says why, and how often the player had been asked before.
type Unreachable struct {
	Reason  string
	Retries int
}

func (u *Unreachable) Error() string { return u.Reason }

// Is makes it an ErrInfra.
func (u *Unreachable) Is(e error) bool { return e == ErrInfra }

// repeated reports whether the player was asked more than once before it was given up.
func repeated(err error) bool {
	var u *Unreachable
	return errors.As(err, &u) && u.Retries > 0
}

// Names of the players that every family has.
const (
	OpenAI = "openai"
	Lines  = "lines"
	Human  = "human"
)

// Setup is what the players that every family has are made from.
type Setup struct {
	In    io.Reader // of those that somebody else moves
	Out   io.Writer
	Model *Model
}

// Names lists the players of a set: the three that every family has, then the set's own, a series
// of them as one.
func Names(set family.Set) []string {
	names := []string{Human, Lines, OpenAI}
	for _, b := range set.Baselines() {
		if name := cmp.Or(b.Series, b.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Player returns the player of a set that is called name, or a usage fault that lists them.
func (s Setup) Player(set family.Set, name string) (Player, error) {
	switch name {
	case OpenAI:
		if s.Model == nil {
			return Player{}, fault.New(fault.Usage, "player %s has no model to ask", OpenAI).Hint("give --base-url and --model")
		}
		return s.Model.Seat(), nil
	case Lines, Human:
		t := &terminal{bufio.NewReader(s.In), s.Out}
		if name == Lines {
			return t.lines(), nil
		}
		return t.human(), nil
	}
	for _, b := range set.Baselines() {
		if b.Name == name {
			return baseline(b), nil
		}
	}
	return Player{}, fault.New(fault.Usage, "no player is called %s", fault.Quote(name)).Choose(name, Names(set))
}

type Prompt struct {
	Messages []schemas.Message
	Schema   json.RawMessage // what the reply is to follow; nil for any text
	Tools    []family.Tool   // what the model may call; nil where its reply is text
}

type Speaker interface {
	Say(context.Context, Prompt) (family.Reply, error)
}

// Model is a model behind an endpoint. Package endpoint has such, tests have others.
type Model struct {
	Player schemas.Player // its kind is schemas.KindOpenAI
	Asked  schemas.Asked
	Speak  func(attempt int) Speaker // the voice for an attempt, from 1; attempts may be sampled by different seeds
}

// Seat returns the player that the model is.
func (m *Model) Seat() Player {
	return Player{
		Player: m.Player, Interface: schemas.InterfaceChat, Asked: &m.Asked,
		Start: func(e family.Episode, seat family.Seat, schema json.RawMessage) Agent {
			return Agent{Reply: func(ctx context.Context) (family.Reply, error) {
				p := promptOf(e, schema)
				r, err := m.Speak(seat.Attempt).Say(ctx, p)
				r.PromptSHA256 = prompt.Hash(p.Messages)
				return r, err
			}}
		},
	}
}

func promptOf(e family.Episode, schema json.RawMessage) Prompt {
	p := Prompt{Messages: e.Messages(), Tools: e.Tools()}
	if p.Tools == nil {
		p.Schema = schema
	}
	return p
}

func baseline(b family.Baseline) Player {
	return Player{
		Player: schemas.Player{Name: b.Name, Kind: b.Kind}, Interface: schemas.InterfaceBuiltin, Splits: b.Splits,
		Start: func(e family.Episode, seat family.Seat, _ json.RawMessage) Agent {
			next := b.Start(e, seat)
			return Agent{Reply: func(context.Context) (family.Reply, error) { return next() }}
		},
	}
}

// terminal is a line at a time from somebody outside.
type terminal struct {
	in  *bufio.Reader
	out io.Writer
}

// lines is another program: it reads an observation a line and writes a reply a line. A number is a
// choice, "back" the way back, and "quit" gives the episode up; anything else is a reply in words.
// After the last turn it reads the observation of the end, and answers nothing.
func (t *terminal) lines() Player {
	return Player{
		Player: schemas.Player{Name: Lines, Kind: schemas.KindPipe}, Interface: schemas.InterfaceLines, Alone: true,
		Start: func(e family.Episode, _ family.Seat, _ json.RawMessage) Agent {
			show := func() error {
				_, err := fmt.Fprintf(t.out, "%s\n", observed(e))
				return err
			}
			return Agent{
				Reply: func(context.Context) (r family.Reply, err error) {
					if err := show(); err != nil {
						return r, err
					}
					text, err := t.read()
					if err != nil {
						return r, err
					}
					return readLine(text)
				},
				End: func() { _ = show() },
			}
		},
	}
}

// observed returns an observation as a line: canonical, unless it holds numbers that canonical JSON
// has not, as schemas of tools may.
func observed(e family.Episode) []byte {
	o := e.Observe()
	line, err := canon.Marshal(o)
	if err != nil {
		line, err = json.Marshal(o)
	}
	if err != nil {
		panic(err) // an observation is a JSON object
	}
	return line
}

func readLine(text string) (family.Reply, error) {
	r := family.Reply{Text: &text, Back: text == "back"}
	if n, err := strconv.Atoi(text); err == nil {
		r.Choice = &n
	}
	if text == "quit" {
		return r, ErrGaveUp
	}
	return r, nil
}

// human is a person at a terminal, who is shown the last message that a model would get and types
// the reply: what stands before it was shown before. "quit" gives the episode up; the end of the
// input ends the run, which can be resumed.
func (t *terminal) human() Player {
	return Player{
		Player: schemas.Player{Name: Human, Kind: schemas.KindHuman}, Interface: schemas.InterfaceHuman, Alone: true,
		Start: func(e family.Episode, _ family.Seat, _ json.RawMessage) Agent {
			return Agent{
				Reply: func(context.Context) (r family.Reply, err error) {
					messages := e.Messages()
					if _, err := fmt.Fprintf(t.out, "%s\n> ", messages[len(messages)-1].Content); err != nil {
						return r, err
					}
					text, err := t.read()
					if err != nil {
						return r, err
					}
					fmt.Fprintln(t.out)
					r.Text, r.PromptSHA256 = &text, prompt.Hash(messages)
					if strings.EqualFold(text, "quit") {
						return r, ErrGaveUp
					}
					return r, nil
				},
				End: func() { fmt.Fprintf(t.out, "Game over: %s after %d steps.\n\n", e.Outcome(), e.Step()-1) },
			}
		},
	}
}

const maxTyped = 1 << 16

// read returns the next line without its end and the blanks around it.
func (t *terminal) read() (string, error) {
	var line []byte
	for {
		b, err := t.in.ReadByte()
		switch {
		case err == io.EOF && len(line) > 0, err == nil && b == '\n':
			return strings.ToValidUTF8(strings.TrimSpace(string(line)), "\uFFFD"), nil
		case err == io.EOF:
			return "", fault.New(fault.Interrupted, "the input ended")
		case err != nil:
			return "", err
		case len(line) == maxTyped:
			return "", fault.New(fault.Malformed, "a line of input is longer than %d bytes", maxTyped)
		}
		line = append(line, b)
	}
}
