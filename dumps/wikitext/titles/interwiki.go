package titles

import (
	_ "embed"
	"strings"
	"sync"
)

// interwikiTSV is the project's own table, a union over wikis: lines of prefix, tab, "language" or "project".
//
//go:embed interwiki_prefixes.tsv
var interwikiTSV string

// interwikiPrefixes parses the table once and tells which prefixes lead to another language of the same project, not to another
// project or site. A bad line is a fault of the build, hence the panic.
var interwikiPrefixes = sync.OnceValue(func() map[string]bool {
	table := map[string]bool{}
	_, rows, _ := strings.Cut(interwikiTSV, "\n")
	for row := range strings.Lines(rows) {
		name, kind, _ := strings.Cut(strings.TrimSpace(row), "\t")
		if name == "" || kind != "language" && kind != "project" {
			panic("wikitext: bad row in interwiki_prefixes.tsv: " + row)
		}
		table[name] = kind == "language"
	}
	return table
})
