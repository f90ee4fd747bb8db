package release

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// requiredPaths are in every release.
var requiredPaths = slices.Concat(documentNames, []string{graphPath, nodesPath, aliasesPath, columnsPath})

// checkManifest checks what the manifest alone can contradict.
func (v *verifier) checkManifest() {
	for _, name := range requiredPaths {
		v.need(name)
	}
	v.checkGraphEntry()
	v.checkSCC()
	v.checkSplits()
	v.checkLicence()
	v.checkGenerator()
	v.checkRecipe()
	v.checkStages()
	v.checkParams()
	v.checkCounts()
	v.checkCarried()
}

// checkRecipe compares the recipe with its digest, which is that of its graph table where it has
// one: instances are drawn from a graph, and another seed of a family does not change what graph
// that is.
func (v *verifier) checkRecipe() {
	hashed := v.graphRecipe()
	if whole := digest.SHA256(canon.MustMarshal(v.m.Recipe)); v.m.RecipeSHA256 != whole {
		differ(v.report, "recipe", ManifestName, "recipe_sha256", digest.SHA256(canon.MustMarshal(hashed)), v.m.RecipeSHA256)
	}
	v.checkRecipeTables()
}

// checkRecipeTables compares what the recipe says of a stage with the stage's parameters.
func (v *verifier) checkRecipeTables() {
	var tables map[string]map[string]json.RawMessage
	if json.Unmarshal(v.m.Recipe, &tables) != nil {
		return // the rules of the graph alone
	}
	for _, stage := range slices.Sorted(maps.Keys(tables)) {
		var params map[string]json.RawMessage
		if json.Unmarshal(v.m.Params[stage], &params) != nil {
			continue // no stage of this build
		}
		for _, key := range slices.Sorted(maps.Keys(tables[stage])) {
			differ(v.report, "recipe", ManifestName, "recipe."+stage+"."+key,
				string(canon.MustMarshal(params[key])), string(canon.MustMarshal(tables[stage][key])))
		}
	}
}

// graphRecipe is the graph table of the recipe, or the recipe where it is nothing else.
func (v *verifier) graphRecipe() json.RawMessage {
	var recipe struct {
		Graph json.RawMessage `json:"graph"`
	}
	if json.Unmarshal(v.m.Recipe, &recipe) == nil && recipe.Graph != nil {
		return recipe.Graph
	}
	return v.m.Recipe
}

// checkStages checks that each stage read what an earlier one wrote, or what the build was given:
// then no digest of the chain from the dump to what is published can be another. An input is named
// ARTIFACT/FILE, and an artifact often as its stage.
func (v *verifier) checkStages() {
	given, wrote, byStage := map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]string{}
	for _, f := range v.m.Dump.Files {
		given[f.SHA256] = true
	}
	for _, s := range v.m.SideInputs {
		given[s.SHA256] = true
	}
	for i, s := range v.m.Stages {
		bad := func(name, want, got string) {
			v.report.add("chain of stages", ManifestName, fmt.Sprintf("stages[%d]: %s", i, name), want, got)
		}
		if _, twice := byStage[s.Stage]; twice {
			bad("stage", "each stage once", fault.Quote(s.Stage))
		}
		for _, name := range slices.Sorted(maps.Keys(s.Inputs)) {
			sum, base := s.Inputs[name], path.Base(name)
			switch stage, ok := byStage[path.Dir(name)]; {
			case ok && stage[base] != sum:
				bad(name, "what the stage wrote, "+stage[base], sum)
			case !ok && !wrote[base][sum] && !given[sum]:
				bad(name, "what an earlier stage wrote, or an input of the build", sum)
			}
		}
		for name, sum := range s.Outputs { // into sets
			if wrote[name] == nil {
				wrote[name] = map[string]bool{}
			}
			wrote[name][sum] = true
		}
		byStage[s.Stage] = s.Outputs
	}
}

// checkParams compares the parameters of stages that repeat what the manifest says of the whole.
func (v *verifier) checkParams() {
	for _, stage := range slices.Sorted(maps.Keys(v.m.Params)) {
		var said struct {
			Recipe json.RawMessage `json:"recipe"`
			SHA256 *string         `json:"recipe_sha256"`
			Wiki   *string         `json:"wiki"`
			Date   *string         `json:"date"`
		}
		if json.Unmarshal(v.m.Params[stage], &said) != nil {
			continue // a stage that calls something else so
		}
		where := "params." + stage
		if said.Recipe != nil {
			differ(v.report, "recipe", ManifestName, where, string(canon.MustMarshal(v.graphRecipe())), string(canon.MustMarshal(said.Recipe)))
		}
		for _, p := range []struct {
			got  *string
			want string
		}{{said.SHA256, v.m.RecipeSHA256}, {said.Wiki, v.m.Wiki}, {said.Date, strings.ReplaceAll(v.m.SnapshotDate, "-", "")}} {
			if p.got != nil {
				differ(v.report, "parameters", ManifestName, where, p.want, *p.got)
			}
		}
	}
}

// Stages whose counters say what the manifest says of the graph.
const (
	sccStage       = "scc"
	distancesStage = "distances"
	catalogStage   = "catalog"
)

// checkCounts compares each count, which is named <stage>_<counter>, with that counter of the
// stage, and what stages counted with what the manifest says of the graph.
func (v *verifier) checkCounts() {
	g, counters := v.m.Graph, map[string]int64{}
	derived := map[string]int64{
		sccStage + "_nodes": g.Nodes, sccStage + "_edges": g.Edges, sccStage + "_components": int64(g.SCC.Components),
		distancesStage + "_targets": int64(g.TargetCount), "targets_targets": int64(g.TargetCount), "targets_nodes": g.Nodes,
	}
	for i, size := range g.SCC.Largest {
		derived[fmt.Sprintf("%s_component_%02d", sccStage, i+1)] = int64(size)
	}
	for _, s := range v.m.Stages {
		for name, n := range s.Counters { // into another map
			counters[s.Stage+"_"+name] = n
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counters)) {
		if n := counters[name]; n < 0 {
			v.report.add("counters", ManifestName, "stages: "+name, "0 or more", n)
		}
		if want, ok := derived[name]; ok {
			differ(v.report, "counters", ManifestName, "stages: "+name, want, counters[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.m.Counts)) {
		if counted, ok := counters[name]; ok {
			differ(v.report, "counts", ManifestName, "counts."+name, counted, v.m.Counts[name])
		} else {
			v.report.add("counts", ManifestName, "counts."+name, "a counter of a stage", v.m.Counts[name])
		}
	}
}

func (v *verifier) checkGraphEntry() {
	g := v.m.Graph
	if f, ok := v.m.File(graphPath); ok {
		differ(v.report, "graph", ManifestName, "graph.sha256", f.SHA256, g.SHA256)
	}
	if g.ColumnCount > g.TargetCount {
		v.report.add("graph", ManifestName, "graph.target_count", fmt.Sprintf("at least column_count, %d", g.ColumnCount), g.TargetCount)
	}
}

// checkSCC checks the sizes of components. Nodes are those of the largest one; under component=none
// they are those of all.
func (v *verifier) checkSCC() {
	scc, nodes := v.m.Graph.SCC, v.m.Graph.Nodes
	if differ(v.report, "components", ManifestName, "graph.scc.largest", min(scc.Components, 10), len(scc.Largest)) || scc.Components == 0 {
		return
	}
	if !slices.IsSortedFunc(scc.Largest, func(a, b int) int { return b - a }) {
		v.report.add("components", ManifestName, "graph.scc.largest", "descending", scc.Largest)
	}
	sum := int64(0)
	for _, size := range scc.Largest {
		sum += int64(size)
	}
	all := sum == nodes || scc.Components > 10 && sum < nodes
	if nodes != int64(scc.Largest[0]) && !all {
		v.report.add("components", ManifestName, "graph.nodes", "the largest component, or all of them", nodes)
	}
}

// checkSplits compares the entries of splits with those that the parts derive from their files.
func (v *verifier) checkSplits() {
	known := map[string]bool{}
	for _, p := range v.parts {
		if len(v.m.folder(p.Folder())) == 0 {
			continue
		}
		want, err := p.Splits(v.filesOf(p))
		if err != nil {
			v.report.skip("splits of %s: %v", p.Folder(), err)
			return
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			known[name] = true
			got, ok := v.m.Splits[name]
			if !ok {
				v.report.add("split", ManifestName, "splits", "an entry for "+name, "none")
				continue
			}
			differ(v.report, "split", ManifestName, "splits."+name, Shown(want[name]), Shown(got))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.m.Splits)) {
		if !known[name] {
			v.report.add("split", ManifestName, "splits", "splits that have files", fault.Quote(name))
		}
	}
}

func (v *verifier) checkLicence() {
	lic, used := v.m.Licence, map[string]bool{}
	for _, f := range v.m.Files {
		part, ok := lic.partOf(f.Path)
		if !ok || part.SPDX == "" {
			v.report.add("licence", f.Path, "", "a part of the licence", "none")
		}
		used[part.Glob] = true
	}
	for _, part := range lic.Parts {
		if !used[part.Glob] {
			v.report.add("licence", ManifestName, "licence.parts", "parts that have files", fault.Quote(part.Glob))
		}
	}
	v.checkLicencesOfParts()
	if lic.SPDX == "" {
		v.report.add("licence", ManifestName, "licence.spdx", "a licence", "none")
	}
}

// checkLicencesOfParts checks that files are under the licences of what they were made from.
func (v *verifier) checkLicencesOfParts() {
	check := func(file, want string) {
		have, _ := v.m.Licence.partOf(file)
		for _, term := range terms(want) {
			if !slices.Contains(terms(have.SPDX), term) {
				v.report.add("licence", file, "", "under "+term, have.SPDX)
			}
		}
	}
	// Nothing is made from a part that had nothing to publish.
	data, parts := owned{spdx: v.m.Licence.SPDX}, v.m.inside(v.parts)
	for _, f := range v.m.Files {
		switch p := partOf(f.Path, parts); {
		case p != nil:
			if own, _ := p.Licence(); own != "" {
				check(f.Path, own)
			} else {
				check(f.Path, v.m.ownedBy(p.Source().Name, data, parts).spdx)
			}
		case f.Path == catalogPath:
			check(f.Path, v.m.ownedBy(catalogStage, data, parts).spdx)
		}
	}
}

func (v *verifier) checkGenerator() {
	code := warningOf(v.m.Generator)
	raised := map[string]bool{}
	for _, w := range v.m.Warnings {
		raised[w.Code] = true
	}
	for _, c := range []string{warnDirty, warnUnknown} {
		differ(v.report, "generator", ManifestName, "warnings."+c, c == code, raised[c])
	}
	if code != "" && v.m.Release.Published != "" {
		v.report.add("generator", ManifestName, "release.published", "empty for a build with "+code, v.m.Release.Published)
	}
	if !slices.IsSortedFunc(v.m.Warnings, func(a, b Warning) int { return strings.Compare(a.Code, b.Code) }) {
		v.report.add("generator", ManifestName, "warnings", "sorted by code", "another order")
	}
}

func below(n int64) string { return fmt.Sprintf("below %d", n) }
