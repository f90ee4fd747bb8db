package linkgraph

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

// policyPages is a small wiki in which each rule about redirects and self loops shows: R redirects to B, S to A.
func policyPages() []page {
	return []page{
		{id: 1, title: "A", self: schemas.ProvBody, links: body("R", "S", "B")},
		{id: 2, title: "B", links: body("A")},
		{id: 3, title: "R", redirect: to("B"), links: body("B")},
		{id: 4, title: "S", redirect: to("A"), links: body("A")},
		{id: 5, title: "C", self: schemas.ProvRefs},
	}
}

func TestRedirectsAndSelfLoopsGoByTheRecipe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		redirects, loops string
		parts            []string
		want             []string
		aliases          int
	}{
		{schemas.RedirectsResolve, schemas.LoopsDropAfter, schemas.ProvenanceNames, []string{"A->B", "B->A"}, 2},
		{schemas.RedirectsResolve, schemas.LoopsDropBefore, schemas.ProvenanceNames, []string{"A->A", "A->B", "B->A"}, 2},
		{schemas.RedirectsResolve, schemas.LoopsKeep, schemas.ProvenanceNames, []string{"A->A", "A->B", "B->A", "C->C"}, 2},
		{schemas.RedirectsResolve, schemas.LoopsKeep, []string{"body"}, []string{"A->A", "A->B", "B->A"}, 2},
		{schemas.RedirectsNodes, schemas.LoopsDropAfter, schemas.ProvenanceNames, []string{"A->B", "A->R", "A->S", "B->A", "R->B", "S->A"}, 0},
		{schemas.RedirectsNodes, schemas.LoopsKeep, schemas.ProvenanceNames, []string{"A->A", "A->B", "A->R", "A->S", "B->A", "C->C", "R->B", "S->A"}, 0},
		{schemas.RedirectsDrop, schemas.LoopsDropAfter, schemas.ProvenanceNames, []string{"A->B", "B->A"}, 0},
	} {
		r := strict()
		r.Redirects, r.SelfLoops, r.LinkParts = c.redirects, c.loops, c.parts
		got := build(t, r, policyPages()...)
		if slices.Sort(got.edges); !slices.Equal(got.edges, c.want) {
			t.Errorf("%s, %s, %v: got %v, want %v", c.redirects, c.loops, c.parts, got.edges, c.want)
		}
		if len(got.aliases) != c.aliases {
			t.Errorf("%s: aliases %v, want %d", c.redirects, got.aliases, c.aliases)
		}
	}
}
