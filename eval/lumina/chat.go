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

// show puts a message to the player.
func (c *chat) show(text string) {
	c.shown = text
	if c.page == nil {
		return
	}
	first := c.fresh || len(c.history) == 0
	if first {
		c.history = append(c.history[:0], c.page.head...)
		c.history[len(c.history)-1].Content += text
		c.hashed = clone(c.page.hashed)
	} else {
		c.history = append(c.history, schemas.Message{Role: schemas.RoleUser, Content: text})
		c.hashed.Write([]byte(`,{"content":"`))
	}
	writeEscaped(c.hashed, text)
	c.hashed.Write([]byte(`","role":"user"}`))
}

// answer adds the player's reply to the history.
func (c *chat) answer(reply string) {
	if c.page == nil {
		return
	}
	c.history = append(c.history, schemas.Message{Role: schemas.RoleAssistant, Content: reply})
	c.hashed.Write([]byte(`,{"content":"`))
	writeEscaped(c.hashed, reply)
	c.hashed.Write([]byte(`","role":"assistant"}`))
}

func (c *chat) messages() []schemas.Message {
	return append([]schemas.Message{}, c.history...)
}

func (c *chat) digest() string {
	if c.page == nil {
		return ""
	}
	h := clone(c.hashed)
	h.Write([]byte("]"))
	return hex.EncodeToString(h.Sum(nil))
}

// writeEscaped writes the inside of the canonical string.
func writeEscaped(h hash.Hash, text string) {
	quoted := canon.AppendString(nil, text)
	h.Write(quoted[1 : len(quoted)-1])
}

// clone copies the state of a SHA-256.
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
	h.Write([]byte("["))
	for i, m := range head {
		if i > 0 {
			h.Write([]byte(","))
		}
		h.Write([]byte(`{"content":"`))
		writeEscaped(h, m.Content)
		if i < len(head)-1 {
			h.Write([]byte(`","role":"` + m.Role + `"}`))
		}
	}
	return h
}
