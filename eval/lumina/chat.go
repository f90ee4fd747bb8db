package lumina

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// chat is the prompt as it grows. Its digest is the SHA-256 of the canonical JSON of the messages;
// because that form of a prompt starts with that of the prompt before, each message is hashed once.
type chat struct {
	page    *page             // nil while the examples themselves are made
	words   *wording.Template // the user's own; nil for those of package prompt
	fresh   bool              // every message stands alone
	history []schemas.Message
	shown   string // the last message to the player, without the examples
	hashed  hash.Hash
}

// Fields of a user's own words.
const (
	fieldRules    = "rules"
	fieldExamples = "examples"
	fieldTask     = "task"
	fieldResult   = "result"
)

// show adds a message to the player: a task or what its last call did, and what stands below.
func (c *chat) show(text, notes string) {
	begins, about := c.fresh || len(c.history) == 0, text
	text = calls.Join(text, notes)
	c.shown = text
	if c.page == nil {
		return
	}
	values := func() wording.Values {
		return wording.Values{
			fieldTask: about, fieldResult: about, fieldExamples: c.page.shots,
			fieldRules: c.page.head[0].Content, wording.Notes: notes,
		}
	}
	switch {
	case c.words != nil && begins:
		c.begin(values)
		return
	case begins:
		c.history = append(c.history[:0], c.page.head...)
		c.history[len(c.history)-1].Content += text
		c.hashed = clone(c.page.hashed)
		write(c.hashed, "", text, `","role":"user"}`)
		return
	}
	c.shown = c.words.Next(text, values)
	c.add(schemas.Message{Role: schemas.RoleUser, Content: c.shown})
}

// begin puts the task in the user's own words.
func (c *chat) begin(values func() wording.Values) {
	list := c.words.Begin(c.page.head[0].Content, c.page.head[1].Content+c.shown, values)
	c.history, c.shown = append(c.history[:0], list...), list[len(list)-1].Content
	c.hashed = sha256.New()
	start := `[{"content":"`
	for _, m := range list {
		write(c.hashed, start, m.Content, `","role":"`+m.Role+`"}`)
		start = `,{"content":"`
	}
}

func (c *chat) answer(reply string) {
	if c.page != nil {
		c.add(schemas.Message{Role: schemas.RoleAssistant, Content: reply})
	}
}

func (c *chat) add(m schemas.Message) {
	c.history = append(c.history, m)
	write(c.hashed, `,{"content":"`, m.Content, `","role":"`+m.Role+`"}`)
}

func (c *chat) messages() []schemas.Message { return append([]schemas.Message{}, c.history...) }

func (c *chat) digest() string {
	if c.page == nil {
		return ""
	}
	h := clone(c.hashed)
	h.Write([]byte("]"))
	return hex.EncodeToString(h.Sum(nil))
}

// write hashes a message: its start, its content inside the canonical string, and its end.
func write(h hash.Hash, start, content, end string) {
	quoted := canon.AppendString(nil, content)
	h.Write([]byte(start))
	h.Write(quoted[1 : len(quoted)-1])
	h.Write([]byte(end))
}

func clone(h hash.Hash) hash.Hash {
	copied, err := h.(hash.Cloner).Clone()
	if err != nil {
		panic(err) // no SHA-256 of the standard library refuses
	}
	return copied
}

// hashHead hashes the messages before the first word of the task; the last of them stays open.
func hashHead(head []schemas.Message) hash.Hash {
	h := sha256.New()
	start, last := `[{"content":"`, len(head)-1
	for _, m := range head[:last] {
		write(h, start, m.Content, `","role":"`+m.Role+`"}`)
		start = `,{"content":"`
	}
	write(h, start, head[last].Content, "")
	return h
}
