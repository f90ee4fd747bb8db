// Package lumina is what the family publishes: the instances of ListWorld, TreeWorld and GridWorld
// in their splits. It has the files, their columns, their checks and their section of the data
// card, and reads them from an open release. The rules of the worlds are in package worlds.
package lumina

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/order"
)

// Part is the folder of the family in a release.
var Part release.Part = part{release.Base{
	Artifact: schemas.Lumina, Kinds: kinds(), Of: "nothing of a page",
	Attribution: "wikinav, which drew these worlds from a seed; nothing of a page is in them",
}}

type part struct{ release.Base }

// Set is the name of the files of a split of a world, without their endings.
func Set(env, split string) string { return env + "-" + split }

// world is what the instances of one world have of their own.
type world struct {
	env, schema string
	table       schemas.Table
	doc         []flat.Field
	parquet     func(out io.Writer, lines []byte) (arrowio.Summary, error)
	check       func(c *release.Check, set string) int
	rows        func(f release.Files) (flat.Rows, error)
}

// of is the world of records R.
type of[R any] struct {
	name, version string
	codec         *flat.Codec[R]
	head          func(*R) *schemas.LuminaHead
}

func (w of[R]) world() world {
	return world{w.name, w.version, w.codec.Table(), w.codec.Doc(), w.parquet, w.check, w.rows}
}

// The tables. 1: first layout.
var all = []world{
	of[schemas.LuminaListInstance]{
		schemas.LuminaList, schemas.LuminaListSchema, flat.For[schemas.LuminaListInstance]("wikinav.lumina_list/1"),
		func(r *schemas.LuminaListInstance) *schemas.LuminaHead { return &r.LuminaHead },
	}.world(),
	of[schemas.LuminaTreeInstance]{
		schemas.LuminaTree, schemas.LuminaTreeSchema, flat.For[schemas.LuminaTreeInstance]("wikinav.lumina_tree/1"),
		func(r *schemas.LuminaTreeInstance) *schemas.LuminaHead { return &r.LuminaHead },
	}.world(),
	of[schemas.LuminaGridInstance]{
		schemas.LuminaGrid, schemas.LuminaGridSchema, flat.For[schemas.LuminaGridInstance]("wikinav.lumina_grid/1"),
		func(r *schemas.LuminaGridInstance) *schemas.LuminaHead { return &r.LuminaHead },
	}.world(),
}

func kinds() (list []release.Kind) {
	for _, w := range all {
		table := release.TableKind(w.env+"-*.parquet", w.table)
		table.Fields = func() []flat.Field { return w.doc }
		list = append(list,
			release.Kind{Pattern: w.env + "-*.jsonl", Schema: w.schema, Rows: true},
			table)
	}
	return list
}

// WriteParquet lays the lines of an instance file of a world flat.
func WriteParquet(out io.Writer, env string, lines []byte) (arrowio.Summary, error) {
	return all[slices.IndexFunc(all, func(w world) bool { return w.env == env })].parquet(out, lines)
}

func (w of[R]) parquet(out io.Writer, lines []byte) (arrowio.Summary, error) {
	list, err := jsonl.Decode[R](lines, w.name, w.version)
	if err != nil {
		return arrowio.Summary{}, err
	}
	return w.codec.WriteParquet(out, list)
}

// check checks the files of a set and returns the number of its instances, -1 where they are
// damaged.
func (w of[R]) check(c *release.Check, set string) int {
	list := release.RecordsOf[R](c, set+".jsonl", w.version)
	release.SameRows(c, set+".parquet", w.codec, list)
	index := map[string]bool{}
	release.EachLine(c, set+".jsonl", list, func(r *R) string { return w.head(r).ID }, func(l release.Line, r *R) {
		h := w.head(r)
		l.Is("set", set, Set(h.Env, h.Split))
		place := fmt.Sprint(h.Level, ", ", h.Index)
		if index[place] {
			l.Bad("index", "a place that comes once", place)
		}
		index[place] = true
		// The rules of the world decide everything that follows from the draw, the id included.
		if _, err := worlds.Decode(bytes.TrimSuffix(jsonl.Encode([]R{*r}), []byte("\n"))); err != nil {
			l.Bad("record", "one that follows from its seed and the rules", err)
		}
	})
	if list == nil {
		return -1
	}
	return len(list)
}

func (w of[R]) rows(f release.Files) (flat.Rows, error) {
	var list []R
	for _, split := range schemas.LuminaSplits {
		one, err := release.Lines(f, Set(w.name, split)+".jsonl", w.version, func(r *R) string { return w.head(r).ID })
		if err != nil {
			return flat.Rows{}, err
		}
		list = append(list, one...)
	}
	order.Sort(list, func(a, b R) int { return cmp.Compare(w.head(&a).ID, w.head(&b).ID) })
	return w.codec.Rows(schemas.Lumina.Name+"_"+w.name, list, "level"), nil
}

// Check holds every instance to the rules of its world, and the tables to the lines.
func (part) Check(c *release.Check) {
	have, whole := release.Tally{}, true
	for _, w := range all {
		for _, split := range schemas.LuminaSplits {
			set := Set(w.env, split)
			c.Need(set+".jsonl", set+".parquet")
			n := w.check(c, set)
			whole = whole && n >= 0
			have[release.TallyKey{Of: set}] = n
		}
	}
	for _, name := range c.Names("*-*") {
		set, _, _ := strings.Cut(name, ".")
		if _, known := have[release.TallyKey{Of: set}]; !known {
			c.Add("files", name, "", "a split of a world", "none of that name")
		}
	}
	if whole {
		c.Quotas(have)
	}
}

func (part) Tables(f release.Files) (list []flat.Rows, err error) {
	for _, w := range all {
		rows, err := w.rows(f)
		if err != nil {
			return nil, err
		}
		list = append(list, rows)
	}
	return list, nil
}

func (p part) Card(f release.Files) (release.Card, error) {
	card := release.Card{Text: text}
	for _, w := range all {
		config := release.Config{Name: p.Artifact.Name + "_" + w.env}
		for _, split := range schemas.LuminaSplits {
			name := Set(w.env, split) + ".parquet"
			config.Files = append(config.Files, release.ConfigFile{Split: split, Name: name})
			config.Rows += f.Rows(name)
		}
		card.Configs = append(card.Configs, config)
		card.Text += "\n" + release.FieldTable(p.Folder()+"/"+w.env+"-*.parquet", w.doc)
	}
	return card, nil
}

const text = `## Three small worlds with an oracle (lumina)

A list to shorten, a tree to search, a board to cross: worlds that are drawn from a seed, and in which the best next move is known in every
state, so that plan, state and history can be put into a player's prompt one by one. ` + "`test` and `dev` have the same number of instances of each\nlevel; `fewshot` is what the examples in prompts are made of, and is never played" + `.
`

// Carry takes all files over: worlds follow from their seeds, whatever the graph is.
func (part) Carry(c *release.Carrying) error { return c.Whole() }

// Renamed is documented at release.Carrier; files are taken over whole.
func (part) Renamed(line []byte, _ *release.Pages) ([]byte, error) { return line, nil }
