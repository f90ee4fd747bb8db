package wikitext

// language holds the words of one content language. A nil or empty part means that no rule is known: then nothing is
// flagged, and only #REDIRECT redirects.
type language struct {
	redirects      []string          // words besides REDIRECT, in any letter case
	disambiguation string            // the word in parentheses at the end of a title
	templates      map[string]bool   // disambiguation templates, as titles of namespace 10
	lists          []string          // first words of list-like titles, blank included
	isDate         func(string) bool // date-like titles
}

// languages by xml:lang. List and date patterns and template names exist for English only.
var languages = map[string]language{
	"de": {disambiguation: "Begriffsklärung", redirects: []string{"WEITERLEITUNG"}},
	"en": {
		disambiguation: "disambiguation",
		templates:      englishDisambiguation,
		lists:          []string{"List of ", "Lists of ", "Index of ", "Outline of ", "Timeline of ", "Glossary of "},
		isDate:         isEnglishDate,
	},
	"es": {disambiguation: "desambiguación", redirects: []string{"REDIRECCIÓN"}},
	"fr": {disambiguation: "homonymie", redirects: []string{"REDIRECTION"}},
	"it": {disambiguation: "disambigua", redirects: []string{"RINVIA", "RINVIO", "RIMANDO"}},
	"nl": {disambiguation: "doorverwijspagina", redirects: []string{"DOORVERWIJZING"}},
	"pl": {disambiguation: "ujednoznacznienie", redirects: []string{"PATRZ", "PRZEKIERUJ", "TAM"}},
	"pt": {disambiguation: "desambiguação"},
	"ru": {disambiguation: "значения", redirects: []string{"перенаправление", "перенапр"}},
	"sv": {disambiguation: "olika betydelser", redirects: []string{"OMDIRIGERING"}},
}

// englishDisambiguation is English Wikipedia's list; pages about names and set indexes are not in it on purpose.
var englishDisambiguation = map[string]bool{
	"Disambiguation": true, "Disambig": true, "Disamb": true, "Dab": true, "Hndis": true, "Geodis": true,
	"Mil-unit-dis": true, "Numberdis": true, "Airport disambiguation": true, "Callsign disambiguation": true,
	"Chinese title disambiguation": true, "School disambiguation": true,
	"Species latin name disambiguation": true, "Place name disambiguation": true,
	"Letter-number combination disambiguation": true, "Mathematical disambiguation": true,
	"Hospital disambiguation": true, "Church disambiguation": true,
}
