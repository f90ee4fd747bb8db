package dbpedia

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
	"sync"
)

// infoboxesEN is our own table, sorted by template.
//
//go:embed infoboxes_en.tsv
var infoboxesEN string

// infoboxes gives the tables by language, made once. A bad row is a fault of the build, hence the panic.
var infoboxes = sync.OnceValue(func() map[string]map[string]string {
	table := map[string]string{}
	_, _, err := rowsOf(context.Background(), strings.NewReader(infoboxesEN), []string{"template", "class"}, func(_ int64, cells []string) error {
		table[cells[0]] = cells[1]
		return nil
	})
	if err != nil {
		panic("dbpedia: infoboxes_en.tsv: " + err.Error())
	}
	return map[string]map[string]string{"en": table}
})

// InfoboxesSHA256 is the digest of all these tables.
func InfoboxesSHA256() string {
	sum := sha256.Sum256([]byte(infoboxesEN))
	return hex.EncodeToString(sum[:])
}

// InfoboxClass gives the class of the pages with an infobox of that name in a wiki of that language. It says less than a type
// of DBpedia does: editors take the box that is near.
func InfoboxClass(language, template string) (class string, ok bool) {
	class, ok = infoboxes()[language][template]
	return class, ok
}
