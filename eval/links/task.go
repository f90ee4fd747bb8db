package links

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/schemas"
)

//go:embed task-1.txt
var taskFile string

//go:embed banned-1.txt
var bannedFile string

// taskVersion names and pins the text that puts a game to a model that calls tools. That of games
// with a ban rises with either file, and with the prompts of package render, whose glosses it has.
func taskVersion(opts schemas.GameOptions) schemas.Versioned {
	if game.HasBan(opts) {
		all := bannedFile + taskFile + render.Version(game.BanDefaults()).SHA256
		return schemas.Versioned{Version: schemas.BanTaskVersion, SHA256: digest.SHA256([]byte(all))}
	}
	return schemas.Versioned{Version: "mcp.task/1", SHA256: digest.SHA256([]byte(taskFile))}
}

// taskText is the parts of the file, in its order.
var taskText = taskParts()

type taskTexts struct {
	game, allLinks, someLinks, oneTurn, turns, allow, hide, fail, back, consume, retry, end string
}

func taskParts() taskTexts {
	p := strings.Split(strings.TrimSuffix(taskFile, "\n"), "\n----\n")
	if len(p) != 12 {
		panic(fmt.Sprintf("links: %d parts in the task's template, want 12", len(p)))
	}
	return taskTexts{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11]}
}

// task puts a game and all its rules in words: agents drop system prompts, and descriptions of
// tools say nothing of options.
func task(o game.Observation, opts schemas.GameOptions) string {
	t := taskText
	links := counted(t.someLinks, opts.MaxLinks)
	if opts.Pruning == game.PruneNone {
		links = t.allLinks
	}
	turns := o.Step - 1 + o.StepsLeft
	limit := counted(t.turns, turns)
	if turns == 1 {
		limit = t.oneTurn
	}
	back := ""
	if opts.Back == game.BackOn {
		back = t.back
	}
	text := t.game
	if game.HasBan(opts) {
		text = bannedTask(o, opts)
	}
	return strings.NewReplacer(
		"{source}", prompt.Escape(o.Current.Title), "{target}", prompt.Escape(o.Target.Title),
		"{links}", links, "{limit}", limit, "{revisit}", revisiting(opts), "{back}", back, "{invalid}",
		invalidity(opts),
	).Replace(text)
}

// bannedText is the parts of the text of a game with a ban: the game, the target's beginning, and
// NO_PATH.
var bannedText = strings.Split(strings.TrimSuffix(bannedFile, "\n"), "\n----\n")

// bannedTask returns the text of a game with a ban as far as the ban goes.
func bannedTask(o game.Observation, opts schemas.GameOptions) string {
	intro, noPath := "", ""
	if o.Intro != nil {
		intro = bannedText[1]
	}
	if opts.NoPath == game.NoPathOn {
		noPath = bannedText[2]
	}
	category := o.Banned
	if opts.BanText == game.BanTextGloss {
		category += " (" + render.Gloss(o.Banned) + ")"
	}
	return strings.NewReplacer("{intro}", intro, "{category}", category, "{no_path}", noPath).Replace(bannedText[0])
}

func counted(part string, n int) string { return strings.ReplaceAll(part, "{n}", strconv.Itoa(n)) }

func revisiting(opts schemas.GameOptions) string {
	return map[string]string{
		game.RevisitAllow: taskText.allow, game.RevisitHide: taskText.hide, game.RevisitFail: taskText.fail,
	}[opts.Revisit]
}

func invalidity(opts schemas.GameOptions) string {
	return counted(map[string]string{
		game.InvalidConsume: taskText.consume, game.InvalidRetry: taskText.retry, game.InvalidEnd: taskText.end,
	}[opts.Invalid], opts.MaxInvalid)
}
