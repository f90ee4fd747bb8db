// Package carry says which records of a release a later one can take over, and proves that one took
// over those and changed nothing in them: what package diff calls the same or renamed.
package carry

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/diff"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Fates returns what became of the records of an older release. Pairs are searched for by workers;
// meter may be nil.
func Fates(workers int, meter func(phase, unit string, total int64) release.Meter) func(
	context.Context, *release.Release, *release.Release, []release.Part,
) (*release.Fates, error) {
	return func(ctx context.Context, old, now *release.Release, parts []release.Part) (*release.Fates, error) {
		r, err := diff.Releases(ctx, old, now, parts, diff.Options{Workers: workers, Meter: meter})
		if err != nil {
			return nil, err
		}
		f := &release.Fates{Nodes: r.Nodes(), States: map[string][]string{}, Kept: Kept}
		return f, r.Each(func(i diff.Instance) error {
			if i.State != diff.Added {
				f.States[i.Split] = append(f.States[i.Split], i.State)
			}
			return nil
		})
	}
}

// Kept reports whether a record with this state is taken over, and whether its pages have other
// names.
func Kept(state string) (renamed, kept bool) {
	return state == diff.Renamed, state == diff.Same || state == diff.Renamed
}

// Proof returns what proves that a release took over the records of the one in dir: that each of
// them holds, that no record which holds is left out, and that nothing in them changed but names of
// pages. A release that took none over is fault.Usage, another one than that of the manifest
// fault.Mismatch.
//
// Memory: that of diff, and the lines that are kept of one file.
func Proof(dir string, workers int) release.CarriedProver {
	return func(ctx context.Context, now *release.Release, checks []*release.Check) error {
		said := now.Manifest().Carried
		if said == nil {
			return fault.New(fault.Usage, "--carried %s: this release took no records over", fault.Quote(dir)).
				Hint("verify it without")
		}
		old, err := release.Open(dir)
		if err != nil {
			return err
		}
		defer old.Close()
		if old.ManifestSHA256() != said.ManifestSHA256 {
			return fault.New(fault.Mismatch,
				"the manifest of release %s has SHA-256 %s; records are carried from release %s, whose has %s",
				old.Manifest().ID, old.ManifestSHA256(), said.ID, said.ManifestSHA256).At(dir, release.ManifestName)
		}
		p := &proof{old: old, now: now, said: said}
		return p.prove(ctx, checks, workers)
	}
}

// proof is a release and the one that it took records over from.
type proof struct {
	old, now *release.Release
	said     *release.Carried
	fates    *release.Fates
	pages    release.Pages
	moved    bool // nodes have other numbers
}

func (p *proof) prove(ctx context.Context, checks []*release.Check, workers int) error {
	var parts []release.Part
	for _, c := range checks {
		if p.isComposed(c) {
			parts = append(parts, c.Part())
		}
	}
	g, err := p.now.Graph()
	if err == nil {
		p.fates, err = Fates(workers, nil)(ctx, p.old, p.now, parts)
	}
	if err != nil {
		return err
	}
	p.manifest(checks)
	p.pages = release.Pages{Nodes: p.fates.Nodes, Graph: g, Wiki: p.now.Manifest().Wiki}
	for _, c := range checks {
		switch _, carried := p.said.Parts[c.Part().Source().Name]; {
		case !carried:
			c.Skip("%s/: its records are not carried, and not said to be", c.Part().Folder())
		case !p.isComposed(c):
			p.sameFiles(c)
		default:
			if err := p.records(ctx, c); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// manifest compares what is said of the older release as a whole.
func (p *proof) manifest(checks []*release.Check) {
	want, said := p.old.CarriedBy(p.fates), *p.said
	said.Parts, want.Parts = nil, nil
	if p.moved = want.Renumbered; len(checks) > 0 {
		checks[0].Manifests("carried", release.Shown(want), release.Shown(&said))
	}
}

// isComposed reports whether records of both releases stand in the files of a part.
func (p *proof) isComposed(c *release.Check) bool {
	said, ok := p.said.Parts[c.Part().Source().Name]
	_, can := c.Part().(release.Carrier)
	return ok && can && said.Whole == nil
}

// sameFiles compares the files of a part that was taken over whole.
func (p *proof) sameFiles(c *release.Check) {
	was, is := p.old.Part(c.Part()), p.now.Part(c.Part())
	names := slices.Concat(was.Names(), is.Names())
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range names {
		if a, b := was.Digest(name), is.Digest(name); a != b {
			c.Add("carried", name, "", "the file of release "+p.said.ID+", "+a.SHA256, b.SHA256)
		}
	}
	c.Covered("%s/: that all %d files are those of release %s", c.Part().Folder(), len(names), p.said.ID)
}

// partProof is the proof of one part.
type partProof struct {
	*proof
	c      *release.Check
	part   release.Carrier
	counts release.CarriedPart // as the manifest has them
	last   map[string]int
	alone  func(line []byte) ([]byte, error) // nil for records that do not depend on others
	bars   func(line []byte) (state string, err error)
}

// records compares the records of a part.
func (p *proof) records(ctx context.Context, c *release.Check) error {
	stage := c.Part().Source().Name
	of := &partProof{
		proof: p, c: c, part: c.Part().(release.Carrier), counts: p.said.Parts[stage], last: map[string]int{},
	}
	maps.Copy(of.last, p.old.Manifest().LastOf(stage))
	if r, ok := c.Part().(release.Related); ok {
		scored, whole := c.Scored()
		if !whole {
			return nil // noted
		}
		of.alone, of.bars = r.Alone, r.Bars(c.Files().Params, scored)
	}
	return of.prove(ctx)
}

func (p *partProof) prove(ctx context.Context) error {
	n := 0
	for _, name := range p.old.Part(p.part).Names() {
		set, isLines := strings.CutSuffix(name, ".jsonl")
		if !isLines || !p.c.Wants(name) {
			continue
		}
		kept, count, err := p.kept(name, p.fates.States[p.part.Folder()+"/"+set])
		if err == nil {
			err = p.compare(ctx, name, kept)
		}
		if err != nil {
			return err
		}
		n += count.Kept
		count.Drawn = p.counts.Splits[set].Drawn // what is new, level 2 counts
		p.c.Manifests("carried."+p.part.Folder()+"."+set, release.Shown(count), release.Shown(p.counts.Splits[set]))
	}
	if p.c.Whole() {
		p.c.Manifests("carried.last of "+p.part.Folder(), release.Shown(p.last), release.Shown(p.counts.Last))
	}
	p.c.Covered("%s/: that %d carried records are those of release %s that hold", p.part.Folder(), n, p.said.ID)
	return nil
}

// kept returns the records of a file that hold as they must be now, by their ids, and notes the
// numbers of all ids in last.
func (p *partProof) kept(name string, states []string) (map[string][]byte, release.CarriedSplit, error) {
	kept, count := map[string][]byte{}, release.CarriedSplit{Lost: map[string]int{}}
	err := p.old.Part(p.part).Each(name, func(n int, line []byte) error {
		count.Had++
		id := idOf(line)
		release.Used(p.last, id)
		state := release.StateRedrawn
		if !p.counts.Redrawn {
			if n > len(states) {
				return fault.New(fault.Mismatch, "a record that was not compared")
			}
			state = states[n-1]
		}
		is, state, err := p.hold(line, state)
		renamed, ok := Kept(state)
		switch {
		case err != nil:
		case !ok:
			count.Lost[state]++
		default:
			kept[id] = is
			if count.Kept++; renamed {
				count.Renamed++
			}
		}
		return err
	})
	return kept, count, err
}

// hold returns a record of the older release as it must be now, and the state that bars it if one
// does.
func (p *partProof) hold(line []byte, state string) (is []byte, now string, err error) {
	renamed, ok := Kept(state)
	if !ok {
		return nil, state, nil
	}
	if is = slices.Clone(line); p.moved || renamed || p.alone != nil { // else byte for byte
		if is, err = p.part.Renamed(line, &p.pages); err != nil || p.alone == nil {
			return is, state, err
		}
		bar, err := p.bars(is)
		if err != nil || bar != "" {
			return nil, bar, err
		}
		is, err = p.alone(is)
		return is, state, err
	}
	return is, state, nil
}

func idOf(line []byte) string {
	var head struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(line, &head) // a line without an id is none that was carried
	return head.ID
}

// compare holds the carried records of a file to those that hold, and lists those that are left.
func (p *partProof) compare(ctx context.Context, name string, kept map[string][]byte) error {
	i := -1
	err := p.now.Part(p.part).Each(name, func(_ int, line []byte) (err error) {
		i++
		id := idOf(line)
		want, ok := kept[id]
		delete(kept, id)
		l := p.c.Line(name, i)
		if p.alone != nil {
			if line, err = p.alone(line); err != nil {
				return err
			}
		}
		switch {
		case !p.c.Carried(id):
		case !ok:
			l.Bad("carried", "a record of release "+p.said.ID+" that holds", fault.Quote(id))
		case !bytes.Equal(line, want):
			l.Bad("carried", "the record "+id+" of release "+p.said.ID, "another")
		}
		return ctx.Err()
	})
	for _, id := range slices.Sorted(maps.Keys(kept)) {
		p.c.Add("carried", name, id, "the record of release "+p.said.ID+", which holds", "none")
	}
	return err
}
