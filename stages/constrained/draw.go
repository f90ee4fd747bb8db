package constrained

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// found is all that the draw leaves.
type found struct {
	*attempts
	field *field
}

// draw fills the slots as far as attempts go. Each round looks ahead: it walks on as if every search would end as most did
// so far, runs these searches at once, and settles the attempts in order until one ends otherwise.
func (s stage) draw(ctx context.Context, env stages.Env, in *inputs) (*found, error) {
	f, err := s.field(ctx, in)
	if err != nil {
		return nil, err
	}
	walk := newAttempts(s.params, in, f)
	if f.empty != "" {
		return &found{walk, f}, nil
	}
	meter := env.Meter("drawing pairs", "pairs", int64(s.params.N))
	defer meter.Done()
	crew := s.newCrew(env, in)
	for {
		ahead := crew.lookAhead(walk)
		if len(ahead) == 0 {
			walk.next() // counts the attempts that lead nowhere
			return &found{walk, f}, ctx.Err()
		}
		verdicts, err := crew.judge(ctx, ahead)
		if err != nil {
			return nil, err
		}
		before := len(walk.accepted)
		settle(walk, ahead, verdicts)
		meter.Add(int64(len(walk.accepted) - before))
	}
}

// settle takes verdicts in order for as long as the walk comes by the candidates that were foreseen; the first always is.
func settle(walk *attempts, ahead []candidate, verdicts []string) {
	for i, c := range ahead {
		if i > 0 && !walk.leadsTo(c) {
			return
		}
		walk.next()
		walk.settle(c, verdicts[i])
	}
}

// leadsTo tells whether c is what next would give.
func (a *attempts) leadsTo(c candidate) bool {
	next, ok := a.fork().next()
	return ok && next.key() == c.key() && next.bit == c.bit
}

// crew judges candidates, each member with a kit of its own.
type crew struct {
	params Params
	kits   []*bans.Kit
}

func (s stage) newCrew(env stages.Env, in *inputs) *crew {
	c := &crew{params: s.params}
	for range min(max(1, env.Workers()), s.params.N) {
		c.kits = append(c.kits, bans.NewKit(in.Graph, in.masks))
	}
	return c
}

// lookAhead gives the next candidates, one per member at most, if every verdict is like most before.
func (c *crew) lookAhead(walk *attempts) []candidate {
	guess := ""
	if searched := len(walk.accepted) + walk.rejects[schemas.RejectInfeasible] + walk.rejects[schemas.RejectNotBinding] +
		walk.rejects[schemas.RejectCompat]; 2*len(walk.accepted) < searched {
		guess = schemas.RejectInfeasible
	}
	ahead := walk.fork()
	var out []candidate
	for len(out) < len(c.kits) {
		next, ok := ahead.next()
		if !ok {
			break
		}
		out = append(out, next)
		ahead.settle(next, guess)
	}
	return out
}

// judge searches for each candidate: "" or the reason of its rejection.
func (c *crew) judge(ctx context.Context, list []candidate) ([]string, error) {
	out := make([]string, len(list))
	err := graph.Each(ctx, len(list), len(list), func(_, i int) (err error) {
		out[i], err = c.verdict(c.kits[i], list[i].pair(c.params))
		return err
	})
	return out, err
}

func (c *crew) verdict(kit *bans.Kit, p bans.Pair) (string, error) {
	path, err := kit.Path(p)
	if err != nil {
		return "", err
	}
	if path == nil {
		return schemas.RejectInfeasible, nil
	}
	baseline := kit.Baseline(p)
	if !enough(c.params.Require, kit.Binding(p, baseline, path)) {
		return schemas.RejectNotBinding, nil
	}
	if c.params.PathMode == PathExact {
		return "", nil
	}
	search, err := kit.Compat(p, baseline)
	if err == nil && !search.Found {
		return schemas.RejectCompat, nil
	}
	return "", err
}

// enough tells whether a ban changes what must change: what is longer is also not on the baseline path.
func enough(require, binding string) bool {
	switch require {
	case RequireLonger:
		return binding == schemas.BindingLonger
	case RequireWitness:
		return binding != schemas.BindingNone
	}
	return true
}
