package demo

var personForm = form{
	about: "$Noun from $place",
	box:   "Infobox person",
	fields: []string{
		"birth_date = $born", "birth_place = $parent", "death_date = $died", "occupation = [[$Noun]]", "nationality = $country",
		"height = {{convert|5|ft|$inches|in|m}}",
	},
	lead: []string{
		"'''$title''' was a [[$noun]] from $parent in $country.",
		"'''$title''' was a [[$noun]] of the $century, born in $parent. The work of $peer was an early influence.",
	},
	body: []section{
		{"Life", 4, []string{
			"The family came from $abroad in $year.", "After school in $region a journey to $abroad followed in $year.",
			"In $year came the move to $country's capital, at that time a centre of $topic.",
			"The years after $year were given to $general.", "A quarrel with $ruler in $year ended this career.",
			"The marriage of $year was unhappy.", "An illness in $year interrupted the work on $topic.",
		}},
		{"Work", 4, meaningPool},
		{"Legacy", 2, historyPool},
	},
	below: []group{{"Works", kindWork}},
}

var workForm = form{
	about: "$Noun by a $maker from $place",
	box:   "Infobox $noun",
	fields: []string{
		"author = $parent", "country = $country", "language = [[Language]]", "published = $started", "pages = $number",
	},
	lead: []string{
		"'''''$title''''' is a [[$noun]] by $parent.",
		"'''''$title''''' is a [[$noun]] by the $maker $parent from $country, finished in the $decade.",
	},
	body: []section{
		{"Content", 3, []string{
			"It tells of a journey through $country in $year.", "The first part is about $topic.",
			"The second part turns to $general.", "Its last page praises $topic and $abroad.", "A minor figure is modelled on $ruler.",
			"The scene is a harbour of the $century.",
		}},
		{"Background", 3, historyPool},
		{"Reception", 4, meaningPool},
	},
}
