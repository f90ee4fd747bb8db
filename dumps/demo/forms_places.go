package demo

var countryForm = form{
	about: "Country of the demo world",
	box:   "Infobox country",
	fields: []string{
		"capital = $capital", "coordinates = $coord", "established_date = $started", "population_estimate = $population",
		"area_km2 = $area", "government_type = [[Republic]]",
	},
	lead: []string{
		"'''$title''' is a [[country]]. Its neighbours are $neighbours. It is known for $topic, $general and its $wild.",
		"'''$title''', officially the '''Republic of $name''', is a [[country]] ([[List of countries|list]]) beside $neighbours.",
	},
	body: []section{
		{"History", 6, historyPool},
		{"Geography", 4, naturePool},
		{"Wildlife", 3, []string{
			"The most common animals belong to $wild and $wild.", "$wild and $wild are protected since $year.",
			"Little is left of $wild outside the parks.", "The national flower is one of $wild.",
		}},
		{"Economy", 5, economyPool},
		{"Culture", 4, meaningPool},
	},
	below: []group{{"Regions", kindRegion}, {"Rulers", kindPerson}},
	more:  countryLists,
}

// countryLists leads to the lists that only countries have, and tells about other countries.
func countryLists(a *article) {
	a.say("== Relations ==\n$title has embassies in:\n")
	others := a.w.ofKind[kindCountry]
	for _, i := range a.r.Choose(len(others), min(len(others), 6)) {
		if others[i] != a.self {
			a.WriteString("* " + a.link(others[i]) + "\n")
		}
	}
	a.WriteString("\n")
	a.ownLists("Lists")
	a.say("* [[List of countries]]\n* [[List of regions]]\n\n")
}

// ownLists links to the list articles about this thing.
func (a *article) ownLists(heading string) {
	a.say("== " + heading + " ==\n")
	for _, i := range a.w.kids(a.self, kindList) {
		a.WriteString("* " + a.link(i) + "\n")
	}
	a.WriteString("\n")
}

var regionForm = form{
	about: "Region of $place",
	box:   "Infobox settlement",
	fields: []string{
		"settlement_type = [[Region]]", "subdivision_name = $country", "coordinates = $coord", "established_date = $started",
		"population_total = $population", "area_km2 = $area", "elevation_m = $height",
	},
	lead: []string{
		"'''$title''' is a [[region]] of $country. It borders on $peer and is known for $topic.",
		"The [[region]] of '''$title''' lies in $country, $distance from $peer.",
	},
	body: []section{
		{"History", 4, historyPool}, {"Geography", 3, naturePool}, {"Economy", 3, economyPool},
	},
	below: []group{{"Districts", kindDistrict}, {"Rivers, mountains and lakes", kindLandform}, {"Notable people", kindPerson}},
	more:  func(a *article) { a.ownLists("Settlements") },
}

var districtForm = form{
	about: "District in $place",
	box:   "Infobox settlement",
	fields: []string{
		"settlement_type = [[District]]", "subdivision_name = $country", "subdivision_name1 = $region", "coordinates = $coord",
		"population_total = $population", "area_km2 = $km2", "elevation_m = $height",
	},
	lead: []string{
		"'''$title''' is a [[district]] in $region, $country. It lies on $river.",
		"'''$title''' is one of the districts of $region in $country; the next one is $peer.",
	},
	body: []section{
		{"History", 3, historyPool}, {"Geography", 2, naturePool}, {"Economy", 2, economyPool},
	},
	below: []group{{"Settlements", kindSettlement}, {"Events", kindEvent}, {"People", kindPerson}},
}

var settlementForm = form{
	about: "$Noun in $place",
	box:   "Infobox settlement",
	fields: []string{
		"settlement_type = [[$Noun]]", "subdivision_name = $country", "subdivision_name1 = $region",
		"coordinates = $coord", "established_date = $started", "population_total = $population", "area_km2 = $km2", "elevation_m = $height",
	},
	lead: []string{
		"'''$title''' is a [[$noun]] in $district, $region, $country.",
		"'''$title''' is a [[$noun]] in $district in $country, on $river. It lies $distance from $peer.",
		"'''$title''' is a [[$noun]] of $district, best known for $topic.",
	},
	body: []section{
		{"History", 3, historyPool}, {"Geography", 2, naturePool}, {"Economy", 2, economyPool},
	},
	below: []group{{"Landmarks", kindBuilding}, {"Notable people", kindPerson}},
}

var buildingForm = form{
	about: "$Noun in $place",
	box:   "Infobox building",
	fields: []string{
		"building_type = [[$Noun]]", "location = $parent", "coordinates = $coord", "opened = $started", "height = {{convert|$small|m|ft}}",
		"capacity = $number",
	},
	lead: []string{
		"'''$title''' is a [[$noun]] in $parent, $country.",
		"'''$title''' is the oldest [[$noun]] of $district. It stands in $parent.",
	},
	body: []section{
		{"History", 4, historyPool},
		{"Architecture", 2, []string{
			"The style shows the taste of the $century.", "Its walls are of stone from $region.",
			"The roof was raised in $year, after models in $abroad.", "The plan follows ideas about $topic.",
		}},
		{"Reception", 2, meaningPool},
	},
}

var landformForm = form{
	about: "$Noun in $place",
	box:   "Infobox $noun",
	fields: []string{
		"country = $country", "region = $region", "coordinates = $coord", "length = $length", "elevation_m = $height",
	},
	lead: []string{
		"'''$title''' is a [[$noun]] in $region, $country.",
		"'''$title''' is the longest [[$noun]] of its kind in $region. See [[List of ${noun}s]].",
	},
	body: []section{
		{"Course", 4, naturePool}, {"History", 3, historyPool}, {"Use", 3, economyPool},
	},
	more: landformPlaces,
}

// landformPlaces names districts, not villages: a river would else be a short cut to all of them.
func landformPlaces(a *article) {
	districts := a.w.kids(a.t.parent, kindDistrict)
	if len(districts) == 0 {
		return
	}
	a.WriteString("== Places ==\n")
	for _, i := range a.r.Choose(len(districts), min(len(districts), 3)) {
		a.WriteString("* " + a.link(districts[i]) + "\n")
	}
	a.WriteString("\n")
}

var eventForm = form{
	about: "$Noun in $place",
	box:   "Infobox event",
	fields: []string{
		"date = $started", "place = $district", "coordinates = $coord", "participants = $number",
	},
	lead: []string{
		"The '''$title''' was an event (a kind of [[$noun]]) in $district, $country.",
		"The '''$title''' took place in $district, $region.",
	},
	body: []section{
		{"Background", 4, historyPool}, {"Course", 2, naturePool}, {"Aftermath", 4, meaningPool},
	},
}
