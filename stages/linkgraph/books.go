package linkgraph

import (
	"math/bits"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// books keeps the funnel: links_read = the sum of the outcomes, and links_resolved + links_self_kept =
// edges + duplicates + edges in parts that the recipe does not keep.
type books struct {
	kinds    [kinds]int64    // of all pages
	statuses [statuses]int64 // of all redirects
	main     schemas.Ratio   // of the redirects in namespace 0: those that lead nowhere, of all

	links           [outcomes]int64
	throughRedirect int64 // links to a redirect of status ok, whatever its page means for them
	direct          int64 // self loops of the pages' own text, under a recipe that keeps them
	duplicates      int64
	otherParts      int64
	edges           int64
	only            [8]int64 // edges whose mask is exactly that bit
	mixed           int64
}

func newBooks(p *pages, r *redirects) *books {
	b := &books{}
	for _, a := range r.aliases {
		b.statuses[a.status]++
	}
	for row, k := range p.kinds {
		b.kinds[k]++
		if k == kindRedirect {
			b.main.Den++
			if r.of(uint32(row)).status != aliasOK {
				b.main.Num++
			}
		}
	}
	return b
}

func (b *books) count(o outcome) { b.links[o]++ }

func (b *books) edge(mask schemas.Provenance) {
	b.edges++
	if bits.OnesCount8(mask) == 1 {
		b.only[bits.TrailingZeros8(mask)]++
		return
	}
	b.mixed++
}

// close writes the counters and raises the warnings.
func (b *books) close(env stages.Env, p *pages, params Params) {
	stages.Counts(env, map[string]int64{
		"nodes": b.kinds[kindNode], "pages_dropped_by_recipe": b.kinds[kindDropped], "pages_non_node": b.kinds[kindNonNode],
		"pages_other_ns": b.kinds[kindOther], "pages_redirect": b.kinds[kindRedirect],
		"links_through_redirect": b.throughRedirect, "links_self_kept": b.direct, "links_duplicate": b.duplicates,
		"links_in_other_parts": b.otherParts, "edges": b.edges, "edges_mixed_parts": b.mixed,
		"title_hash_collisions": int64(len(p.titles.twins)),
	})
	for s, n := range b.statuses {
		env.Count("redirects_"+status(s).String(), n)
	}
	for o, n := range b.links {
		env.Count("links_"+outcome(o).String(), n)
		env.Count("links_read", n)
	}
	for i, name := range schemas.ProvenanceNames {
		env.Count("edges_only_"+name, b.only[i])
	}
	b.warn(env, p, params.Recipe, params.Thresholds)
}

// warn raises the warnings of the wikirace specification, 3.2, that this stage can see.
func (b *books) warn(env stages.Env, p *pages, r schemas.Recipe, t Thresholds) {
	nodes := b.kinds[kindNode]
	var seen int64
	for o, n := range b.links {
		if outcome(o) != fromElsewhere {
			seen += n
		}
	}
	if r.TitleFilter != schemas.TitlesOneToken {
		stages.WarnBelow(env, "W_TITLE_SINGLE_TOKEN", schemas.Ratio{Num: p.spaced, Den: nodes}, t.SingleToken)
	}
	stages.WarnAbove(env, "W_RED_LINKS", schemas.Ratio{Num: b.links[red], Den: seen}, t.RedLinks)
	stages.WarnBelow(env, "W_EDGE_COUNT", schemas.Ratio{Num: b.edges, Den: nodes}, t.EdgesPerPage)
	stages.WarnAbove(env, "W_REDIRECT_LOSS", b.main, t.RedirectsLost)
}

// outcome is what became of a link.
type outcome uint8

const (
	resolved outcome = iota
	red
	nonNode
	dropped
	selfLoop
	fromElsewhere
	toRedirect  // under a recipe that drops redirects
	viaRedirect // the first of one outcome for each status but aliasOK
	outcomes    = viaRedirect + outcome(statuses) - 1
)

// outcome of the links to a redirect that leads nowhere.
func (s status) outcome() outcome { return viaRedirect + outcome(s-aliasMissing) }

func (o outcome) String() string {
	if o >= viaRedirect {
		return "redirect_" + (aliasMissing + status(o-viaRedirect)).String()
	}
	return [...]string{"resolved", "red", "non_node", "to_dropped_page", "self_after_redirect", "from_non_nodes", "to_redirect"}[o]
}
