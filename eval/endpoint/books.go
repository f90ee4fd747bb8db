package endpoint

import (
	"sync"

	"github.com/wikinav/wikinav/schemas"
)

// Books is what a client has done so far.
type Books struct {
	Tries   int64         `json:"tries"`   // requests sent, repetitions among them
	Replies int64         `json:"replies"` // that could be read
	Failed  int64         `json:"failed"`  // questions that were given up
	Lost    int64         `json:"lost"`    // tries whose answer was lost on the way: the endpoint may charge for them
	Untold  int64         `json:"untold"`  // replies that do not tell their tokens
	Usage   schemas.Usage `json:"usage"`   // of the other replies
}

type ledger struct {
	mu    sync.Mutex
	books Books
}

func (l *ledger) book(change func(*Books)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.books)
}

// Books gives the client's books. It is safe for concurrent use.
func (c *Client) Books() Books {
	c.ledger.mu.Lock()
	defer c.ledger.mu.Unlock()
	return c.ledger.books
}

func (b *Books) reply(u *schemas.Usage) {
	b.Replies++
	if u == nil {
		b.Untold++
		return
	}
	b.Usage.Add(*u)
}
