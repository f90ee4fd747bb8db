package linkgraph

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

func TestChainsAreFollowedAsFarAsTheRecipeSays(t *testing.T) {
	t.Parallel()
	pages := []page{{id: 100, title: "End"}, {id: 101, title: "Script", model: "css"}}
	for i := range uint32(9) { // Chain1 leads to End, Chain2 to Chain1, and so on
		target := fmt.Sprintf("Chain%d", i)
		if i == 0 {
			target = "End"
		}
		pages = append(pages, page{id: 1 + i, title: fmt.Sprintf("Chain%d", i+1), redirect: to(target)})
	}
	withFragment := to("Chain1")
	withFragment.Fragment = "Part"
	pages = append(
		pages,
		page{id: 20, title: "Self", redirect: to("Self")},
		page{id: 21, title: "To self", redirect: to("Self")},
		page{id: 22, title: "Ring1", redirect: to("Ring2")},
		page{id: 23, title: "Ring2", redirect: to("Ring3")},
		page{id: 24, title: "Ring3", redirect: to("Ring1")},
		page{id: 25, title: "To ring", redirect: to("Ring1")},
		page{id: 26, title: "Red", redirect: to("Nothing")},
		page{id: 27, title: "To red", redirect: to("Red")},
		page{id: 28, title: "To talk", redirect: toKind(schemas.TargetOther)},
		page{id: 29, title: "To to talk", redirect: to("To talk")},
		page{id: 30, title: "Other wiki", redirect: toKind(schemas.TargetInterwiki)},
		page{id: 31, title: "No title", redirect: toKind(schemas.TargetInvalid)},
		page{id: 32, title: "To script", redirect: to("Script")},
		page{id: 33, title: "To part", redirect: withFragment},
		page{id: 34, ns: 1, title: "Talk:R", redirect: to("End")},
	)
	for _, c := range []struct {
		hops int
		want map[string]string
	}{
		{1, map[string]string{
			"Chain1": "ok 1 End", "Chain2": "too_long 1", "Self": "self 1", "To self": "too_long 1", "Ring1": "too_long 1",
			"Red": "missing 1", "To red": "too_long 1", "To part": "too_long 1 #Part", "Talk:R": "ok 1 End",
		}},
		{5, map[string]string{
			"Chain5": "ok 5 End", "Chain6": "too_long 5", "Self": "self 1", "To self": "loop 2", "Ring1": "loop 3", "To ring": "loop 4",
			"Red": "missing 1", "To red": "missing 2", "To talk": "non_main 1", "To to talk": "non_main 2", "Other wiki": "interwiki 1",
			"No title": "bad_target 1", "To script": "bad_target 1", "To part": "ok 2 End#Part",
		}},
		{8, map[string]string{"Chain5": "ok 5 End", "Chain8": "ok 8 End", "Chain9": "too_long 8", "To ring": "loop 4"}},
	} {
		recipe := strict()
		recipe.RedirectHops = c.hops
		got := build(t, recipe, pages...).aliases
		for title, want := range c.want {
			if got[title] != want {
				t.Errorf("%d hops, %s: got %q, want %q", c.hops, title, got[title], want)
			}
		}
	}
}

// randomRedirects returns the redirects of one small wiki: few pages, so that chains, loops and self redirects are common.
func randomRedirects(r *rng.Stream, prefix string) []page {
	pages := make([]page, 1+r.Below(12))
	name := func(i int) string { return fmt.Sprintf("%s %d", prefix, i) }
	articles := r.Below(4) // of 10 pages
	for i := range pages {
		p := page{title: name(i)}
		switch {
		case r.Below(40) == 0:
			p.model = "css"
		case r.Below(10) >= articles:
			p.redirect = to(name(r.Below(len(pages) + 1))) // the last is no page
			if r.Below(30) == 0 {
				p.redirect.Kind = schemas.TargetKind(1 + r.Below(3))
			}
		}
		pages[i] = p
	}
	return pages
}

// follow is the rule of the inputs specification, 5.5, word for word on titles.
func follow(wiki map[string]page, title string, hops int) string {
	seen := map[string]bool{title: true}
	at := wiki[title]
	for followed := 1; ; followed++ {
		target, there := wiki[at.redirect.Target]
		switch {
		case followed > hops:
			return fmt.Sprintf("too_long %d", hops)
		case at.redirect.Kind != schemas.TargetMain:
			return fmt.Sprintf("%s %d", []string{"", "non_main", "interwiki", "bad_target"}[at.redirect.Kind], followed)
		case !there:
			return fmt.Sprintf("missing %d", followed)
		case target.model != "":
			return fmt.Sprintf("bad_target %d", followed)
		case target.redirect == nil:
			return fmt.Sprintf("ok %d %s", followed, target.title)
		case target.title == title && followed == 1:
			return "self 1"
		case seen[target.title]:
			return fmt.Sprintf("loop %d", followed)
		}
		seen[target.title] = true
		at = target
	}
}

func TestTenThousandRandomRedirectGraphsEqualBruteForce(t *testing.T) {
	t.Parallel()
	const graphs = 10_000
	r := rng.New(7, "redirects")
	var pages []page
	for g := range graphs { // side by side in one wiki, each under titles of its own
		pages = append(pages, randomRedirects(r, fmt.Sprintf("G%d", g))...)
	}
	wiki := map[string]page{}
	for i := range pages {
		pages[i].id = uint32(i + 1)
		wiki[pages[i].title] = pages[i]
	}
	for _, hops := range []int{1, 5, 8} {
		recipe := strict()
		recipe.RedirectHops = hops
		want := map[string]string{}
		statuses := map[string]int{}
		for title, p := range wiki {
			if p.redirect != nil {
				want[title] = follow(wiki, title, hops)
				statuses[want[title][:3]]++
			}
		}
		if len(statuses) < 7 && hops > 1 {
			t.Errorf("%d hops: the graphs show %v only", hops, statuses)
		}
		got := build(t, recipe, pages...).aliases
		compare(t, hops, got, want)
		for i := range pages { // the order of pages does not matter
			pages[i].id = uint32(len(pages) - i)
		}
	}
}

func compare(t *testing.T, hops int, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d hops: %d aliases, want %d", hops, len(got), len(want))
	}
	for _, title := range slices.Sorted(maps.Keys(want)) {
		if got[title] != want[title] {
			t.Fatalf("seed 7, %d hops, redirect %s: got %q, want %q", hops, title, got[title], want[title])
		}
	}
}
