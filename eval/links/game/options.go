package game

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	PruneTop        = "top"         // the nearest links
	PruneTop1Random = "top1-random" // one nearest link, the rest at random
	PruneRandom     = "random"
	PruneNone       = "none"

	OrderShuffled = "shuffled"
	OrderTitle    = "title" // bytewise

	RevisitAllow = "allow"
	RevisitHide  = "hide" // visited pages leave the menu
	RevisitFail  = "fail" // a second visit ends the game

	InvalidConsume = "consume" // an invalid reply costs a turn
	InvalidRetry   = "retry"   // it costs nothing, but MaxInvalid in a row end the game
	InvalidEnd     = "end"     // it ends the game

	RendererFresh = "fresh" // one prompt per turn
	RendererChat  = "chat"  // a dialogue that grows

	ContextNone = "none"
	ContextLead = "lead" // the current page's lead is shown

	BackOff = "off"
	BackOn  = "on" // back returns to the previous page and costs a turn; under revisit=fail it is a visit like any other

	ReshuffleOff     = "off"     // each attempt at an instance shows its menus in the same order
	ReshuffleAttempt = "attempt" // each shows them in an order of its own, the first in the published one

	TitlesPlain     = "plain"
	TitlesAnon      = "anon"      // every page but the target is shown under a number
	TitlesPseudonym = "pseudonym" // every page has an invented name; others under pseudonym:N
)

// Defaults returns the published setting: 30 steps, the 50 nearest links, shuffled.
func Defaults() schemas.GameOptions {
	return schemas.GameOptions{
		MaxSteps: 30, MaxLinks: 50, Pruning: PruneTop, Order: OrderShuffled, Renderer: RendererFresh, Context: ContextNone,
		Revisit: RevisitAllow, Back: BackOff, Invalid: InvalidConsume, MaxInvalid: 3, Titles: TitlesPlain, Oracle: OracleNone,
	}
}

// CheckOptions refuses, as fault.Usage, unknown values and combinations that contradict each other.
func CheckOptions(o schemas.GameOptions) error {
	fewest := 2
	if HasBan(o) && o.Pruning == PruneNone {
		fewest = 0 // no cap at all
	}
	numbers := []number{
		{"max_steps", o.MaxSteps, 1, math.MaxInt},
		{"max_links", o.MaxLinks, fewest, math.MaxInt},
		{"max_invalid", o.MaxInvalid, 1, math.MaxInt},
	}
	words := words(o)
	if HasBan(o) {
		numbers = append(numbers, number{"format_retries", o.FormatRetries, 0, maxFormatRetries},
			number{"target_intro", o.TargetIntro, 0, maxIntro})
		words = append(words, banWords(o)...)
	}
	for _, n := range numbers {
		switch {
		case n.value < n.least:
			return fault.New(fault.Usage, "game option %s is %d, at least %d is needed", n.name, n.value, n.least)
		case n.value > n.most:
			return fault.New(fault.Usage, "game option %s is %d, at most %d is possible", n.name, n.value, n.most)
		}
	}
	if strings.Contains(o.Oracle, "H") && !strings.Contains(o.Oracle, "S") {
		return fault.New(fault.Usage, "game option oracle: H needs S: without it a rewritten task has no past").Hint("choose SH or SPH")
	}
	for _, w := range words {
		if err := w.check(); err != nil {
			return err
		}
	}
	for _, check := range []func(schemas.GameOptions) error{checkTogether, checkPlan, checkBudget} {
		if err := check(o); err != nil {
			return err
		}
	}
	if o.Oracle == OracleReturn && o.Revisit != RevisitAllow {
		return fault.New(fault.Usage, "game option oracle=B sends players back, and revisit=%s does not let them", o.Revisit).Hint("set revisit=allow")
	}
	return nil
}

// number is an option whose value lies between two.
type number struct {
	name               string
	value, least, most int
}

// word is an option whose value is one of a list.
type word struct {
	name, value string
	played      []string
}

func words(o schemas.GameOptions) []word {
	return []word{
		{"pruning", o.Pruning, []string{PruneTop, PruneTop1Random, PruneRandom, PruneNone}},
		{"order", o.Order, []string{OrderShuffled, OrderTitle}},
		{"renderer", o.Renderer, []string{RendererFresh, RendererChat}},
		{"context", o.Context, []string{ContextNone, ContextLead}},
		{"revisit", o.Revisit, []string{RevisitAllow, RevisitHide, RevisitFail}},
		{"back", o.Back, []string{BackOff, BackOn}},
		{"invalid", o.Invalid, []string{InvalidConsume, InvalidRetry, InvalidEnd}},
		{"titles", kindOfTitles(o), []string{TitlesPlain, TitlesAnon, TitlesPseudonym}},
		{"reshuffle", cmp.Or(o.Reshuffle, ReshuffleOff), []string{ReshuffleOff, ReshuffleAttempt}},
		{"oracle", o.Oracle, []string{OracleNone, OracleBase, "P", "S", "SP", "SH", "SPH", OracleDistance, OracleReturn}},
	}
}

// kindOfTitles returns the option titles without a seed.
func kindOfTitles(o schemas.GameOptions) string {
	if _, ok := PseudonymSeed(o); ok {
		return TitlesPseudonym
	}
	return o.Titles
}

func (w word) check() error {
	if slices.Contains(w.played, w.value) {
		return nil
	}
	return fault.New(fault.Usage, "game option %s has no value %s", w.name, fault.Quote(w.value)).
		Choose(w.value, w.played)
}

func checkTogether(o schemas.GameOptions) error {
	if want := rendererOf(o); want != "" && o.Renderer != want {
		e := fault.New(fault.Usage, "game option oracle=%s is not played with renderer=%s", o.Oracle, o.Renderer)
		if HasBan(o) {
			return e.Hint("set history=%s", map[string]string{RendererChat: HistoryChat, RendererFresh: HistoryLast2}[want])
		}
		return e.Hint("set renderer=%s", want)
	}
	if o.Reshuffle == ReshuffleAttempt && o.Order != OrderShuffled {
		return fault.New(fault.Usage, "game option reshuffle=%s means nothing with order=%s", o.Reshuffle, o.Order).
			Hint("set order=%s", OrderShuffled)
	}
	if o.Context == ContextLead && o.Titles == TitlesAnon {
		return fault.New(fault.Usage, "game options context=lead and titles=anon contradict each other: a lead names its page")
	}
	return nil
}

// SetOption sets one option of o by its name; value is text or a number as the option wants it.
// Whether the value is played is for CheckOptions to say.
func SetOption(o *schemas.GameOptions, name, value string) error {
	if HasBan(*o) {
		if err := setHistory(o, name, value); err != nil {
			return err
		}
	}
	fields := optionFields(*o)
	for option, value := range unused {
		if fields[option] == nil {
			fields[option] = value
		}
	}
	switch fields[name].(type) {
	case nil:
		return fault.New(fault.Usage, "no game option is called %s", fault.Quote(name)).
			Choose(name, slices.Sorted(maps.Keys(fields)))
	case string:
		fields[name] = value
	default:
		n, err := strconv.Atoi(value)
		if err != nil {
			return fault.New(fault.Usage, "game option %s needs a number, not %s", name, fault.Quote(value))
		}
		fields[name] = n
	}
	data, err := canon.Marshal(fields)
	if err != nil {
		return fault.New(fault.Usage, "game option %s: %w", name, err)
	}
	var set schemas.GameOptions // a fresh one: o may share its rules of a ban with a copy
	if err := canon.Decode(data, canon.MaxLine, &set); err != nil {
		return err
	}
	*o = Canonical(set)
	return nil
}

// SetOptions sets options of the form NAME=VALUE, and checks all.
func SetOptions(o schemas.GameOptions, texts []string) (schemas.GameOptions, error) {
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return o, fault.New(fault.Usage, "--option %s: want NAME=VALUE", fault.Quote(text))
		}
		if err := SetOption(&o, name, value); err != nil {
			return o, err
		}
	}
	return o, CheckOptions(o)
}

// ReadOptions sets the options of o that a JSON object holds by their names. The types of JSON
// count: "7" is not a number. No data set nothing.
func ReadOptions(o schemas.GameOptions, data json.RawMessage) (schemas.GameOptions, error) {
	var given map[string]json.RawMessage
	if len(data) == 0 {
		return o, nil
	}
	if err := canon.Decode(data, canon.MaxLine, &given); err != nil {
		return o, fault.New(fault.Usage, "options are not an object of rules by their names: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := string(given[name])
		isText := json.Unmarshal(given[name], &value) == nil
		if err := SetOption(&o, name, value); err != nil {
			return o, err
		}
		if _, number := optionFields(o)[name].(float64); isText == number {
			return o, fault.New(fault.Usage, "game option %s cannot be %s", name, fault.Quote(given[name]))
		}
	}
	return o, nil
}

// OptionsJSON returns the canonical object of o. In a game with a ban the renderer follows the
// history and is left out: two rules that say the same could contradict each other.
func OptionsJSON(o schemas.GameOptions) json.RawMessage {
	fields := optionFields(o)
	if HasBan(o) {
		delete(fields, "renderer")
	}
	return canon.MustMarshal(fields)
}

func optionFields(o schemas.GameOptions) map[string]any {
	var fields map[string]any
	if err := canon.Decode(canon.MustMarshal(o), canon.MaxLine, &fields); err != nil {
		panic(err) // we wrote it
	}
	return fields
}

// unused are the options that stand in no canonical form unless they have another value.
var unused = map[string]string{"plan": PlanLink, "budget": BudgetFixed, "reshuffle": ReshuffleOff}

// Canonical leaves out the options that change nothing: rules that are equal have one hash.
func Canonical(o schemas.GameOptions) schemas.GameOptions {
	if o.Plan == unused["plan"] {
		o.Plan = ""
	}
	if o.Budget == unused["budget"] {
		o.Budget = ""
	}
	if o.Reshuffle == unused["reshuffle"] {
		o.Reshuffle = ""
	}
	return o
}
