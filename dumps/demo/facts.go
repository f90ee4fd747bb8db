package demo

import (
	"fmt"
	"strconv"

	"github.com/wikinav/wikinav/schemas/rng"
)

// grouped writes n with a comma between thousands.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// coord is a coord template in one of the forms that fact readers must know. Latitude and longitude are microdegrees.
func coord(r *rng.Stream, lat, lon int) string {
	ns, ew := "N", "E"
	if lat < 0 {
		ns = "S"
	}
	if lon < 0 {
		ew = "W"
	}
	switch r.Below(5) {
	case 0:
		return fmt.Sprintf("{{coord|%s|%s|display=inline,title}}", degrees(lat), degrees(lon))
	case 1:
		return fmt.Sprintf("{{Coord|%s|%s|%s|%s|display=title}}", degrees(abs(lat)), ns, degrees(abs(lon)), ew)
	case 2:
		return fmt.Sprintf("{{coord|%s|%s|%s|%s|type:city|display=inline}}", minutes(lat), ns, minutes(lon), ew)
	}
	return fmt.Sprintf("{{coord|%s|%s|%s|%s|display=inline,title}}", seconds(lat), ns, seconds(lon), ew)
}

// degrees writes microdegrees as decimal degrees with four digits, cut.
func degrees(micro int) string {
	if micro < 0 {
		return "-" + degrees(-micro)
	}
	return fmt.Sprintf("%d.%04d", micro/1_000_000, micro%1_000_000/100)
}

// minutes writes the size of an angle as degrees and minutes, seconds with seconds as well; both cut.
func minutes(micro int) string {
	m := abs(micro) * 60 / 1_000_000
	return fmt.Sprintf("%d|%d", m/60, m%60)
}

func seconds(micro int) string {
	s := abs(micro) * 3600 / 1_000_000
	return fmt.Sprintf("%d|%d|%d", s/3600, s/60%60, s%60)
}

func abs(n int) int { return max(n, -n) }

// length is mostly one value and a unit; some are ranges or mixed units, which a fact reader must refuse or add up.
func (a *article) length() string {
	n, form := a.measure()
	switch {
	case form == 0 || form == 7:
		return fmt.Sprintf("{{convert|%d|to|%d|km|mi}}", n, n+15)
	case form == 2:
		return fmt.Sprintf("c. %d km", n)
	case form == 1 || a.w.imperial(a.self):
		return fmt.Sprintf("{{cvt|%d|mi|km}}", n)
	}
	return fmt.Sprintf("{{convert|%d|km|mi|abbr=on}}", n)
}

// date is year|month|day of what happened to this thing in a year, on a day that every month has.
func (a *article) date(of string, year int) (date string, month int) {
	r := a.w.stream(of, a.t.title)
	month = 1 + r.Below(12)
	return fmt.Sprintf("%d|%d|%d", year, month, 1+r.Below(28)), month
}

func (a *article) startDate() string {
	year := a.w.since(a.self)
	date, month := a.date("start", year)
	switch {
	case month < 4 || year != a.t.year:
		return fmt.Sprintf("{{start date|%d}}", year)
	case month == 4:
		return fmt.Sprintf("{{start date|%d|%d}}", year, month)
	}
	return "{{start date|" + date + "|df=y}}"
}

func (a *article) birthDate() string {
	born, _ := a.date("birth", a.t.year)
	return "{{birth date|df=yes|" + born + "}}"
}

// deathDate gives 31 to 90 years of life, and nothing for those whose death lies outside the calendar.
func (a *article) deathDate() string {
	year := a.t.year + 31 + a.w.stream("age", a.t.title).Below(60)
	if year > lastYear {
		return ""
	}
	died, _ := a.date("death", year)
	born, _ := a.date("birth", a.t.year)
	return "{{death date and age|" + died + "|" + born + "|mf=yes}}"
}
