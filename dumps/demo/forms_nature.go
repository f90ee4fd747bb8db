package demo

var taxonBody = []section{
	{"Description", 3, []string{
		"The number of known forms is about $number.", "Its body shows signs of $topic.",
		"It differs from $peer in $small characters.", "$topic and $topic were studied in it first.",
		"It is a common object of $topic.",
	}},
	{"Distribution", 3, []string{
		"It is found in $abroad and $abroad.", "In $abroad it is rare since $year.", "It was brought to $abroad in $year.",
		"Finds from $abroad are doubtful.", "It prefers places touched by $general.",
	}},
	{"Research", 3, []string{
		"It was named in $year.", "A study of $year moved it nearer to $peer.", "Its role in $topic was shown in $year.",
		"Collectors of the $century paid for it in gold.", "Older works place it in another part of $kingdom.",
		"A revision of the $decade left $class as it was.",
	}},
}

// taxonForm is the form of a rank whose articles name the taxa of the next rank.
func taxonForm(title string, next kind) *form {
	return &form{
		about:  "$Noun of living things",
		box:    "Automatic taxobox",
		fields: []string{"taxon = $name", "parent = $parent", "classis = $class"},
		lead: []string{
			"'''''$title''''' is a [[taxonomy|$noun]] in $parent.",
			"'''''$title''''' is a [[taxonomy|$noun]] of $class within $kingdom, best known for $topic.",
		},
		body:  taxonBody,
		below: []group{{title, next}},
		more:  func(a *article) { a.ownLists("Lists") },
	}
}

var speciesForm = form{
	about: "Species of living thing",
	box:   "Speciesbox",
	fields: []string{
		"genus = $parent", "familia = $family", "ordo = $order", "length = {{convert|$small|cm|in}}",
	},
	lead: []string{
		"'''''$title''''' is a [[species]] of $family in the genus $parent.",
		"'''''$title''''' is a [[species]] in the genus $parent, order $order, found in $abroad.",
	},
	body: taxonBody,
}
