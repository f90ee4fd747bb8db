package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// forged is a run that somebody edits: the files of its folder, each with its lines.
type forged struct {
	layout     trace.Layout
	run        string
	main, side []string
}

func readForged(t *testing.T, dir string, l trace.Layout) forged {
	read := func(name string) []string {
		if name == "" {
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	}
	return forged{l, read(trace.RunFile)[0], read(l.Main), read(l.Side)}
}

func (f forged) write(t *testing.T, dir string) {
	must(t, os.MkdirAll(dir, 0o755))
	put(t, filepath.Join(dir, trace.RunFile), f.run)
	put(t, filepath.Join(dir, f.layout.Main), strings.Join(f.main, "\n")+"\n")
	if f.layout.Side != "" {
		put(t, filepath.Join(dir, f.layout.Side), strings.Join(f.side, "\n")+"\n")
	}
}

// add appends a line of another log, with what belongs to it, after change has been at them.
func (f forged) add(from forged, n int, change func(string) string) forged {
	item, _ := from.layout.Key([]byte(from.main[n]))
	f.main = append(slices.Clone(f.main), change(from.main[n]))
	f.side = slices.Clone(f.side)
	for _, line := range from.side {
		if of, _ := from.layout.Key([]byte(line)); of == item {
			f.side = append(f.side, change(line))
		}
	}
	return f
}

// edit changes the first line of the main file.
func (f forged) edit(change func(string) string) forged {
	f.main = slices.Clone(f.main)
	f.main[0] = change(f.main[0])
	return f
}

// field returns a change that gives a line the field, in place of one of that name if it has one.
func field(name, value string) func(string) string {
	return func(line string) string {
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(line), &fields) != nil {
			return line
		}
		if _, ok := fields[name]; ok {
			at := regexp.MustCompile(`"` + name + `":("[^"]*"|\{[^{}]*\}|[^,{}]+)`)
			return at.ReplaceAllLiteralString(line, `"`+name+`":`+value)
		}
		return strings.TrimSuffix(line, "}") + `,"` + name + `":` + value + `}`
	}
}

// renaming returns a change of the name of the instance, wherever it stands.
func renaming(change func(name string) string) func(string) string {
	return func(line string) string {
		at := regexp.MustCompile(`"(id|instance|instance_id|game)":"[^"]*"`)
		return at.ReplaceAllStringFunc(line, func(pair string) string {
			key, name, _ := strings.Cut(pair, ":")
			return key + `:"` + change(strings.Trim(name, `"`)) + `"`
		})
	}
}

func same(line string) string { return line }

// forgeries are what somebody does to an honest run who knows the right answers of best and the
// records of another family.
var forgeries = []struct {
	name  string
	forge func(honest, best, other forged) forged
}{
	{"a line again", func(h, _, _ forged) forged { return h.add(h, 0, same) }},
	{"the right line after the wrong one", func(h, b, _ forged) forged { return h.add(b, 0, same) }},
	{"the right line before the wrong one", func(h, b, _ forged) forged {
		h = h.add(b, 0, same)
		last := len(h.main) - 1
		h.main = append(h.main[last:last:last], append(h.main[last:], h.main[:last]...)...)
		return h
	}},
	{"an invented instance", func(h, b, _ forged) forged {
		return h.add(b, 0, renaming(func(name string) string { return "x" + name }))
	}},
	{"an invented prefix", func(h, b, _ forged) forged {
		return h.add(b, 0, renaming(func(name string) string { return name + "9" }))
	}},
	{"no instance", func(h, b, _ forged) forged {
		return h.add(b, 0, renaming(func(string) string { return "" }))
	}},
	{"a second attempt", func(h, b, _ forged) forged { return h.add(b, 0, field("attempt", "2")) }},
	{"attempt zero", func(h, b, _ forged) forged { return h.add(b, 0, field("attempt", "0")) }},
	{"a claim of success", func(h, b, _ forged) forged {
		var won struct{ Outcome string }
		_ = json.Unmarshal([]byte(b.main[0]), &won)
		return h.edit(field("outcome", `"`+won.Outcome+`"`))
	}},
	{"a claim of fewer turns", func(h, _, _ forged) forged { return h.edit(field("turns", "1")) }},
	{"a claim that the endpoint failed", func(h, _, _ forged) forged {
		return h.edit(func(line string) string {
			if strings.Contains(line, `"outcome":`) {
				return field("outcome", `"infra"`)(line)
			}
			return field("infra", `"the line was down"`)(line)
		})
	}},
	{"NaN", func(h, _, _ forged) forged { return h.edit(field("usage", "NaN")) }},
	{"tokens below zero", func(h, _, _ forged) forged {
		return h.edit(field("usage", `{"output":0,"prompt":-1000000,"reasoning":0}`))
	}},
	{"tokens beyond all numbers", func(h, _, _ forged) forged {
		return h.edit(field("usage", `{"output":0,"prompt":1e999,"reasoning":0}`))
	}},
	{"a key twice", func(h, b, _ forged) forged {
		return h.edit(func(line string) string { return strings.TrimSuffix(line, "}") + "," + b.main[0][1:] })
	}},
	{"null", func(h, _, _ forged) forged { return h.edit(func(string) string { return "null" }) }},
	{"a loss left out", func(h, _, _ forged) forged { h.main = h.main[1:]; return h }},
	{"a line of another family", func(h, _, o forged) forged { return h.add(o, 0, same) }},
	{"the run of another family", func(h, _, o forged) forged { h.run = o.run; return h }},
	{"the run of another release", func(h, _, _ forged) forged {
		h.run = field("manifest_sha256", `"`+strings.Repeat("0", 64)+`"`)(h.run)
		return h
	}},
}

// logForms are the ways to hand a log to score: a run directory, and the lines of a file that knows of no
// run.
var logForms = []struct {
	name  string
	lines func(forged) []string // nil for a directory
}{
	{"a run directory", nil},
	{"the file alone", func(log forged) []string { return log.main }},
	{"short lines", func(log forged) (lines []string) {
		for _, line := range log.main {
			lines = append(lines, short(line))
		}
		return lines
	}},
}

// short returns a line of a record without what a list of one's own leaves out; what somebody added to
// it stays.
func short(line string) string {
	kept := []string{"instance", "path", "attempt", "outcome", "usage", "id", "reply"}
	for _, f := range slices.Concat(reflect.VisibleFields(reflect.TypeFor[schemas.Game]()), reflect.VisibleFields(reflect.TypeFor[question.Reply]())) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && !slices.Contains(kept, name) {
			at := regexp.MustCompile(`"` + name + `":("[^"]*"|\[[^\[\]]*\]|\{[^{}]*\}|[^,{}\[\]]+)(,|\})`)
			line = at.ReplaceAllStringFunc(line, func(pair string) string { return strings.TrimLeft(pair[len(pair)-1:], ",") })
		}
	}
	return strings.Replace(line, ",}", "}", 1)
}

// TestAForgedLogMovesNoMetricInItsFavourAndIsNamed forges an honest run of every family in every way, and
// hands it over in every form that the family's score takes: the log is refused, or no metric is better
// than the honest one's; either way what was forged is named.
func TestAForgedLogMovesNoMetricInItsFavourAndIsNamed(t *testing.T) {
	rel, dir := wholeRelease(t), t.TempDir()
	play := func(f family.Family, player string) (forged, bool) {
		out := filepath.Join(dir, f.Name()+"-"+player)
		args := []string{"play", "--release", rel, "--family", f.Name(), "--player", player, "--out", out}
		if f.Name() == "constrained" {
			args = append(args, "--option", "target_intro=0") // the release has no leads
		}
		if eval(args...).code != 0 {
			return forged{}, false
		}
		return readForged(t, out, f.Layout()), true
	}
	for i, f := range families.All {
		other, _ := play(families.All[(i+2)%len(families.All)], "random")
		honest, _ := play(f, "random")
		best, won := forged{}, false
		for _, player := range []string{"shortest-legal", "shortest", "golden", "optimal"} {
			if best, won = play(f, player); won {
				break
			}
		}
		for _, form := range logForms {
			score := func(log forged) (result, string) {
				out := filepath.Join(t.TempDir(), "run")
				if form.lines == nil {
					log.write(t, out)
				} else {
					put(t, out, strings.Join(form.lines(log), "\n")+"\n")
				}
				return eval("score", "--release", rel, "--family", f.Name(), "--trajectories", out, "--json"), out
			}
			plain, _ := score(honest)
			if form.lines != nil && strings.Contains(plain.stderr, "the release has no leads") {
				continue // a list of games cannot say that its player was shown none
			}
			if form.lines != nil && strings.Contains(plain.stderr, `schema is ""`) {
				continue // its lines have no short form
			}
			want := scoresOf(t, plain.want(t, 0))
			if perfect, _ := score(best); len(bettered(f, scoresOf(t, perfect), want)) == 0 {
				t.Fatalf("%s as %s: right answers are no better than random ones", f.Name(), form.name)
			}
			for _, c := range forgeries {
				log := c.forge(honest, best, other)
				if form.lines != nil && slices.Equal(form.lines(log), form.lines(honest)) {
					continue // nothing of it is in the file
				}
				if log.run == honest.run && slices.Equal(log.main, honest.main) && slices.Equal(log.side, honest.side) {
					continue // where losses and successes have one outcome
				}
				r, out := score(log)
				said := strings.ReplaceAll(r.stdout+r.stderr, out, "")
				if !namesForgery.MatchString(said) {
					t.Errorf("%s as %s: %s is not named: %d, %.2000s", f.Name(), form.name, c.name, r.code, said)
				}
				if r.stdout != "" {
					for _, moved := range bettered(f, scoresOf(t, r), want) {
						t.Errorf("%s as %s: %s moves %s", f.Name(), form.name, c.name, moved)
					}
				}
			}
		}
	}
}

// namesForgery matches a place in a log, or how many items a run or a file lacks or failed on.
var namesForgery = regexp.MustCompile(`\bline \d|run\.json|the endpoint failed on 1 items|1 of \d+ items are missing|MISSING 1/`)

// bettered lists the metrics of got that are better than those of want. Of a row that says MISSING it is
// the metric that ranks alone: the others are of what was played.
func bettered(f family.Family, got, want family.Scores) (list []string) {
	for i, row := range want.Rows {
		for n, c := range f.Columns() {
			if n > 0 && got.Rows[i].Has(judge.FlagMissing) {
				break
			}
			a, b := got.Rows[i].Metrics[c.Metric].Value, row.Metrics[c.Metric].Value
			if a != nil && b != nil && float64(c.Better)*(judge.Number(*a)-judge.Number(*b)) > 0 {
				list = append(list, row.Split+" "+c.Metric+" from "+*b+" to "+*a)
			}
		}
	}
	return list
}
