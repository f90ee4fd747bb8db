package aar

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/aar"
)

func interpreter(t *testing.T) aar.Interpreter {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is absent")
	}
	return Python(path)
}

func TestPythonRunsWithoutAnEnvironment(t *testing.T) {
	t.Setenv("WIKINAV_API_KEY", "secret-of-the-user")
	run := interpreter(t)
	for code, want := range map[string]aar.Printed{
		"print(6 * 7)": {Stdout: "42\n"},
		"import os; print('WIKINAV_API_KEY' in os.environ, 'HOME' in os.environ, os.listdir('.'))": {Stdout: "False False []\n"},
		"import sys; sys.stderr.write('no'); sys.exit(3)":                                          {Stderr: "no", ExitCode: 3},
		"": {},
	} {
		if got, err := run(t.Context(), code, aar.MaxPython); err != nil || got != want {
			t.Errorf("%q: got %+v, %v", code, got, err)
		}
	}
}

func TestPythonIsBounded(t *testing.T) {
	run := interpreter(t)
	p, err := run(t.Context(), "import sys\nprint('x' * 50000); sys.stdout.flush(); sys.stderr.write('y' * 10**6)", aar.MaxPython)
	if err != nil || len(p.Stdout)+len(p.Stderr) != MaxPrinted {
		t.Errorf("%d and %d bytes, %v", len(p.Stdout), len(p.Stderr), err)
	}
	start := time.Now()
	for name, code := range map[string]string{
		"a loop":  "while True: pass",
		"a child": "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import time; time.sleep(4)'])",
	} {
		var e *aar.ToolError
		if _, err := run(t.Context(), code, 300*time.Millisecond); !errors.As(err, &e) || e.Code != aar.TimedOut {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if took := time.Since(start); took > 6*time.Second {
		t.Errorf("two programs were stopped after %v", took)
	}
}

func TestPythonAnswersAsATool(t *testing.T) {
	tools := &aar.Tools{Python: interpreter(t)}
	for args, want := range map[string]string{
		`{"code":"print('é')"}`:                       `{"stdout":"é\n","stderr":"","exit_code":0}`,
		`{"code":"while 1: 0","timeout_seconds":0.2}`: aar.TimedOut,
		`{"code":"print(1)","timeout_seconds":0.01}`:  aar.BadArguments,
		`{"code":"print(1)","timeout_seconds":1e300}`: `{"stdout":"1\n","stderr":"","exit_code":0}`,
		`{"code":"import os\nos.write(1, b'\\xff')"}`: `{"stdout":"�","stderr":"","exit_code":0}`,
	} {
		a := tools.Call(context.Background(), "python_execute_code", []byte(args))
		if a.Output != want && (a.Code == "" || a.Code != want) {
			t.Errorf("%s: got %+v", args, a)
		}
	}
	tools.Python = Python("/no/such/python")
	if a := tools.Call(context.Background(), "python_execute_code", []byte(`{"code":"1"}`)); a.Code != aar.Unsupported || strings.Contains(a.Output, "/no/such") {
		t.Errorf("got %+v", a)
	}
}
