package importer

import (
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
)

// ConvertBanned plays the games of f on a release's instances with a ban, as Convert does without.
func ConvertBanned(f *File, rel judge.BannedRelease, wiki string, opts schemas.GameOptions, run schemas.GameRun) (*Result, error) {
	var sets []set
	for _, name := range rel.Sets() {
		sets = append(sets, set{name, rel.Tasks(name)})
	}
	c := newConverter(f, rel.Release, wiki, sets)
	c.family = schemas.FamilyConstrained
	return c.convert(opts, run)
}

// banned finds the click on the menu by the rule for replies, then says of what is not there why.
func (c *converter) banned(g *game.Game, click Click) game.Move {
	m := reply.Choose(click.Title, g.Observe(""))
	if m.Reason == game.ReasonNotALink {
		m = c.find(g, click)
	}
	m.Stated = click.Stated
	return m
}
