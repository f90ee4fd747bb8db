package facts

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/schemas"
)

type dateTemplate struct {
	key     string // of the fact; of those in infoboxes only where fixed
	fixed   bool   // the key is the template's, whatever parameter it stands in
	partial bool   // year and month, or the year alone, will do
	more    int    // arguments that may follow the day
}

// dateTemplates by title. After a day of death there may be that of birth, after a beginning the
// time of day.
var dateTemplates = map[string]dateTemplate{
	"Birth date":         {key: "birth_date", fixed: true},
	"Birth date and age": {key: "birth_date", fixed: true},
	"Death date":         {key: "death_date", fixed: true, more: 3},
	"Death date and age": {key: "death_date", fixed: true, more: 3},
	"Start date":         {key: "start_date", partial: true, more: 4},
	"Start date and age": {key: "start_date", partial: true, more: 4},
	"End date":           {key: "end_date", partial: true, more: 4},
	"End date and age":   {key: "end_date", partial: true, more: 4},
	"Release date":       {key: "release_date", partial: true, more: 1},
	"Dob":                {key: "birth_date", fixed: true},
	"Bda":                {key: "birth_date", fixed: true},
	"Dda":                {key: "death_date", fixed: true, more: 3},
	"Birth-date":         {key: "birth_date", fixed: true}, // these three take a date as it is written
	"Birth-date and age": {key: "birth_date", fixed: true},
	"Start-date":         {key: "start_date", partial: true},
	"Film date":          {key: "film_date", partial: true, more: 1}, // the place; several dates are several values
}

// dateValue reads year, month and day, up to lastYear. Named arguments, df and mf above all, say
// how to show them.
func dateValue(t *markup.Template, how dateTemplate, lastYear int) (v factValue, ok bool) {
	args := t.Positional()
	for len(args) > 0 && args[len(args)-1] == "" {
		args = args[:len(args)-1]
	}
	if len(args) == 1 && !isDigits(args[0]) {
		text, isDate, ok := writtenDate(strings.Fields(args[0]), lastYear)
		return factValue{kind: schemas.FactDate, value: text}, isDate && ok && (how.partial || len(text) == len(time.DateOnly))
	}
	if len(args) == 0 || len(args) > 3+how.more || len(args) < 3 && !how.partial {
		return v, false
	}
	var ymd [3]int
	for i, a := range args[:min(3, len(args))] {
		n, err := strconv.Atoi(a)
		if err != nil || !isDigits(a) || n < 1 {
			return v, false
		}
		ymd[i] = n
	}
	text, ok := calendarDate(ymd, lastYear)
	return factValue{kind: schemas.FactDate, value: text}, ok
}

// writtenDate reads a date written as words: 15 May 2007, May 15, 2007, May 2007 or 2007-05-15.
// IsDate reports whether words have that form, ok whether they are such a day up to lastYear.
func writtenDate(words []string, lastYear int) (text string, isDate, ok bool) {
	var ymd [3]string // year, number of the month, day
	switch len(words) {
	case 1:
		if parts := strings.Split(words[0], "-"); len(parts) == 3 && len(words[0]) == len(time.DateOnly) {
			copy(ymd[:], parts)
		}
	case 2:
		ymd = [3]string{words[1], monthNumber(words[0]), "0"}
	case 3:
		day, month := words[0], monthNumber(words[1])
		if month == "" {
			day, month = strings.TrimSuffix(words[1], ","), monthNumber(words[0])
		}
		ymd = [3]string{words[2], month, day}
	}
	var numbers [3]int
	for i, s := range ymd {
		if !isDigits(s) || len(s) > 4 || i == 0 && len(s) < 3 {
			return "", false, false
		}
		numbers[i], _ = strconv.Atoi(s)
	}
	text, ok = calendarDate(numbers, lastYear)
	return text, true, ok && numbers[1] > 0 && (numbers[2] > 0 || len(words) == 2)
}

// monthNumber returns the number of the month called name, "" if there is none.
func monthNumber(name string) string {
	for m := time.January; m <= time.December; m++ {
		if strings.EqualFold(name, m.String()) {
			return strconv.Itoa(int(m))
		}
	}
	return ""
}

// calendarDate writes a date of the Gregorian calendar; month and day 0 are unknown.
func calendarDate(ymd [3]int, lastYear int) (string, bool) {
	year, month, day := ymd[0], ymd[1], ymd[2]
	switch {
	case year < 1 || year > lastYear || month > 12:
		return "", false
	case month == 0:
		return fmt.Sprintf("%04d", year), true
	case day == 0:
		return fmt.Sprintf("%04d-%02d", year, month), true
	}
	d := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return d.Format(time.DateOnly), day <= 31 && d.Day() == day
}
