package links

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func (e *Episode) Act(r family.Reply) (family.Turn, error) {
	if e.game.Done() {
		return family.Turn{}, family.Refuse(family.CodeGameOver, "", "the game is over: %s", e.game.Outcome())
	}
	if len(r.Calls) > 0 && e.manner.Interface == schemas.InterfaceMCP {
		called, err := e.called(r.Calls[0])
		if err != nil {
			return family.Turn{}, err
		}
		called.Strict, called.Said = r.Strict, r.Said
		r = called
	}
	move, text, err := e.read(r)
	if err != nil {
		return family.Turn{}, err
	}
	t := e.game.Play(move)
	e.keep(t, text, r.Said)
	e.moves, e.asked = append(e.moves, move), nil
	turn := family.Turn{Valid: t.Valid(), Counted: t.Counted}
	if t.Reason != nil {
		turn.Reason = *t.Reason
	}
	return turn, nil
}

// Fields of a reply in words that a player may state beside a choice or title in a game with a ban.
const (
	fieldReasoning   = "reasoning"
	fieldRestriction = "restriction_reasoning"
)

// read finds out what a reply means on the menu at hand. What it refuses is not a move at all.
func (e *Episode) read(r family.Reply) (m game.Move, text string, err error) {
	if r.Choice == nil && r.Title == nil && !r.Back && r.Text != nil {
		m, text, err = e.readText(*r.Text)
		return m, text, err
	}
	if err := e.checkStated(r); err != nil {
		return m, "", err
	}
	if m, err = e.find(r); err != nil {
		return m, "", err
	}
	m.Stated = e.stated(r)
	if r.Strict {
		err = e.checkStrict(r, m)
	}
	return m, "", err
}

func (e *Episode) find(r family.Reply) (game.Move, error) {
	switch {
	case r.Choice != nil:
		return game.Pick(*r.Choice), nil
	case r.Title != nil && game.HasBan(e.opts):
		return reply.Choose(*r.Title, e.game.Observe("")), nil
	case r.Title != nil:
		return e.place(*r.Title)
	case r.Back && e.opts.Back != game.BackOn && e.manner.Interface != schemas.InterfaceLines:
		return game.Move{}, family.Refuse(family.CodeBackDisabled, "",
			"going back is not allowed under the rules of this game")
	case r.Back:
		return game.Back(), nil
	}
	return game.Move{}, family.Refuse(family.CodeBadField, "choice", "a move needs choice, title or reply")
}

// place finds a link by the title that is shown, or by any that leads to its page. Where titles
// are hidden only what is shown counts: else the names of pages could be tried out.
func (e *Episode) place(title string) (game.Move, error) {
	for _, l := range e.game.Observe("").Links {
		if l.Title == title {
			return game.Pick(l.I), nil
		}
	}
	if e.opts.Titles != game.TitlesPlain {
		return game.NoMove(game.ReasonNotOffered), nil
	}
	resolve, err := e.resolve(true)
	if err != nil {
		return game.Move{}, err
	}
	if u, known := resolve(title); known {
		if i, offered := e.game.Offers(u); offered {
			return game.Pick(i), nil
		}
	}
	return game.NoMove(game.ReasonNotOffered), nil
}

// checkStrict refuses a choice that is not on the menu.
func (e *Episode) checkStrict(r family.Reply, m game.Move) error {
	links := len(e.game.Menu())
	switch {
	case r.Title != nil && m.Choice == nil && !m.NoPath:
		return family.Refuse(family.CodeBadChoice, "title", "no link of this page is called %s", fault.Quote(*r.Title))
	case r.Choice != nil && (*r.Choice < 0 || *r.Choice >= links):
		return family.Refuse(family.CodeBadChoice, "choice", "choice is %d, the links are 0 to %d", *r.Choice, links-1)
	case r.Back && e.game.Observe("").Back == "":
		return family.Refuse(family.CodeBadChoice, "", "there is no page to go back to")
	}
	return nil
}

// checkStated refuses reasons where none are kept, and half of a structured reply.
func (e *Episode) checkStated(r family.Reply) error {
	_, reasoned := r.Stated[fieldReasoning]
	for _, field := range slices.Sorted(maps.Keys(r.Stated)) {
		switch {
		case field != fieldReasoning && field != fieldRestriction:
			return family.Refuse(family.CodeBadField, field,
				"%s is not said of a move; a game with a ban keeps %s and %s", fault.Quote(field), fieldReasoning,
				fieldRestriction)
		case !game.HasBan(e.opts):
			return family.Refuse(family.CodeBadField, field, "%s is for games under a ban; this game has none", field)
		case r.Choice == nil && r.Title == nil:
			return family.Refuse(family.CodeBadField, field, "%s stands beside choice or title; a reply holds its own",
				field)
		case !reasoned:
			return family.Refuse(family.CodeBadField, fieldReasoning, "%s stands without %s", fieldRestriction,
				fieldReasoning)
		}
	}
	return nil
}

// stated returns what was said beside a choice as a structured reply has it, nil without words.
func (e *Episode) stated(r family.Reply) *game.Stated {
	why, reasoned := r.Stated[fieldReasoning]
	if !reasoned {
		return nil
	}
	restriction, has := r.Stated[fieldRestriction]
	said := &game.Stated{Reasoning: why, Restriction: restriction, Missing: !has}
	links := e.game.Observe("").Links
	switch {
	case r.Choice == nil:
		said.NextPage = *r.Title
	case *r.Choice >= 0 && *r.Choice < len(links):
		said.NextPage = links[*r.Choice].Title
	}
	return said
}

// readText reads a reply in words, and returns it as it is kept.
func (e *Episode) readText(text string) (game.Move, string, error) {
	o := e.game.Observe(e.name)
	switch e.manner.Interface {
	case schemas.InterfaceMCP:
		return game.Move{}, "", family.Refuse(family.CodeBadField, "reply",
			"raw replies are not accepted here; send choice or title")
	case schemas.InterfaceLines:
		return line(text, o), text, nil
	case schemas.InterfaceHuman:
		if game.HasBan(e.opts) { // a person types a title and gives no reasons
			text = string(canon.MustMarshal(map[string]string{
				"next_page": text, fieldReasoning: "",
				fieldRestriction: "",
			}))
		}
	}
	e.Messages() // a dialogue has every turn in it, whether anybody looked at it or not
	e.dialogue.Reply(text)
	m, _ := e.reader.Read(text, o)
	return m, text, nil
}

// line reads what a program writes: the number of a link or "back"; in a game with a ban also
// NO_PATH, or the JSON object that a model would reply.
func line(text string, o game.Observation) game.Move {
	n, err := strconv.Atoi(text)
	switch {
	case text == "back":
		return game.Back()
	case text == schemas.NoPathAnswer && o.Banned != "":
		return game.Move{NoPath: true}
	case strings.HasPrefix(text, "{") && o.Banned != "":
		m, _ := reply.Structured{}.Read(text, o)
		return m
	case err != nil:
		return game.NoMove(game.ReasonUnparsed)
	}
	return game.Pick(n)
}

const (
	toolClick = "click_link"
	toolBack  = "go_back"
)

const (
	stepSchema  = `"step":{"type":"integer","description":"the number of this turn, as the observation says it; the first is 1"}`
	clickSchema = `{"type":"object","properties":{` + stepSchema +
		`,"choice":{"type":"integer","description":"the number of the link in the list, from 0; this or title"}` +
		`,"title":{"type":"string","description":"the title of the link; this or choice"}},"required":["step"],"additionalProperties":false}`
	reasonedSchema = `{"type":"object","properties":{` + stepSchema +
		`,"next_page":{"type":"string","description":"the title of the link"}` +
		`,"reasoning":{"type":"string","description":"why the link leads towards the target"}` +
		`,"restriction_reasoning":{"type":"string","description":"why its page does not belong to the banned category; it may be empty"}},` +
		`"required":["step","next_page","reasoning","restriction_reasoning"],"additionalProperties":false}`
	backSchema = `{"type":"object","properties":{` + stepSchema + `},"required":["step"],"additionalProperties":false}`
)

// Tools lists what a model may call. go_back is there while the rules of the game allow it.
func (e *Episode) Tools() []family.Tool {
	if e.manner.Interface != schemas.InterfaceMCP {
		return nil
	}
	click := family.Tool{
		Name: toolClick, Title: "Click a link", Schema: json.RawMessage(clickSchema),
		Description: "Choose a link of the current page, by number or by title.",
	}
	if game.HasBan(e.opts) {
		click.Description = "Choose a link of the current page by its title, and say why it leads on and why it keeps to the ban."
		click.Schema = json.RawMessage(reasonedSchema)
	}
	tools := []family.Tool{click}
	if e.opts.Back == game.BackOn {
		tools = append(tools, family.Tool{
			Name: toolBack, Title: "Go back", Description: "Return to the previous page. That costs a turn.",
			Schema: json.RawMessage(backSchema),
		})
	}
	return tools
}

// called returns a call of a tool as a reply; whoever counts turns looks which one it is for.
func (e *Episode) called(c family.Call) (r family.Reply, err error) {
	var a struct {
		Step        int     `json:"step"`
		Choice      *int    `json:"choice"`
		Title       *string `json:"title"`
		NextPage    *string `json:"next_page"`
		Reasoning   *string `json:"reasoning"`
		Restriction *string `json:"restriction_reasoning"`
	}
	if err := canon.Decode(c.Arguments, canon.MaxLine, &a); err != nil {
		return r, family.Refuse(family.CodeBadField, "", "the arguments cannot be read: %v", err)
	}
	switch {
	case c.Name == toolBack:
		return family.Reply{Back: true}, nil
	case c.Name != toolClick:
		return r, family.Refuse(family.CodeBadField, "", "no tool is called %s", fault.Quote(c.Name))
	case game.HasBan(e.opts) && (a.NextPage == nil || a.Reasoning == nil || a.Restriction == nil):
		return r, family.Refuse(family.CodeBadField, "", "the arguments next_page, %s and %s belong together",
			fieldReasoning, fieldRestriction)
	case game.HasBan(e.opts):
		return family.Reply{Title: a.NextPage, Stated: map[string]string{
			fieldReasoning:   *a.Reasoning,
			fieldRestriction: *a.Restriction,
		}}, nil
	case a.Choice == nil && a.Title == nil:
		return r, family.Refuse(family.CodeBadField, "",
			"the argument choice is missing, and so is title; a link is chosen by one of them")
	case a.Choice != nil && a.Title != nil:
		return r, family.Refuse(family.CodeBadField, "",
			"the arguments choice and title stand together; a link is chosen by one of them")
	}
	return family.Reply{Choice: a.Choice, Title: a.Title}, nil
}
