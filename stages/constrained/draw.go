package constrained

import (
	"context"
	"slices"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// draw fills the slots as far as attempts go. Each round looks ahead: it walks on as if every
// search would end as most did so far, runs these searches at once, and settles the attempts in
// order until one ends otherwise.
func (p Params) draw(ctx context.Context, env stages.Env, in *inputs) (*attempts, error) {
	f, err := p.field(ctx, in)
	if err != nil {
		return nil, err
	}
	walk := newAttempts(p, in, f)
	if f.empty != "" {
		return walk, nil
	}
	meter := env.Meter("drawing pairs", "pairs", int64(p.N))
	defer meter.Done()
	kits := make([]kit, min(max(1, env.Workers()), p.N)) // one for each candidate that is searched at once
	for i := range kits {
		kits[i].Kit = bans.NewKit(in.Graph, in.masks)
		if in.Common != nil {
			kits[i].common = bans.NewKit(in.Common, in.masks)
		}
	}
	for {
		ahead := lookAhead(walk, len(kits))
		if len(ahead) == 0 {
			walk.next() // counts the attempts that lead nowhere
			return walk, ctx.Err()
		}
		verdicts, err := p.judge(ctx, kits, ahead)
		if err != nil {
			return nil, err
		}
		before := len(walk.accepted)
		settle(walk, ahead, verdicts)
		meter.Add(int64(len(walk.accepted) - before))
	}
}

// settle takes verdicts in order for as long as the walk comes by the candidates that were
// foreseen; the first always is.
func settle(walk *attempts, ahead []candidate, verdicts []string) {
	for i, c := range ahead {
		if i > 0 && !walk.leadsTo(c) {
			return
		}
		walk.next()
		walk.settle(c, verdicts[i])
	}
}

// leadsTo reports whether c is what next would give.
func (a *attempts) leadsTo(c candidate) bool {
	next, ok := a.fork().next()
	return ok && next.key() == c.key() && next.bit == c.bit
}

// lookAhead returns the next candidates, so many at most, if every verdict is like most before.
func lookAhead(walk *attempts, most int) []candidate {
	guess := ""
	if searched := len(walk.accepted) + walk.rejects[schemas.RejectInfeasible] + walk.rejects[schemas.RejectNotBinding] +
		walk.rejects[schemas.RejectCompat] + walk.rejects[schemas.RejectKnown]; 2*len(walk.accepted) < searched {
		guess = schemas.RejectInfeasible
	}
	ahead := walk.fork()
	var out []candidate
	for len(out) < most {
		next, ok := ahead.next()
		if !ok {
			break
		}
		out = append(out, next)
		ahead.settle(next, guess)
	}
	return out
}

// kit measures pairs, where they are to be fresh by the links that are not new as well.
type kit struct {
	*bans.Kit
	common *bans.Kit // nil where all are drawn
}

// known reports whether the links of the older release make up a path as short under the ban.
func (k kit) known(pair bans.Pair, path []uint32) bool {
	if k.common == nil {
		return false
	}
	old := k.common.Path(pair)
	return old != nil && len(old) <= len(path)
}

// judge searches for each candidate: "" or the reason of its rejection.
func (p Params) judge(ctx context.Context, kits []kit, list []candidate) ([]string, error) {
	out := make([]string, len(list))
	err := graph.Each(ctx, len(list), len(list), func(_, i int) error {
		out[i] = p.verdict(kits[i], list[i].pair(p))
		return nil
	})
	return out, err
}

func (p Params) verdict(kit kit, pair bans.Pair) string {
	path := kit.Path(pair)
	if path == nil {
		return schemas.RejectInfeasible
	}
	if len(path)-1 > int(schemas.MaxDistance) {
		return schemas.RejectBaseline
	}
	baseline := kit.Baseline(pair)
	if !enough(p.Require, kit.Binding(pair, baseline, path)) {
		return schemas.RejectNotBinding
	}
	if p.PathMode != PathExact && !kit.Compat(pair, baseline).Found {
		return schemas.RejectCompat
	}
	if kit.known(pair, path) {
		return schemas.RejectKnown
	}
	return ""
}

// enough reports whether a ban changes what must change: what is longer is also not on the baseline
// path.
func enough(require, binding string) bool {
	switch require {
	case RequireLonger:
		return binding == schemas.BindingLonger
	case RequireWitness:
		return binding != schemas.BindingNone
	}
	return true
}

// candidate is an attempt that only a search can judge.
type candidate struct {
	source  uint32
	target  *pairs.Target
	bit     uint8
	witness *uint32 // the page whose label is banned; nil under BanFixedSet
}

func (c candidate) key() pairKey { return pairKey{c.source, c.target.Node} }

// pair is the candidate as package bans sees it.
func (c candidate) pair(p Params) bans.Pair {
	return bans.Pair{
		Source: c.source, Target: c.target.Node, Column: c.target.Distances,
		Rule: bans.Rule{Bit: c.bit, ForbidUnlabelled: p.Unlabelled == schemas.UnlabelledForbid},
	}
}

type pairKey struct{ source, target uint32 }

// attempts walks the attempts in their order: next stops at those that need a search, settle takes
// its verdict.
type attempts struct {
	params Params
	in     *inputs
	field  *field
	fixed  []uint8 // bits of FixedSet

	slot, try, made int
	passed          int              // candidates of classes that had their number
	used, before    map[pairKey]bool // before is that of the walk from which this one was forked
	perBit          [32]int
	rejects         map[string]int
	accepted        []candidate
	infeasible      []candidate
}

func newAttempts(p Params, in *inputs, f *field) *attempts {
	return &attempts{
		params: p, in: in, field: f, fixed: p.fixed(), used: map[pairKey]bool{}, rejects: map[string]int{},
	}
}

// fork returns a walk that goes on from here without changing a.
func (a *attempts) fork() *attempts {
	ahead := *a
	ahead.before, ahead.used, ahead.rejects = a.used, map[pairKey]bool{}, map[string]int{}
	ahead.accepted, ahead.infeasible = nil, nil
	return &ahead
}

// next makes attempts until one needs a search; false where there are as many pairs as there can
// be, or the attempts are used up.
func (a *attempts) next() (candidate, bool) {
	for a.slot < a.field.offer.most && a.made < a.params.MaxAttempts {
		c, reason := a.attempt()
		a.made++
		if reason == "" {
			return c, true
		}
		a.reject(reason)
	}
	return candidate{}, false
}

func (a *attempts) reject(reason string) {
	a.rejects[reason]++
	a.try++
}

// attempt makes the steps before the search.
func (a *attempts) attempt() (candidate, string) {
	r := rng.New(uint64(a.params.Seed), name, rng.Part(a.slot), rng.Part(a.try))
	c := candidate{source: a.field.sources[r.Below(len(a.field.sources))]}
	c.target = &a.field.targets[r.Below(len(a.field.targets))]
	if c.source == c.target.Node || a.used[c.key()] || a.before[c.key()] {
		return c, schemas.RejectDuplicate
	}
	if d := c.target.Column[c.source]; d > schemas.MaxDistance || int(d) < a.params.BaselineMin {
		return c, schemas.RejectBaseline
	}
	if !a.choose(&c, r) {
		return c, schemas.RejectNoLabel
	}
	if a.perBit[c.bit] >= a.limit() {
		a.passed++
		return c, schemas.RejectClassCap
	}
	return c, ""
}

// limit returns how many instances a class may have now.
func (a *attempts) limit() int {
	if !a.params.Spread {
		return a.params.cap()
	}
	return min(a.params.cap(), a.field.offer.even+a.passed/a.params.patience())
}

// choose draws the banned label, where bans are spread one of those that have been banned least.
func (a *attempts) choose(c *candidate, r *rng.Stream) bool {
	choice := a.fixed
	if a.params.BanMode == BanNeighbour {
		witness, ok := a.in.witness(c.target.Node, c.source)
		if !ok {
			return false
		}
		c.witness, choice = &witness, bitsOf(a.in.masks[witness])
	}
	if a.params.Spread {
		choice = a.rarest(choice)
	}
	c.bit = choice[r.Below(len(choice))]
	return true
}

// rarest returns those of the labels that the fewest instances ban.
func (a *attempts) rarest(choice []uint8) []uint8 {
	least := a.params.N
	for _, bit := range choice {
		least = min(least, a.perBit[bit])
	}
	return slices.DeleteFunc(slices.Clone(choice), func(bit uint8) bool { return a.perBit[bit] > least })
}

// bitsOf lists the labels of a page, ascending.
func bitsOf(mask uint32) []uint8 {
	var out []uint8
	for bit := range uint8(len(schemas.LabelNames)) {
		if mask>>bit&1 != 0 {
			out = append(out, bit)
		}
	}
	return out
}

// settle takes the verdict on the candidate that next gave last: "" or the reason of its rejection.
func (a *attempts) settle(c candidate, reason string) {
	switch reason {
	case "":
		a.accepted = append(a.accepted, c)
		a.used[c.key()] = true
		a.perBit[c.bit]++
		a.slot, a.try = a.slot+1, 0
		return
	case schemas.RejectInfeasible:
		a.infeasible = append(a.infeasible, c)
		a.used[c.key()] = true
	}
	a.reject(reason)
}
