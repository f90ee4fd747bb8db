package demo

// form is the pattern of all articles of one kind: data, in which $words (words.go) stand for what differs.
type form struct {
	about  string   // the short description
	box    string   // the infobox template; "" for none
	fields []string // its parameters, "name = value"
	lead   []string // first paragraphs, of which one is drawn
	body   []section
	below  []group
	more   func(*article) // what only this kind has; nil for nothing
}

// section is a heading and so many sentences drawn from a pool.
type section struct {
	title string
	count int
	pool  []string
}

// group is a heading and the kids of one kind.
type group struct {
	title string
	kind  kind
}

var forms = [kinds]*form{
	kindCentury: &centuryForm, kindDecade: &decadeForm, kindYear: &yearForm,
	kindTopic: &topicForm, kindList: &listForm,
	kindCountry: &countryForm, kindRegion: &regionForm, kindDistrict: &districtForm, kindSettlement: &settlementForm,
	kindBuilding: &buildingForm, kindLandform: &landformForm, kindEvent: &eventForm,
	kindPerson: &personForm, kindWork: &workForm,
	kindKingdom: taxonForm("Classes", kindClass), kindClass: taxonForm("Orders", kindOrder),
	kindOrder: taxonForm("Families", kindFamily), kindFamily: taxonForm("Genera", kindGenus),
	kindGenus: taxonForm("Species", kindSpecies), kindSpecies: &speciesForm,
}

// The sentences that articles of many kinds share.
var (
	historyPool = []string{
		"A fire in $year destroyed much of it.",
		"It is first mentioned in a [[census]] of the $century, which counted $number hearths.",
		"The war of $year left few traces here, unlike in $abroad.",
		"A plague reached $country in $year, and $topic never recovered.",
		"In the $decade new ideas about $general arrived from $abroad.",
		"After $year the name was spelled in $small different ways.",
		"Its records were kept by $ruler until $year.",
		"Little is known of the time before $year; see also $red.",
		"The reform of $year changed $general for good.",
		"During the $decade, $topic and $general brought some wealth.",
	}
	naturePool = []string{
		"The land is shaped by $topic and by $river.",
		"Rain falls on $small days a month, and $topic depends on it.",
		"Of the wild life, $wild is the most studied, by methods of $general.",
		"The road to $peer is $distance long.",
		"The highest point lies $number steps above $river.",
		"In hard winters, $topic is the only way through.",
	}
	economyPool = []string{
		"Most people live from $topic and $general.",
		"The market for $topic dates from $year.",
		"Exports go to $abroad, mostly for $general.",
		"Since $year there is a $general office; its files are described in $red.",
		"A study of $year found $number people working in $topic.",
		"Work in $general was scarce in the $decade.",
	}
	meaningPool = []string{
		"It is often compared with $peer.",
		"Critics in $abroad thought of it as a lesson in $general.",
		"A commission of $year placed it between $topic and $general.",
		"It is taught in schools since $year, together with $topic.",
		"In $country it stands for $general.",
		"Its reception changed in the $decade, when $general came into fashion.",
		"An exhibition about $topic toured $abroad in $year.",
	}
)
