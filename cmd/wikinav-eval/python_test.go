package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

// easyRelease writes a release with a split of the name that examples have.
func easyRelease(t *testing.T) string {
	b := newBuilder(t, gametest.Random(5, 60, 8, 20), 3, 4)
	b.quotas, b.splits = nil, nil
	b.splits = []splitInput{b.split("easy", 30, []int{2, 3, 4})}
	return b.release()
}

// python returns a page whose shell has the package on its path.
func python(t *testing.T, name, rel string) page {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skipf("the client is a Python package: %v", err)
	}
	source, err := filepath.Abs("../../eval/clients/python/src")
	must(t, err)
	t.Setenv("PYTHONPATH", source)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	return openPage(t, name, rel)
}

func TestTheExampleOfTheEnvironmentWorks(t *testing.T) {
	p := python(t, "env.md", easyRelease(t))
	put(t, filepath.Join(p.folder, "example.py"), p.block("python"))
	p.shell("python3 -W error example.py")
	out := strings.Split(p.shell(p.block("sh")), "\n")
	if len(out) != 5 || strings.Count(out[1], `"instance":"wr-easy-`) != 4 ||
		strings.Count(out[2], `"valid":true`) != 2 || out[3] != `{"closed":true}` {
		t.Errorf("got %q", out)
	}
}

// The figures are of docs/evaluator/env.md; that it runs is what is tested.
func TestTheBenchmarkOfThePackageRuns(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the benchmark reads /proc")
	}
	p := python(t, "env.md", easyRelease(t))
	bench, err := filepath.Abs("../../.ci/python/bench")
	must(t, err)
	out := p.shell("python3 '" + bench + "' wikinav-eval demo-release 2000")
	if strings.Count(out, "steps/s") != 3 || strings.Count(out, "holds MB") != 2 {
		t.Errorf("got\n%s", out)
	}
}

func TestThePythonPackagePassesItsTests(t *testing.T) {
	p := python(t, "env.md", easyRelease(t))
	tests, err := filepath.Abs("../../eval/clients/python/tests")
	must(t, err)
	t.Setenv("WIKINAV_RELEASE", "demo-release")
	p.shell("python3 -W error::ResourceWarning -m unittest discover '" + tests + "' -p test_core.py")
}
