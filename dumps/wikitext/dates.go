package wikitext

import (
	"slices"
	"strconv"
	"strings"
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
