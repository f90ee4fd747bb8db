package lumina

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// chat is the prompt as it grows. Its digest is the SHA-256 of the canonical JSON of the messages;
// because that form of a prompt starts with that of the prompt before, each message is hashed once.
type chat struct {
	page    *page // nil while the examples themselves are made
	fresh   bool  // every message stands alone
	history []schemas.Message
	shown   string // the last message to the player, without the examples
	hashed  hash.Hash
}

func (c *chat) show(text string) {
	c.shown = text
	if c.page == nil {
		return
	}
	if c.fresh || len(c.history) == 0 {
		c.history = append(c.history[:0], c.page.head...)
		c.history[len(c.history)-1].Content += text
		c.hashed = clone(c.page.hashed)
		write(c.hashed, "", text, `","role":"user"}`)
		return
	}
	c.add(schemas.Message{Role: schemas.RoleUser, Content: text})
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
