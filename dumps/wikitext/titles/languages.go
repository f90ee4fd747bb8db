package titles

// language holds the words of one content language. A nil or empty part means that no rule is known: then nothing is
// flagged, and only #REDIRECT redirects.
type language struct {
	redirects      []string          // words besides REDIRECT, in any letter case
	disambiguation string            // the word in parentheses at the end of a title
	templates      map[string]bool   // disambiguation templates, as titles of namespace 10
	categories     map[string]bool   // categories of disambiguation pages, as titles of namespace 14
	switches       []string          // words besides __DISAMBIG__
	lists          []string          // first words of list-like titles, blank included
	isDate         func(string) bool // date-like titles
}

// languages by xml:lang. Tables for languages other than English hold what is certain and claim no completeness: a
// missing word costs a flag, a wrong one an article. More is known from a dump that has its templates.
var languages = map[string]language{
	"de": {
		redirects: []string{"WEITERLEITUNG"}, disambiguation: "Begriffsklärung",
		templates: Set("Begriffsklärung"), categories: Set("Begriffsklärung"), switches: []string{"__BEGRIFFSKLÄRUNG__"},
		lists:  []string{"Liste der ", "Liste des ", "Liste von ", "Listen der ", "Listen von ", "Zeittafel ", "Chronologie "},
		isDate: germanDates.match,
	},
	"en": {
		disambiguation: "disambiguation",
		templates:      englishDisambiguation,
		categories: Set("Disambiguation pages", "All disambiguation pages", "All article disambiguation pages",
			"Human name disambiguation pages", "Place name disambiguation pages"),
		lists:  []string{"List of ", "Lists of ", "Index of ", "Outline of ", "Timeline of ", "Glossary of "},
		isDate: isEnglishDate,
	},
	"es": {
		redirects: []string{"REDIRECCIÓN"}, disambiguation: "desambiguación",
		templates:  Set("Desambiguación", "Desambiguacion", "Desambig", "Disambig"),
		categories: Set("Wikipedia:Desambiguación"), switches: []string{"__DISAMBIGUACIÓN__", "__DISAMBIGUACION__"},
		lists:  []string{"Lista de ", "Listas de ", "Listado de ", "Índice de ", "Cronología de ", "Glosario de "},
		isDate: spanishDates.match,
	},
	"fr": {
		redirects: []string{"REDIRECTION"}, disambiguation: "homonymie",
		templates: Set("Homonymie", "Homonyme"), categories: Set("Homonymie"), switches: []string{"__HOMONYMIE__"},
		lists: []string{
			"Liste de ", "Liste des ", "Liste du ", "Liste d'", "Listes de ", "Listes des ", "Chronologie de ", "Chronologie des ",
			"Chronologie du ", "Glossaire de ", "Glossaire du ",
		},
		isDate: frenchDates.match,
	},
	"it": {
		redirects: []string{"RINVIA", "RINVIO", "RIMANDO"}, disambiguation: "disambigua",
		templates: Set("Disambigua"), categories: Set("Disambigua"),
		lists: []string{
			"Lista di ", "Lista dei ", "Lista degli ", "Lista delle ", "Liste di ", "Elenco di ", "Elenco dei ", "Elenco degli ",
			"Elenco delle ", "Cronologia di ", "Cronologia del ", "Cronologia della ", "Glossario di ",
		},
		isDate: italianDates.match,
	},
	"ltg": {
		templates: Set("Zeimeibu škiršona"), categories: Set("Zeimeibu škiršona"),
		isDate: latgalianDates.match,
	},
	"nl": {
		redirects: []string{"DOORVERWIJZING"}, disambiguation: "doorverwijspagina",
		templates: Set("Dp", "Doorverwijspagina"), categories: Set("Wikipedia:Doorverwijspagina"),
		lists:  []string{"Lijst van ", "Lijsten van ", "Tijdlijn van ", "Chronologie van "},
		isDate: dutchDates.match,
	},
	"pl": {
		redirects: []string{"PATRZ", "PRZEKIERUJ", "TAM"}, disambiguation: "ujednoznacznienie",
		templates: Set("Ujednoznacznienie"), categories: Set("Strony ujednoznaczniające"),
		lists:  []string{"Lista państw ", "Lista miast ", "Lista odcinków ", "Listy państw "},
		isDate: polishDates.match,
	},
	"pt": {
		disambiguation: "desambiguação",
		templates:      Set("Desambiguação", "Desambig", "Disambig"), categories: Set("Desambiguação"),
		lists: []string{
			"Lista de ", "Lista do ", "Lista da ", "Lista dos ", "Lista das ", "Listas de ", "Cronologia de ", "Cronologia do ",
			"Cronologia da ", "Glossário de ",
		},
		isDate: portugueseDates.match,
	},
	"ru": {
		redirects: []string{"перенаправление", "перенапр"}, disambiguation: "значения",
		templates: Set("Неоднозначность", "Disambig"), categories: Set("Страницы значений"),
		lists:  []string{"Список ", "Списки ", "Хронология "},
		isDate: russianDates.match,
	},
	"sv": {
		redirects: []string{"OMDIRIGERING"}, disambiguation: "olika betydelser",
		templates: Set("Förgrening", "Gren"), categories: Set("Förgreningssidor"),
		lists:  []string{"Lista över ", "Listor över "},
		isDate: swedishDates.match,
	},
}

func Set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}

// englishDisambiguation is English Wikipedia's list; pages about names and set indexes are not in it on purpose.
var englishDisambiguation = Set(
	"Disambiguation", "Disambig", "Disamb", "Dab", "Hndis", "Geodis", "Mil-unit-dis", "Numberdis", "Airport disambiguation",
	"Callsign disambiguation", "Chinese title disambiguation", "School disambiguation", "Species latin name disambiguation",
	"Place name disambiguation", "Letter-number combination disambiguation", "Mathematical disambiguation",
	"Hospital disambiguation", "Church disambiguation",
)
