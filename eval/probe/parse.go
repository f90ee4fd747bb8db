package probe

import (
	"regexp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
)

// parser reads an answer out of a reply: schemas.GoldYes or schemas.GoldNo, or "" for what is
// neither, and the rule that read it.
type parser interface {
	Version() schemas.Versioned
	Read(text string) (said, rule string)
}

// parserNames lists the parsers that replies may be read by, the default first.
var parserNames = []string{"2", "1"}

func parserNamed(name string) (parser, bool) {
	p, ok := map[string]parser{"": second{}, "2": second{}, "1": first{}}[name]
	return p, ok
}

var parsers = map[string]schemas.Versioned{"": second{}.Version(), "2": second{}.Version(), "1": first{}.Version()}

// What stands around an answer.
const (
	box    = `\boxed{`
	text   = `\text{`
	around = " \t\r\n\"'`“”‘’"
)

// first is the parser probe/1: what the last \boxed{} with balanced braces holds.
type first struct{}

func (first) Version() schemas.Versioned {
	const name = "probe/1"
	return schemas.Versioned{
		Version: name, SHA256: digest.SHA256([]byte(strings.Join([]string{name, box, text, around}, "\n"))),
	}
}

func (first) Read(reply string) (said, rule string) {
	for end := len(reply); ; {
		at := strings.LastIndex(reply[:end], box)
		if at < 0 {
			return "", ruleNone
		}
		if inside, ok := balanced(reply[at+len(box):]); ok {
			if said = yesOrNo(inside); said == "" {
				return "", ruleNone
			}
			return said, ruleTag
		}
		end = at
	}
}

// balanced returns what stands before the brace that closes one that is open.
func balanced(s string) (string, bool) {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[:i], true
			}
		}
	}
	return "", false
}

func yesOrNo(s string) string {
	s = strings.Trim(s, around)
	if inner, ok := strings.CutPrefix(s, text); ok {
		s = strings.Replace(inner, "}", "", 1)
	}
	s = strings.Trim(strings.TrimSuffix(strings.Trim(s, around), "."), around)
	if s = strings.ToLower(s); s == schemas.GoldYes || s == schemas.GoldNo {
		return s
	}
	return ""
}

// second is the parser probe/2. Its rules are tried in their order; the first that finds anything
// decides. What says both is neither.
type second struct{}

// Rules by which replies are read, as scores count them; those of one-step replies where they are
// the same.
const (
	ruleTag       = reply.RuleTag       // the last answer tag or box that can be read
	ruleWhole     = reply.RuleWhole     // the reply is the answer
	rulePhrase    = reply.RulePhrase    // the last line with "the answer is" and the like
	ruleLine      = reply.RuleLine      // the lines that are answers, which are one
	ruleSentence  = "sentence"          // the sentences that begin with an answer, which are one
	ruleAmbiguous = reply.RuleAmbiguous // both
	ruleNone      = reply.RuleNone
)

// The patterns of the rules. A word of hands is what may stand around an answer.
const (
	hands  = "[\\s*_\"'`“”‘’$(){}\\[\\]]*"
	before = hands + `(?:\\(?:text|textbf|mathrm|mathbf)\{)?` + hands
	word   = `(yes|no)`
)

var (
	rules = []struct {
		name    string
		pattern *regexp.Regexp
		last    bool // the last that is not denied decides, else all together
	}{
		{ruleTag, regexp.MustCompile(`(?i)\\boxed\{` + before + word + hands + `[.!]?` + hands + `\}|<(?:final_)?answer>` + before + word + hands + `[.!]?` + hands + `(?:</|$)`), true},
		{ruleWhole, regexp.MustCompile(`(?i)^` + before + word + hands + `[.!]*` + hands + `$`), false},
		{rulePhrase, regexp.MustCompile(`(?i)\b(?:answer|verdict|conclusion|response|reply)[*_"']*\s*(?:is|:|=|->|→|would be|will be|must be|should be)[*_]*\s*:?` +
			before + word + `\b|\b(?:i(?:['’]d| would| will|['’]ll)?|we) (?:answer|say|conclude|go with|choose)(?: that it is)?:?\s` + before + word + `\b`), true},
		{ruleLine, regexp.MustCompile(`(?im)^[\s>•-]*` + before + word + hands + `[.!]*` + hands + `$`), false},
		{ruleSentence, regexp.MustCompile(`(?im)(?:^[\s>•-]*|[.!?:]\s+|\b(?:so|thus|therefore|hence|actually|wait)[,:]?\s+)` + before + word + `[*_"'”)]*(?:\s*[,.;:!—–]|\s+-|\s*$)`), false},
	}
	// both is what follows a word that is named beside the other one, and denied stands before what is
	// only considered.
	both   = regexp.MustCompile(`(?i)^` + hands + `(?:or|and|and/or|/|\||,\s*or)` + before + `(?:yes|no)\b`)
	denied = regexp.MustCompile(`(?i)\b(?:not|never|if|whether|should|could|might|may|unless|cannot|maybe|perhaps|either|when|\w+n['’]t)(?: the| my| that| say| be| final| correct)*\s*$`)
)

func (second) Version() schemas.Versioned {
	const name = "probe/2"
	all := []string{name, both.String(), denied.String()}
	for _, r := range rules {
		all = append(all, r.name, r.pattern.String())
	}
	return schemas.Versioned{Version: name, SHA256: digest.SHA256([]byte(strings.Join(all, "\n")))}
}

func (second) Read(text string) (said, rule string) {
	text = reply.Spoken(text)
	for _, r := range rules {
		found := answers(r.pattern, text, r.last)
		if r.last {
			found = found[max(0, len(found)-1):]
		}
		switch found = slices.Compact(slices.Sorted(slices.Values(found))); len(found) {
		case 0:
		case 1:
			return found[0], r.name
		default:
			return "", ruleAmbiguous
		}
	}
	return "", ruleNone
}

// answers lists what a pattern finds, but for what is named beside the other, and where it is said to
// be decided what is denied.
func answers(pattern *regexp.Regexp, text string, decided bool) (found []string) {
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		start := strings.LastIndex(text[:m[0]], "\n") + 1
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 && !both.MatchString(text[m[g+1]:]) && !(decided && denied.MatchString(text[start:m[0]])) {
				found = append(found, strings.ToLower(text[m[g]:m[g+1]]))
			}
		}
	}
	return found
}
