package facts

import (
	"fmt"
	"strconv"
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

// dateTemplates by title. After a day of death there may be that of birth, after a beginning the time of day.
var dateTemplates = map[string]dateTemplate{
	"Birth date":         {key: "birth_date", fixed: true},
	"Birth date and age": {key: "birth_date", fixed: true},
	"Death date":         {key: "death_date", fixed: true, more: 3},
	"Death date and age": {key: "death_date", fixed: true, more: 3},
	"Start date":         {key: "start_date", partial: true, more: 4},
	"Start date and age": {key: "start_date", partial: true, more: 4},
	"Film date":          {key: "film_date", partial: true, more: 1}, // the place; several dates are several values
}

// dateValue reads year, month and day, up to lastYear. Named arguments, df and mf above all, say how to show them.
func dateValue(t *markup.Template, how dateTemplate, lastYear int) (v factValue, ok bool) {
	args := t.Positional()
	for len(args) > 0 && args[len(args)-1] == "" {
		args = args[:len(args)-1]
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
