package linkgraph

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// anchors follows the links of a page through resolution: beside every edge it puts the occurrences
// that the recipe keeps, of which the first gives order and anchor.
type anchors struct {
	on    bool
	file  *arrowio.File // nil where links come without texts
	batch int           // where the next row of the file is
	row   int

	page  []occurrence // of the source at hand, of links that became edges
	lists []list       // of the source at hand
	texts [][]byte     // of one edge

	out, further              *arrowio.Writer
	rows, empty, via, without int64
	furtherRows               int64
}

// occurrence is one link in the text of the page at hand. Its bytes are in the mapped files.
type occurrence struct {
	to     uint32 // node
	at     uint32 // place in the page
	anchor []byte
	via    []byte // title of the redirect
}

// list is an edge with its occurrences, of which the first says where the edge stands in the page's list.
type list struct {
	edge
	all []occurrence
}

func openAnchors(env *stages.Run, recipe schemas.Recipe) (*anchors, error) {
	if recipe.LinkSource == schemas.SourcePagelinks {
		return &anchors{}, nil
	}
	file, err := env.Table(schemas.LinkAnchors, linkAnchorsFile, schemas.LinkAnchorsTable)
	if err != nil {
		return nil, err
	}
	a := &anchors{file: file}
	switch mode := file.Metadata(schemas.KeyAnchors); {
	case mode == schemas.AnchorsOn:
		a.on = true
	case mode != schemas.AnchorsOff || file.Rows() > 0:
		return nil, fault.New(fault.Mismatch, "%s = %s with %d rows", schemas.KeyAnchors, fault.Quote(mode), file.Rows()).At(linkAnchorsFile, "")
	}
	return a, nil
}

const linkAnchorsFile = "link-anchors.arrow"

// write opens the two tables, lets fill use them, and says in both whether anchors were read.
func (a *anchors) write(env stages.Env, fill func() error) error {
	opts := stages.AnchorOptions(env, a.on)
	return env.Write("anchors.arrow", stages.Rows(schemas.AnchorsTable, opts, func(out *arrowio.Writer) error {
		return env.Write("further-anchors.arrow", stages.Rows(schemas.FurtherAnchorsTable, opts, func(further *arrowio.Writer) error {
			a.out, a.further = out, further
			return fill()
		}))
	}))
}

// noNode stands for the node of a link that became no edge.
const noNode = -1

// Columns of link-anchors.arrow.
var (
	anchorLink       = schemas.LinkAnchorsTable.Index("link")
	anchorAt         = schemas.LinkAnchorsTable.Index("at")
	anchorProvenance = schemas.LinkAnchorsTable.Index("provenance")
	anchorText       = schemas.LinkAnchorsTable.Index("anchor")
)

// link takes up the occurrences of the link in a row of links.arrow, asked for in rising order.
func (a *anchors) link(row, node int64, parts schemas.Provenance, via []byte) error {
	if !a.on {
		return nil
	}
	found := false
	for a.batch < a.file.Batches() {
		if a.row == a.file.BatchRows(a.batch) {
			a.batch, a.row = a.batch+1, 0
			continue
		}
		link := int64(a.file.Uint64s(a.batch, anchorLink)[a.row])
		if link > row {
			break
		}
		if link < row {
			return fault.New(fault.Mismatch, "an anchor of link %d stands where one of link %d should", link, row).At(linkAnchorsFile, "")
		}
		found = true
		if node >= 0 && a.file.Uint8s(a.batch, anchorProvenance)[a.row]&parts != 0 {
			at := a.file.Uint32s(a.batch, anchorAt)[a.row]
			a.page = append(a.page, occurrence{uint32(node), at, a.file.Strings(a.batch, anchorText).Bytes(a.row), via})
		}
		a.row++
	}
	if !found {
		return fault.New(fault.Mismatch, "link %d has no anchor", row).At(linkAnchorsFile, "")
	}
	return nil
}

// finish writes the page's list: the edges of a node, in the order of their first occurrences. A
// self loop that is no occurrence of a link has no row.
func (a *anchors) finish(p *pages, node uint32, edges []edge, found []occurrence) error {
	if !a.on {
		a.without += int64(len(edges))
		return nil
	}
	if err := a.assign(edges, found); err != nil {
		return err
	}
	slices.SortFunc(a.lists, func(x, y list) int { return cmp.Compare(x.all[0].at, y.all[0].at) })
	for i, l := range a.lists {
		if err := a.writeList(p, p.nodeIDs[node], uint32(i), l); err != nil {
			return err
		}
	}
	return nil
}

// assign returns each edge its occurrences; edges are in the order of target nodes, and occurrences
// are brought into it.
func (a *anchors) assign(edges []edge, rest []occurrence) error {
	slices.SortFunc(rest, func(x, y occurrence) int { return cmp.Or(cmp.Compare(x.to, y.to), cmp.Compare(x.at, y.at)) })
	a.lists = a.lists[:0]
	for _, e := range edges {
		n := 0
		for n < len(rest) && rest[n].to == e.to {
			n++
		}
		if n == 0 {
			a.without++
			continue
		}
		a.lists = append(a.lists, list{e, rest[:n]})
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return fault.New(fault.Mismatch, "anchors of a link whose provenance is not theirs").At(linkAnchorsFile, "")
	}
	return nil
}

func (a *anchors) writeList(p *pages, src, order uint32, l list) error {
	first := l.all[0]
	a.rows++
	if len(first.anchor) == 0 {
		a.empty++
	}
	if len(first.via) > 0 {
		a.via++
	}
	if err := a.out.Row(src, p.nodeIDs[l.to], order, l.mask, first.anchor, first.via); err != nil {
		return err
	}
	for _, text := range a.others(l.all) {
		a.furtherRows++
		if err := a.further.Row(src, order, text); err != nil {
			return err
		}
	}
	return nil
}

// others returns the anchors beside the first, each once.
func (a *anchors) others(all []occurrence) [][]byte {
	a.texts = a.texts[:0]
	if len(all) == 1 {
		return nil
	}
	seen := map[string]bool{"": true, string(all[0].anchor): true}
	for _, o := range all[1:] {
		if !seen[string(o.anchor)] {
			seen[string(o.anchor)] = true
			a.texts = append(a.texts, bytes.Clone(o.anchor))
		}
	}
	return a.texts
}

// count writes the books: edges = anchors + those without, which are all where anchors are off.
func (a *anchors) count(env stages.Env) {
	stages.Counts(env, map[string]int64{
		"anchors": a.rows, "anchors_further": a.furtherRows, "anchors_empty": a.empty, "anchors_via_redirect": a.via,
		"edges_without_anchor": a.without,
	})
}
