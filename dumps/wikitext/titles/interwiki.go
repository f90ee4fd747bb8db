package titles

import (
	_ "embed"
	"strings"
	"sync"
)

// prefix says what an interwiki prefix leads to.
type prefix uint8

const (
	toProject  prefix = iota + 1 // another project or site
	toLanguage                   // another language of the same project
)

// interwikiTSV is the project's own table, a union over wikis: lines of prefix, tab, "language" or "project".
//
//go:embed interwiki_prefixes.tsv
var interwikiTSV string

// interwikiPrefixes parses the table once. A bad line is a fault of the build, hence the panic.
var interwikiPrefixes = sync.OnceValue(func() map[string]prefix {
	kinds := map[string]prefix{"language": toLanguage, "project": toProject}
	table := map[string]prefix{}
	_, rows, _ := strings.Cut(interwikiTSV, "\n")
	for row := range strings.Lines(rows) {
		name, kind, _ := strings.Cut(strings.TrimSpace(row), "\t")
		if name == "" || kinds[kind] == 0 {
			panic("wikitext: bad row in interwiki_prefixes.tsv: " + row)
		}
		table[name] = kinds[kind]
	}
	return table
})
