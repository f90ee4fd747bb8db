package aar

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/wikinav/wikinav/artifacts/aar"
)

// MaxPrinted is how many bytes of what a program prints are kept, of both streams together.
const MaxPrinted = 64 << 10

// Python returns an interpreter that runs the program at path: `PATH -I -`, with the code on
// standard input, an empty environment and an empty temporary directory. It is no sandbox: use it
// inside a container only.
func Python(path string) aar.Interpreter {
	return func(ctx context.Context, code string, limit time.Duration) (aar.Printed, error) {
		dir, err := os.MkdirTemp("", "wikinav-python-")
		if err != nil {
			return aar.Printed{}, &aar.ToolError{Code: aar.Unsupported, Message: "there is no temporary directory for Python"}
		}
		defer os.RemoveAll(dir)
		ctx, cancel := context.WithTimeout(ctx, min(limit, aar.MaxPython))
		defer cancel()
		return runPython(ctx, path, dir, code)
	}
}

func runPython(ctx context.Context, path, dir, code string) (aar.Printed, error) {
	cmd := exec.CommandContext(ctx, path, "-I", "-")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, []string{}, strings.NewReader(code)
	room := &room{left: MaxPrinted}
	stdout, stderr := &stream{room: room}, &stream{room: room}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = time.Second // for children that keep the streams open
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return aar.Printed{}, &aar.ToolError{Code: aar.TimedOut, Message: "the code ran longer than it may"}
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return aar.Printed{}, &aar.ToolError{Code: aar.Unsupported, Message: "the interpreter does not start"}
	}
	return aar.Printed{Stdout: stdout.String(), Stderr: stderr.String(), ExitCode: cmd.ProcessState.ExitCode()}, nil
}

// room is the bytes that may still be kept.
type room struct {
	sync.Mutex
	left int
}

// stream keeps what there is room for, and takes the rest without an error.
type stream struct {
	strings.Builder
	room *room
}

func (s *stream) Write(data []byte) (int, error) {
	s.room.Lock()
	defer s.room.Unlock()
	n := min(len(data), s.room.left)
	s.room.left -= n
	s.Builder.Write(data[:n])
	return len(data), nil
}
