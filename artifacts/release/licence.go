package release

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// DataLicence puts every file of a release under one licence: graph, distances and parts are
// published under that of the titles they hold. A part that was made from something else has a
// licence of its own, and what repeats rows of such a part has both.
func (in *Input) DataLicence(spdx, attribution string) Licence {
	lic := Licence{SPDX: spdx}
	add := func(glob string, of owned) {
		lic.Parts = append(lic.Parts, LicencePart{Glob: glob, SPDX: of.spdx, Attribution: of.attribution})
	}
	data := owned{spdx, attribution}
	parts := in.published()
	add(catalogPath, in.Manifest.ownedBy(catalogStage, data, parts))
	for _, glob := range []string{"*", distancesDir + "/*", "graph/*"} {
		add(glob, data)
	}
	for _, p := range parts {
		own, who := p.Licence()
		if own != "" || who != "" {
			add(p.Folder()+"/*", owned{cmp.Or(own, spdx), cmp.Or(who, attribution)})
		} else {
			add(p.Folder()+"/*", in.Manifest.ownedBy(p.Source().Name, data, parts))
		}
	}
	return lic
}

// owned is a licence, and whom it asks to name.
type owned struct{ spdx, attribution string }

// ownedBy adds to data the licences of the parts that a stage read which have one of their own.
func (m *Manifest) ownedBy(stage string, data owned, parts []Part) owned {
	for _, s := range m.Stages {
		for _, p := range parts {
			own, who := p.Licence()
			if s.Stage != stage || own == "" || !s.reads(p.Source().Name) {
				continue
			}
			if !slices.Contains(terms(data.spdx), own) {
				data.spdx += allOf + own
			}
			data.attribution += "; " + who
		}
	}
	return data
}

// reads reports whether a file of an artifact is among the inputs.
func (s StageEntry) reads(artifact string) bool {
	for name := range s.Inputs { // whether there is one
		if path.Dir(name) == artifact {
			return true
		}
	}
	return false
}

// allOf joins the licences of an expression of SPDX that all hold.
const allOf = " AND "

// terms lists the licences of an expression.
func terms(spdx string) []string { return strings.Split(spdx, allOf) }

// parts lists the parts of a build.
func (in *Input) parts() (list []Part) {
	for _, b := range in.Parts {
		list = append(list, b.Part)
	}
	return list
}

// published lists the parts of a build that have something to publish. Of one that cannot say so
// the writer says why.
func (in *Input) published() (list []Part) {
	for _, b := range in.Parts {
		if ok, err := b.Part.Published(b.Files); ok || err != nil {
			list = append(list, b.Part)
		}
	}
	return list
}

const wikipediaSPDX = "CC-BY-SA-4.0"

// licence settles the licence of a release. An edge list has none that we could know.
func (in *Input) licence() (Licence, error) {
	for _, s := range in.SideInputs {
		if s.Licence == "" {
			return Licence{}, fault.New(fault.Failure, "the licence of side input %s is unknown", fault.Quote(s.Name))
		}
	}
	if in.Licence.SPDX != "" {
		return in.Licence, nil
	}
	switch in.Dump.Kind {
	case DumpClassic, DumpContentCurrent:
		return in.DataLicence(wikipediaSPDX, "Wikipedia contributors ("+in.Wiki+", dump of "+in.SnapshotDate+
			"); each page_id leads to the page and its history"), nil
	case DumpDemo:
		return in.DataLicence(wikipediaSPDX, "wikinav, which wrote these pages as a demonstration; no text of Wikipedia"), nil
	}
	return Licence{}, fault.New(fault.Failure, "the licence of data of kind %s is unknown", fault.Quote(in.Dump.Kind)).
		Hint("name the licence of the edge list")
}

// partOf finds the part that the file at p belongs to.
func (l Licence) partOf(p string) (LicencePart, bool) {
	for _, part := range l.Parts {
		if ok, err := path.Match(part.Glob, p); ok && err == nil {
			return part, true
		}
	}
	return LicencePart{}, false
}

// covering keeps the parts of l that some file belongs to; a file without a part is fault.Failure.
func (l Licence) covering(files []FileEntry) (Licence, error) {
	used := map[string]bool{}
	for _, f := range files {
		part, ok := l.partOf(f.Path)
		if !ok || part.SPDX == "" {
			return l, fault.New(fault.Failure, "no part of the licence covers this file").At(f.Path, "")
		}
		used[part.Glob] = true
	}
	out := Licence{SPDX: l.SPDX, Parts: []LicencePart{}}
	for _, part := range l.Parts {
		if used[part.Glob] {
			out.Parts = append(out.Parts, part)
		}
	}
	return out, nil
}
