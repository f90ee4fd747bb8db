package demo

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/rng"
)

// linkGraph is what a careful pipeline makes of a dump under the strict recipe, by the plainest means.
type linkGraph struct {
	title      []string
	next, prev [][]int
	red, links int    // links to titles that are no page, and all links of namespace 0
	endpoint   []bool // neither a list nor a date
}

func isDisambiguation(p *xmlPage) bool {
	for _, mark := range []string{"{{Disambiguation}}", "{{disambig}}", "{{Dab}}", "{{Hndis}}"} {
		if strings.Contains(p.text(), mark) {
			return true
		}
	}
	return strings.HasSuffix(p.Title, " (disambiguation)")
}

func redirectTarget(p *xmlPage) string {
	if !strings.HasPrefix(p.text(), "#REDIRECT") {
		return ""
	}
	return targets(p.text())[0]
}

func build(pages []xmlPage) *linkGraph {
	g := &linkGraph{}
	node, redirects, exists := map[string]int{}, map[string]string{}, map[string]bool{}
	var bodies []string
	for i := range pages {
		p := &pages[i]
		exists[p.Title] = true
		if p.NS != 0 || p.Revision[0].Model != "wikitext" || isDisambiguation(p) {
			continue
		}
		if to := redirectTarget(p); to != "" {
			redirects[p.Title] = to
			continue
		}
		node[p.Title] = len(g.title)
		g.title = append(g.title, p.Title)
		bodies = append(bodies, p.text())
	}
	g.next, g.prev = make([][]int, len(bodies)), make([][]int, len(bodies))
	for from, body := range bodies {
		g.endpoint = append(g.endpoint, !isListOrDate(g.title[from]))
		g.connect(from, body, node, redirects, exists)
	}
	return g
}

func isListOrDate(title string) bool {
	for _, prefix := range []string{"List of ", "Timeline of "} {
		if strings.HasPrefix(title, prefix) {
			return true
		}
	}
	return strings.HasSuffix(title, " century") || len(title) >= 4 && strings.Trim(title[:4], "0123456789") == "" && len(title) <= 5
}

func (g *linkGraph) connect(from int, body string, node map[string]int, redirects map[string]string, exists map[string]bool) {
	for _, title := range targets(body) {
		if prefix, _, ok := strings.Cut(title, ":"); ok && !strings.Contains(prefix, " ") {
			continue // another namespace or wiki: no article of this wiki has a colon after its first word
		}
		g.links++
		if !exists[title] {
			g.red++
		}
		for step := 0; step < 5 && redirects[title] != ""; step++ {
			title = redirects[title]
		}
		if to, ok := node[title]; ok && to != from && !slices.Contains(g.next[from], to) {
			g.next[from] = append(g.next[from], to)
			g.prev[to] = append(g.prev[to], from)
		}
	}
}

// distances are link counts from one node along edges; -1 where there is no way.
func distances(edges [][]int, from int) []int {
	d := make([]int, len(edges))
	for i := range d {
		d[i] = -1
	}
	d[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, to := range edges[queue[0]] {
			if d[to] < 0 {
				d[to] = d[queue[0]] + 1
				queue = append(queue, to)
			}
		}
	}
	return d
}

// component are the nodes that reach and are reached from the node that most links lead to.
func (g *linkGraph) component() []int {
	hub := 0
	for i := range g.prev {
		if len(g.prev[i]) > len(g.prev[hub]) {
			hub = i
		}
	}
	to, from := distances(g.next, hub), distances(g.prev, hub)
	var out []int
	for i := range to {
		if to[i] >= 0 && from[i] >= 0 {
			out = append(out, i)
		}
	}
	return out
}

// shape is what the samplers need to know of a graph.
type shape struct {
	nodes, component                   int
	medianOut, wideOut, wideIn, thinIn int   // wide: 50 links and more; thin: at most 3
	mean100                            int   // mean distance times 100
	diameter                           int   // largest distance seen
	at                                 []int // median over the sources of the number of nodes at each distance
	farMedian, farLeast                int   // nodes at distance 7 and more: in the median, and for the source that one in 20 falls below
}

func (g *linkGraph) shape(sources int) shape {
	inside := g.component()
	s := shape{nodes: len(g.title), component: len(inside), at: make([]int, 20)}
	var outs []int
	for _, i := range inside {
		outs = append(outs, len(g.next[i]))
		s.wideOut += count(len(g.next[i]) > 50)
		s.wideIn += count(len(g.prev[i]) >= 50)
		s.thinIn += count(len(g.prev[i]) <= 3)
	}
	s.medianOut = median(outs)
	s.measure(g, inside, sources)
	return s
}

func (s *shape) measure(g *linkGraph, inside []int, sources int) {
	counts := make([][]int, len(s.at))
	var far []int
	total, pairs := 0, 0
	r := rng.New(1, "sources")
	for _, n := range r.Choose(len(inside), sources) {
		level := make([]int, len(s.at))
		for to, d := range distances(g.next, inside[n]) {
			if d > 0 && g.endpoint[to] {
				level[min(d, len(level)-1)]++
				total, pairs = total+d, pairs+1
				s.diameter = max(s.diameter, d)
			}
		}
		beyond := 0
		for d, n := range level {
			counts[d] = append(counts[d], n)
			if d >= 7 {
				beyond += n
			}
		}
		far = append(far, beyond)
	}
	for d := range counts {
		s.at[d] = median(counts[d])
	}
	slices.Sort(far)
	s.mean100, s.farMedian, s.farLeast = total*100/pairs, far[len(far)/2], far[len(far)/20]
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func median(v []int) int {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}
