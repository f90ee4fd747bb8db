package reply

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/prompt"
)

// The patterns of the rules. A number is 1 to 6 ASCII digits without a sign.
var (
	tagged  = regexp.MustCompile(`<answer>\s*(\d{1,6}|back)\s*</answer>|\\boxed\{\s*(\d{1,6}|back)\s*\}`)
	named   = regexp.MustCompile(`(?i)(?:answer|choice|option|link|number)\s*(?:is|:|=|#)\s*(\d+)`)
	integer = regexp.MustCompile(`\d+`)
)

// decoration is what may stand around the number when it is all that a reply or a line holds.
const decoration = " \t\r\n*`\"'“”‘’"

const maxDigits = 6

// inTag is rule a: the last answer tag or box.
func (p Parser) inTag(text string, _ []string) (string, bool) {
	found := tagged.FindAllStringSubmatch(text, -1)
	for _, m := range slices.Backward(found) {
		if value := m[1] + m[2]; value != wayBack || p.Back {
			return value, true
		}
	}
	return "", false
}

// whole is rule b: the reply is the number.
func (p Parser) whole(text string, _ []string) (string, bool) {
	value := bare(text)
	return value, number(value) || p.Back && value == wayBack
}

// bare takes the decoration off, and one final dot.
func bare(text string) string {
	text = strings.Trim(text, decoration)
	return strings.Trim(strings.TrimSuffix(text, "."), decoration)
}

func number(text string) bool {
	return text != "" && len(text) <= maxDigits && strings.Trim(text, "0123456789") == ""
}

// line is rule c: the last line that is a number, or a number with its title.
func line(text string, menu []string) (string, bool) {
	for _, l := range slices.Backward(strings.Split(text, "\n")) {
		if value := bare(l); number(value) {
			return value, true
		}
		if value, ok := listed(strings.TrimSpace(l), menu); ok {
			return value, true
		}
	}
	return "", false
}

// listed reads "31: Serbia" or "31. Serbia" if that is link 31.
func listed(l string, menu []string) (string, bool) {
	end := strings.IndexAny(l, ":.")
	if end < 0 || !number(l[:end]) {
		return "", false
	}
	i, err := strconv.Atoi(l[:end])
	if err != nil || i >= len(menu) {
		return "", false
	}
	return l[:end], isTitle(strings.TrimSpace(l[end+1:]), menu[i])
}

// isTitle accepts a title raw, and as prompts spell it.
func isTitle(text, title string) bool {
	return text == strings.TrimSpace(title) || text == strings.TrimSpace(prompt.Escape(title))
}

// afterName is rule d: the last number after a word for it.
func afterName(text string, _ []string) (string, bool) { return last(named, wordStarts, text) }

// lastInteger is rule e: the last integer that is part of no word, sign or fraction.
func lastInteger(text string, _ []string) (string, bool) { return last(integer, starts, text) }

// last returns the last number, a match's group or whole, that may start and end where it does.
func last(pattern *regexp.Regexp, mayStart func(before string) bool, text string) (value string, ok bool) {
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		from, to := m[len(m)-2], m[len(m)-1]
		if mayStart(text[:m[0]]) && number(text[from:to]) && ends(text[to:]) {
			value, ok = text[from:to], true
		}
	}
	return value, ok
}

// titleLine is rule f: the last line that is the title of exactly one link.
func titleLine(text string, menu []string) (string, bool) {
	for _, l := range slices.Backward(strings.Split(text, "\n")) {
		l = strings.TrimSpace(l)
		first := slices.IndexFunc(menu, func(t string) bool { return l != "" && isTitle(l, t) })
		if first >= 0 && !slices.ContainsFunc(menu[first+1:], func(t string) bool { return isTitle(l, t) }) {
			return strconv.Itoa(first), true
		}
	}
	return "", false
}

func wordStarts(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return !inWord(r)
}

func starts(before string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	if r == '.' || r == ',' {
		r, _ = utf8.DecodeLastRuneInString(before[:len(before)-size])
		return !unicode.IsDigit(r)
	}
	return !inWord(r) && r != '-' && r != '+' && r != '−'
}

// ends reports whether an integer may end before this text: not in a word or before a fraction.
func ends(after string) bool {
	r, size := utf8.DecodeRuneInString(after)
	if r == '.' || r == ',' {
		r, _ = utf8.DecodeRuneInString(after[size:])
		return !unicode.IsDigit(r)
	}
	return !inWord(r)
}

// inWord is never true of the rune that stands for an end of the text.
func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
