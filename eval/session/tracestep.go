package session

import "github.com/wikinav/wikinav/schemas"

// TraceStep is a step as a client may see it: without what only an oracle knows, unless that is exposed.
type TraceStep struct {
	schemas.Step
	Optimal *bool `json:"optimal,omitempty"`
	DBefore *int  `json:"d_before,omitempty"`
	DAfter  *int  `json:"d_after,omitempty"`
	// Of games under a ban: the labels of pages are not for a player to know.
	Violates *bool   `json:"violates,omitempty"`
	Labels   *uint32 `json:"labels,omitempty"`
}

// Trace gives a []TraceStep.
func (r *Race) Trace(id string, exposed bool) any {
	steps := make([]TraceStep, len(r.steps))
	for i, s := range r.steps {
		s.Game = id
		steps[i].Step = s
		if exposed {
			steps[i].Optimal, steps[i].DBefore, steps[i].DAfter = &s.Optimal, &s.DBefore, &s.DAfter
		}
		if ban := s.BanStep; ban != nil && exposed {
			steps[i].Violates, steps[i].Labels = &ban.Violates, &ban.Labels
		}
	}
	return steps
}
