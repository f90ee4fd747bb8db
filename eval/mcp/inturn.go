package mcp

import (
	"context"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// inTurn is a transport that hands over a request once the one before it is answered. The SDK
// serves requests concurrently, and at the end of the input drops those still under way; so calls
// that a model makes at once are made in the order in which it wrote them, and whoever writes
// requests into a pipe gets every answer.
type inTurn struct{ sdk.Transport }

func (t inTurn) Connect(ctx context.Context) (sdk.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &queue{Connection: conn, closed: make(chan struct{})}, nil
}

type queue struct {
	sdk.Connection
	once   sync.Once
	closed chan struct{}

	mu       sync.Mutex
	open     jsonrpc.ID    // of the request under way
	answered chan struct{} // closed with its answer; nil while there is none
}

// brief lists the requests answered at once. Others, as subscriptions, may stay open to the end.
var brief = []string{"initialize", "server/discover", "ping", "tools/list", "tools/call"}

func (q *queue) Read(ctx context.Context) (jsonrpc.Message, error) {
	if err := q.wait(ctx); err != nil {
		return nil, err
	}
	msg, err := q.Connection.Read(ctx)
	if req, ok := msg.(*jsonrpc.Request); ok && err == nil && req.IsCall() && slices.Contains(brief, req.Method) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.open, q.answered = req.ID, make(chan struct{})
	}
	return msg, err
}

func (q *queue) wait(ctx context.Context) error {
	q.mu.Lock()
	answered := q.answered
	q.mu.Unlock()
	if answered == nil {
		return nil
	}
	select {
	case <-answered:
	case <-q.closed: // the read that follows says so
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

func (q *queue) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := q.Connection.Write(ctx, msg)
	if resp, ok := msg.(*jsonrpc.Response); ok {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.answered != nil && resp.ID == q.open {
			close(q.answered)
			q.answered = nil
		}
	}
	return err
}

func (q *queue) Close() error {
	q.once.Do(func() { close(q.closed) })
	return q.Connection.Close()
}
