package game

import (
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	HistoryLast2 = "last2" // the two most recent moves, in a prompt of its own for each turn
	HistoryChat  = "chat"  // a dialogue that grows, with a line on each move

	ViolationContinue = "continue"

	BanTextName  = "name"
	BanTextGloss = "name+gloss"

	NoPathOff = "off"
	NoPathOn  = "on" // the prompt says that NO_PATH may be answered
)

func HasBan(o schemas.GameOptions) bool { return o.BanRules != nil }

// BanDefaults returns the published setting: 30 steps, all links; revisit or invalid reply ends it.
func BanDefaults() schemas.GameOptions {
	o := Defaults()
	o.MaxLinks, o.Pruning, o.Revisit, o.Invalid = 0, PruneNone, RevisitFail, InvalidEnd
	o.BanRules = &schemas.BanRules{
		History: HistoryLast2, Violation: ViolationContinue, TargetIntro: 500, BanText: BanTextGloss, NoPath: NoPathOff,
	}
	return o
}

func banWords(o schemas.GameOptions) []word {
	return []word{
		{"history", o.History, []string{HistoryLast2, HistoryChat}},
		{"violation", o.Violation, []string{ViolationContinue}},
		{"ban_text", o.BanText, []string{BanTextGloss, BanTextName}},
		{"no_path", o.NoPath, []string{NoPathOff, NoPathOn}},
		// What the replies and prompts of these games have no words for:
		{"titles", kindOfTitles(o), []string{TitlesPlain, TitlesPseudonym}},
		{"back", o.Back, []string{BackOff}},
		{"context", o.Context, []string{ContextNone}},
		{"renderer", o.Renderer, []string{rendererFor(o.History)}},
	}
}

// Upper limits, beyond which a number is a mistake.
const (
	maxFormatRetries = 100
	maxIntro         = 100_000
)

// rendererFor returns the renderer that a history is played with.
func rendererFor(history string) string {
	if history == HistoryChat {
		return RendererChat
	}
	return RendererFresh
}

// setHistory lets the renderer follow the option history, which says the same in more words.
func setHistory(o *schemas.GameOptions, name, value string) error {
	switch name {
	case "history":
		o.Renderer = rendererFor(value)
	case "renderer":
		return fault.New(fault.Usage, "game option renderer follows history in a game with a ban").Hint("set history=%s or %s", HistoryLast2, HistoryChat)
	}
	return nil
}
