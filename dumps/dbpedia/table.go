package dbpedia

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// The rules by which a class has its label, or none.
const (
	RuleSelf     = "self"     // the class is an anchor
	RuleAncestor = "ancestor" // an anchor is on its way to the root
	RuleRepaired = "repaired" // it would be, had the ontology not a parent on the way that is no class
	RuleOverride = "override" // wording of the paper behind the family
	RulePolicy   = "policy"   // an addition of ours, which can be switched off
	RuleUnmapped = "unmapped" // no label
)

var rules = []string{RuleSelf, RuleAncestor, RuleRepaired, RuleOverride, RulePolicy, RuleUnmapped}

// Row is what the table says of one class.
type Row struct {
	Class string
	Level
}

// Table takes a class to its label.
type Table struct {
	SHA256 string // of the text
	rows   map[string]Row
}

// level2TSV is the normative table, made from the ontology of June 2024; its first lines say from where.
//
//go:embed level2.tsv
var level2TSV []byte

// DefaultTable is the table that comes with the program.
var DefaultTable = sync.OnceValue(func() *Table {
	t, err := ParseTable(level2TSV)
	if err != nil {
		panic(err) // the file is compiled in
	}
	return t
})

// tableColumns is the table's header.
const tableColumns = "dbo_class\tlevel2_label\trule\tanchor\tdepth_below_thing\tchain\tnote"

// ParseTable reads a table; what is wrong with it is a fault.Malformed with the line.
func ParseTable(text []byte) (*Table, error) {
	sum := sha256.Sum256(text)
	t := &Table{SHA256: hex.EncodeToString(sum[:]), rows: map[string]Row{}}
	_, at, err := rowsOf(context.Background(), bytes.NewReader(text), strings.Split(tableColumns, "\t"), t.add)
	if err != nil {
		return nil, packed.Placed("level-2 table", at, err)
	}
	return t, nil
}

func (t *Table) add(_ int64, cells []string) error {
	depth, err := strconv.Atoi(cells[4])
	chain := strings.Split(cells[5], ">")
	r := Row{cells[0], Level{cells[1], cells[2], cells[3], depth, chain[:len(chain)-1]}}
	_, known := schemas.LabelBit(r.Label)
	switch {
	case t.rows[r.Class].Class != "":
		return fmt.Errorf("class %s stands twice", fault.Quote(r.Class))
	case !slices.Contains(rules, r.Rule):
		return fmt.Errorf("rule %s, want one of %v", fault.Quote(r.Rule), rules)
	case (r.Rule == RuleUnmapped) != (r.Label == "") || r.Label != "" && !known:
		return fmt.Errorf("label %s for rule %s", fault.Quote(r.Label), r.Rule)
	case err != nil || len(r.Chain) != depth || chain[depth] != "owl:Thing" || r.Chain[0] != r.Class:
		return fmt.Errorf("chain %s is not of depth %s from %s to owl:Thing", fault.Quote(cells[5]), cells[4], fault.Quote(r.Class))
	case repeats(r.Chain):
		return fmt.Errorf("the chain %s is a cycle", fault.Quote(cells[5]))
	}
	t.rows[r.Class] = r
	return nil
}

func repeats(list []string) bool {
	seen := map[string]bool{}
	return slices.ContainsFunc(list, func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}

func (t *Table) Row(class string) (Row, bool) {
	r, ok := t.rows[class]
	return r, ok
}

// Classes lists the classes of the table, sorted.
func (t *Table) Classes() []string { return slices.Sorted(maps.Keys(t.rows)) }

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
