package skeleton

import "github.com/wikinav/wikinav/schemas"

// Full is the prefix of the whole maze: every step but "never".
const Full = schemas.MangoNever - 1

// Counts is a line of the paper's tables: what a prefix shows of a maze. Paths are DF rows that are answerable, PathSteps the
// sum of their moves.
type Counts struct {
	Locations, Edges   int
	DFEasy, DFHard     int
	RFEasy, RFHard     int
	Paths, PathSteps   int
	CappedPairs, Pairs int
}

// Count counts what the steps up to n show, under a rule of schemas.MangoRules.
func (s *Set) Count(n int, rule string) Counts {
	var c Counts
	seen := map[string]bool{}
	for _, e := range s.Edges {
		known := e.EdgeMinStepAnswerable
		if rule == schemas.MangoRulePaper2023 {
			known = e.EdgeMinStep
		}
		if known <= n {
			c.Edges++
			seen[e.SrcNode], seen[e.DstNode] = true, true
		}
	}
	c.Locations = len(seen)
	s.countDF(&c, n, rule)
	s.countRF(&c, n, rule)
	return c
}

func (s *Set) countDF(c *Counts, n int, rule string) {
	for i := range s.DF {
		class := s.DF[i].Class(n, rule)
		if class == schemas.MangoUnanswerable {
			continue
		}
		c.Paths++
		c.PathSteps += len(s.DF[i].Path)
		if class == schemas.MangoEasy {
			c.DFEasy++
		} else {
			c.DFHard++
		}
	}
}

func (s *Set) countRF(c *Counts, n int, rule string) {
	for i := range s.RF {
		c.Pairs++
		if s.RF[i].Capped {
			c.CappedPairs++
		}
		switch s.RF[i].Class(n, rule) {
		case schemas.MangoEasy:
			c.RFEasy++
		case schemas.MangoHard:
			c.RFHard++
		}
	}
}

// Class tells what the skeleton is to a reader of the steps up to n.
func (r *Row) Class(n int, rule string) string {
	if rule == schemas.MangoRulePaper2023 {
		return class(r.MinStepTotal <= n, r.MinStepForward < schemas.MangoNever)
	}
	return class(r.MinStepTotalAnswerable <= n, r.MinStepForwardAnswerable <= n)
}

// Class tells what the skeleton is to a reader of the steps up to n.
func (p *Pair) Class(n int, rule string) string {
	switch rule {
	case schemas.MangoRulePaper2023:
		return class(p.MinStepTotal <= n, p.Shortest < schemas.MangoNever)
	case schemas.MangoRuleReleased:
		return class(p.MinStepTotalAnswerable <= n, p.MinStepForwardAnswerable <= n)
	}
	return class(p.MinStepTotalAnswerable <= n, p.ShortestAnswerable <= n)
}

func class(answerable, easy bool) string {
	switch {
	case !answerable:
		return schemas.MangoUnanswerable
	case easy:
		return schemas.MangoEasy
	}
	return schemas.MangoHard
}
