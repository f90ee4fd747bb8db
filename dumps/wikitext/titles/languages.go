package titles

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// language holds the words of one content language; languages.toml says what they are. Where a part is empty, no rule is known: then
// nothing is flagged, and only #REDIRECT redirects.
type language struct {
	Redirects             []string
	Disambiguation        string
	Templates, Categories []string
	Switches, Lists       []string
	Months, Dates, Eras   []string
	Trail                 *string // nil for the usual one
}

// Set makes a list one that is asked whether it has a name.
func Set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}

//go:embed languages.toml
var languagesTOML []byte

// languages reads the file once. A mistake in it is a fault of the build, hence the panic.
var languages = sync.OnceValue(func() map[string]*language {
	all := map[string]*language{}
	if err := toml.Unmarshal(languagesTOML, &all); err != nil {
		panic(fmt.Sprintf("titles: languages.toml: %v", err))
	}
	return all
})

// wordsOf returns the words of a language.
func wordsOf(lang string) *language {
	if words := languages()[lang]; words != nil {
		return words
	}
	return &language{}
}

var englishMonths = []string{
	"January", "February", "March", "April", "May", "June",
	"July", "August", "September", "October", "November", "December",
}

// isEnglishDate recognises the titles of pages about a time: "1066", "AD 69", "44 BC", "1990s", "5th century BC",
// "May 4", "May 1968".
func isEnglishDate(title string) bool {
	if first, rest, found := strings.Cut(title, " "); found && slices.Contains(englishMonths, first) {
		return isNumber(rest, 1, 31) || len(rest) >= 3 && isNumber(rest, 1, 9999)
	}
	if year, isAD := strings.CutPrefix(title, "AD "); isAD {
		return isNumber(year, 1, 9999)
	}
	for _, era := range []string{" BC", " BCE"} {
		title = strings.TrimSuffix(title, era)
	}
	if decade, ok := strings.CutSuffix(title, "s"); ok {
		return strings.HasSuffix(decade, "0") && isNumber(decade, 0, 9999)
	}
	if ordinal, ok := strings.CutSuffix(title, " century"); ok {
		return isOrdinal(ordinal)
	}
	return isNumber(title, 1, 9999)
}

// isOrdinal accepts "1st", "22nd", "13th" and their like.
func isOrdinal(s string) bool {
	if len(s) < 3 {
		return false
	}
	digits, ending := s[:len(s)-2], s[len(s)-2:]
	return isNumber(digits, 1, 99) && slices.Contains([]string{"st", "nd", "rd", "th"}, ending)
}

// isNumber accepts plain decimal numbers without leading zeros, from low to high.
func isNumber(s string, low, high int) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= low && n <= high && strconv.Itoa(n) == s
}

// isDate tells whether title is of a page about a time: one of the forms, era or not.
func (l *language) isDate(title string) bool {
	for _, era := range l.Eras {
		title = strings.TrimSuffix(title, era)
	}
	return slices.ContainsFunc(l.Dates, func(form string) bool {
		return l.fits(title, form) || l.fits(title, capitalised(form))
	})
}

// fits compares from the left: a slot takes all digits or the longest name that is there.
func (l *language) fits(title, form string) bool {
	for form != "" {
		slot, after, isSlot := strings.Cut(form, "}")
		if form[0] != '{' || !isSlot {
			if title == "" || title[0] != form[0] {
				return false
			}
			title, form = title[1:], form[1:]
			continue
		}
		n := l.slot(slot[1:], title)
		if n == 0 {
			return false
		}
		title, form = title[n:], after
	}
	return title == ""
}

// slot gives the length of what fills the slot at the start of title, 0 if nothing does.
func (l *language) slot(name, title string) int {
	switch name {
	case "month":
		for _, m := range l.Months {
			if strings.HasPrefix(title, m) || strings.HasPrefix(title, capitalised(m)) {
				return len(m)
			}
		}
		return 0
	case "roman":
		return len(title) - len(strings.TrimLeft(title, "IVX"))
	}
	n := len(title) - len(strings.TrimLeft(title, "0123456789"))
	low, high := numberSlots[name][0], numberSlots[name][1]
	if !isNumber(title[:n], low, high) || name == "decade" && title[n-1] != '0' {
		return 0
	}
	return n
}

// numberSlots gives the least and the greatest number of each slot.
var numberSlots = map[string][2]int{"day": {1, 31}, "year": {1, 9999}, "decade": {10, 9990}, "century": {1, 99}}

// capitalised gives s with a capital first letter. No name in the tables changes its length by that.
func capitalised(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(first)) + s[size:]
}
