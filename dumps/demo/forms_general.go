package demo

import (
	"slices"
	"strings"
)

var yearForm = form{
	about: "Year",
	lead:  []string{"'''$title''' was a year of the $parent and of the $owncentury."},
	body: []section{{"Overview", 4, meaningPool}, {"World", 3, []string{
		"In $abroad, $topic was at its height.", "$abroad and $abroad signed a treaty.", "$abroad held an election.",
		"A hard winter struck $abroad.",
	}}},
	more: yearPages,
}

// yearPages tells of every second country, of the years around, and of what is known to have happened.
func yearPages(a *article) {
	a.WriteString("== By country ==\n")
	for n, i := range a.w.ofKind[kindCountry] {
		if n%2 == a.t.year%2 {
			a.say("* In " + a.link(i) + ", $topic and $general.\n")
		}
	}
	a.WriteString("\n== Events and births ==\n")
	for _, i := range a.w.inYear[a.t.year-a.w.first] {
		a.WriteString("* " + a.link(i) + "\n")
	}
	a.WriteString("\n== Other years ==\n")
	a.years(a.t.year-5, a.t.year+5)
}

// years links to the years from first to last that are in the calendar, the own year left out.
func (a *article) years(first, last int) {
	for y := max(first, a.w.first); y <= min(last, lastYear); y++ {
		if i := a.w.yearPage(y); i != a.self {
			a.WriteString("* " + a.link(i) + "\n")
		}
	}
	a.WriteString("\n")
}

var decadeForm = form{
	about: "Decade", lead: []string{"The '''$title''' were a decade of the $parent."},
	body: []section{{"Overview", 5, meaningPool}},
	more: func(a *article) {
		a.WriteString("== Years ==\n")
		a.years(a.t.year, a.t.year+9)
	},
}

var centuryForm = form{
	about: "Century", lead: []string{"The '''$title''' was an age of $topic and $general."},
	body: []section{{"Overview", 6, meaningPool}},
	more: func(a *article) {
		a.WriteString("== Decades ==\n")
		a.years(a.t.year-99, a.t.year)
		for _, i := range a.w.ofKind[kindDecade] {
			if a.w.things[i].parent == a.self {
				a.WriteString("* " + a.link(i) + "\n")
			}
		}
		a.WriteString("\n")
	},
}

var topicForm = form{
	about: "General topic",
	lead: []string{
		"'''$title''' is a general topic, related to $topic, $topic and $general.",
		"'''$title''' is studied as part of $topic; it matters to $general as well.",
	},
	body: []section{
		{"Meaning", 5, meaningPool},
		{"History", 5, historyPool},
		{"In the world", 4, []string{
			"It has a long tradition in $abroad and $abroad.", "In $abroad it was banned in $year.",
			"$abroad is proud of its $topic.", "It came from $abroad in the $decade.", "Its museum stands in $abroad.",
		}},
	},
	more: topicPages,
}

// topicPages names related topics and the lists; the life topics also name the kingdoms of living things.
func topicPages(a *article) {
	a.WriteString("== Related ==\n")
	all := a.w.ofKind[kindTopic]
	for _, i := range a.r.Choose(len(all), 12+a.r.Below(40)) {
		if all[i] != a.self {
			a.WriteString("* " + a.link(all[i]) + "\n")
		}
	}
	switch a.t.variety {
	case themeLand:
		a.say("* [[List of countries]]\n* [[List of regions]]\n* [[List of rivers]]\n* [[List of mountains]]\n* [[List of lakes]]\n")
	case themeCulture:
		a.WriteString("* [[Wonders of the world]]\n")
	case themeLife:
		for _, i := range a.w.ofKind[kindKingdom] {
			a.WriteString("* " + a.link(i) + "\n")
		}
	}
	a.WriteString("\n")
}

var listForm = form{
	about: "List", lead: []string{
		"This is the '''$title'''. It follows the order of the [[census]] and leaves out what is not known, see $general.",
	},
	body: []section{{"Sources", 2, []string{
		"The count was made in $year.", "An older count was made in $abroad.", "Methods of $general were used.",
	}}},
	more: listMembers,
}

func listMembers(a *article) {
	a.WriteString("== Members ==\n")
	members := slices.Clone(a.w.members(a.self))
	slices.SortFunc(members, func(x, y int) int { return strings.Compare(a.w.things[x].title, a.w.things[y].title) })
	a.list(members)
	if a.t.parent >= 0 {
		a.say("\nIt is part of the articles about $parent.\n")
	}
	a.WriteString("\n")
}
