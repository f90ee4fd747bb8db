package mcp

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/schemas"
)

//go:embed task-1.txt
var taskFile string

//go:embed banned-1.txt
var bannedFile string

// Versions of the texts. The second rises with either file, and with the prompts of package render, whose glosses it has.
var (
	wording       = schemas.Versioned{Version: "mcp.task/1", SHA256: sha256Of(taskFile)}
	bannedWording = schemas.Versioned{Version: "mcp.task.constrained/1", SHA256: sha256Of(bannedFile + taskFile + render.Version(game.BanDefaults()).SHA256)}
)

// Wording names and pins the text that tasks of games under opts are put in.
func Wording(opts schemas.GameOptions) *schemas.Versioned {
	v := wording
	if game.HasBan(opts) {
		v = bannedWording
	}
	return &v
}

func sha256Of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// taskText is the parts of the file, in its order.
var taskText = taskParts()

type taskTexts struct {
	game, allLinks, someLinks, oneTurn, turns, allow, hide, fail, back, consume, retry, end string
}

func taskParts() taskTexts {
	p := strings.Split(strings.TrimSuffix(taskFile, "\n"), "\n----\n")
	if len(p) != 12 {
		panic(fmt.Sprintf("mcp: %d parts in the task's template, want 12", len(p)))
	}
	return taskTexts{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11]}
}

// task puts a game and all its rules in words: agents drop system prompts, and tool descriptions say nothing of options.
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
		"{links}", links, "{limit}", limit, "{revisit}", revisiting(opts), "{back}", back, "{invalid}", invalidity(opts),
	).Replace(text)
}

// bannedText is the parts of the text of a game under a ban: the game, the target's beginning, and NO_PATH.
var bannedText = strings.Split(strings.TrimSuffix(bannedFile, "\n"), "\n----\n")

// bannedTask gives the text of a game under a ban as far as the ban goes.
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
