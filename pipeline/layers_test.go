package pipeline_test

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/pipeline"
)

const module = "github.com/wikinav/wikinav/"

// pkg is what `go list -deps -json` says of a package.
type pkg struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

func listPackages(t *testing.T, env []string, patterns ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=ImportPath,Imports,Standard"}, patterns...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	must(t, err)
	var list []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := dec.Decode(&p)
		if err == io.EOF {
			return list
		}
		must(t, err)
		list = append(list, p)
	}
}

// ours cuts the module's path off; "" for packages of others.
func ours(path string) string {
	rest, ok := strings.CutPrefix(path, module)
	if !ok {
		return ""
	}
	return rest
}

// layer is a folder of the module, and which of our packages its own may import.
type layer struct {
	folder string
	may    []string
	remedy string
}

var layers = []layer{
	{"schemas", []string{"schemas"}, "schemas is at the bottom: move what it needs into schemas, or the code up"},
	{"artifacts", []string{"artifacts", "schemas"}, "artifacts import schemas alone, so that a downloaded release can be read without the pipeline"},
	{"dumps", []string{"dumps", "schemas"}, "dumps only read input: hand the data to a stage and write the artifact there"},
	{"eval", []string{"eval", "artifacts", "schemas"}, "the evaluator reads releases: put what it needs into an artifact"},
	{"stages", []string{"stages", "dumps", "artifacts", "schemas"}, "stages sit below the pipeline: use stages.Env"},
	{"pipeline", []string{"pipeline", "stages", "dumps", "artifacts", "schemas"}, "the pipeline does not know commands or the evaluator"},
	{"cmd/internal", []string{"artifacts", "schemas"}, "what both commands share must not bring the producers into the evaluator"},
	{"cmd/wikinav-eval", []string{"cmd/internal", "eval", "artifacts", "schemas"}, "the evaluator must build without stages and dumps"},
	{
		"cmd/wikinav",
		[]string{"cmd/internal", "pipeline", "stages", "dumps", "artifacts", "schemas", "eval"},
		"wikinav produces, and exports the words of eval; playing and scoring is wikinav-eval's",
	},
}

func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

func TestImportsRunDownward(t *testing.T) {
	for _, p := range listPackages(t, nil, "./...") {
		for _, l := range layers {
			if !within(ours(p.ImportPath), l.folder) {
				continue
			}
			for _, in := range p.Imports {
				if name := ours(in); name != "" && !slices.ContainsFunc(l.may, func(f string) bool { return within(name, f) }) {
					t.Errorf("%s imports %s: %s", ours(p.ImportPath), name, l.remedy)
				}
			}
		}
	}
}

func TestNoStageImportsAnother(t *testing.T) {
	for _, p := range listPackages(t, nil, "./stages/...") {
		from := ours(p.ImportPath)
		if !strings.HasPrefix(from, "stages/") || strings.HasPrefix(from, "stages/internal/") || from == "stages/stagetest" {
			continue
		}
		for _, in := range p.Imports {
			to := ours(in)
			if strings.HasPrefix(to, "stages/") && !strings.HasPrefix(to, "stages/internal/") && !within(to, from) && !within(from, to) {
				t.Errorf("%s imports %s: stages meet in an artifact; write one and declare it as input", from, to)
			}
		}
	}
}

func TestOnlyTheRegistryKnowsAllStages(t *testing.T) {
	most := len(pipeline.Registry(pipeline.Recipe{}, pipeline.Source{})) / 2
	for _, p := range listPackages(t, nil, "./...") {
		n := 0
		for _, in := range p.Imports {
			if strings.HasPrefix(ours(in), "stages/") {
				n++
			}
		}
		if name := ours(p.ImportPath); n > most && name != "pipeline" {
			t.Errorf("%s imports %d stages: ask pipeline.Registry", name, n)
		}
	}
}

// homes says where each third-party package may be imported.
var homes = map[string][]string{
	"github.com/dustin/go-wikiparse": {"dumps/mediawiki"},
	"github.com/apache/arrow/go/v17": {"artifacts/arrowio/library"},
	"github.com/mattn/go-sqlite3":    {"artifacts/catalog"},
	"github.com/spf13/cobra":         {"cmd"},
	"github.com/cespare/xxhash/v2": {
		"artifacts", "pipeline", "stages/ingest", "stages/edgelist", "stages/linkgraph", "stages/mango",
		"stages/pagelinks",
	},
	"github.com/agnivade/levenshtein": {"eval/judge", "eval/mango"},
	"github.com/pelletier/go-toml/v2": {"pipeline", "dumps/demo", "dumps/wikitext/titles", "eval/lineup"},
	"github.com/dsnet/compress":       {"dumps/demo"},
	"golang.org/x/sys/cpu":            {"artifacts/graph"},
	"golang.org/x/sys/windows":        {"eval/internal/lock"},
	"aead.dev/minisign":               {"artifacts/minisign/secret"},
	"github.com/klauspost/compress":   {"dumps/mediawiki", "artifacts/arrowio", "stages"},

	"github.com/modelcontextprotocol/go-sdk": {"eval/mcp"},
	"github.com/google/jsonschema-go":        {"eval/internal/shape", "eval/mcp", "eval/serve"},

	"gonum.org/v1/plot":  {"artifacts/figure"},
	"gonum.org/v1/gonum": {"artifacts/fit", "eval/items"},
}

func TestEachThirdPartyPackageHasOneHome(t *testing.T) {
	for _, p := range listPackages(t, nil, "./...") {
		from := ours(p.ImportPath)
		if from == "" {
			continue
		}
		for _, in := range p.Imports {
			for third, allowed := range homes { // independent checks
				if within(in, third) && !slices.ContainsFunc(allowed, func(f string) bool { return within(from, f) }) {
					t.Errorf("%s imports %s, whose home is %v: call that package instead", from, in, allowed)
				}
			}
		}
	}
}

func TestTheEvaluatorCarriesNoProducer(t *testing.T) {
	for _, p := range listPackages(t, []string{"CGO_ENABLED=0"}, "./cmd/wikinav-eval") {
		name := ours(p.ImportPath)
		for _, folder := range []string{"pipeline", "stages", "dumps", "artifacts/catalog", "artifacts/store"} {
			if within(name, folder) {
				t.Errorf("wikinav-eval depends on %s: read a release instead", name)
			}
		}
		if strings.Contains(p.ImportPath, "sqlite") || p.ImportPath == "runtime/cgo" {
			t.Errorf("wikinav-eval depends on %s: it must run without cgo", p.ImportPath)
		}
		heavy := slices.ContainsFunc(heavies, func(h string) bool { return strings.Contains(p.ImportPath, h) })
		if heavy && name != "artifacts/arrowio" {
			t.Errorf("wikinav-eval depends on %s: it reads tables through artifacts/arrowio and writes none", p.ImportPath)
		}
	}
}

// heavies are parts of the paths of what writing tables takes, two thirds of a program that carries it.
// The library that plots brings 7 MB of fonts.
var heavies = []string{
	"arrow", "parquet", "thrift", "grpc", "protobuf", "brotli", "flatbuffers",
	"gonum.org/v1/plot", "html/template",
}

// maxEvaluator is the size in bytes of a stripped wikinav-eval that nobody may exceed unnoticed.
const maxEvaluator = 18_000_000 // docs/decisions/0014

func TestTheEvaluatorIsThin(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program")
	}
	out := filepath.Join(t.TempDir(), "wikinav-eval")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, "./cmd/wikinav-eval")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64") // the figure is that of one platform
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	info, err := os.Stat(out)
	must(t, err)
	if n := info.Size(); n > maxEvaluator {
		t.Errorf("the stripped wikinav-eval has %d bytes, at most %d are meant: `go build -ldflags=-dumpdep` says who needs what;"+
			" one call of reflect's MethodByName, as text/template makes, keeps all methods of all types", n, maxEvaluator)
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		beginsLightly(t, out)
	}
}

// maxAtStart is how often the packages of wikinav-eval allocate before its first line runs, at
// most: they wait for every command, so that tables and expressions that few need are made when
// they are.
const maxAtStart = 25_000

var atStart = regexp.MustCompile(`(?m)^init (\S+) .* (\d+) allocs$`)

func beginsLightly(t *testing.T, program string) {
	t.Helper()
	cmd := exec.Command(program, "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	text, err := cmd.CombinedOutput()
	must(t, err)
	all, most, heaviest := 0, 0, ""
	for _, m := range atStart.FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.Atoi(m[2])
		must(t, err)
		if all += n; n > most {
			most, heaviest = n, m[1]
		}
	}
	if all == 0 || all > maxAtStart {
		t.Errorf("packages of wikinav-eval allocate %d times when it begins, want 1 to %d; most of it %s, %d times",
			all, maxAtStart, heaviest, most)
	}
}

// networked are the packages that may open a connection, or wait for one, and the command that
// makes the sockets of serve and view. The verbs that reach them are few: fetch, play --player
// openai, judge, serve and view.
var networked = map[string][]string{
	"eval/endpoint":              {"net", "net/http"},
	"eval/endpoint/endpointtest": {"net", "net/http", "net/http/httptest"},
	"eval/serve":                 {"net", "net/http"},
	"eval/serve/servetest":       {"net/http", "net/http/httptest"},
	"eval/internal/reach":        {"net", "net/http"},
	"eval/mcp":                   {"net", "net/http"},
	"eval/view":                  {"net", "net/http"},
	"cmd/wikinav-eval":           {"net"},
	"dumps/fetch":                {"net", "net/http"},
}

func TestOnlyNamedPackagesReachTheNetwork(t *testing.T) {
	for _, p := range listPackages(t, nil, "./...") {
		from := ours(p.ImportPath)
		if from == "" {
			continue
		}
		for _, in := range p.Imports {
			reaches := in == "net" || within(in, "net/http") || in == "net/rpc" || in == "net/smtp"
			if reaches && !slices.Contains(networked[from], in) {
				t.Errorf("%s imports %s: connections are opened by eval/endpoint and dumps/fetch "+
					"and taken by eval/serve and eval/view; call one of them", from, in)
			}
		}
	}
}

func TestGraphAlgorithmsArePure(t *testing.T) {
	for _, p := range listPackages(t, nil, "./artifacts/graph") {
		if ours(p.ImportPath) != "artifacts/graph" {
			continue
		}
		for _, in := range p.Imports {
			if slices.Contains([]string{"log", "log/slog", "time", "math/rand", "math/rand/v2", "os/exec", "net"}, in) || ours(in) == "schemas/rng" {
				t.Errorf("artifacts/graph imports %s: algorithms on graphs have no clock, log or randomness of their own", in)
			}
		}
	}
}

// unmapped are the files whose goroutines read nothing of a mapped artifact, and why.
var unmapped = map[string]string{
	"dumps/":                       "dumps import no artifacts",
	"eval/serve/games.go":          "forgets games by the clock",
	"eval/internal/reach/reach.go": "waits for connections; what answers a request is guarded by its server",
	"cmd/internal/cli/progress.go": "paints what the counters say",
	"cmd/wikinav/runlog.go":        "says how long a stage has run",
	"eval/items/subset.go":         "fits numbers in memory",
	"eval/env/protocol.go":         "waits for a line of the input",
	"eval/mcp/web.go":              "waits for sessions; a call is guarded in tool.go",
}

// A memory fault ends the program unless the very goroutine that reads is guarded, so that one that is not is a crash waiting for a
// file to be cut short.
func TestGoroutinesAreGuardedAgainstMappedFilesThatAreCutShort(t *testing.T) {
	begins := regexp.MustCompile(`\bgo (func|[a-zA-Z.]+)\(|\.Go\(`)
	seen := 0
	must(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../")
		data, err := os.ReadFile(path)
		if err != nil || !begins.Match(data) {
			return err
		}
		seen++
		known := unmapped[name] != "" || strings.HasPrefix(name, "dumps/")
		if !known && !regexp.MustCompile(`\bGuard\(`).Match(data) {
			t.Errorf("%s begins a goroutine without arrowio.Guard: guard it, use arrowio.Workers or graph.Each, or say in unmapped why it reads no mapped file", name)
		}
		return nil
	}))
	if seen < 8 {
		t.Errorf("%d files begin goroutines: the search finds nothing", seen)
	}
}
