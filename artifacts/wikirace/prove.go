package wikirace

import (
	"fmt"
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Level 3: distance, witness and every feature of every instance, anew.
//
// Result:    what the wikirace specification, 5.5 and 5.6, says in words. Path counts are big
// integers, chances of pruning fractions; the walks are the published recurrence in float64, links
// in node order, because their digits are defined by it. Encoding:  package plain. Menus are dealt
// here a third time, after the stage and the game. Reference: the definitions; a bottleneck is a
// layer of one page, a dominator a page without which a search does not arrive. Time:      2 *
// max_steps additions per link and instance, and a search for every page of a witness.

// Prove holds instances to a computation that has nothing of the stage's in it, its parameters and
// random streams apart.
func (p part) Prove(c *release.Check) {
	var game params
	if !c.Params(&game) {
		return
	}
	if game.MaxSteps < 1 || game.MaxSteps > mostSteps || game.MaxLinks < 2 {
		c.Add("params", release.ManifestName, p.Artifact.Name, fmt.Sprintf("1 to %d steps, 2 links or more", mostSteps), fmt.Sprintf("%+v", game))
		return
	}
	web := plain.Of(c.Graph().Succ)
	for _, split := range setsOf(c) {
		if !c.Wants(split + ".jsonl") {
			continue
		}
		list := instances(c, split)
		wanted := computed(c, web, game, list)
		ids := c.IDs(len(list), func(i int) string { return list[i].ID }, func(int) string { return "wr-" + split + "-" })
		i := -1
		release.ProveEach(c, split+".jsonl", list, proved(c, list), func(l release.Line, x *schemas.WikiraceInstance) {
			i++
			got := <-wanted[i]
			if got.err != nil {
				l.Fail("instance", l.File, got.err)
				return
			}
			want := got.instance
			if !ids[x.ID] || want == nil {
				l.Bad("instance", "the next number of wr-"+split+"-, with a path", x.ID)
				return
			}
			plain.Differ(want.Features, x.Features, func(field string, want, got any) { l.Bad("features."+field, want, got) })
			want.Features = x.Features
			plain.Differ(want, x, func(field string, want, got any) { l.Bad(field, want, got) })
		})
	}
}

// proved says what is computed anew of a list.
func proved(c *release.Check, list []schemas.WikiraceInstance) string {
	drawn := len(list) - c.CarriedAmong(len(list), func(i int) string { return list[i].ID })
	if drawn == len(list) {
		return "distance, witness and all features"
	}
	return fmt.Sprintf("distance and witness, and all features of %d that are not carried,", drawn)
}

// mostSteps is the longest game whose walks are walked anew.
const mostSteps = 10_000

// params is what games need of the stage's parameters.
type params struct {
	MaxSteps int    `json:"max_steps"`
	MaxLinks int    `json:"max_links"`
	GameSeed int64  `json:"game_seed"`
	RW       string `json:"rw"`
}

// answer is an instance computed anew; nil where no path leads from source to target.
type answer struct {
	instance *schemas.WikiraceInstance
	err      error // of a graph that was cut short meanwhile
}

// computed returns places where the instances computed anew arrive, as many computed at once as
// there are processors.
func computed(c *release.Check, web *plain.Graph, game params, list []schemas.WikiraceInstance) []chan answer {
	ctx := c.Context()
	out, next := make([]chan answer, len(list)), atomic.Int64{}
	for i := range out {
		out[i] = make(chan answer, 1)
	}
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for i := next.Add(1) - 1; i < int64(len(list)); i = next.Add(1) - 1 {
				if ctx.Err() != nil {
					close(out[i])
					continue
				}
				var a answer
				a.err = arrowio.Guard(func() error {
					a.instance = proof{web: web, game: game, x: list[i], carried: c.Carried(list[i].ID)}.instance()
					return nil
				})
				out[i] <- a
			}
		}()
	}
	return out
}

// proof is the computation of one instance; dist is every page's distance to the target.
type proof struct {
	web   *plain.Graph
	game  params
	x     schemas.WikiraceInstance
	dist  []int
	menus [][]uint32

	carried bool // drawn from another graph: features are not those of this one
}

// instance returns x with everything that can be computed in place of what x says; nil where no
// path leads from source to target.
func (p proof) instance() *schemas.WikiraceInstance {
	s, t := p.x.Source.Node, p.x.Target.Node
	if p.dist = p.web.To(t, plain.Open); p.dist[s] < 1 || p.dist[s] > int(schemas.MaxDistance) {
		return nil
	}
	x := p.x
	if p.carried {
		if x.Distance = p.dist[s]; !p.isShortest(x.Witness) {
			x.Witness = p.web.Smallest(s, p.dist)
		}
		return &x
	}
	x.Distance, x.Witness = p.dist[s], p.web.Smallest(s, p.dist)
	x.MaxSteps, x.MaxLinks, x.Seed = p.game.MaxSteps, p.game.MaxLinks, p.game.GameSeed
	menu := plain.Game{Seed: x.Seed, Instance: x.ID, MaxLinks: x.MaxLinks}
	for u, links := range p.web.Out {
		p.menus = append(p.menus, menu.Keep(uint32(u), links, p.dist))
	}
	x.Features = schemas.WikiraceFeatures{
		OutDegree: len(p.web.Out[s]), SourceInDegree: len(p.web.In[s]), TargetInDegree: len(p.web.In[t]), TargetOutDegree: len(p.web.Out[t]),
		MenuSize: len(p.menus[s]), OptFirst: p.nearer(p.web.Out[s]), OptFirstMenu: p.nearer(p.menus[s]),
		CutSource: len(p.web.Out[s]) > x.MaxLinks, CutGain: p.cutGain(), RandomKeepsOpt: p.randomKeeps(),
		GreedyIn: p.follow(p.web.In), GreedyOut: p.follow(p.web.Out),
	}
	p.shortest(&x.Features)
	p.dominators(&x.Features, x.Witness)
	p.walks(&x.Features)
	return &x
}

// isShortest reports whether path leads from source to target by links of which each leads one
// nearer.
func (p proof) isShortest(path []uint32) bool {
	if len(path) != p.dist[p.x.Source.Node]+1 || path[0] != p.x.Source.Node {
		return false
	}
	for i, u := range path[1:] {
		if !p.web.Links(path[i], u) || p.dist[u] != p.dist[path[i]]-1 {
			return false
		}
	}
	return true
}

// nearer counts the links that lead one nearer.
func (p proof) nearer(links []uint32) (n int) {
	for _, v := range links {
		if p.dist[v] == p.dist[p.x.Source.Node]-1 {
			n++
		}
	}
	return n
}

// shortest counts shortest paths and the pages on them.
func (p proof) shortest(f *schemas.WikiraceFeatures) {
	s := p.x.Source.Node
	f.ShortestPaths, f.ShortestPathsSaturated = plain.Capped(p.web.Count(s, p.dist, plain.Open))
	f.DAGLayers, f.Bottlenecks, f.CutDAG = []uint32{}, []uint32{}, []uint32{0, 0}
	for i, layer := range p.web.Layers(s, p.dist) {
		if i == p.dist[s] {
			continue
		}
		for _, u := range layer {
			f.CutDAG[1]++
			if len(p.web.Out[u]) > p.game.MaxLinks {
				f.CutDAG[0]++
			}
		}
		if i == 0 {
			continue
		}
		f.DAGLayers = append(f.DAGLayers, uint32(len(layer)))
		if len(layer) == 1 {
			f.Bottlenecks = append(f.Bottlenecks, layer[0])
		}
	}
	for _, u := range p.web.In[p.x.Target.Node] {
		f.TargetInMaxOut = max(f.TargetInMaxOut, len(p.web.Out[u]))
	}
}

// dominators are pages of the witness, for they are on every path.
func (p proof) dominators(f *schemas.WikiraceFeatures, witness []uint32) {
	f.Dominators = []uint32{}
	for _, u := range witness[1 : len(witness)-1] {
		if p.web.Distance(p.x.Source.Node, p.x.Target.Node, func(v uint32) bool { return v == u }) < 0 {
			f.Dominators = append(f.Dominators, u)
		}
	}
}

// cutGain is the mean distance over all links of the source minus that over its menu, as one
// fraction.
func (p proof) cutGain() string {
	mean := func(links []uint32) *big.Rat {
		sum, n := int64(0), int64(0)
		for _, v := range links {
			if p.dist[v] >= 0 {
				sum, n = sum+int64(plain.Told(p.dist[v])), n+1
			}
		}
		return big.NewRat(sum, n) // some link leads to the target
	}
	s := p.x.Source.Node
	gain := mean(p.web.Out[s])
	return decimal(gain.Sub(gain, mean(p.menus[s])))
}

// randomKeeps is 1 - C(n-k, kept) / C(n, kept) for n links, k of them one nearer.
func (p proof) randomKeeps() string {
	links := p.web.Out[p.x.Source.Node]
	n, k, kept := int64(len(links)), int64(p.nearer(links)), int64(min(p.game.MaxLinks, len(links)))
	lost := new(big.Rat).SetFrac(new(big.Int).Binomial(n-k, kept), new(big.Int).Binomial(n, kept))
	return decimal(lost.Sub(big.NewRat(1, 1), lost))
}

func decimal(r *big.Rat) string {
	f, _ := r.Float64()
	return canon.Decimal(f)
}

// walks are the chances of random walks on all links and on menus.
func (p proof) walks(f *schemas.WikiraceFeatures) {
	if f.RWMethod = p.game.RW; f.RWMethod != schemas.RWSim {
		f.RWFull, f.RWMenu = canon.Decimal(p.chance(p.web.Out)), canon.Decimal(p.chance(p.menus))
		return
	}
	f.RWInterval = &schemas.RWInterval{}
	f.RWFull, f.RWInterval.Full = p.simulate("full", p.web.Out)
	f.RWMenu, f.RWInterval.Menu = p.simulate("menu", p.menus)
}

// chance is p_k(u) = the mean of p_k-1 over the links of u, and 1 at the target.
func (p proof) chance(links [][]uint32) float64 {
	now := make([]float64, len(links))
	now[p.x.Target.Node] = 1
	for k := range p.game.MaxSteps {
		next := make([]float64, len(links))
		for u := range links {
			if p.dist[u] < 0 || p.dist[u] > k+1 { // too far to have arrived
				continue
			}
			sum := 0.0
			for _, v := range links[u] {
				sum += now[v]
			}
			if len(links[u]) > 0 {
				next[u] = sum / float64(len(links[u]))
			}
		}
		next[p.x.Target.Node] = 1
		now = next
	}
	return now[p.x.Source.Node]
}

// simulate takes the 100,000 walks again, and Wilson's interval at 1.959963984540054 standard
// deviations.
func (p proof) simulate(name string, links [][]uint32) (share string, interval [2]string) {
	const n, z = 100_000, 1.959963984540054
	r, won := rng.New(uint64(p.game.GameSeed), schemas.MenuStream, "rw", p.x.ID, name), 0
	for range n {
		u := p.x.Source.Node
		for step := 0; step < p.game.MaxSteps && u != p.x.Target.Node && len(links[u]) > 0; step++ {
			u = links[u][r.Below(len(links[u]))]
		}
		if u == p.x.Target.Node {
			won++
		}
	}
	k := float64(won)
	root := z * math.Sqrt(float64(k*(n-k)/n)+z*z/4)
	lo, hi := (k+z*z/2-root)/(n+z*z), (k+z*z/2+root)/(n+z*z)
	if won == 0 {
		lo = 0
	}
	if won == n {
		hi = 1
	}
	return canon.Decimal(k / n), [2]string{canon.Decimal(lo), canon.Decimal(hi)}
}

// follow is the player that takes the target where the menu has it, else the link not visited yet
// with the most edges, else of all.
func (p proof) follow(edges [][]uint32) schemas.AgentResult {
	visited := []uint32{p.x.Source.Node}
	for taken := range p.game.MaxSteps {
		menu := p.menus[visited[len(visited)-1]]
		if len(menu) == 0 {
			return schemas.AgentResult{Steps: taken}
		}
		if slices.Contains(menu, p.x.Target.Node) {
			return schemas.AgentResult{Success: true, Steps: taken + 1}
		}
		choice := menu
		if fresh := slices.DeleteFunc(slices.Clone(menu), func(v uint32) bool { return slices.Contains(visited, v) }); len(fresh) > 0 {
			choice = fresh
		}
		best := choice[0]
		for _, v := range choice {
			if len(edges[v]) > len(edges[best]) {
				best = v
			}
		}
		visited = append(visited, best)
	}
	return schemas.AgentResult{Steps: p.game.MaxSteps}
}
