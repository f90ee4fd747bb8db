package release_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// semanticEdit changes one thing that a release says, so that every digest, count of rows and sum of counts is in line again. It returns the
// file that must be among the findings.
type semanticEdit struct {
	name string
	edit func(t *testing.T, b *build, dir string, r *rng.Stream) (path string)
}

var semanticEdits = []semanticEdit{
	{"two distances swapped", swapDistances},
	{"a distance one off, and the counts with it", shiftDistance},
	{"an edge led elsewhere, on both sides", moveEdge},
	{"an edge less, on both sides", dropEdge},
	{"a number of a document", editDocument("README.md")},
	{"a number of a document", editDocument("ATTRIBUTION.md")},
	{"a word of a document", func(t *testing.T, _ *build, dir string, _ *rng.Stream) string {
		replaceIn(t, dir, "LICENSE.md", "licence", "license")
		reseal(t, dir, nil)
		return "LICENSE.md"
	}},
	{"a count", func(t *testing.T, _ *build, dir string, r *rng.Stream) string {
		name := []string{"scc_nodes", "pages_read"}[r.Below(2)]
		reseal(t, dir, func(m *Manifest) { m.Counts[name] += 1 + int64(r.Below(9)) })
		return ManifestName
	}},
	{"a count and the counter that it repeats", func(t *testing.T, _ *build, dir string, r *rng.Stream) string {
		reseal(t, dir, func(m *Manifest) {
			m.Stages[0].Counters["nodes"] += 1 + int64(r.Below(9))
			m.Counts["scc_nodes"] = m.Stages[0].Counters["nodes"]
		})
		return ManifestName
	}},
	{"a count that no stage made", func(t *testing.T, _ *build, dir string, _ *rng.Stream) string {
		reseal(t, dir, func(m *Manifest) { m.Counts["scc_found"] = 7 })
		return ManifestName
	}},
	{"sizes of components", func(t *testing.T, _ *build, dir string, r *rng.Stream) string {
		reseal(t, dir, func(m *Manifest) { m.Graph.SCC.Largest[1] += 1 + r.Below(7) })
		return "README.md"
	}},
	{"the target set", func(t *testing.T, _ *build, dir string, r *rng.Stream) string {
		reseal(t, dir, func(m *Manifest) { m.Graph.TargetCount += 1 + r.Below(7) })
		return "README.md"
	}},
	{"a quota", editQuota},
	{"the output of a stage", func(t *testing.T, b *build, dir string, _ *rng.Stream) string {
		reseal(t, dir, func(m *Manifest) { m.Stages[0].Outputs = map[string]string{"graph.arrow": b.in.Nodes.Digest.SHA256} })
		return graphPath
	}},
	{"the title of a column", func(t *testing.T, b *build, dir string, r *rng.Stream) string {
		return editColumns(t, b, dir, func(cols []distances.Column, _ [][]uint8) { cols[r.Below(len(cols))].Title += "x" })
	}},
	{"the counts of a column", func(t *testing.T, b *build, dir string, r *rng.Stream) string {
		return editColumns(t, b, dir, func(cols []distances.Column, _ [][]uint8) {
			c := &cols[r.Below(len(cols))]
			c.At[1]++
			c.At[0]--
		})
	}},
}

// TestVerifyFindsEverySingleSemanticEdit makes some 50 edits, or as many as WIKINAV_EDITS says, each in a copy of a good release.
func TestVerifyFindsEverySingleSemanticEdit(t *testing.T) {
	n := 50
	if text := os.Getenv("WIKINAV_EDITS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		must(t, err)
	}
	b := newFullBuild(t)
	dir := b.release(WriteOptions{})
	wantClean(t, dir, VerifyOptions{})
	for i := range n {
		e := semanticEdits[i%len(semanticEdits)]
		copied := copyTree(t, dir)
		path := e.edit(t, b, copied, rng.New(uint64(i), "semantic"))
		report, err := verify(t.Context(), copied, VerifyOptions{Level: LevelMeaning})
		must(t, err)
		if !slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == path && (f.Where != "" || path == graphPath) }) {
			t.Errorf("edit %d, %s: nothing found in %s, but %+v", i, e.name, path, report.Failed)
		}
		must(t, os.RemoveAll(copied))
	}
}

// Who wrote a document decides whether other words are wrong: a release of another version is not, and the report says that and where.
func TestADocumentOfAnotherVersionIsSkippedByLine(t *testing.T) {
	b := newFullBuild(t)
	own := b.in.Generator
	own.Go = "go1.26"
	for _, other := range []bool{false, true} {
		dir, version := b.release(WriteOptions{}), own.Version
		if other {
			version = "v9.9.9"
		}
		edit(t, dir, "README.md", func(text []byte) []byte {
			return append(bytes.ReplaceAll(text, []byte(own.Version), []byte(version)), "Another line.\n"...)
		})
		reseal(t, dir, func(m *Manifest) { m.Generator.Version = version })
		text, err := os.ReadFile(place(dir, "README.md"))
		must(t, err)
		line := fmt.Sprintf("line %d", bytes.Count(text, []byte("\n")))
		report, err := verify(t.Context(), dir, VerifyOptions{Code: own})
		must(t, err)
		found := slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == "README.md" && f.Where == line })
		noted := slices.ContainsFunc(report.Skipped, func(s string) bool {
			return strings.HasPrefix(s, "content of README.md from "+line+" on") && strings.Contains(s, "v9.9.9")
		})
		if found == other || noted != other || (report.Err() == nil) != other {
			t.Errorf("of another version %v: %+v, skipped %q", other, report.Failed, report.Skipped)
		}
	}
}

// editColumns changes columns and sidecar, counts anew what change left alone, and returns the sidecar.
func editColumns(t *testing.T, b *build, dir string, change func(cols []distances.Column, dist [][]uint8)) string {
	cols, dist := b.carriedBy(t, dir)
	change(cols, dist)
	shards := int(cols[len(cols)-1].Shard) + 1
	rewriteIfOther(t, dir, columnsPath, func(w io.Writer) (arrowio.Summary, error) {
		return distances.WriteColumns(w, arrowio.Options{}, cols)
	})
	for s := range shards {
		first, count := 2*s, min(2, len(cols)-2*s)
		rewriteIfOther(t, dir, shardName(s), func(w io.Writer) (arrowio.Summary, error) {
			return distances.WriteShard(w, arrowio.Options{}, b.in.Graph.Digest.SHA256, 9, count, func(i int) ([]uint8, error) { return dist[first+i], nil })
		})
	}
	reseal(t, dir, nil)
	return columnsPath
}

func shardName(s int) string { return "distances/" + distances.ShardName(s) }

func rewriteIfOther(t *testing.T, dir, path string, fill func(io.Writer) (arrowio.Summary, error)) {
	t.Helper()
	var out bytes.Buffer
	_, err := fill(&out)
	must(t, err)
	must(t, os.WriteFile(place(dir, path), out.Bytes(), 0o644))
}

// swapDistances swaps two different distances of a column: its counts stay as they are.
func swapDistances(t *testing.T, b *build, dir string, r *rng.Stream) (path string) {
	editColumns(t, b, dir, func(cols []distances.Column, dist [][]uint8) {
		i := r.Below(len(cols))
		path = shardName(i / 2)
		for d, target := dist[i], int(cols[i].Node); ; {
			u, v := r.Below(len(d)), r.Below(len(d))
			if u != target && v != target && d[u] != d[v] {
				d[u], d[v] = d[v], d[u]
				return
			}
		}
	})
	return path
}

// shiftDistance changes one distance, and what the sidecar counts.
func shiftDistance(t *testing.T, b *build, dir string, r *rng.Stream) (path string) {
	editColumns(t, b, dir, func(cols []distances.Column, dist [][]uint8) {
		i := r.Below(len(cols))
		path = shardName(i / 2)
		for d, target := dist[i], int(cols[i].Node); ; {
			if u := r.Below(len(d)); u != target && d[u] < schemas.Far {
				d[u]++
				break
			}
		}
		cols[i].At, cols[i].Unreached = distances.Count(dist[i])
	})
	return path
}

// withEdges writes the graph anew with other edges, and derives what names it.
func withEdges(t *testing.T, b *build, dir string, change func(rows [][]uint32)) {
	rows := make([][]uint32, b.succ.Nodes())
	for u := range rows {
		rows[u] = slices.Clone(b.succ.Row(uint32(u)))
	}
	change(rows)
	succ := graph.CSR{Offsets: []int32{0}}
	for _, row := range rows {
		slices.Sort(row)
		succ.Values = append(succ.Values, row...)
		succ.Offsets = append(succ.Offsets, int32(len(succ.Values)))
	}
	rewrite(t, dir, graphPath, b.graphOf(func(_ []uint32, _ []string, s, p *graph.CSR) { *s, *p = succ, graph.Transpose(succ) }))
	reseal(t, dir, func(m *Manifest) {
		f, _ := m.File(graphPath)
		m.Graph.SHA256, m.Graph.Edges = f.SHA256, int64(len(succ.Values))
	})
}

func moveEdge(t *testing.T, b *build, dir string, r *rng.Stream) string {
	withEdges(t, b, dir, func(rows [][]uint32) {
		for {
			u, v := r.Below(len(rows)), uint32(r.Below(len(rows)))
			if len(rows[u]) > 0 && int(v) != u && !slices.Contains(rows[u], v) {
				rows[u][r.Below(len(rows[u]))] = v
				return
			}
		}
	})
	return nodesPath // the degrees
}

func dropEdge(t *testing.T, b *build, dir string, r *rng.Stream) string {
	withEdges(t, b, dir, func(rows [][]uint32) {
		for {
			if u := r.Below(len(rows)); len(rows[u]) > 0 {
				at := r.Below(len(rows[u]))
				rows[u] = slices.Delete(rows[u], at, at+1)
				return
			}
		}
	})
	return nodesPath
}

// editDocument changes a digit of a document.
func editDocument(name string) func(*testing.T, *build, string, *rng.Stream) string {
	return func(t *testing.T, _ *build, dir string, r *rng.Stream) string {
		edit(t, dir, name, func(text []byte) []byte {
			for {
				if i := r.Below(len(text)); text[i] >= '0' && text[i] <= '9' {
					text[i] = '0' + (text[i]-'0'+1)%10
					return text
				}
			}
		})
		reseal(t, dir, nil)
		return name
	}
}

// editQuota changes one of the numbers of a quota.
func editQuota(t *testing.T, _ *build, dir string, r *rng.Stream) string {
	field := []string{"got", "requested", "distance"}[r.Below(3)]
	edit(t, dir, shortagePath, func(text []byte) []byte {
		at := bytes.Index(text, []byte(fmt.Sprintf("%q:", field))) + len(field) + 3
		text[at] = '0' + (text[at]-'0'+1)%10
		return text
	})
	reseal(t, dir, nil)
	return shortagePath
}

// TestARebuiltReleaseThatDiffersIsToldByFileAndRow compares a release with edited copies of it.
func TestARebuiltReleaseThatDiffersIsToldByFileAndRow(t *testing.T) {
	b := newFullBuild(t)
	dir := b.release(WriteOptions{})
	compare := func(edited string) *Report {
		report := wantClean(t, dir, VerifyOptions{Level: 1})
		must(t, CompareRebuilt(t.Context(), report, edited, dir, artifacts.All))
		return report
	}
	if report := compare(copyTree(t, dir)); len(report.Failed) > 0 || len(report.Covered) != 1 {
		t.Errorf("a copy: %+v", report)
	}
	for name, c := range map[string]struct {
		edit        func(dir string)
		path, where string
	}{
		"a line": {func(dir string) {
			rewriteSplit(t, dir, "easy", func(l instances) instances { l[3].Seed++; return l }, ".jsonl")
		}, "splits/easy.jsonl", "line 4"},
		"a row": {func(dir string) {
			rewriteSplit(t, dir, "easy", func(l instances) instances { l[3].Seed++; return l }, ".parquet")
		}, "splits/easy.parquet", "row 3, seed"},
		"a distance": {func(dir string) {
			editColumns(t, b, dir, func(_ []distances.Column, dist [][]uint8) { dist[1][5]++ })
		}, shardName(0), "row 14, distance"},
	} {
		edited := copyTree(t, dir)
		c.edit(edited)
		reseal(t, edited, nil)
		report := compare(edited)
		if !slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == c.path && f.Where == c.where }) {
			t.Errorf("%s: no finding at %s, %s: %+v", name, c.path, c.where, report.Failed)
		}
	}
	without := copyTree(t, dir)
	must(t, os.Remove(place(without, "splits/easy.ids")))
	forget(t, without, "splits/easy.ids")
	if report := compare(without); len(report.Failed) == 0 || report.Failed[0].Path != "splits/easy.ids" || report.Failed[0].Found != "no such file" {
		t.Errorf("a file less: %+v", report.Failed)
	}
}
