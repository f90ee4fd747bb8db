package pipeline

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Files that do not belong together make a graph of no wiki: a table of another day names pages that the dump does not have, types of
// another language name others. Only names can be compared before anything is read; a name that says nothing is let through.

// tableTogether refuses a table whose name tells another wiki or day than the dump's.
func (s *Source) tableTogether(path string) error {
	wiki, date := snapshotOf(filepath.Base(path))
	switch {
	case s.Wiki != "" && wiki != "" && wiki != s.Wiki:
		return apart(path, "wiki", wiki, s.Wiki)
	case s.Date != "" && date != "" && date != latest && date != s.Date:
		return apart(path, "day", date, s.Date)
	}
	return nil
}

var (
	languageOfTypes = regexp.MustCompile(`lang[=_]([a-z][a-z-]*[a-z])[_.-]`)
	languageOfWiki  = regexp.MustCompile(`^([a-z]{2,3}(?:_[a-z_]+)?)wiki$`)
)

// typesTogether refuses instance types whose name tells another language than the wiki's.
func (s *Source) typesTogether(path string) error {
	types, wiki := languageOfTypes.FindStringSubmatch(filepath.Base(path)), languageOfWiki.FindStringSubmatch(s.Wiki)
	if types == nil || wiki == nil || types[1] == strings.ReplaceAll(wiki[1], "_", "-") {
		return nil
	}
	return apart(path, "language", types[1], wiki[1])
}

func apart(path, what, got, want string) error {
	return fault.New(fault.Malformed, "is of %s %s, the dump of %s", what, fault.Quote(got), fault.Quote(want)).At(path, "").
		Hint("give files that belong together, or say --mixed-inputs")
}
