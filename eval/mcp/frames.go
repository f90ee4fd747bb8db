package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// frames hands over the lines of a stream that hold a message each, and answers the others itself,
// with an error of JSON-RPC: to the SDK they are the end of the stream.
type frames struct {
	in   *bufio.Reader
	out  io.Writer
	left []byte // of the line that is being handed over
}

// maxFrame bounds a line. What is longer is passed over.
const maxFrame = 4 << 20

var errLong = fmt.Errorf("a message is longer than %d bytes", maxFrame)

func (f *frames) Read(p []byte) (int, error) {
	for len(f.left) == 0 {
		line, err := f.line()
		if err != nil && err != errLong {
			return 0, err
		}
		if len(line) == 0 && err == nil {
			continue
		}
		if code, why := judged(line, err); why != nil {
			if err := f.refuse(code, why); err != nil {
				return 0, err
			}
			continue
		}
		f.left = append(line, '\n')
	}
	n := copy(p, f.left)
	f.left = f.left[n:]
	return n, nil
}

// line returns the next line without the blanks around it; the last may lack its end. Of one that
// is too long it returns errLong, once it is over.
func (f *frames) line() (line []byte, err error) {
	long := false
	for {
		part, err := f.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxFrame; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long:
			return nil, errLong
		case err == io.EOF && len(line) > 0, err == nil:
			return bytes.TrimSpace(line), nil
		default:
			return nil, err
		}
	}
}

// judged returns what is wrong with a line as a message, and the code by which JSON-RPC calls that.
func judged(line []byte, long error) (code int64, why error) {
	switch {
	case long != nil:
		return jsonrpc.CodeParseError, long
	case !json.Valid(line):
		return jsonrpc.CodeParseError, errors.New("the line is no JSON; send one message a line")
	case line[0] == '[':
		return jsonrpc.CodeInvalidRequest, errors.New("batches are not taken; send one message a line")
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return jsonrpc.CodeInvalidRequest, errors.New("the line is no message of JSON-RPC 2.0")
	}
	return 0, nil
}

func (f *frames) refuse(code int64, why error) error {
	_, err := fmt.Fprintf(f.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why)
	return err
}

// shared is a stream to which several write, a message at a time, and which belongs to somebody
// else.
type shared struct {
	mu  sync.Mutex
	out io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

func (s *shared) Close() error { return nil }
