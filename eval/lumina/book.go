package lumina

import (
	"cmp"
	"hash"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Book holds the start of every prompt: the system text, and the examples in the form of each
// configuration. Examples that show other blocks than the task does depress results. A Book is
// immutable and safe for concurrent use.
type Book struct {
	pages map[string]*page // by world and configuration
}

// page is the start of the prompts of one world and configuration.
type page struct {
	head     []schemas.Message // the last one ends where the task begins
	hashed   hash.Hash
	shots    string // the examples
	examples string // their digest
}

// NewBook renders the split fewshot, played by the optimal policy, for every configuration.
func NewBook(fewshot []*worlds.Instance) *Book {
	b := &Book{map[string]*page{}}
	for _, env := range schemas.LuminaEnvs {
		list := slices.DeleteFunc(slices.Clone(fewshot), func(i *worlds.Instance) bool { return i.Env != env })
		order.Sort(list, func(a, b *worlds.Instance) int { return cmp.Compare(a.Index, b.Index) })
		if len(list) == 0 {
			continue
		}
		for _, cfg := range family.Configs {
			b.pages[env+"/"+cfg.String()] = newPage(env, cfg, list)
		}
	}
	return b
}

func newPage(env string, cfg family.Config, list []*worlds.Instance) *page {
	var texts []string
	for i, inst := range list {
		texts = append(texts, example(inst, cfg, i+1))
	}
	examples := strings.Join(texts, "\n\n")
	first := calls.Join(prompt.ExamplesLine, examples, prompt.TaskLine) + "\n\n"
	head := []schemas.Message{{Role: schemas.RoleSystem, Content: prompt.SystemText(env)}, {Role: schemas.RoleUser, Content: first}}
	return &page{head: head, hashed: hashHead(head), shots: examples, examples: digest.SHA256([]byte(examples))}
}

// example lets the optimal policy play.
func example(inst *worlds.Instance, cfg family.Config, number int) string {
	e := start(inst, cfg, Defaults(), &chat{})
	var turns []prompt.Turn
	final := ""
	for !e.Done() {
		shown := e.chat.shown
		best := e.best[0]
		reply := prompt.Reply(view(e.state), cfg.Plan, cfg.State, prompt.Call(best), best.String())
		final = e.Play(reply).Obs
		turns = append(turns, prompt.Turn{Shown: shown, Reply: reply})
	}
	if cfg.History {
		final = ""
	}
	return prompt.Example(strconv.Itoa(number), turns, final)
}

func (b *Book) page(env string, cfg family.Config) (*page, error) {
	p := b.pages[env+"/"+cfg.String()]
	if p == nil {
		return nil, fault.New(fault.NotFound, "no examples for the world %s", env).
			At(schemas.LuminaPath(env, schemas.LuminaFewshot), "").Hint("take a release that has its split fewshot")
	}
	return p, nil
}
