package reply

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/order"
)

// Second is the parser wikirace/2. Its rules are tried in the order of Rules; the first that finds
// anything decides. A choice is a number, a number with the title of that link, or a title that one
// link has. A number beside the title of another link, and several choices without a decision
// between them, are no choice.
type Second struct {
	Back bool // "back" may stand where the number does in a tag, a box, or the whole reply
}

// Rules by which replies are read, as scores count them. The last two read nothing.
const (
	RuleTag       = "tag"       // the last answer tag or box
	RuleWhole     = "whole"     // the reply is the choice
	RulePhrase    = "phrase"    // the last line with "the answer is", "I choose" and the like
	RuleLine      = "line"      // the lines that are choices, which are one
	RuleAmbiguous = "ambiguous" // several choices
	RuleNone      = "none"
)

// The patterns of the rules.
var (
	thoughts = regexp.MustCompile(`(?is)<(think|thinking|thought|reasoning)>.*?(?:</(?:think|thinking|thought|reasoning)>|$)`)
	leftover = regexp.MustCompile(`(?is)^.*</(?:think|thinking|thought|reasoning)>`)
	tags     = regexp.MustCompile(`(?is)<((?:final_)?answer|choice)>(.*?)(?:</(?:final_)?(?:answer|choice)>|$)`)
	boxes    = regexp.MustCompile(`\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}`)
	texts    = regexp.MustCompile(`\\(?:text|textbf|mathbf|mathrm|textit)\{([^{}]*)\}`)
	numbered = regexp.MustCompile(`(?is)^(?:(?:the\s+)?(?:answer|choice|link|option|number|no\.)\s*(?:is|:|=)?\s*)?[#(\[]*\s*(\d{1,6})[*_]*\s*[)\]]?(.*)$`)
	trailing = regexp.MustCompile(`(?s)^(.+?)[\s(\[#:–—-]+(\d{1,6})[)\]]?$`)

	decision = regexp.MustCompile(`(?im)` + strings.Join([]string{
		`\b(?:i|we)(?:['’]ll| will|['’]d| would|['’]m going to| am going to)?(?: now| then| therefore| thus)? ` +
			`(?:choose|pick|select|click|go with|go for|go to|take|follow|opt for|move to|navigate to)(?: on)?\s+`,
		`\blet(?:['’]?s| us) (?:go with|go to|choose|pick|select|click|take)(?: on)?\s+`,
		`\b(?:answer|choice|option|link|number|pick|selection|decision)[*_"']*\s*(?:is|:|=|#|->|→|would be|will be)[*_]*\s*:?\s*`,
		`^[\s*>-]*(?:click|choose|select|pick|go to|go with|open)(?: on)?\s+`,
	}, "|"))
	object = regexp.MustCompile("(?i)^(?:the\\s+)?(?:(?:link|option|number|choice|answer|page|item)\\b\\s*(?:is|:|=)?\\s*)?(?:number\\s+)?[#(\\[*_\"'“‘`$]*(\\d+)")
	other  = regexp.MustCompile("(?i)^[)\\]*_\"'”’`$.]*\\s*(?:or|and|and/or|/|,|-|–|to|vs\\.?|versus|through)\\s*(?:(?:the|link|option|number|maybe|perhaps)\\s+)*[#(\\[*_\"'“‘`]*\\d")
	denied = regexp.MustCompile(`(?i)\b(?:not|never|if|whether|should|could|might|may|avoid|unless|cannot|maybe|perhaps|either|or|when|\w+n['’]t)(?: the| my| to| i| we| be| that| also)*\s*$`)
	quoted = regexp.MustCompile("^(?:\"([^\"\n]+)\"|“([^”\n]+)”|'([^'\n]+)'|\\*\\*([^*\n]+)\\*\\*|\\[([^\\]\n]+)\\]|`([^`\n]+)`)")
)

func (p Second) Version() schemas.Versioned {
	all := []string{schemas.NumberParser2, decoration}
	for _, r := range []*regexp.Regexp{
		thoughts, leftover, tags, boxes, texts, numbered, trailing, decision, object, other, denied, quoted,
	} {
		all = append(all, r.String())
	}
	return schemas.Versioned{Version: schemas.NumberParser2, SHA256: digest.SHA256([]byte(strings.Join(all, "\n")))}
}

func (p Second) Read(text string, o game.Observation) (game.Move, string) {
	return p.Parse(text, o.Titles())
}

// Parse returns the move that text makes in a menu of these titles, and the rule that read it.
func (p Second) Parse(text string, menu []string) (game.Move, string) {
	text = Spoken(text)
	for _, rule := range []struct {
		name string
		find func(string, []string) choices
	}{{RuleTag, p.tagged}, {RuleWhole, p.sole}, {RulePhrase, decided}, {RuleLine, lines}} {
		switch found := slices.Collect(maps.Keys(rule.find(text, menu))); len(found) {
		case 0:
		case 1:
			return move(found[0]), rule.name
		default:
			return game.NoMove(game.ReasonUnparsed), RuleAmbiguous
		}
	}
	return game.NoMove(game.ReasonUnparsed), RuleNone
}

// Spoken returns what is read of a reply: without its thoughts, and of an overlong one the end.
func Spoken(text string) string {
	if len(text) > maxReply {
		text = text[len(text)-keptEnd:]
	}
	return leftover.ReplaceAllString(thoughts.ReplaceAllString(text, ""), "")
}

// choices are the values that a rule finds; more than one are no choice.
type choices map[string]bool

// tagged reads the last tag or box that can be read.
func (p Second) tagged(text string, menu []string) choices {
	type content struct {
		at   int
		text string
	}
	var all []content
	for _, m := range tags.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, content{m[0], text[m[4]:m[5]]})
	}
	for _, m := range boxes.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, content{m[0], texts.ReplaceAllString(text[m[2]:m[3]], "$1")})
	}
	order.Sort(all, func(a, b content) int { return b.at - a.at })
	for _, c := range all {
		if found := p.sole(c.text, menu); len(found) > 0 {
			return found
		}
	}
	return nil
}

// sole reads a text that is the choice and nothing else.
func (p Second) sole(text string, menu []string) choices {
	if p.Back && bare(strings.ToLower(text)) == wayBack {
		return choices{wayBack: true}
	}
	return readings(text, menu)
}

// readings returns what a text may mean that is a choice and nothing else.
func readings(text string, menu []string) choices {
	text = trimmed(text)
	if number(text) {
		return choices{canonical(text): true}
	}
	found := choices{}
	if i, ok := titled(text, menu); ok {
		found[strconv.Itoa(i)] = true
	}
	if m := numbered.FindStringSubmatch(text); m != nil {
		found.add(m[1], m[2], menu)
	}
	if m := trailing.FindStringSubmatch(text); m != nil && len(found) == 0 {
		if i, err := strconv.Atoi(m[2]); err == nil && i < len(menu) && same(m[1], menu[i]) {
			found[canonical(m[2])] = true
		}
	}
	return found
}

// add takes a number with what follows it: nothing, the title of that link, or that of another,
// which is a choice as well.
func (c choices) add(value, rest string, menu []string) {
	i, err := strconv.Atoi(value)
	rest = trimmed(strings.TrimLeft(rest, ")]:.,-–—=> \t"))
	switch {
	case err != nil:
	case rest == "":
		c[canonical(value)] = true
	case i < len(menu) && (same(rest, menu[i]) || begins(rest, menu[i]) && !isAny(rest, menu)):
		c[canonical(value)] = true
	case isAny(rest, menu):
		c[canonical(value)], c["another"] = true, true
	}
}

func canonical(value string) string {
	n, _ := strconv.Atoi(value) // of at most six digits
	return strconv.Itoa(n)
}

// trimmed takes off what people and models put around a choice: quotes, emphasis, brackets, a last
// dot.
func trimmed(text string) string {
	const around = decoration + "$_"
	text = strings.Trim(text, around)
	text = strings.Trim(strings.TrimRight(text, ".!"), around)
	for _, pair := range []string{"()", "[]", "{}"} {
		if inner, ok := strings.CutPrefix(text, pair[:1]); ok && strings.Count(text, pair[:1]) == 1 {
			if inner, ok = strings.CutSuffix(inner, pair[1:]); ok {
				return strings.Trim(inner, around)
			}
		}
	}
	return text
}

// same reports whether a text is a title, but for case, quotes and emphasis.
func same(text, title string) bool {
	for _, t := range []string{title, prompt.Escape(title)} {
		if strings.EqualFold(text, strings.TrimSpace(t)) || strings.EqualFold(trimmed(text), trimmed(t)) {
			return true
		}
	}
	return false
}

// begins reports whether a text is a title, then a sentence about it.
func begins(text, title string) bool {
	if len(title) == 0 || len(text) <= len(title) || strings.Contains(text, "\n") || !strings.EqualFold(text[:len(title)], title) {
		return false
	}
	after := strings.TrimLeft(text[len(title):], "*_\"'”’`")
	return strings.IndexAny(after, ",;:.!") == 0 || strings.HasPrefix(after, " - ") ||
		strings.HasPrefix(after, " – ") || strings.HasPrefix(after, " — ") || strings.HasPrefix(after, " because ")
}

func isAny(text string, menu []string) bool {
	return slices.ContainsFunc(menu, func(title string) bool { return same(text, title) })
}

// titled finds the one link that has a title. A title of digits alone is read as a number.
func titled(text string, menu []string) (place int, ok bool) {
	for i, title := range menu {
		if text == "" || number(text) || !same(text, title) {
			continue
		}
		if ok {
			return 0, false
		}
		place, ok = i, true
	}
	return place, ok
}

// decided reads the last line in which something is decided: later lines take back earlier ones.
func decided(text string, menu []string) choices {
	for _, line := range slices.Backward(strings.Split(text, "\n")) {
		found := choices{}
		for _, m := range decision.FindAllStringIndex(line, -1) {
			if !denied.MatchString(line[:m[0]]) {
				found.decide(line[m[1]:], menu)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// decide reads what follows the words of a decision.
func (c choices) decide(rest string, menu []string) {
	if m := object.FindStringSubmatchIndex(rest); m != nil {
		value, after := rest[m[2]:m[3]], rest[m[3]:]
		if !number(value) || !ends(after) || strings.HasPrefix(after, "%") {
			return
		}
		c[canonical(value)] = true
		named := trimmed(strings.TrimLeft(after, ")]:.,-–—=> \t*_`\"'"))
		i, _ := strconv.Atoi(value)
		if other.MatchString(after) || isAny(named, menu) && !(i < len(menu) && same(named, menu[i])) {
			c["another"] = true
		}
		return
	}
	if m := quoted.FindStringSubmatch(rest); m != nil {
		rest = strings.Join(m[1:], "")
	}
	if i, ok := titled(trimmed(rest), menu); ok {
		c[strconv.Itoa(i)] = true
	} else if m := numbered.FindStringSubmatch(trimmed(rest)); m != nil && len(c) == 0 {
		c.add(m[1], m[2], menu)
	}
}

// lines reads the lines that are choices.
func lines(text string, menu []string) choices {
	found := choices{}
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t>")
		for _, bullet := range []string{"- ", "* ", "• "} {
			line = strings.TrimPrefix(line, bullet)
		}
		maps.Copy(found, readings(line, menu))
	}
	return found
}
