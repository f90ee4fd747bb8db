package aar

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// providerRows is the table provider: what clues of templates that only a provider answers say
// besides the table clues, and where pages state the symbols of shares and coins.
type providerRows struct {
	Wordings map[string][]string
	Notes    map[string]string
	Noted    map[string]string // the note of a template
	Symbols  map[string]symbolRow
}

// symbolRow is how a page states a symbol: in the first of the rows that it has, in this form.
type symbolRow struct {
	Rows    []string
	Infobox []string // "" for any
	Form    string
	Suffix  string
}

var providerTable = lazily[providerRows]("provider")

// Provided lists the templates that only a provider answers, in the order of their table.
var Provided = sync.OnceValue(func() (list []string) {
	for _, t := range templateTable().Templates {
		if !slices.Contains(Natives(), t.Name) {
			list = append(list, t.Name)
		}
	}
	return list
})

// providedWordings returns the wordings of a provider's template, nil for one that has none here.
func providedWordings(template string) []string {
	if own := providerTable().Wordings[template]; own != nil {
		return own
	}
	noun, ok := clueWords().ProviderNouns[template]
	if !ok {
		return nil
	}
	return filled(clueWords().Tool["provider"], "noun", noun)
}

// providedNote returns the note of the clues of a template, and whether each of them has it.
func providedNote(template string) (text string, always bool) {
	name := providerTable().Noted[template]
	return providerTable().Notes[name], name == "coin"
}

// Asks reports whether the chain of a template has a variable, as in location_b.
func Asks(template, variable string) bool {
	return slices.Contains(variablesOf(template), "$"+variable)
}

func variablesOf(template string) (list []string) {
	for _, t := range templateTable().Templates {
		if t.Name == template {
			for _, c := range t.Chain {
				list = append(list, chainVariable.FindAllString(string(c.Args), -1)...)
			}
		}
	}
	return list
}

// Symbol returns the symbol that the infobox of a page states for a variable of templates, ticker
// or symbol; "" for none.
func Symbol(text, variable string) string {
	row := providerTable().Symbols[variable]
	box := readInfobox(text)
	if len(row.Infobox) > 0 && !slices.Contains(row.Infobox, foldName(box.name)) {
		return ""
	}
	for _, label := range row.Rows {
		for _, r := range box.rows {
			if r.label == label {
				m := regexp.MustCompile(row.Form).FindStringSubmatch(r.cell)
				if m == nil {
					return ""
				}
				return m[1] + row.Suffix
			}
		}
	}
	return ""
}

// DayOf returns the day, as 2026-01-31, for which a template asks where its page states a date: for
// a share the Friday before a day at a weekend.
func DayOf(template, date string) string {
	d, err := time.Parse(time.DateOnly, date)
	if err != nil || !Asks(template, "ticker") {
		return date
	}
	switch d.Weekday() {
	case time.Saturday:
		d = d.AddDate(0, 0, -1)
	case time.Sunday:
		d = d.AddDate(0, 0, -2)
	}
	return d.Format(time.DateOnly)
}

// LongDay writes 2026-01-31 as 31 January 2026, and ShortDay reads it.
func LongDay(iso string) string { return longDate(iso) }

// ShortDay reads a day as clues have it; "" for another text.
func ShortDay(shown string) string {
	d, err := time.Parse("2 January 2006", shown)
	if err != nil {
		return ""
	}
	return d.Format(time.DateOnly)
}

// DiamondDay returns the day that all diamonds of a kind ask for; "" for none.
func DiamondDay(kind string) string {
	for _, d := range templateTable().Kinds {
		if d.Name == kind {
			return d.Day
		}
	}
	return ""
}

// dayArguments are the arguments of calls that hold a day.
var dayArguments = []string{"start_date", "end_date", "date"}

// current puts into the arguments of a call of a provider what the last page stop says now: the
// day that it states and the symbol of its page.
func (x *executor) current(i int, c schemas.AARCall, args map[string]any) error {
	k := x.lastPage(i)
	if k < 0 {
		return nil
	}
	template := templateByKey()[c.OutputKey]
	if was, err := isoDate(x.leg.Stops[k].ExtractedValue); err == nil {
		for _, name := range dayArguments {
			if args[name] != DayOf(template, was) {
				continue
			}
			v, err := x.value(k, i)
			if err != nil {
				return err
			}
			now, err := isoDate(v)
			if err != nil {
				return err
			}
			args[name] = DayOf(template, now)
		}
	}
	for _, name := range []string{"ticker", "symbol"} {
		if _, has := args[name]; !has {
			continue
		}
		page, err := x.pageOf(&x.leg.Stops[k])
		if err != nil {
			return err
		}
		now := Symbol(x.World.Text(page).Text, name)
		if now == "" {
			return missing("the page %s states no symbol", x.World.Title(page))
		}
		args[name] = now
	}
	return nil
}

// CassetteFile holds the recorded answers of a release whose legs need them, without rewordings.
const CassetteFile = "cassette.jsonl"

// ReleasedCassette reads the cassette of a release, nil for none.
func ReleasedCassette(f release.Files) (*Cassette, error) {
	if !f.Has(CassetteFile) {
		return nil, nil
	}
	data, err := f.Read(CassetteFile)
	if err != nil {
		return nil, err
	}
	return ReadCassette(bytes.NewReader(data), CassetteFile)
}

// RecordingSchema names the version of its lines. 1: first layout.
const RecordingSchema = "aar.recording/1"

// ToolLLM is the tool by which rewordings are recorded. No agent has it.
const ToolLLM = "llm"

// Answers returns the recordings that tools answer from, without rewordings; nil for none.
func (c *Cassette) Answers() *Cassette {
	out := NewCassette()
	if c != nil {
		for key, r := range c.records { // each by itself
			if r.Tool != ToolLLM {
				out.records[key] = r
			}
		}
	}
	if len(out.records) == 0 {
		return nil
	}
	return out
}

// IsProvided reports whether a slot has the wordings that templates of providers share.
func IsProvided(slot string) bool {
	name, tool := strings.CutPrefix(slot, "tool.")
	return tool && clueWords().Tool[name] == nil && providerTable().Wordings[name] == nil
}

// maxOutput is how many bytes of an answer a stop may hold.
const maxOutput = 64 << 10

// Fits reports whether a leg can hold the answers of a chain that was run, and be read again.
func Fits(chain []schemas.AARCall) bool {
	return !slices.ContainsFunc(chain, func(c schemas.AARCall) bool {
		_, err := Compact(c.ExpectedOutput)
		return len(c.ExpectedOutput) > maxOutput || err != nil
	})
}

// slotRating is the slot of a provider that has wordings of its own in the table clues.
const slotRating = "tool.place_rating"

// providedWords is what clues of Provided may hold.
var providedWords = sync.OnceValue(func() string {
	var out []string
	for _, name := range Provided() {
		out = append(out, Wordings("tool."+name)...)
	}
	for _, text := range providerTable().Notes { // sorted below
		out = append(out, text)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
})
