package titles

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

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

// datePatterns are the forms of titles of pages about a time in one language. In a form, {day}, {year}, {decade} and
// {century} stand for numbers, {roman} for a century in Roman digits, {month} for a name of months; a title may begin
// with a capital where the form has a small letter.
type datePatterns struct {
	months []string
	forms  []string
	eras   []string // what may follow a form
}

var (
	germanDates = datePatterns{
		months: names("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
		forms:  []string{"{year}", "{day}. {month}", "{month} {year}", "{decade}er", "{century}. Jahrhundert"},
		eras:   []string{" v. Chr."},
	}
	spanishDates = datePatterns{
		months: names("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
		forms:  []string{"{year}", "{day} de {month}", "{month} de {year}", "años {decade}", "siglo {roman}"},
		eras:   []string{" a. C."},
	}
	frenchDates = datePatterns{
		months: names("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
		forms:  []string{"{year}", "{day} {month}", "1er {month}", "{month} {year}", "années {decade}", "{roman}e siècle", "Ier siècle"},
		eras:   []string{" av. J.-C."},
	}
	italianDates = datePatterns{
		months: names("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
		forms:  []string{"{year}", "{day} {month}", "1º {month}", "{month} {year}", "anni {decade}", "anni '{decade}", "{roman} secolo"},
		eras:   []string{" a.C."},
	}
	latgalianDates = datePatterns{forms: []string{"{year}", "{century} godu symts", "{century}. godu symts"}}
	dutchDates     = datePatterns{
		months: names("januari februari maart april mei juni juli augustus september oktober november december"),
		forms:  []string{"{year}", "{day} {month}", "{month} {year}", "{century}e eeuw"},
		eras:   []string{" v.Chr."},
	}
	polishDates = datePatterns{
		months: names("stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"),
		forms:  []string{"{year}", "{day} {month}", "{roman} wiek", "lata {decade}. {roman} wieku"},
		eras:   []string{" p.n.e."},
	}
	portugueseDates = datePatterns{
		months: names("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
		forms:  []string{"{year}", "{day} de {month}", "{month} de {year}", "década de {decade}", "século {roman}"},
		eras:   []string{" a.C."},
	}
	russianDates = datePatterns{
		months: names("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
		forms:  []string{"{year} год", "{day} {month}", "{decade}-е годы", "{roman} век"},
		eras:   []string{" до н. э."},
	}
	swedishDates = datePatterns{
		months: names("januari februari mars april maj juni juli augusti september oktober november december"),
		forms:  []string{"{year}", "{day} {month}", "{month} {year}", "{decade}-talet"},
		eras:   []string{" f.Kr."},
	}
)

func names(list string) []string { return strings.Fields(list) }

// match tells whether title is one of the forms, era or not.
func (d datePatterns) match(title string) bool {
	for _, era := range d.eras {
		title = strings.TrimSuffix(title, era)
	}
	return slices.ContainsFunc(d.forms, func(form string) bool {
		return d.fits(title, form) || d.fits(title, capitalised(form))
	})
}

// fits compares from the left: a slot takes all digits or the longest name that is there.
func (d datePatterns) fits(title, form string) bool {
	for form != "" {
		slot, after, isSlot := strings.Cut(form, "}")
		if form[0] != '{' || !isSlot {
			if title == "" || title[0] != form[0] {
				return false
			}
			title, form = title[1:], form[1:]
			continue
		}
		n := d.slot(slot[1:], title)
		if n == 0 {
			return false
		}
		title, form = title[n:], after
	}
	return title == ""
}

// slot gives the length of what fills the slot at the start of title, 0 if nothing does.
func (d datePatterns) slot(name, title string) int {
	switch name {
	case "month":
		for _, m := range d.months {
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
