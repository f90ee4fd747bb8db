package release_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/onestep"
	"github.com/wikinav/wikinav/artifacts/probe"
	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// addCompanions returns the build a probe of one or two pairs a class, and two one-step sets.
func (b *build) addCompanions() {
	b.in.Probe = &ProbeInput{}
	for _, class := range schemas.ProbeClasses {
		b.addClass(class, 2)
	}
	b.in.OneStep = &OneStepInput{Report: schemas.OneStepReport{
		Schema: schemas.OneStepReportSchema, Policy: schemas.OverlapAllow, Contaminated: true, Against: map[string]int{}, Kinds: map[string]schemas.OneStepOverlapping{},
	}}
	for _, kind := range schemas.OneStepKinds {
		b.in.OneStep.Report.Kinds[kind.Name] = schemas.OneStepOverlapping{IDs: []string{}}
	}
	for _, s := range b.in.Splits {
		b.in.OneStep.Report.Against[s.Name] = len(s.Instances)
	}
	b.in.OneStep.Report.Against["probe"] = len(b.in.Probe.Instances)
	b.addSet("train", 2, 3)
	b.addSet("validation", 4, 2)
}

// newFullBuild is newBuild with companion sets.
func newFullBuild(t *testing.T) *build {
	t.Helper()
	b := newBuild(t)
	b.addCompanions()
	return b
}

func (b *build) page(u int) schemas.PageRef {
	return schemas.PageRef{Node: uint32(u), PageID: pageID(u), Title: titleOf(u)}
}

func (b *build) linked(u, v int) bool { return slices.Contains(b.succ.Row(uint32(u)), uint32(v)) }

func (b *build) addClass(class string, most int) {
	got := 0
	for s := range b.succ.Nodes() {
		for t := range b.succ.Nodes() {
			d, there, back := int(b.dist[t][s]), b.linked(s, t), b.linked(t, s)
			fits := map[string]bool{"connected": there, "reversed": back && !there}[class] || class == fmt.Sprint("d", d) && !back
			if s == t || !fits || got == most {
				continue
			}
			got++
			gold := "no"
			if there {
				gold = "yes"
			}
			b.in.Probe.Instances = append(b.in.Probe.Instances, schemas.ProbeInstance{
				Schema: schemas.ProbeInstanceSchema, ID: fmt.Sprintf("pr-%s-%04d", class, got), Class: class,
				Source: b.page(s), Target: b.page(t), Gold: gold, Distance: d, Mutual: there && back,
			})
		}
	}
	at := map[string]int{"connected": 1, "d2": 2, "d3": 3, "d4": 4}[class]
	b.in.Probe.Shortage = append(b.in.Probe.Shortage, quota(class, at, got, got))
}

func (b *build) addSet(name string, each, distance int) {
	set := OneStepSet{Name: name}
	for s := range b.succ.Nodes() {
		for t := range b.succ.Nodes() {
			if int(b.dist[t][s]) == distance && len(set.Instances) < each {
				set.Instances = append(set.Instances, b.oneStep(fmt.Sprintf("os-%s-%04d", name, len(set.Instances)+1), s, t))
			}
		}
	}
	b.in.OneStep.Sets = append(b.in.OneStep.Sets, set)
	b.in.OneStep.Shortage = append(b.in.OneStep.Shortage, quota(name, distance, each, each))
}

func (b *build) oneStep(id string, s, t int) schemas.OneStepInstance {
	x := schemas.OneStepInstance{
		Schema: schemas.OneStepInstanceSchema, ID: id, Source: b.page(s), Target: b.page(t), Distance: int(b.dist[t][s]), Best: []uint32{},
	}
	var titles []string
	for i, v := range b.succ.Row(uint32(s)) {
		x.Menu = append(x.Menu, schemas.OneStepLink{I: i, Node: v, Title: titleOf(int(v))})
		titles = append(titles, titleOf(int(v)))
		if int(b.dist[t][v]) == x.Distance-1 {
			x.Best = append(x.Best, uint32(i))
		}
	}
	x.Messages = prompt.PageMessages(x.Source.Title, x.Target.Title, []string{x.Source.Title}, titles, nil)
	x.PromptSHA256 = prompt.Hash(x.Messages)
	for _, split := range b.in.Splits {
		for _, inst := range split.Instances {
			b.meet(&x.Overlap, x, inst.Source.Node, inst.Target.Node)
			x.Overlap.SourceOnWitness = x.Overlap.SourceOnWitness || slices.Contains(inst.Witness, x.Source.Node)
		}
	}
	for _, p := range b.in.Probe.Instances {
		b.meet(&x.Overlap, x, p.Source.Node, p.Target.Node)
	}
	for _, kind := range schemas.OneStepKinds {
		if *kind.Of(&x.Overlap) {
			k := b.in.OneStep.Report.Kinds[kind.Name]
			b.in.OneStep.Report.Kinds[kind.Name] = schemas.OneStepOverlapping{Count: k.Count + 1, IDs: append(k.IDs, id)}
		}
	}
	return x
}

// meet notes what x shares with one scored pair.
func (b *build) meet(o *schemas.OneStepOverlaps, x schemas.OneStepInstance, s, t uint32) {
	a, z := x.Source.Node, x.Target.Node
	o.Pair = o.Pair || a == s && z == t
	o.ReversedPair = o.ReversedPair || a == t && z == s
	o.Source, o.Target = o.Source || a == s, o.Target || z == t
	o.SourceIsEvalTarget, o.TargetIsEvalSource = o.SourceIsEvalTarget || a == t, o.TargetIsEvalSource || z == s
}

func TestCompanionSetsAreReadBackAsTheyWereWritten(t *testing.T) {
	b := newFullBuild(t)
	r, err := Open(b.release(WriteOptions{}))
	must(t, err)
	defer r.Close()
	asked, err := probe.Questions(r)
	must(t, err)
	if got, want := string(jsonLines(asked)), string(jsonLines(sorted(b.in.Probe.Instances, func(x schemas.ProbeInstance) string { return x.ID }))); got != want || len(asked) < 8 {
		t.Errorf("probe of %d:\n%s\nwant\n%s", len(asked), got, want)
	}
	if got := onestep.Sets(r); !slices.Equal(got, []string{"train", "validation"}) {
		t.Errorf("sets %v", got)
	}
	train, err := onestep.Instances(r, "train")
	must(t, err)
	if got, want := string(jsonLines(train)), string(jsonLines(b.in.OneStep.Sets[0].Instances)); got != want {
		t.Errorf("train:\n%s\nwant\n%s", got, want)
	}
	if _, err := onestep.Instances(r, "test"); !errors.Is(err, fault.NotFound) {
		t.Errorf("a set that is not there: %v", err)
	}
}

func TestWhatWasNotBuiltIsAbsent(t *testing.T) {
	b := newBuild(t)
	r, err := Open(b.release(WriteOptions{}))
	must(t, err)
	defer r.Close()
	for _, f := range r.Manifest().Files {
		if dir := ParentOf(f.Path); dir == "probe" || dir == "onestep" {
			t.Errorf("file %s", f.Path)
		}
	}
	if _, err := probe.Questions(r); !errors.Is(err, fault.NotFound) || len(onestep.Sets(r)) > 0 {
		t.Errorf("probe: %v, sets %v", err, onestep.Sets(r))
	}
}

func TestShortCompanionsAreRefusedUnlessAllowed(t *testing.T) {
	for name, shorten := range map[string]func(b *build){
		"d2": func(b *build) {
			b.in.Probe.Shortage[1] = quota("d2", 2, 9, b.in.Probe.Shortage[1].Got)
		},
		"train": func(b *build) {
			b.in.OneStep.Shortage[0] = quota("train", 3, 9, b.in.OneStep.Shortage[0].Got)
		},
	} {
		b := newFullBuild(t)
		shorten(b)
		if _, err := b.writeTo(t.Context(), t.TempDir()+"/release", WriteOptions{}); !errors.Is(err, fault.Shortage) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		b.release(WriteOptions{AllowShort: true})
	}
}

// retable writes a table anew with its first row changed.
func retable[T any](name, path string, codec *flat.Codec[T], list []T, change func(*T)) mutation {
	return mutation{"companion: " + name, 2, path, func(t *testing.T, dir string) {
		rewrite(t, dir, path, func(w io.Writer) (arrowio.Summary, error) {
			changed := slices.Clone(list)
			change(&changed[0])
			return codec.WriteParquet(w, changed)
		})
		reseal(t, dir, nil)
	}}
}

// companionMutations change one thing in probe/ or onestep/, with all digests in line.
func companionMutations(b *build) []mutation {
	drop := func(t *testing.T, dir, path string) {
		must(t, os.Remove(place(dir, path)))
		forget(t, dir, path)
	}
	of := func(name, path, old, new string, others ...string) mutation {
		return mutation{"companion: " + name, 2, path, func(t *testing.T, dir string) {
			for _, file := range append([]string{path}, others...) {
				replaceIn(t, dir, file, old, new)
			}
			reseal(t, dir, nil)
		}}
	}
	const train = "onestep/train.jsonl"
	return []mutation{
		of("gold", probePath, `"gold":"yes"`, `"gold":"no"`),
		of("class", probePath, `"class":"d2"`, `"class":"d3"`),
		of("unknown class", probePath, `"class":"d2"`, `"class":"d9"`),
		of("distance", probePath, `"distance":3`, `"distance":4`),
		of("mutual", probePath, `"mutual":false`, `"mutual":true`),
		of("id twice", probePath, `pr-d2-0002`, `pr-d2-0001`),
		of("page id", probePath, `"page_id":10,`, `"page_id":11,`),
		of("node", probePath, `"node":0,`, `"node":900,`),
		of("version", probePath, schemas.ProbeInstanceSchema, "probe.instance/7"),
		retable("table of the probe", probeTablePath, probe.Table, b.in.Probe.Instances, func(p *schemas.ProbeInstance) { p.Mutual = !p.Mutual }),
		retable("table of a set", "onestep/train.parquet", onestep.Table, b.in.OneStep.Sets[0].Instances,
			func(x *schemas.OneStepInstance) { x.Overlap.Pair = !x.Overlap.Pair }),
		of("got of a class", probeQuotasPath, `"got":2`, `"got":3`),
		of("status of a class", probeQuotasPath, `"status":"ok"`, `"status":"short"`),
		of("a class nobody knows", probeQuotasPath, `"of":"d2"`, `"of":"d5"`),
		of("best", train, `"best":[`, `"best":[2,`),
		of("prompt", train, `clicking`, `clickinG`),
		of("digest of a prompt", train, `"prompt_sha256":"`, `"prompt_sha256":"0`),
		of("title in a menu", train, `"title":"B"`, `"title":"b"`),
		of("place in a menu", train, `"i":1`, `"i":2`),
		of("overlap", train, `"source":true`, `"source":false`),
		of("id of a set twice", train, `os-train-0002`, `os-train-0001`),
		of("policy", overlapPath, `"allow"`, `"none"`),
		of("contaminated", overlapPath, `"contaminated":true`, `"contaminated":false`),
		of("count of a kind", overlapPath, `"count":`, `"count":1`),
		of("id of a kind", overlapPath, `os-train-0001`, `os-train-0009`),
		of("against", overlapPath, `"easy":6`, `"easy":7`),
		of("a kind that is none", overlapPath, `"kinds":{`, `"kinds":{"other":{"count":0,"ids":[]},`),
		of("got of a set", setQuotasPath, `"got":2`, `"got":1`),
		{"companion: without the table", 2, probeTablePath, func(t *testing.T, dir string) { drop(t, dir, probeTablePath) }},
		{"companion: without the report", 2, overlapPath, func(t *testing.T, dir string) { drop(t, dir, overlapPath) }},
		{"companion: without the lines of a set", 2, train, func(t *testing.T, dir string) { drop(t, dir, train) }},
	}
}
