package aar

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/digest"
	spoken "github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Versions of the words and of how replies are read; any change raises them. 1: first ones.
const (
	promptVersion = "aar.prompt/1"
	parserVersion = "aar.reply/1"
)

// The words around a leg.
const (
	systemText = "You solve a scavenger hunt over an encyclopedia. " +
		"Use the tools to read pages and look things up. " +
		"Work through the clues in order, and keep each answer for later clues."
	taskText = "# Puzzle %s\n\n# Seed URL\n\n%s\n\n# Riddle\n\n%s\n\n# Instructions\n\n" +
		"You have %d turns. When you are done, write on a line of its own: Final Answer: X, " +
		"where X is one digit (0-9)."
	blockText = "Call a tool by a fenced block with the word tool, " +
		"which holds {\"name\":...,\"arguments\":{...}}."
	lineText   = "Call tools by a line {\"calls\":[{\"tool\":...,\"args\":{...}}]}." // of a person
	resultText = "Result of call %d (%s):\n%s"
	onText     = "Call a tool, or write Final Answer: X."
)

// How replies in words are read: a line with the answer, and closed blocks with a call each.
var (
	answerLine = regexp.MustCompile(`(?i)^[*_\s]*final answer[*_\s]*:[*_\s]*(.+?)[*_\s.]*$`)
	toolBlock  = regexp.MustCompile("(?ms)^[ \t]*```tool[ \t]*\r?\n(.*?)^[ \t]*```[ \t]*\r?$")
)

// Words pins the words of an episode and how replies in words are read. A baseline is shown none.
func (Family) Words(o family.Options, m family.Manner) (family.Words, error) {
	if m.Parser != "" && m.Parser != parserVersion {
		return family.Words{}, fault.New(fault.Usage, "there is no parser %s", fault.Quote(m.Parser)).
			Hint("there is %s", parserVersion)
	}
	w := family.Words{Temperature: "0"}
	if m.Interface == schemas.InterfaceBuiltin {
		return w, nil
	}
	pinned := func(version string, lines ...string) *schemas.Versioned {
		return &schemas.Versioned{Version: version, SHA256: digest.SHA256([]byte(strings.Join(lines, "\n")))}
	}
	w.Parser = pinned(parserVersion, answerLine.String(), toolBlock.String())
	if m.Interface != schemas.InterfaceForeign {
		lines := []string{
			systemText, taskText, blockText, lineText, resultText, onText, toolLines(rulesOf(o).Tools),
		}
		if o := rulesOf(o); o.Oracle != "" {
			lines = append(lines, oracleWords...)
		}
		w.Prompt = pinned(promptVersion, lines...)
	}
	return w, nil
}

// offer is a tool as models and programs are told of it.
type offer struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  any    `json:"parameters"` // a JSON Schema
}

// offersOf lists the tools of these names in their order.
func offersOf(names []string) []offer {
	list := make([]offer, len(names))
	for i, name := range names {
		s, _ := aar.FindSpec(name) // the options have no other names
		list[i] = offer{s.Name, s.Description, s.Input}
	}
	return list
}

// toolLines is the list of tools as lines of JSON, in the form of the field tools of a request.
func toolLines(names []string) string {
	var b strings.Builder
	for _, o := range offersOf(names) {
		fmt.Fprintf(&b, `{"type":"function","function":{"name":%s,"description":%s,"parameters":%s}}`+"\n",
			canon.AppendString(nil, o.Name), canon.AppendString(nil, o.Description), o.Parameters)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Form says what a template of a leg may hold. Where replies are calls, their results stand alone.
func (Family) Form(o family.Options, m family.Manner) (wording.Form, error) {
	switch m.Interface {
	case schemas.InterfaceChat, schemas.InterfaceHuman:
	default:
		return wording.Form{}, family.NoReader()
	}
	f := wording.Form{Fields: []wording.Field{
		{Name: "riddle", Says: "the clues that lead to the answer", Need: wording.Once},
		{Name: "seed_url", Says: "the page to begin at", Need: wording.Once},
		{Name: "turns", Says: "the turns that are left"},
		{Name: "puzzle", Says: "the name of the leg"},
		{
			Name: "tools",
			Says: "how tools are called in words, and the list of them; nothing where they are called as such",
		},
	}}
	opts := rulesOf(o)
	f.Dialogue = opts.ToolFormat == schemas.AARFormatText && !configOf(opts.AAROptions).History
	if f.Dialogue {
		f.Fields = append(f.Fields, wording.Field{
			Name: "result", Says: "what the last calls returned", Need: wording.Later,
		})
	}
	return f, nil
}

// head returns the messages before the first reply, with what stands below the task. A person is
// shown one message alone.
func (e *Episode) head(notes string) []schemas.Message {
	left, how := e.budget-len(e.turns), ""
	system, task := systemText, fmt.Sprintf(taskText, e.task.ID, e.leg.SeedURL, e.leg.Riddle, left)
	switch {
	case e.manner.Interface == schemas.InterfaceHuman:
		how = lineText + "\n" + toolLines(e.rules.Tools)
		system, task = "", spoken.Join(system, how, task)
	case e.inWords():
		how = blockText + "\n" + toolLines(e.rules.Tools)
		system = spoken.Join(system, how)
	}
	return e.manner.Prompt.Begin(system, spoken.Join(task, notes), func() wording.Values {
		return wording.Values{
			"riddle": e.leg.Riddle, "seed_url": e.leg.SeedURL, "turns": strconv.Itoa(left), "puzzle": e.task.ID,
			"tools": how, wording.Notes: notes,
		}
	})
}

// inWords reports whether calls are blocks of a reply.
func (e *Episode) inWords() bool {
	return e.manner.Interface != schemas.InterfaceChat || e.rules.ToolFormat == schemas.AARFormatText
}

// restart puts the task anew, with what the last turn returned; the calls before it are dropped.
func (e *Episode) restart(results []Result) {
	told := onText
	if len(results) > 0 {
		told = resultsText(results)
	}
	e.chat = e.head(spoken.Join(told, e.said()))
}

func resultsText(results []Result) string {
	var parts []string
	for i, r := range results {
		parts = append(parts, fmt.Sprintf(resultText, i+1, r.Tool, r.Output))
	}
	return strings.Join(parts, "\n\n")
}

// show adds the messages that follow a turn, whose calls were these.
func (e *Episode) show(text string, calls []call, results []Result) {
	if e.config.History {
		e.restart(results)
		return
	}
	said := schemas.Message{Role: schemas.RoleAssistant, Content: text}
	switch {
	case len(calls) == 0:
		e.chat = append(e.chat, said, e.told(onText))
	case e.inWords():
		e.chat = append(e.chat, said, e.told(resultsText(results)))
	default:
		for _, c := range calls {
			said.ToolCalls = append(said.ToolCalls, c.echo())
		}
		e.chat = append(e.chat, said)
		for i, r := range results {
			e.chat = append(e.chat, schemas.Message{
				Role: schemas.RoleTool, Content: r.Output, ToolCallID: calls[i].id,
			})
		}
		last := &e.chat[len(e.chat)-1]
		last.Content = spoken.Join(last.Content, e.said())
	}
}

// told returns what a later turn says in words, with what the oracles say.
func (e *Episode) told(result string) schemas.Message {
	notes := e.said()
	text := e.manner.Prompt.Next(spoken.Join(result, notes), func() wording.Values {
		return wording.Values{"result": result, wording.Notes: notes}
	})
	return schemas.Message{Role: schemas.RoleUser, Content: text}
}

// functionName is the form of names that endpoints take.
var functionName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// echo returns a call as the model hears of it again: endpoints refuse what is no name, and
// arguments that are no object.
func (c call) echo() schemas.ToolCall {
	f := schemas.CalledByName{Name: c.tool, Arguments: c.args}
	if !functionName.MatchString(f.Name) {
		f.Name = "unknown"
	}
	var object map[string]any
	if json.Unmarshal([]byte(c.args), &object) != nil || object == nil {
		f.Arguments = "{}"
	}
	return schemas.ToolCall{ID: c.id, Type: schemas.ToolFunction, Function: f}
}

// readAnswer returns what the last line with an answer says, nil for no such line.
func readAnswer(text string) (answer *string) {
	for line := range strings.Lines(text) {
		if m := answerLine.FindStringSubmatch(line); m != nil {
			answer = &m[1]
		}
	}
	return answer
}

// readBlocks lists the calls of a reply in words.
func readBlocks(text string) (calls []family.Call) {
	for _, m := range toolBlock.FindAllStringSubmatch(text, -1) {
		var c family.Call
		if json.Unmarshal([]byte(m[1]), &c) != nil {
			c = family.Call{Arguments: canon.AppendString(nil, m[1])}
		}
		calls = append(calls, c)
	}
	return calls
}

// lineReply is a line of a program, or of a person.
type lineReply struct {
	Calls  []asked `json:"calls"`
	Answer *string `json:"answer"`
}

type asked struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// readLine reads a line that is an object with calls or an answer.
func readLine(text string) (l lineReply, ok bool) {
	err := canon.DecodeOpen([]byte(text), canon.MaxLine, &l)
	return l, err == nil && (l.Calls != nil) != (l.Answer != nil)
}
