package skeleton_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

// expected is expected.json; its _meta defines every field.
type expected struct {
	Games map[string]struct {
		Shipped struct {
			counts
			Edges             int    `json:"edges"`
			EdgesForward      int    `json:"edges_forward"`
			EdgesImputedOnly  int    `json:"edges_imputed_only"`
			Actions           int    `json:"actions"`
			RFWithPath        int    `json:"rf_with_path"`
			MaxStepCount      int    `json:"max_step_count"`
			ParallelEdgePairs int    `json:"parallel_edge_pairs"`
			Nondeterministic  int    `json:"nondeterministic_src_action"`
			RFReachable       string `json:"rf_reachable_ids_sha256"`

			Prefix map[string]table `json:"prefix"`
		} `json:"shipped"`
		V2023  counts           `json:"v2023"`
		Tables map[string]table `json:"paper_tables"`
	} `json:"games"`
}

type counts struct {
	Locs     int    `json:"locs"`
	AllToAll int    `json:"all2all_rows"`
	AllPairs int    `json:"all_pairs_rows"`
	DFIDs    string `json:"df_ids_sha256"`
	RFIDs    string `json:"rf_ids_sha256"`
	DFLabels string `json:"df_labels_sha256"`
	RFLabels string `json:"rf_labels_sha256"`
	Full     table  `json:"full"`
}

type table struct {
	Locs       int     `json:"locs"`
	Edges      int     `json:"edges"`
	DFEasy     int     `json:"df_easy"`
	DFHard     int     `json:"df_hard"`
	RFEasy     int     `json:"rf_easy"`
	RFHard     int     `json:"rf_hard"`
	RFShortest int     `json:"rf_easy_shortest_rule"`
	AvgLenPath float64 `json:"avg_len_path"`
	Steps      int     `json:"steps"`
}

var games = []string{"905", "advent", "infidel", "night", "zork1"}

// shared gives the folder of the published mazes, or skips the test.
func shared(t testing.TB) string {
	t.Helper()
	root := os.Getenv("WIKINAV_SHARED")
	for dir := ".."; root == "" && len(dir) < 40; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "data")); err == nil {
			root = filepath.Join(dir, "shared")
		}
	}
	folder := filepath.Join(root, "data", "mango")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no published mazes (set WIKINAV_SHARED to the folder that holds data/mango): %v", err)
	}
	return folder
}

func loadExpected(t *testing.T) (e expected) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared(t), "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func load(t testing.TB, format, game string) (*maze.Maze, *skeleton.Set) {
	t.Helper()
	m, err := maze.Open(filepath.Join(shared(t), format, game, game+maze.EdgesFile))
	if err != nil {
		t.Fatal(err)
	}
	s, err := skeleton.Make(game, m.Edges, skeleton.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

// sum is the digest of sorted lines that expected.json has.
func sum(lines []string) string {
	slices.Sort(lines)
	hash := sha256.Sum256([]byte(strings.Join(lines, "\n") + "\n"))
	return hex.EncodeToString(hash[:])
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestShippedGamesHaveThePublishedSkeletons(t *testing.T) {
	for game, want := range loadExpected(t).Games {
		m, s := load(t, maze.Shipped, game)
		w := want.Shipped
		same(t, game+" locations", len(s.Locations), w.Locs)
		same(t, game+" edges", len(s.Edges), w.Edges)
		same(t, game+" moves", len(maze.Moves(m.Edges)), w.Actions)
		same(t, game+" DF rows", len(s.DF), w.AllToAll)
		same(t, game+" RF rows", len(s.RF), w.AllPairs)
		facts := skeleton.FactsOf(m.Edges)
		same(t, game+" forward", facts.Forward, w.EdgesForward)
		same(t, game+" imputed", facts.Imputed, w.EdgesImputedOnly)
		same(t, game+" parallel", facts.ParallelPairs, w.ParallelEdgePairs)
		same(t, game+" non-deterministic", facts.Nondeterministic, w.Nondeterministic)

		var dfIDs, rfIDs, reachable, dfLabels, rfLabels []string
		longest := 0
		for i := range s.DF {
			r := s.DFRow(i)
			longest = max(longest, r.StepCount)
			dfIDs = append(dfIDs, r.ID)
			dfLabels = append(dfLabels, fmt.Sprint(r.ID, " ", r.DiffShortest, r.StepCount, r.MinStepForward, r.MinStepTotal, r.MinStepForwardAnswerable, r.MinStepTotalAnswerable))
		}
		for i := range s.RF {
			r := s.RFRow(i)
			rfIDs = append(rfIDs, r.ID)
			if r.NumPaths > 0 {
				reachable = append(reachable, r.ID)
			}
			rfLabels = append(rfLabels, fmt.Sprint(r.ID, " ", r.NumPaths, r.MinStepForward, r.MinStepTotal, r.MinStepForwardAnswerable, r.MinStepTotalAnswerable))
		}
		same(t, game+" longest", longest, w.MaxStepCount)
		same(t, game+" reachable", len(reachable), w.RFWithPath)
		same(t, game+" DF ids", sum(dfIDs), w.DFIDs)
		same(t, game+" RF ids", sum(rfIDs), w.RFIDs)
		same(t, game+" reachable RF ids", sum(reachable), w.RFReachable)
		same(t, game+" DF labels", sum(dfLabels), w.DFLabels)
		same(t, game+" RF labels", sum(rfLabels), w.RFLabels)
	}
}

func TestShippedGamesHaveThePublishedCountsAtEveryPrefix(t *testing.T) {
	for game, want := range loadExpected(t).Games {
		_, s := load(t, maze.Shipped, game)
		prefixes := want.Shipped.Prefix
		prefixes[fmt.Sprint(skeleton.Full)] = want.Shipped.Full
		if len(prefixes) != 16 {
			t.Fatalf("%s: %d prefixes, want 0, 5, ..., 70 and the whole", game, len(prefixes))
		}
		for text, w := range prefixes {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			where := fmt.Sprintf("%s at %d: ", game, n)
			released, paper := s.Count(n, schemas.MangoRuleReleased), s.Count(n, schemas.MangoRulePaper)
			sameTable(t, where, released, w, 4)
			same(t, where+"RF easy, paper", paper.RFEasy, w.RFShortest)
			same(t, where+"RF hard, paper", paper.RFHard, w.RFEasy+w.RFHard-w.RFShortest)
		}
	}
}

func sameTable(t *testing.T, where string, c skeleton.Counts, w table, digits int) {
	t.Helper()
	same(t, where+"locations", c.Locations, w.Locs)
	same(t, where+"edges", c.Edges, w.Edges)
	same(t, where+"DF easy", c.DFEasy, w.DFEasy)
	same(t, where+"DF hard", c.DFHard, w.DFHard)
	same(t, where+"RF easy", c.RFEasy, w.RFEasy)
	same(t, where+"RF hard", c.RFHard, w.RFHard)
	got := strconv.FormatFloat(float64(c.PathSteps)/float64(max(1, c.Paths)), 'f', digits, 64)
	same(t, where+"mean path", got, strconv.FormatFloat(w.AvgLenPath, 'f', digits, 64))
}

func TestGamesOf2023HaveThePublishedSkeletonsAndTables(t *testing.T) {
	for game, want := range loadExpected(t).Games {
		_, s := load(t, maze.V2023, game)
		w := want.V2023
		same(t, game+" locations", len(s.Locations), w.Locs)
		same(t, game+" DF rows", len(s.DF), w.AllToAll)
		var dfIDs, rfIDs, dfLabels, rfLabels []string
		for i := range s.DF {
			r := s.DFRow(i)
			dfIDs = append(dfIDs, r.ID)
			dfLabels = append(dfLabels, fmt.Sprint(r.ID, " ", r.DiffShortest, r.StepCount, r.MinStepTotal, covered(r.MinStepForward)))
		}
		for i, p := range s.RF {
			if r := s.RFRow(i); r.NumPaths > 0 {
				rfIDs = append(rfIDs, r.ID)
				rfLabels = append(rfLabels, fmt.Sprint(r.ID, " ", r.NumPaths, r.MinStepTotal, covered(p.Shortest)))
			}
		}
		same(t, game+" RF rows", len(rfIDs), w.AllPairs)
		same(t, game+" DF ids", sum(dfIDs), w.DFIDs)
		same(t, game+" RF ids", sum(rfIDs), w.RFIDs)
		same(t, game+" DF labels", sum(dfLabels), w.DFLabels)
		same(t, game+" RF labels", sum(rfLabels), w.RFLabels)
		w.Full.Edges = len(s.Edges)
		sameTable(t, game+" full: ", s.Count(skeleton.Full, schemas.MangoRulePaper2023), w.Full, 2)
		for number, row := range want.Tables {
			n := row.Steps
			if number == "3" { // its counts are those of the 70 steps, whatever its column of steps says
				n = skeleton.Full
			}
			sameTable(t, game+" table "+number+": ", s.Count(n, schemas.MangoRulePaper2023), row, 2)
		}
	}
}

func covered(step int) int {
	if step < schemas.MangoNever {
		return 1
	}
	return 0
}

func TestBottleneckLabelsAreTheMinimaOverAllPaths(t *testing.T) {
	for _, format := range maze.Formats {
		for _, game := range games {
			_, s := load(t, format, game)
			if n := comparePairs(t, game, s); n != len(s.RF) {
				t.Errorf("%s: %d pairs compared, want %d", game, n, len(s.RF))
			}
		}
	}
}

func BenchmarkFivePublishedGames(b *testing.B) {
	var sets [][]schemas.MangoEdge
	for _, game := range games {
		m, _ := load(b, maze.Shipped, game)
		sets = append(sets, m.Edges)
	}
	b.ResetTimer()
	for range b.N {
		for _, edges := range sets {
			if _, err := skeleton.Make("x", edges, skeleton.Bounds{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
