package release

import (
	"path"

	"github.com/wikinav/wikinav/schemas/fault"
)

// DataLicence puts every file of a release under one licence: graph, distances and parts are published under that of the titles
// they hold. A part that was made from something else has a licence of its own.
func (in *Input) DataLicence(spdx, attribution string) Licence {
	lic := Licence{SPDX: spdx}
	add := func(glob, spdx, attribution string) {
		lic.Parts = append(lic.Parts, LicencePart{Glob: glob, SPDX: spdx, Attribution: attribution})
	}
	for _, glob := range []string{"*.md", catalogPath, distancesDir + "/*", "graph/*"} {
		add(glob, spdx, attribution)
	}
	for _, b := range in.Parts {
		if own, who := b.Part.Licence(); own != "" {
			add(b.Part.Folder()+"/*", own, who)
		} else {
			add(b.Part.Folder()+"/*", spdx, attribution)
		}
	}
	return lic
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
