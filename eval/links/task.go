package links

import (
	_ "embed"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/eval/wording"
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

// The parts of the files, in their order.
var (
	taskText struct {
		game, allLinks, someLinks, oneTurn, turns, allow, hide, fail, back, consume, retry, end string
	}
	bannedText struct{ game, intro, noPath string }
)

func init() {
	t, b := &taskText, &bannedText
	prompt.Parts(taskFile, &t.game, &t.allLinks, &t.someLinks, &t.oneTurn, &t.turns, &t.allow, &t.hide, &t.fail, &t.back,
		&t.consume, &t.retry, &t.end)
	prompt.Parts(bannedFile, &b.game, &b.intro, &b.noPath)
}

// task puts a game and its rules in words: agents drop system prompts, and tools tell no options.
func task(o game.Observation, opts schemas.GameOptions, words *wording.Template) string {
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
	back, text := "", t.game
	if opts.Back == game.BackOn {
		back = t.back
	}
	if game.HasBan(opts) {
		text = bannedTask(o, opts)
	}
	revisiting := map[string]string{game.RevisitAllow: t.allow, game.RevisitHide: t.hide, game.RevisitFail: t.fail}
	invalid := map[string]string{game.InvalidConsume: t.consume, game.InvalidRetry: t.retry, game.InvalidEnd: t.end}
	ours := prompt.Fill(text,
		"source", prompt.Escape(o.Current.Title), "target", prompt.Escape(o.Target.Title), "links", links, "limit", limit,
		"revisit", revisiting[opts.Revisit], "back", back, "invalid", counted(invalid[opts.Invalid], opts.MaxInvalid))
	return words.Begin("", ours, func() wording.Values {
		return wording.Values{
			"source": prompt.Escape(o.Current.Title), "target": prompt.Escape(o.Target.Title),
			"turns": strconv.Itoa(turns), "max_links": strconv.Itoa(opts.MaxLinks),
			"category": prompt.Escape(o.Banned), "gloss": render.Gloss(o.Banned),
		}
	})[0].Content
}

// taskForm lists what a template of task may hold.
func taskForm(opts schemas.GameOptions) wording.Form {
	f := wording.Form{Whole: true, Fields: []wording.Field{
		{Name: "source", Says: "the title of the page where the game begins"},
		{Name: "target", Says: "the title of the page to reach", Need: wording.Once},
		{Name: "turns", Says: "the number of turns"},
		{Name: "max_links", Says: "the links that are listed at most"},
	}}
	if game.HasBan(opts) {
		f.Fields = append(f.Fields,
			wording.Field{Name: "category", Says: "the banned category", Need: wording.Once},
			wording.Field{Name: "gloss", Says: "what the category means"})
	}
	return f
}

// bannedTask returns the text of a game with a ban as far as the ban goes.
func bannedTask(o game.Observation, opts schemas.GameOptions) string {
	intro, noPath, category := "", "", o.Banned
	if o.Intro != nil {
		intro = bannedText.intro
	}
	if opts.NoPath == game.NoPathOn {
		noPath = bannedText.noPath
	}
	if opts.BanText == game.BanTextGloss {
		category += " (" + render.Gloss(o.Banned) + ")"
	}
	return prompt.Fill(bannedText.game, "intro", intro, "category", category, "no_path", noPath)
}

func counted(part string, n int) string { return prompt.Fill(part, "n", strconv.Itoa(n)) }
