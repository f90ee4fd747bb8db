package release

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/schemas/fault"
)

// CarriedProver proves that the carried records of a release are those of the older one: package
// carry has it. checks are those of the parts.
type CarriedProver func(ctx context.Context, now *Release, checks []*Check) error

// Carried reports whether the manifest declares that the record with this id was taken over.
func (c *Check) Carried(id string) bool { return c.v.m.CarriedID(c.part.Source().Name, id) }

// Manifests lists a finding if a field of the manifest says something else than it must.
func (c *Check) Manifests(field, want, got string) {
	differ(c.v.report, "carried", ManifestName, field, want, got)
}

// WholeFromOlder reports whether all files of the part are those of an older release, whose graph
// they are about.
func (c *Check) WholeFromOlder() bool { return c.v.m.wholeOf(c.part.Source().Name) != nil }

// DrawnFrom compares the graph that a record is drawn from, and the recipe of that graph, with the
// release's own or, of a carried record, those that the manifest declares.
func (l Line) DrawnFrom(id, graph, recipe string) {
	m := l.Manifest()
	switch {
	case !m.MayBeOf(l.part.Source().Name, id, graph):
		l.Bad("graph_sha256", m.Graph.SHA256, graph)
	case l.Carried(id) && slices.Contains(m.Carried.Graphs, DrawnFrom{graph, recipe}):
	default:
		l.Is("recipe_sha256", m.RecipeSHA256, recipe)
	}
}

// IDs returns the ids that the records of a file may have: of those that were drawn the numbers
// from 1 on, and where records were taken over from the one above the last of the older release on.
// stem is the beginning of a record's id.
func (c *Check) IDs(n int, id, stem func(i int) string) map[string]bool {
	may, last := map[string]bool{}, map[string]int{}
	maps.Copy(last, c.v.m.LastOf(c.part.Source().Name))
	for i := range n {
		s := stem(i)
		if _, number := numberOf(id(i)); c.Carried(id(i)) {
			may[fmt.Sprintf("%s%04d", s, number)] = true
			continue
		}
		last[s]++
		may[fmt.Sprintf("%s%04d", s, last[s])] = true
	}
	return may
}

// CarriedAmong counts the carried ones of n records.
func (c *Check) CarriedAmong(n int, id func(i int) string) (carried int) {
	for i := range n {
		if c.Carried(id(i)) {
			carried++
		}
	}
	return carried
}

// NotOfThisGraph notes that what n carried records of a file say of another graph was not computed
// anew.
func (c *Check) NotOfThisGraph(what, name string, n int) {
	if n > 0 && c.v.opts.Carried == nil && c.Wants(name) {
		c.Skip("%s of %d carried records of %s, which are those of an older graph: "+
			"wikinav verify --carried OLD compares them",
			what, n, c.path(name))
	}
}

// carried proves that carried records are those of the older release, or notes that nobody did.
func (v *verifier) carried(checks []*Check) error {
	sound := !slices.ContainsFunc(v.report.Failed, func(f Finding) bool { return !f.isSum() })
	switch {
	case v.opts.Carried == nil && v.m.Carried != nil:
		v.report.skip("that the carried records are those of release %s: wikinav verify --carried OLD proves it",
			fault.Quote(v.m.Carried.ID))
	case v.opts.Carried == nil:
	case v.m.Carried != nil && !sound:
		v.report.skip("that the carried records are those of the older release: level 2 found something wrong")
	default:
		return v.opts.Carried(v.ctx, &Release{root: v.root, m: v.m, graph: v.openGraph(), set: v.openSet()}, checks)
	}
	return nil
}

// checkCarried compares what the manifest counts of carried records with the ids that there are.
func (v *verifier) checkCarried() {
	if v.m.Carried == nil {
		return
	}
	for _, stage := range slices.Sorted(maps.Keys(v.m.Carried.Parts)) {
		i := slices.IndexFunc(v.parts, func(p Part) bool { return p.Source().Name == stage })
		if i < 0 {
			v.report.skip("what is carried of %s: this version does not know it", fault.Quote(stage))
			continue
		}
		part := v.m.Carried.Parts[stage]
		for _, set := range slices.Sorted(maps.Keys(part.Splits)) {
			v.checkCarriedSplit(v.parts[i], part, set)
		}
	}
}

func (v *verifier) checkCarriedSplit(p Part, of CarriedPart, set string) {
	where := "carried.parts." + p.Source().Name + ".splits." + set
	say := of.Splits[set]
	lost, kept, drawn := 0, 0, 0
	for _, n := range say.Lost { // a sum
		lost += n
	}
	differ(v.report, "carried", ManifestName, where+".had", say.Kept+lost, say.Had)
	files, name := v.filesOf(p), set+".jsonl"
	if !files.Has(name) {
		v.need(p.Folder() + "/" + name)
		return // damaged files are findings already
	}
	err := files.Each(name, func(_ int, line []byte) error {
		var head struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(line, &head); err != nil {
			return err
		}
		if of.Whole != nil || v.m.CarriedID(p.Source().Name, head.ID) {
			kept++
		} else {
			drawn++
		}
		return nil
	})
	if err != nil {
		return // of the check of the file
	}
	differ(v.report, "carried", ManifestName, where+".kept", kept, say.Kept)
	differ(v.report, "carried", ManifestName, where+".drawn", drawn, say.Drawn)
}

// carriedFields are the conditions on what the manifest says of carried records.
func (m *Manifest) carriedFields() []field {
	c := m.Carried
	if c == nil {
		return nil
	}
	list := []field{
		{"carried.id", hex16Form.MatchString(c.ID)},
		{"carried.manifest_sha256", hex64Form.MatchString(c.ManifestSHA256)},
		{"carried.graphs", len(c.Graphs) > 0},
		{"carried.parts", c.Parts != nil},
	}
	for _, d := range c.Graphs {
		ok := hex64Form.MatchString(d.GraphSHA256) && hex64Form.MatchString(d.RecipeSHA256)
		list = append(list, field{"carried.graphs", ok})
	}
	for _, p := range c.Parts { // a set of checks
		ok := p.Last != nil && p.Splits != nil
		if w := p.Whole; w != nil {
			ok = ok && isObject(w.Params) && w.Stage.Inputs != nil && w.Stage.Outputs != nil && w.Stage.Counters != nil
		}
		for set, s := range p.Splits { // as above
			ok = ok && s.Lost != nil && validPath(set)
		}
		list = append(list, field{"carried.parts", ok})
	}
	return list
}
