package wikitext

import "strings"

// infoboxNames are the infoboxes that are not called so (specification 7.1).
var infoboxNames = map[string]bool{
	"Taxobox": true, "Speciesbox": true, "Automatic taxobox": true, "Chembox": true, "Drugbox": true, "Geobox": true,
}

// isInfobox tells whether a template of that title is an infobox.
func isInfobox(name string) bool {
	rest, found := strings.CutPrefix(name, "Infobox")
	return found && (rest == "" || rest[0] == ' ') || infoboxNames[name]
}

// IsInfobox tells whether t is an infobox by its name.
func (t *Template) IsInfobox() bool { return isInfobox(t.Name) }
