package release_test

import (
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// mutation changes a release; verify at its level must report a finding about path.
type mutation struct {
	name   string
	level  int
	path   string
	mutate func(t *testing.T, dir string)
}

type instances = []schemas.WikiraceInstance

func TestVerifyCatchesEveryMutationAtItsLevel(t *testing.T) {
	b := newBuild(t)
	dir := b.release(WriteOptions{})
	catchAll(t, dir, slices.Concat(byteMutations(t, dir), treeMutations(), manifestMutations(), instanceMutations(b), splitMutations(), b.tableMutations()))
	full := newFullBuild(t)
	catchAll(t, full.release(WriteOptions{}), companionMutations(full))
}

// catchAll runs each mutation on a copy of the release in dir.
func catchAll(t *testing.T, dir string, all []mutation) {
	t.Helper()
	if len(all) < 25 {
		t.Fatalf("only %d mutations", len(all))
	}
	caught := 0
	for _, mut := range all {
		copied := copyTree(t, dir)
		mut.mutate(t, copied)
		report, err := verify(t.Context(), copied, VerifyOptions{Level: mut.level})
		if err != nil {
			t.Errorf("%s: verify failed: %v", mut.name, err)
			continue
		}
		if !slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == mut.path }) {
			t.Errorf("%s: no finding about %s at level %d, got %+v", mut.name, mut.path, mut.level, report.Failed)
			continue
		}
		if report.Err() == nil {
			t.Errorf("%s: findings, but no error", mut.name)
		}
		caught++
	}
	t.Logf("%d of %d mutations caught", caught, len(all))
}

// full asks for every kind of damage to every file; without it each file gets a third of the kinds, in turn.
var full = flag.Bool("full", false, "run every byte mutation")

// byteMutations damage the files of the release, and swap neighbours.
func byteMutations(t *testing.T, dir string) []mutation {
	var out []mutation
	paths := slices.Sorted(maps.Keys(tree(t, dir)))
	for i, path := range paths {
		for j, name := range slices.Sorted(maps.Keys(damages)) {
			if !*full && (i+j)%3 > 0 {
				continue
			}
			out = append(out, mutation{path + " " + name, 1, path, func(t *testing.T, dir string) { damages[name](t, dir, path) }})
		}
		if i > 0 {
			other, found := paths[i-1], path
			if other == ManifestName {
				found = other // without a manifest nothing else can be said
			}
			out = append(out, mutation{path + " swapped with " + other, 1, found, func(t *testing.T, dir string) {
				must(t, os.Rename(place(dir, path), place(dir, "x")))
				must(t, os.Rename(place(dir, other), place(dir, path)))
				must(t, os.Rename(place(dir, "x"), place(dir, other)))
			}})
		}
	}
	return out
}

func treeMutations() []mutation {
	write := func(path string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { must(t, os.WriteFile(place(dir, path), []byte("x"), 0o644)) }
	}
	sums := func(change func(lines []string) []string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			edit(t, dir, SumsName, func(b []byte) []byte { return []byte(strings.Join(change(strings.SplitAfter(string(b), "\n")), "")) })
		}
	}
	return []mutation{
		{"a file more", 1, "extra.txt", write("extra.txt")},
		{"a file more in a folder", 1, "splits/extra.jsonl", write("splits/extra.jsonl")},
		{"a hidden file", 1, ".DS_Store", write(".DS_Store")},
		{"an empty folder", 1, "empty/", func(t *testing.T, dir string) { must(t, os.Mkdir(place(dir, "empty"), 0o755)) }},
		{"a link more", 1, "link", func(t *testing.T, dir string) { must(t, os.Symlink("README.md", place(dir, "link"))) }},
		{"a folder that is a link", 1, "graph/graph.arrow", func(t *testing.T, dir string) {
			elsewhere := t.TempDir() + "/graph"
			must(t, os.Rename(place(dir, "graph"), elsewhere))
			must(t, os.Symlink(elsewhere, place(dir, "graph")))
		}},
		{"sums without a line", 1, SumsName, sums(func(l []string) []string { return l[1:] })},
		{"sums in another order", 1, SumsName, sums(func(l []string) []string { l[0], l[1] = l[1], l[0]; return l })},
		{"sums with a line twice", 1, SumsName, sums(func(l []string) []string { return append([]string{l[0]}, l...) })},
		{"sums with a line more", 1, SumsName, sums(func(l []string) []string { return append(l, strings.Repeat("0", 64)+"  zzz\n") })},
		{"sums with another digest", 1, SumsName, sums(func(l []string) []string { l[0] = strings.Repeat("0", 64) + l[0][64:]; return l })},
		{"a manifest with another seed", 1, ManifestName, func(t *testing.T, dir string) { replaceIn(t, dir, ManifestName, `"seed":42`, `"seed":43`) }},
		{"a manifest of another version", 1, ManifestName, func(t *testing.T, dir string) {
			replaceIn(t, dir, ManifestName, "wikinav.manifest/1", "wikinav.manifest/2")
		}},
		{"a manifest with spaces", 1, ManifestName, func(t *testing.T, dir string) { replaceIn(t, dir, ManifestName, ":", ": ") }},
		{"a list that leaves the directory", 1, ManifestName, func(t *testing.T, dir string) {
			replaceIn(t, dir, ManifestName, "splits/easy.ids", "../../easy.ids")
		}},
		{"an id of another release, with its sums", 1, ManifestName, func(t *testing.T, dir string) {
			reseal(t, dir, nil)
			data, err := os.ReadFile(place(dir, ManifestName))
			must(t, err)
			m, err := Decode(data)
			must(t, err)
			m.ID = "0123456789abcdef"
			must(t, os.WriteFile(place(dir, ManifestName), Encode(m), 0o644))
			must(t, os.WriteFile(place(dir, SumsName), []byte(sumsOf(m)), 0o644))
		}},
	}
}

// Digests in line, content random: verify may find nothing wrong with a seed, but it must survive whatever it reads.
func TestVerifyNeverPanicsOnDamageUnderRightDigests(t *testing.T) {
	dir := newFullBuild(t).release(WriteOptions{})
	paths := []string{graphPath, nodesPath, aliasesPath, columnsPath, "distances/distances-0000.arrow", "splits/easy.parquet", "splits/easy.jsonl", shortagePath, probeTablePath, "onestep/train.parquet", overlapPath}
	found := 0
	for i := range 40 {
		r := rng.New(42, "release", "damage", rng.Part(i))
		copied, path := copyTree(t, dir), paths[i%len(paths)]
		edit(t, copied, path, func(b []byte) []byte {
			for range 1 + r.Below(4) {
				b[r.Below(len(b))] ^= 1 << r.Below(8)
			}
			return b
		})
		reseal(t, copied, nil)
		report, err := verify(t.Context(), copied, VerifyOptions{})
		if err != nil {
			t.Errorf("seed %d, %s: %v", i, path, err)
			continue
		}
		found += min(1, len(report.Failed))
	}
	if found < 20 {
		t.Errorf("findings for %d of 40 damaged files only", found)
	}
}

func sumsOf(m *Manifest) string { return Sums(m, Encode(m)) }

// manifestMutations edit the manifest and derive its id and SHA256SUMS anew.
func manifestMutations() []mutation {
	of := func(name, path string, change func(m *Manifest)) mutation {
		return mutation{"manifest: " + name, 2, path, func(t *testing.T, dir string) { reseal(t, dir, change) }}
	}
	split := func(change func(s *SplitEntry)) func(m *Manifest) {
		return func(m *Manifest) {
			s := m.Splits["easy"]
			change(&s)
			m.Splits["easy"] = s
		}
	}
	file := func(path string, change func(f *FileEntry)) func(m *Manifest) {
		return func(m *Manifest) {
			for i := range m.Files {
				if m.Files[i].Path == path {
					change(&m.Files[i])
				}
			}
		}
	}
	out := []mutation{
		of("nodes", ManifestName, func(m *Manifest) { m.Graph.Nodes++ }),
		of("edges", ManifestName, func(m *Manifest) { m.Graph.Edges-- }),
		of("graph digest", ManifestName, func(m *Manifest) { m.Graph.SHA256 = digest.SHA256(nil) }),
		of("components", ManifestName, func(m *Manifest) { m.Graph.SCC.Components++ }),
		of("largest component", ManifestName, func(m *Manifest) { m.Graph.SCC.Largest[0]++ }),
		of("order of components", ManifestName, func(m *Manifest) { slices.Reverse(m.Graph.SCC.Largest) }),
		of("columns", ManifestName, func(m *Manifest) { m.Graph.ColumnCount-- }),
		of("targets", ManifestName, func(m *Manifest) { m.Graph.TargetCount = 1 }),
		of("instances", ManifestName, split(func(s *SplitEntry) { s.N-- })),
		of("requested", ManifestName, split(func(s *SplitEntry) { s.Requested, s.Status = 9, schemas.StatusShort })),
		of("fewer requested than there are", ManifestName, split(func(s *SplitEntry) { s.Requested = 1 })),
		of("status", ManifestName, split(func(s *SplitEntry) { s.Status = schemas.StatusShort })),
		of("distances", "splits/easy.jsonl", split(func(s *SplitEntry) { s.Distances = []int{2} })),
		of("order of distances", ManifestName, split(func(s *SplitEntry) { s.Distances = []int{3, 2} })),
		of("digest of a split", ManifestName, split(func(s *SplitEntry) { s.SHA256 = digest.SHA256(nil) })),
		of("digest of ids", ManifestName, split(func(s *SplitEntry) { s.IDsSHA256 = digest.SHA256(nil) })),
		of("a split more", ManifestName, func(m *Manifest) { m.Splits["hard"] = m.Splits["easy"] }),
		of("a split less", ManifestName, func(m *Manifest) { delete(m.Splits, "easy") }),
		of("recipe", "splits/easy.jsonl", func(m *Manifest) { m.RecipeSHA256 = digest.SHA256(nil) }),
		of("wiki", "splits/easy.jsonl", func(m *Manifest) { m.Wiki = "enwiki" }),
		of("reuse", "splits/easy.jsonl", func(m *Manifest) { m.Params["wikirace"] = []byte(`{"reuse":"targets"}`) }),
		of("recipe text", ManifestName, func(m *Manifest) { m.Recipe = []byte(`{"graph":{"name":"other"}}`) }),
		of("count of the funnel", ManifestName, func(m *Manifest) { m.Counts["scc_nodes"]++ }),
		of("counter of a stage", ManifestName, func(m *Manifest) { m.Stages[0].Counters["nodes"]-- }),
		of("what a stage read", ManifestName, func(m *Manifest) { m.Stages[0].Inputs["linkgraph"] = digest.SHA256(nil) }),
		of("a stage twice", ManifestName, func(m *Manifest) { m.Stages[1].Stage = m.Stages[0].Stage }),
		of("recipe of a stage", ManifestName, func(m *Manifest) { m.Params["wikirace"] = json.RawMessage(`{"recipe":{"name":"x"},"reuse":"any"}`) }),
		of("digest of that recipe", ManifestName, func(m *Manifest) { m.Params["wikirace"] = json.RawMessage(`{"recipe_sha256":"00","reuse":"any"}`) }),
		of("wiki of a stage", ManifestName, func(m *Manifest) { m.Params["wikirace"] = json.RawMessage(`{"reuse":"any","wiki":"xwiki"}`) }),
		of("negative count", ManifestName, func(m *Manifest) { m.Counts["pages_read"] = -1 }),
		of("licence part lost", "graph/graph.arrow", func(m *Manifest) {
			m.Licence.Parts = slices.DeleteFunc(m.Licence.Parts, func(p LicencePart) bool { return p.Glob == "graph/*" })
		}),
		of("licence part without files", ManifestName, func(m *Manifest) {
			m.Licence.Parts = append(m.Licence.Parts, LicencePart{"legs/*", "X", ""})
		}),
		of("licence part without a licence", "README.md", func(m *Manifest) { m.Licence.Parts[0].SPDX = "" }),
		of("no licence", ManifestName, func(m *Manifest) { m.Licence.SPDX = "" }),
		of("dirty without a warning", ManifestName, func(m *Manifest) { m.Generator.Dirty = true }),
		of("published by nobody knows what", ManifestName, func(m *Manifest) {
			m.Generator.VCSRevision, m.Generator.Version, m.Release.Published = "", "devel", "2026-01-01"
			m.Warnings = append(m.Warnings, Warning{Code: "W_UNKNOWN_BUILD"})
		}),
	}
	for _, path := range []string{graphPath, nodesPath, aliasesPath, columnsPath, shortagePath, "distances/distances-0001.arrow", "splits/easy.ids", "splits/easy.jsonl", "splits/easy.parquet"} {
		out = append(out, of("rows of "+path, path, file(path, func(f *FileEntry) { *f.Rows++ })),
			of("no rows of "+path, path, file(path, func(f *FileEntry) { f.Rows = nil })),
			of("media type of "+path, path, file(path, func(f *FileEntry) { f.MediaType = "text/html" })),
			of("role of "+path, path, file(path, func(f *FileEntry) { f.Role = "x" })),
			of("schema of "+path, path, file(path, func(f *FileEntry) { f.Schema = &f.Path })))
		if TableOf(path, artifacts.All) != nil {
			out = append(out, of("logical digest of "+path, path, file(path, func(f *FileEntry) { *f.LogicalSHA256 = digest.SHA256(nil) })))
		}
	}
	for _, path := range append(slices.Clone(RequiredPaths), shortagePath, "splits/easy.ids", "splits/easy.parquet", "distances/distances-0000.arrow") {
		out = append(out, mutation{"without " + path, 2, path, func(t *testing.T, dir string) {
			must(t, os.Remove(place(dir, path)))
			forget(t, dir, path)
		}})
	}
	return out
}

// forget takes a file off the list, so that its absence is no damage by itself.
func forget(t *testing.T, dir, path string) {
	data, err := os.ReadFile(place(dir, ManifestName))
	must(t, err)
	m, err := Decode(data)
	must(t, err)
	m.Files = slices.DeleteFunc(m.Files, func(f FileEntry) bool { return f.Path == path })
	m.ID = ID(m)
	must(t, os.WriteFile(place(dir, ManifestName), Encode(m), 0o644))
	must(t, os.WriteFile(place(dir, SumsName), []byte(sumsOf(m)), 0o644))
}

// instanceMutations change one field of one instance in all three files, with all digests in line.
func instanceMutations(b *build) []mutation {
	var out []mutation
	for name, change := range map[string]func(i *schemas.WikiraceInstance){
		"key":                  func(i *schemas.WikiraceInstance) { i.Key = "demowiki:1:2" },
		"source node":          func(i *schemas.WikiraceInstance) { i.Source.Node = (i.Source.Node + 1) % 9 },
		"source page id":       func(i *schemas.WikiraceInstance) { i.Source.PageID++ },
		"source title":         func(i *schemas.WikiraceInstance) { i.Source.Title += "x" },
		"target node":          func(i *schemas.WikiraceInstance) { i.Target.Node = (i.Target.Node + 1) % 9 },
		"target page id":       func(i *schemas.WikiraceInstance) { i.Target.PageID++ },
		"target title":         func(i *schemas.WikiraceInstance) { i.Target.Title = strings.ToLower(i.Target.Title) + "x" },
		"node 2^32-1":          func(i *schemas.WikiraceInstance) { i.Target.Node = 1<<32 - 1 },
		"source = target":      func(i *schemas.WikiraceInstance) { i.Source = i.Target },
		"distance":             func(i *schemas.WikiraceInstance) { i.Distance++ },
		"distance 0":           func(i *schemas.WikiraceInstance) { i.Distance, i.Witness = 0, i.Witness[:1] },
		"witness too long":     func(i *schemas.WikiraceInstance) { i.Witness = append(i.Witness, 0) },
		"empty witness":        func(i *schemas.WikiraceInstance) { i.Witness = []uint32{} },
		"witness ends early":   func(i *schemas.WikiraceInstance) { i.Witness[len(i.Witness)-1] = i.Witness[0] },
		"witness off the map":  func(i *schemas.WikiraceInstance) { i.Witness[1] = 4_000_000_000 },
		"witness no path":      func(i *schemas.WikiraceInstance) { i.Witness[1] = i.Witness[0] },
		"max steps":            func(i *schemas.WikiraceInstance) { i.MaxSteps = 0 },
		"max links":            func(i *schemas.WikiraceInstance) { i.MaxLinks = 1 },
		"graph":                func(i *schemas.WikiraceInstance) { i.GraphSHA256 = digest.SHA256(nil) },
		"recipe":               func(i *schemas.WikiraceInstance) { i.RecipeSHA256 = digest.SHA256(nil) },
		"feature: paths":       func(i *schemas.WikiraceInstance) { i.Features.ShortestPaths = 0 },
		"feature: opt_first":   func(i *schemas.WikiraceInstance) { i.Features.OptFirst = 0 },
		"feature: opt in menu": func(i *schemas.WikiraceInstance) { i.Features.OptFirstMenu++ },
		"feature: out_degree":  func(i *schemas.WikiraceInstance) { i.Features.OutDegree++ },
		"feature: menu_size":   func(i *schemas.WikiraceInstance) { i.Features.MenuSize-- },
		"feature: in_degree":   func(i *schemas.WikiraceInstance) { i.Features.SourceInDegree++ },
		"feature: target in":   func(i *schemas.WikiraceInstance) { i.Features.TargetInDegree++ },
		"feature: target out":  func(i *schemas.WikiraceInstance) { i.Features.TargetOutDegree++ },
		"feature: max out":     func(i *schemas.WikiraceInstance) { i.Features.TargetInMaxOut++ },
		"feature: layers":      func(i *schemas.WikiraceInstance) { i.Features.DAGLayers = append(i.Features.DAGLayers, 1) },
		"feature: empty layer": func(i *schemas.WikiraceInstance) { i.Features.DAGLayers[0] = 0 },
		"feature: bottleneck":  func(i *schemas.WikiraceInstance) { i.Features.Bottlenecks = append(i.Features.Bottlenecks, 3) },
		"feature: dominator":   func(i *schemas.WikiraceInstance) { i.Features.Dominators = []uint32{7, 6, 5} },
		"feature: cut_source":  func(i *schemas.WikiraceInstance) { i.Features.CutSource = true },
		"feature: cut_dag":     func(i *schemas.WikiraceInstance) { i.Features.CutDAG[1]++ },
		"feature: cut_gain":    func(i *schemas.WikiraceInstance) { i.Features.CutGain = "0.5" },
		"feature: rw_full":     func(i *schemas.WikiraceInstance) { i.Features.RWFull = "" },
		"feature: rw_menu":     func(i *schemas.WikiraceInstance) { i.Features.RWMenu = "1e-1" },
		"feature: rw_method":   func(i *schemas.WikiraceInstance) { i.Features.RWMethod = schemas.RWSim },
		"feature: random":      func(i *schemas.WikiraceInstance) { i.Features.RandomKeepsOpt = "NaN" },
		"feature: greedy_in":   func(i *schemas.WikiraceInstance) { i.Features.GreedyIn.Steps = 1 },
		"feature: greedy_out":  func(i *schemas.WikiraceInstance) { i.Features.GreedyOut.Steps = 31 },
		"another instance": func(i *schemas.WikiraceInstance) {
			id := i.ID
			*i = b.instance("easy", 1, 0, 8) // at distance 5
			i.ID = id
		},
	} {
		out = append(out, mutation{"instance: " + name, 2, "splits/easy.jsonl", func(t *testing.T, dir string) {
			rewriteSplit(t, dir, "easy", func(l instances) instances { change(&l[3]); return l }, ".jsonl", ".ids", ".parquet")
			reseal(t, dir, nil)
		}})
	}
	slices.SortFunc(out, func(a, b mutation) int { return strings.Compare(a.name, b.name) })
	return append(out, mutation{"instance: split", 2, "splits/easy.jsonl", func(t *testing.T, dir string) {
		rewriteSplit(t, dir, "easy", func(l instances) instances { l[2].Split = "hard"; return l }, ".jsonl")
		reseal(t, dir, nil)
	}})
}

// splitMutations change rows of a split in some of its files, with all digests in line.
func splitMutations() []mutation {
	drop := func(l instances) instances { return l[:len(l)-1] }
	swap := func(l instances) instances { l[0], l[1] = l[1], l[0]; return l }
	twice := func(l instances) instances { return append(l, l[len(l)-1]) }
	seed := func(l instances) instances { l[0].Seed++; return l }
	rename := func(l instances) instances { l[0].ID += "b"; return l }
	of := func(name, path string, change func(instances) instances, exts ...string) mutation {
		return mutation{"split: " + name + " in " + strings.Join(exts, " "), 2, path, func(t *testing.T, dir string) {
			rewriteSplit(t, dir, "easy", change, exts...)
			reseal(t, dir, func(m *Manifest) {
				s := m.Splits["easy"]
				f, _ := m.File("splits/easy.jsonl")
				s.N = int(*f.Rows)
				if s.N < s.Requested {
					s.Status = schemas.StatusShort
				}
				m.Splits["easy"] = s
			})
		}}
	}
	line := func(name, old, new string) mutation {
		return mutation{"split: " + name, 2, "splits/easy.jsonl", func(t *testing.T, dir string) {
			replaceIn(t, dir, "splits/easy.jsonl", old, new)
			reseal(t, dir, nil)
		}}
	}
	shortage := func(name, old, new string) mutation {
		return mutation{"shortage: " + name, 2, shortagePath, func(t *testing.T, dir string) {
			replaceIn(t, dir, shortagePath, old, new)
			reseal(t, dir, nil)
		}}
	}
	all := []string{".jsonl", ".ids", ".parquet"}
	return []mutation{
		of("row dropped", "splits/easy.ids", drop, ".jsonl"), of("row dropped", "splits/easy.parquet", drop, ".jsonl", ".ids"),
		of("row dropped", "splits/easy.ids", drop, ".ids"), of("row dropped", "splits/easy.parquet", drop, ".parquet"),
		of("row dropped", shortagePath, drop, all...),
		of("rows swapped", "splits/easy.jsonl", swap, ".jsonl"), of("rows swapped", "splits/easy.ids", swap, ".ids"),
		of("rows swapped", "splits/easy.parquet", swap, ".parquet"), of("rows swapped", "splits/easy.jsonl", swap, all...),
		of("row twice", "splits/easy.jsonl", twice, all...), of("row twice", "splits/easy.ids", twice, ".ids"),
		of("seed", "splits/easy.parquet", seed, ".jsonl"), of("seed", "splits/easy.parquet", seed, ".parquet"),
		of("id", "splits/easy.ids", rename, ".jsonl", ".parquet"), of("id", "splits/easy.parquet", rename, ".parquet"),
		{"split: pair of another split", 2, "splits/tiny.jsonl", func(t *testing.T, dir string) {
			var other schemas.WikiraceInstance
			rewriteSplit(t, dir, "easy", func(l instances) instances { other = l[0]; return l })
			rewriteSplit(t, dir, "tiny", func(l instances) instances {
				other.ID, other.Split = l[0].ID, l[0].Split
				l[0] = other
				return l
			}, all...)
			reseal(t, dir, nil)
		}},
		{"split: files of two splits swapped", 2, "splits/easy.jsonl", func(t *testing.T, dir string) {
			must(t, os.Rename(place(dir, "splits/easy.jsonl"), place(dir, "x")))
			must(t, os.Rename(place(dir, "splits/tiny.jsonl"), place(dir, "splits/easy.jsonl")))
			must(t, os.Rename(place(dir, "x"), place(dir, "splits/tiny.jsonl")))
			reseal(t, dir, nil)
		}},
		line("no JSON", "{", "["), line("unknown field", "{", `{"answer":1,`), line("space", ":", ": "), line("line lost its end", "\n", ""),
		line("record of another version", schemas.WikiraceInstanceSchema, "wikirace.instance/9"),
		shortage("got", `"got":3`, `"got":2`), shortage("requested", `"requested":3`, `"requested":4`), shortage("status", `"ok"`, `"short"`),
		shortage("split", `"of":"tiny"`, `"of":"huge"`), shortage("distance", `"distance":3`, `"distance":4`), shortage("form", ":", ": "),
		shortage("no JSON", "[", ""), shortage("unknown field", `"got"`, `"gott"`),
	}
}

// tableMutations write tables anew with something wrong in them, with all digests in line.
func (b *build) tableMutations() []mutation {
	var out []mutation
	add := func(name, path string, fill func(io.Writer) (arrowio.Summary, error)) {
		out = append(out, mutation{"table: " + name, 2, path, func(t *testing.T, dir string) {
			rewrite(t, dir, path, fill)
			reseal(t, dir, func(m *Manifest) {
				f, _ := m.File(graphPath)
				m.Graph.SHA256 = f.SHA256
			})
		}})
	}
	for name, change := range map[string]func(row *nodeRow){
		"title": func(r *nodeRow) { r.title += "x" }, "page id": func(r *nodeRow) { r.pageID++ }, "node": func(r *nodeRow) { r.node++ },
		"in-degree": func(r *nodeRow) { r.in++ }, "out-degree": func(r *nodeRow) { r.out++ }, "row dropped": func(r *nodeRow) { r.drop = true },
	} {
		add("nodes: "+name, nodesPath, func(w io.Writer) (arrowio.Summary, error) { return b.writeNodes(w, 5, change) })
	}
	add("aliases out of order", aliasesPath, writeAliases([]string{"Tee", "Aa"}, []uint32{8, 0}))
	add("alias twice", aliasesPath, writeAliases([]string{"Aa", "Aa"}, []uint32{0, 8}))
	add("alias of no node", aliasesPath, writeAliases([]string{"Aa"}, []uint32{9}))
	for name, fill := range b.graphMutations() {
		add("graph: "+name, graphPath, fill)
	}
	// A graph that is sound by itself: only the files that were made from the true one contradict it.
	add("graph: an edge more on both sides", graphPath, b.rewiredGraph)
	out[len(out)-1].path = nodesPath
	slices.SortFunc(out, func(a, b mutation) int { return strings.Compare(a.name, b.name) })
	return append(out, b.distanceMutations()...)
}

type nodeRow struct {
	node, pageID, in, out uint32
	title                 string
	drop                  bool
}

// writeNodes writes the table of nodes with one row changed.
func (b *build) writeNodes(w io.Writer, at int, change func(*nodeRow)) (arrowio.Summary, error) {
	p, err := arrowio.NewParquetWriter(w, schemas.ReleaseNodesTable)
	if err != nil {
		return arrowio.Summary{}, err
	}
	for u := range b.succ.Nodes() {
		r := nodeRow{node: uint32(u), pageID: pageID(u), title: titleOf(u), in: uint32(b.pred.Degree(uint32(u))), out: uint32(b.succ.Degree(uint32(u)))}
		if u == at {
			change(&r)
		}
		if r.drop {
			continue
		}
		if err := p.Row(r.node, r.pageID, r.title, uint16(u%2), r.in, r.out); err != nil {
			return arrowio.Summary{}, err
		}
	}
	return p.Close()
}

func writeAliases(titles []string, nodes []uint32) func(io.Writer) (arrowio.Summary, error) {
	return func(w io.Writer) (arrowio.Summary, error) {
		p, err := arrowio.NewParquetWriter(w, schemas.ReleaseAliasesTable)
		if err != nil {
			return arrowio.Summary{}, err
		}
		for i := range titles {
			if err := p.Row(titles[i], nodes[i]); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return p.Close()
	}
}

// graphOf returns a writer of the graph after a change.
func (b *build) graphOf(change func(ids []uint32, titles []string, succ, pred *graph.CSR)) func(io.Writer) (arrowio.Summary, error) {
	return func(w io.Writer) (arrowio.Summary, error) {
		var ids []uint32
		var titles []string
		for u := range b.succ.Nodes() {
			ids, titles = append(ids, pageID(u)), append(titles, titleOf(u))
		}
		succ := graph.CSR{Offsets: slices.Clone(b.succ.Offsets), Values: slices.Clone(b.succ.Values)}
		pred := graph.CSR{Offsets: slices.Clone(b.pred.Offsets), Values: slices.Clone(b.pred.Values)}
		change(ids, titles, &succ, &pred)
		return graph.Write(w, arrowio.Options{}, ids, arrowio.MakeStrings(titles), succ, pred)
	}
}

// addLoop returns the last node an edge to itself, in one of the two lists.
func addLoop(c *graph.CSR) {
	c.Values = append(c.Values, 8)
	c.Offsets[len(c.Offsets)-1]++
}

func (b *build) rewiredGraph(w io.Writer) (arrowio.Summary, error) {
	return b.graphOf(func(_ []uint32, _ []string, s, p *graph.CSR) { addLoop(s); addLoop(p) })(w)
}

func (b *build) graphMutations() map[string]func(io.Writer) (arrowio.Summary, error) {
	return map[string]func(io.Writer) (arrowio.Summary, error){
		"page ids out of order":    b.graphOf(func(ids []uint32, _ []string, _, _ *graph.CSR) { ids[3], ids[4] = ids[4], ids[3] }),
		"page id twice":            b.graphOf(func(ids []uint32, _ []string, _, _ *graph.CSR) { ids[3] = ids[4] }),
		"title twice":              b.graphOf(func(_ []uint32, titles []string, _, _ *graph.CSR) { titles[3] = titles[4] }),
		"successors unsorted":      b.graphOf(func(_ []uint32, _ []string, s, _ *graph.CSR) { s.Values[0], s.Values[1] = s.Values[1], s.Values[0] }),
		"successor no node":        b.graphOf(func(_ []uint32, _ []string, s, _ *graph.CSR) { s.Values[len(s.Values)-1] = 9 }),
		"another edge":             b.graphOf(func(_ []uint32, _ []string, s, _ *graph.CSR) { s.Values[len(s.Values)-1] = 7 }),
		"an edge more on one side": b.graphOf(func(_ []uint32, _ []string, s, _ *graph.CSR) { addLoop(s) }),
		"a predecessor lost": b.graphOf(func(_ []uint32, _ []string, _, p *graph.CSR) {
			p.Values = p.Values[:len(p.Values)-1]
			p.Offsets[len(p.Offsets)-1]--
		}),
	}
}

// distanceMutations change values of columns and rows of the sidecar.
func (b *build) distanceMutations() []mutation {
	of := func(name, path string, change func(cols []distances.Column, dist [][]uint8), files ...string) mutation {
		return mutation{"distances: " + name, 2, path, func(t *testing.T, dir string) {
			cols, dist := b.carriedBy(t, dir)
			change(cols, dist)
			for _, file := range files {
				if file == columnsPath {
					rewrite(t, dir, file, func(w io.Writer) (arrowio.Summary, error) { return distances.WriteColumns(w, arrowio.Options{}, cols) })
					continue
				}
				rewrite(t, dir, file, func(w io.Writer) (arrowio.Summary, error) {
					return distances.WriteShard(w, arrowio.Options{}, b.in.Graph.Digest.SHA256, 9, 2, func(i int) ([]uint8, error) { return dist[i], nil })
				})
			}
			reseal(t, dir, nil)
		}}
	}
	const first = "distances/distances-0000.arrow"
	return []mutation{
		of("a value changed by one", columnsPath, func(_ []distances.Column, d [][]uint8) { d[0][5]++ }, first),
		of("a value of an instance changed, and the counts with it", "splits/easy.jsonl", func(c []distances.Column, d [][]uint8) {
			for i := range 2 {
				for u := range d[i] {
					if d[i][u] == 2 || d[i][u] == 3 {
						d[i][u] ^= 1
					}
				}
				c[i].At, c[i].Unreached = distances.Count(d[i])
			}
		}, first, columnsPath),
		of("columns swapped", columnsPath, func(_ []distances.Column, d [][]uint8) { d[0], d[1] = d[1], d[0] }, first),
		of("a target unreached by itself", columnsPath, func(c []distances.Column, d [][]uint8) { d[0][c[0].Node] = schemas.Unreached }, first),
		of("counts", columnsPath, func(c []distances.Column, _ [][]uint8) { c[1].At[1]++; c[1].At[2]-- }, columnsPath),
		of("title", columnsPath, func(c []distances.Column, _ [][]uint8) { c[1].Title = "Z" }, columnsPath),
		of("page id", columnsPath, func(c []distances.Column, _ [][]uint8) { c[1].PageID = 7 }, columnsPath),
		of("place", columnsPath, func(c []distances.Column, _ [][]uint8) { c[0].Row, c[1].Row = 1, 0 }, columnsPath),
	}
}

// carriedBy gives copies of the columns of a release.
func (b *build) carriedBy(t *testing.T, dir string) (cols []distances.Column, dist [][]uint8) {
	r, err := Open(dir)
	must(t, err)
	defer r.Close()
	set, err := r.Distances()
	must(t, err)
	for _, c := range set.Columns() {
		cols, dist = append(cols, c), append(dist, slices.Clone(b.dist[c.Node]))
	}
	return cols, dist
}
