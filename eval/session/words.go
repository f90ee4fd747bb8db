package session

import "github.com/wikinav/wikinav/eval/links/game"

// checkWords refuses reasons where none are kept, and those that would be half of a structured reply.
func (r *Race) checkWords(m Move) error {
	field := "reasoning"
	if m.Reasoning == nil {
		field = "restriction_reasoning"
	}
	switch {
	case m.Reasoning == nil && m.RestrictionReasoning == nil:
		return nil
	case !game.HasBan(r.opts):
		return errorf(CodeBadField, field, "%s is for games under a ban; this game has none", field)
	case m.Choice == nil && m.Title == nil:
		return errorf(CodeBadField, field, "%s stands beside choice or title; a reply holds its own", field)
	case m.Reasoning == nil:
		return errorf(CodeBadField, "reasoning", "restriction_reasoning stands without reasoning")
	}
	return nil
}

// stated gives what was said beside a choice as a structured reply would have said it, nil for a player without words.
func (r *Race) stated(m Move) *game.Stated {
	if m.Reasoning == nil {
		return nil
	}
	said := &game.Stated{Reasoning: *m.Reasoning, Missing: m.RestrictionReasoning == nil}
	if m.RestrictionReasoning != nil {
		said.Restriction = *m.RestrictionReasoning
	}
	links := r.game.Observe("").Links
	switch {
	case m.Title != nil:
		said.NextPage = *m.Title
	case *m.Choice >= 0 && *m.Choice < len(links):
		said.NextPage = links[*m.Choice].Title
	}
	return said
}
