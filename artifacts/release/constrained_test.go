package release_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/labels"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/wikirace"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const constrainedParams = `{"ban_mode":"neighbour","baseline_min":2,"infeasible_keep":5,"max_attempts":7,"multi":true,"n":3,"require":"none",` +
	`"source_min_out":1,"source_no_parentheses":true,"target_min_in":1,"unlabelled":"allow"}`

// labelsOfG9 returns each page at most two labels; D has none.
func labelsOfG9() []uint32 {
	bit := func(names ...string) (mask uint32) {
		for _, name := range names {
			b, ok := schemas.LabelBit(name)
			if !ok {
				panic(name)
			}
			mask |= 1 << b
		}
		return mask
	}
	return []uint32{
		bit("Device"), bit("Event"), bit("Place", "Work"), 0, bit("Food"), bit("Award"), bit("Disease"), bit("Species"), bit("Language"),
	}
}

// addConstrained returns the build labels, three instances of every binding, and a pair without a path.
func (b *build) addConstrained() {
	masks := labelsOfG9()
	b.in.Params["constrained"] = json.RawMessage(constrainedParams)
	report := schemas.LabelReport{
		Schema: schemas.LabelReportSchema, Nodes: 9, Typed: 8, Labelled: 8, MultiLabel: 1, Sources: []schemas.LabelSourceCount{},
		Labels: []schemas.LabelCount{}, Deciles: []schemas.LabelDecile{}, UnknownClasses: []schemas.ClassCount{}, Files: []schemas.LabelFile{},
	}
	b.in.Labels = &LabelsInput{Rows: banLabel(masks), Report: report}
	b.labelsSHA256 = b.write("labels.arrow", b.labels(banLabel(masks))).Digest.SHA256
	c := &ConstrainedInput{Funnel: schemas.ConstrainedFunnel{
		Schema: schemas.ConstrainedFunnelSchema, Label: "constrained-custom", Params: json.RawMessage(constrainedParams), Requested: 3, Accepted: 3,
		Status: schemas.StatusOK, Attempts: 7, Rejects: map[string]int{}, ByLabel: map[string]int{"Event": 1, "Place": 2},
		Pages: []schemas.FilterCount{}, Sources: []schemas.FilterCount{}, Targets: []schemas.FilterCount{},
		Spread:    schemas.BanSpread{Classes: []string{"Event", "Place"}, AtMost: 3, Even: 2, Limit: 2},
		ByBinding: map[string]int{"none": 1, "on_witness": 1, "longer": 1}, Kept: 1,
	}}
	for _, reason := range schemas.ConstrainedRejects {
		c.Funnel.Rejects[reason] = 0
	}
	c.Funnel.Rejects["infeasible"], c.Funnel.Rejects["baseline"] = 1, 3
	b.in.Constrained = c
	counters := map[string]int64{"attempts": 7, "accepted": 3, "requested": 3}
	for reason, n := range c.Funnel.Rejects {
		counters["rejected_"+reason] = int64(n)
	}
	b.in.Stages = append(
		b.in.Stages, StageEntry{Stage: "labels", Version: 1, Key: "0a"},
		StageEntry{Stage: "constrained", Version: 1, Key: "0b", Counters: counters},
	)
	const (
		pageB = iota + 1
		pageC
		pageD
		pageE
		pageF
		pageG
		pageH
		pageT
	)
	b.addBan(masks, pageG, pageF, pageC, "Place")
	b.addBan(masks, pageD, pageE, pageB, "Event")
	b.addBan(masks, pageH, pageF, pageC, "Place")

	c.Funnel.OnPaths = bans.Coverage(c.Instances, masks)
	counters["pages_on_paths"], counters["labelled_on_paths"] = int64(c.Funnel.OnPaths.Any[1]), int64(c.Funnel.OnPaths.Any[0])
	c.Infeasible = []schemas.ConstrainedInfeasible{{
		Schema: schemas.ConstrainedInfeasibleSchema, ID: "cx-0001", Key: b.banKey(0, pageT, "Species"), Infeasible: true, Source: b.page(0), Target: b.page(pageT),
		BannedCategory: "Species", UnlabelledRule: "allow", BanWitness: &schemas.BanWitness{PageRef: b.page(pageH), InDegree: 1}, BaselineLength: 5, Cut: 1,
		MaxSteps: 30, Seed: 42, ParamsSHA256: digest.SHA256([]byte(constrainedParams)), LabelsSHA256: b.labelsSHA256, GraphSHA256: b.in.Graph.Digest.SHA256,
	}}
}

// banLabel returns the rows of labels with these masks; the primary label is the smallest bit.
func banLabel(masks []uint32) func(u int) labels.Row {
	return func(u int) labels.Row {
		l := labels.Row{Node: uint32(u), PageID: pageID(u), Mask: masks[u], Primary: schemas.NoLabel, N: uint8(bits.OnesCount32(masks[u])), Source: schemas.LabelNone}
		if l.Mask != 0 {
			l.Primary, l.Source = uint8(bits.TrailingZeros32(l.Mask)), schemas.LabelDBpedia
		}
		return l
	}
}

func (b *build) banKey(s, t int, label string) string {
	return fmt.Sprintf("demowiki:%d:%d:%s", pageID(s), pageID(t), label)
}

func (b *build) addBan(masks []uint32, s, t, witness int, label string) {
	list := &b.in.Constrained.Instances
	x := schemas.ConstrainedInstance{
		Schema: schemas.ConstrainedInstanceSchema, ID: fmt.Sprintf("cw-%04d", len(*list)+1), Key: b.banKey(s, t, label), Source: b.page(s), Target: b.page(t),
		BannedCategory: label, UnlabelledRule: "allow", BanWitness: &schemas.BanWitness{PageRef: b.page(witness), InDegree: b.pred.Degree(uint32(witness))},
		MaxSteps: 30, Seed: 42, ParamsSHA256: digest.SHA256([]byte(constrainedParams)), LabelsSHA256: b.labelsSHA256, GraphSHA256: b.in.Graph.Digest.SHA256,
	}
	var titles []string
	for u := range b.succ.Nodes() {
		titles = append(titles, titleOf(u))
	}
	g := &graph.Graph{PageIDs: make([]uint32, len(titles)), Titles: arrowio.MakeStrings(titles), Succ: b.succ, Pred: b.pred}
	must(b.t, bans.NewKit(g, masks).Fill(&x, b.dist[t]))
	*list = append(*list, x)
}

// newBannedBuild is newFullBuild with a constrained set.
func newBannedBuild(t *testing.T) *build {
	t.Helper()
	b := newFullBuild(t)
	b.addConstrained()
	return b
}

func TestTheConstrainedSetIsReadBackAsItWasWritten(t *testing.T) {
	b := newBannedBuild(t)
	var got []string
	for _, x := range b.in.Constrained.Instances {
		got = append(got, fmt.Sprint(x.Binding, x.BaselineLength, x.ConstrainedLength))
	}
	if want := []string{"on_witness3 3", "longer2 5", "none3 3"}; !slices.Equal(got, want) {
		t.Fatalf("the fixture has %v, want %v", got, want)
	}
	r, err := Open(b.release(WriteOptions{}))
	must(t, err)
	defer r.Close()
	list, err := constrained.Instances(r)
	must(t, err)
	if string(jsonLines(list)) != string(jsonLines(b.in.Constrained.Instances)) {
		t.Errorf("instances %+v", list)
	}
	infeasible, err := constrained.Infeasible(r)
	must(t, err)
	if string(jsonLines(infeasible)) != string(jsonLines(b.in.Constrained.Infeasible)) {
		t.Errorf("pairs without a path %+v", infeasible)
	}
	name, entry := constrained.Split(r)
	if name != "constrained_custom" || entry.N != 3 || entry.Status != "ok" || !slices.Equal(entry.Distances, []int{3, 5}) {
		t.Errorf("entry %s: %+v", name, entry)
	}
	if slices.Contains(wikirace.Splits(r), name) {
		t.Errorf("splits of wikirace: %v", wikirace.Splits(r))
	}
	if _, err := wikirace.Instances(r, name); !errors.Is(err, fault.NotFound) {
		t.Errorf("the set as a split of wikirace: %v", err)
	}
}

func TestAReleaseWithoutBansHasNone(t *testing.T) {
	r, err := Open(newBuild(t).release(WriteOptions{}))
	must(t, err)
	defer r.Close()
	_, err1 := constrained.Instances(r)
	_, err2 := constrained.Infeasible(r)
	if constrained.Has(r) || !errors.Is(err1, fault.NotFound) || !errors.Is(err2, fault.NotFound) {
		t.Errorf("got %v, %v", err1, err2)
	}
}

// short leaves the first instance alone, or none and no pair without a path either: the attempts were used up.
func (b *build) short(n int) *build {
	c, counters := b.in.Constrained, b.in.Stages[len(b.in.Stages)-1].Counters
	f := &c.Funnel
	c.Instances, c.Infeasible = c.Instances[:n], c.Infeasible[:n]
	f.Accepted, f.Kept, f.Status, f.ByLabel = n, n, schemas.StatusShort, map[string]int{}
	f.ByBinding = map[string]int{"none": 0, "on_witness": n, "longer": 0}
	if n > 0 {
		f.ByLabel["Place"] = n
	}
	f.Rejects["infeasible"], f.Rejects["baseline"] = n, 7-2*n
	f.OnPaths = bans.Coverage(c.Instances, labelsOfG9())
	counters["rejected_infeasible"], counters["rejected_baseline"] = int64(n), int64(7-2*n)
	counters["pages_on_paths"], counters["labelled_on_paths"] = int64(f.OnPaths.Any[1]), int64(f.OnPaths.Any[0])
	return b
}

func TestAShortConstrainedSetIsRefusedUnlessAllowed(t *testing.T) {
	b := newBannedBuild(t).short(1)
	if _, err := b.writeTo(t.Context(), t.TempDir()+"/release", WriteOptions{}); !errors.Is(err, fault.Shortage) || !strings.Contains(err.Error(), "constrained instances 1/3") {
		t.Errorf("got %v", err)
	}
	card, err := os.ReadFile(place(b.release(WriteOptions{AllowShort: true}), "README.md"))
	must(t, err)
	if !strings.Contains(string(card), "constrained instances 1/3") {
		t.Errorf("the card does not say that the set is short:\n%s", card)
	}
}

func TestAnEmptyConstrainedSetIsAReleaseToo(t *testing.T) {
	files := tree(t, newBannedBuild(t).short(0).release(WriteOptions{AllowShort: true}))
	_, front, _ := strings.Cut(files["README.md"], "---\n")
	front, body, _ := strings.Cut(front, "\n---\n")
	if strings.Contains(front, "constrained") || strings.Contains(files["eval.yaml"], "constrained") {
		t.Errorf("a config or a task has no rows:\n%s\n%s", front, files["eval.yaml"])
	}
	if want := "**Empty:** `constrained/instances.parquet`. A table"; !strings.Contains(body, want) {
		t.Errorf("no %q in the card", want)
	}
	if !strings.Contains(files["croissant.json"], `"constrained/instances.parquet"`) {
		t.Error("croissant.json does not describe the empty table")
	}
}

// banMutations change one thing in constrained/, with all digests in line.
func banMutations(b *build) []mutation {
	of := func(name, path, old, new string) mutation {
		return mutation{"bans: " + name, 2, path, func(t *testing.T, dir string) {
			replaceIn(t, dir, path, old, new)
			reseal(t, dir, nil)
		}}
	}
	// in changes the first instance as a record.
	in := func(name string, change func(*schemas.ConstrainedInstance)) mutation {
		return mutation{"bans: " + name, 2, constrainedPath, func(t *testing.T, dir string) {
			list := slices.Clone(b.in.Constrained.Instances)
			witness := *list[1].BanWitness
			list[1].BanWitness = &witness
			change(&list[1])
			must(t, os.WriteFile(place(dir, constrainedPath), jsonLines(list), 0o644))
			reseal(t, dir, nil)
		}}
	}
	without := func(name, path string) mutation {
		return mutation{"bans: " + name, 2, path, func(t *testing.T, dir string) {
			must(t, os.Remove(place(dir, path)))
			forget(t, dir, path)
		}}
	}
	number := func(n int) *int { return &n }
	return []mutation{
		in("path through a banned page", func(x *schemas.ConstrainedInstance) { x.ConstrainedPath = []uint32{3, 1, 4} }),
		in("path with a link that is none", func(x *schemas.ConstrainedInstance) { x.ConstrainedPath[1] = 8 }),
		in("constrained length", func(x *schemas.ConstrainedInstance) { x.ConstrainedLength-- }),
		in("baseline length", func(x *schemas.ConstrainedInstance) { x.BaselineLength++ }),
		in("baseline path", func(x *schemas.ConstrainedInstance) { x.BaselinePath = x.BaselinePath[1:] }),
		in("baseline title", func(x *schemas.ConstrainedInstance) {
			x.BaselineTitles = append([]string{"a"}, x.BaselineTitles[1:]...)
		}),
		in("constrained title", func(x *schemas.ConstrainedInstance) {
			x.ConstrainedTitles = append([]string{"a"}, x.ConstrainedTitles[1:]...)
		}),
		in("detour", func(x *schemas.ConstrainedInstance) { x.Detour = 1 }),
		in("binding", func(x *schemas.ConstrainedInstance) { x.Binding = "on_witness" }),
		in("clean paths", func(x *schemas.ConstrainedInstance) { x.BaselineClean[0]++ }),
		in("all paths", func(x *schemas.ConstrainedInstance) { x.BaselineClean[1]++ }),
		in("unlabelled pages", func(x *schemas.ConstrainedInstance) { x.Unlabelled++ }),
		in("length if forbidden", func(x *schemas.ConstrainedInstance) { x.IfForbidden = number(6) }),
		in("banned share", func(x *schemas.ConstrainedInstance) { x.BannedShare[0]++ }),
		in("banned on shortest", func(x *schemas.ConstrainedInstance) { x.BannedOnShortest[0]++ }),
		in("feasible first", func(x *schemas.ConstrainedInstance) { x.FeasibleFirst[1]++ }),
		in("compat", func(x *schemas.ConstrainedInstance) { x.Compat.Iterations++ }),
		in("compat length", func(x *schemas.ConstrainedInstance) { x.Compat.Length = number(9) }),
		in("category", func(x *schemas.ConstrainedInstance) { x.BannedCategory = "Work" }),
		in("unknown category", func(x *schemas.ConstrainedInstance) { x.BannedCategory = "Organisation" }),
		in("rule", func(x *schemas.ConstrainedInstance) { x.UnlabelledRule = "forbid" }),
		in("witness", func(x *schemas.ConstrainedInstance) { x.BanWitness.PageRef = b.page(2) }),
		in("in-degree of the witness", func(x *schemas.ConstrainedInstance) { x.BanWitness.InDegree++ }),
		in("no witness", func(x *schemas.ConstrainedInstance) { x.BanWitness = nil }),
		in("key", func(x *schemas.ConstrainedInstance) { x.Key += "s" }),
		in("id twice", func(x *schemas.ConstrainedInstance) { x.ID = "cw-0001" }),
		in("node", func(x *schemas.ConstrainedInstance) { x.Source.Node = 900 }),
		in("title", func(x *schemas.ConstrainedInstance) { x.Target.Title = "e" }),
		in("source by the filter", func(x *schemas.ConstrainedInstance) { x.Source = b.page(2) }),
		in("pair twice", func(x *schemas.ConstrainedInstance) { *x = b.in.Constrained.Instances[0]; x.ID = "cw-0002" }),
		in("steps", func(x *schemas.ConstrainedInstance) { x.MaxSteps = 0 }),
		in("labels", func(x *schemas.ConstrainedInstance) { x.LabelsSHA256 = digest.SHA256(nil) }),
		in("params", func(x *schemas.ConstrainedInstance) { x.ParamsSHA256 = digest.SHA256(nil) }),
		in("graph", func(x *schemas.ConstrainedInstance) { x.GraphSHA256 = digest.SHA256(nil) }),
		in("version", func(x *schemas.ConstrainedInstance) { x.Schema = "constrained.instance/9" }),
		retable("table of the constrained set", constrainedTable, constrained.Table, b.in.Constrained.Instances,
			func(x *schemas.ConstrainedInstance) { x.Compat.Found = !x.Compat.Found }),
		retable("witness in the table", constrainedTable, constrained.Table, b.in.Constrained.Instances,
			func(x *schemas.ConstrainedInstance) { x.BanWitness = nil }),
		of("a path after all", infeasiblePath, `"banned_category":"Species"`, `"banned_category":"Award"`),
		of("cut", infeasiblePath, `"cut":1`, `"cut":2`),
		of("infeasible", infeasiblePath, `"infeasible":true`, `"infeasible":false`),
		of("baseline of a pair without a path", infeasiblePath, `"baseline_length":5`, `"baseline_length":4`),
		of("attempts", funnelPath, `"attempts":7`, `"attempts":8`),
		of("rejects", funnelPath, `"duplicate":0`, `"duplicate":1`),
		of("rejects shifted", funnelPath, `"baseline":3,"class_cap":0`, `"baseline":2,"class_cap":1`),
		of("accepted", funnelPath, `"accepted":3`, `"accepted":4`),
		{"bans: label", 2, ManifestName, func(t *testing.T, dir string) {
			replaceIn(t, dir, funnelPath, `"constrained-custom"`, `"constrained"`)
			reseal(t, dir, nil)
		}},
		of("by label", funnelPath, `"Place":2`, `"Place":3`),
		of("limit of a class", funnelPath, `"limit":2`, `"limit":1`),
		of("bound", funnelPath, `"at_most":3`, `"at_most":2`),
		of("class that is not offered", funnelPath, `"classes":["Event",`, `"classes":["Work",`),
		of("by binding", funnelPath, `"longer":1`, `"longer":0`),
		of("coverage", funnelPath, `"between":[`, `"between":[1`),
		of("kept", funnelPath, `"infeasible_kept":1`, `"infeasible_kept":0`),
		of("first empty filter", funnelPath, `"empty":""`, `"empty":"targets.min_in"`),
		of("requested", funnelPath, `"requested":3`, `"requested":2`),
		of("counts of the quota", banQuotasPath, `"rejected_baseline":3`, `"rejected_baseline":4`),
		of("params of the funnel", funnelPath, `"baseline_min":2`, `"baseline_min":3`),
		of("reason that is none", funnelPath, `"not_binding"`, `"not_bonding"`),
		{"bans: entry of the set", 2, ManifestName, func(t *testing.T, dir string) {
			reseal(t, dir, func(m *Manifest) {
				e := m.Splits["constrained_custom"]
				e.Distances = []int{3}
				m.Splits["constrained_custom"] = e
			})
		}},
		{"bans: no entry of the set", 2, ManifestName, func(t *testing.T, dir string) {
			reseal(t, dir, func(m *Manifest) { delete(m.Splits, "constrained_custom") })
		}},
		{"bans: params of the manifest", 2, constrainedPath, func(t *testing.T, dir string) {
			reseal(t, dir, func(m *Manifest) {
				m.Params["constrained"] = json.RawMessage(strings.Replace(constrainedParams, `"baseline_min":2`, `"baseline_min":3`, 1))
			})
		}},
		without("without the table", constrainedTable),
		without("without the funnel", funnelPath),
		without("without the labels", labelsPath),
	}
}

func TestVerifyCatchesEveryMutationOfBans(t *testing.T) {
	b := newBannedBuild(t)
	catchAll(t, b.release(WriteOptions{}), banMutations(b))
}

// Labels that were changed as a whole, and agree with themselves, contradict the paths.
func TestLabelsOfOtherPagesContradictThePaths(t *testing.T) {
	b := newBannedBuild(t)
	dir := b.release(WriteOptions{})
	masks := labelsOfG9()
	slices.Reverse(masks)
	rewrite(t, dir, labelsPath, b.labels(banLabel(masks)))
	reseal(t, dir, nil)
	report, err := verify(t.Context(), dir, VerifyOptions{})
	must(t, err)
	if !slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == constrainedPath }) {
		t.Errorf("got %+v", report.Failed)
	}
}
