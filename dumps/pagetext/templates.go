package pagetext

import (
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/dumps/wikitext/facts"
	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// expander writes stretches of a flat text in which templates are replaced by what they show.
type expander struct {
	*Renderer
	own   titles.Title
	text  string
	calls []markup.Call
	next  int   // first call that is not passed
	box   int32 // where the infobox begins, negative if there is none
	short string
	shown bool // a short description was found
}

func (r *Renderer) expander(own titles.Title, text string) *expander {
	var b markup.Braces
	b.Find(text)
	return &expander{Renderer: r, own: own, text: text, calls: b.Calls, box: -1}
}

// infobox returns the rows of the first infobox: those of its parameters that have a value and are
// no matter of layout, each with its label.
func (e *expander) infobox() (kind string, rows [][2]string, ok bool) {
	for i := range e.calls {
		c := &e.calls[i]
		if !c.Bounded() {
			continue
		}
		if kind, ok = markup.InfoboxKind(e.templates.Title(e.text, c)); !ok {
			continue
		}
		e.box, e.next = c.Start, i+1
		for _, a := range e.templates.Read(e.text, c).Args {
			key := parameterKey(a.Key)
			if _, err := strconv.Atoi(key); err != nil && !leftOut(key) { // a number stands for no name
				label, value := e.line(parameterLabel(key), true), e.line(e.stretch(a.At, a.To), true)
				if label != "" && value != "" {
					rows = append(rows, [2]string{label, value})
				}
			}
		}
		return e.line(kind, true), rows, true
	}
	return "", nil, false
}

// rest returns the whole text, of which the infobox and the short description are no part.
func (e *expander) rest() string {
	e.next = 0
	return e.stretch(0, len(e.text))
}

// stretch returns text[from:to] with its templates replaced. Stretches come in rising order.
func (e *expander) stretch(from, to int) string {
	var b strings.Builder
	for e.next < len(e.calls) && int(e.calls[e.next].Start) < to {
		c := &e.calls[e.next]
		e.next++
		if int(c.Start) < from { // in a call that was passed
			continue
		}
		b.WriteString(e.text[from:c.Start])
		b.WriteString(e.call(c))
		from = int(c.End)
	}
	if from < to {
		b.WriteString(e.text[from:to])
	}
	return b.String()
}

// call returns what shows of c.
func (e *expander) call(c *markup.Call) string {
	if c.Start == e.box {
		return ""
	}
	if !c.Bounded() {
		e.countDeleted("")
		return ""
	}
	if value, ok := ascii.CutFold(c.Written(e.text), "formatnum:"); ok {
		at := c.Parts[0].End - int32(len(value))
		return strings.TrimSpace(e.stretch(int(at), int(c.Parts[0].End)))
	}
	name := e.templates.Title(e.text, c)
	switch name {
	case "PAGENAME", "FULLPAGENAME":
		return protect(e.own.Text)
	case "Short description":
		if c.Depth == 1 && !e.shown {
			e.short, e.shown = e.arguments(c).at(0), true
			return ""
		}
	}
	if show := shownTemplates[upperFirst(name)]; show != nil {
		return show(e.arguments(c))
	}
	e.countDeleted(name)
	return ""
}

func upperFirst(name string) string {
	if name == "" {
		return ""
	}
	return string(ascii.UpperByte(name[0])) + name[1:]
}

// arguments are the arguments of a call, with their templates replaced.
type arguments struct {
	list  []string
	named map[string]string
}

func (a arguments) at(i int) string {
	if i < len(a.list) {
		return a.list[i]
	}
	return ""
}

// arguments reads those of c in the order of the text, which is that of stretches.
func (e *expander) arguments(c *markup.Call) (a arguments) {
	for _, p := range c.Parts[1:] {
		if p.Equals < 0 {
			from, to := p.Trimmed(e.text)
			a.list = append(a.list, unmarked(e.stretch(from, to)))
			continue
		}
		key := unmarked(e.text[p.Start:p.Equals])
		from, to := markup.Trimmed(e.text, int(p.Equals)+1, int(p.End))
		value := unmarked(e.stretch(from, to))
		if key == strconv.Itoa(len(a.list)+1) {
			a.list = append(a.list, value)
			continue
		}
		if a.named == nil {
			a.named = map[string]string{}
		}
		a.named[key] = value
	}
	return a
}

// unmarked is s without the marks of tags that were taken out of it.
func unmarked(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, marker, "")) }

// shownTemplates are the templates that stand for words of the text.
var shownTemplates = map[string]func(arguments) string{
	"Transl":       func(a arguments) string { return a.at(len(a.list) - 1 + one(len(a.list) == 0)) },
	"Lang":         func(a arguments) string { return a.at(1) },
	"Coord":        coordinates,
	"Height":       height,
	"Snd":          words(" – "),
	"Spaced ndash": words(" – "),
	"Ndash":        words("–"),
	"Nbsp":         words("\u00A0"),
	"Spaces":       words("\u00A0"),
	"!":            words("|"),
	"=":            words("="),
	"!-":           words("|-"),
	"!!":           words("||"),
}

func init() {
	for _, f := range []struct {
		show  func(arguments) string
		names string
	}{
		{conversion, "Convert|Cvt"},
		{date, "Birth year|Birth year and age|Bda|Dob|Dda|Birth-date|Start-date|Birth-date and age|Start-date and age"},
		{date, "Birth date|Death date|Start date|End date|Film date"},
		{date, "Birth date and age|Death date and age|Start date and age|End date and age|Film date and age"},
		{first, "Nowrap|Nobr|Small|Big|Nobold|Em|Formatnum|Val|Abbr|Flag|Flagcountry|Marriage"},
		{items, "Plainlist|Flatlist|Hlist|Ubl|Unbulleted list|Vunblist"},
		{func(a arguments) string { return "c. " + a.at(0) }, "C.|Circa"},
	} {
		for name := range strings.SplitSeq(f.names, "|") {
			shownTemplates[name] = f.show
		}
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func words(s string) func(arguments) string { return func(arguments) string { return s } }

func first(a arguments) string { return a.at(0) }

// items returns the items of a list that stands in lines or in arguments.
func items(a arguments) string {
	var all []string
	for _, list := range a.list {
		for item := range strings.SplitSeq(list, "\n") {
			all = append(all, strings.TrimLeft(item, listMarks+" "))
		}
	}
	return strings.Join(all, breakMark)
}

// conversion returns the first number and its unit, of a range all numbers, as they are written.
func conversion(a arguments) string {
	n := 1
	for n+1 < len(a.list) && markup.RangeWords[a.list[n]] {
		n += 2
	}
	if n > 1 || len(a.list) < 4 || !markup.CompoundUnits[a.at(1)][a.at(3)] {
		return strings.Join(a.list[:min(n+1, len(a.list))], " ")
	}
	return strings.Join(a.list[:4], " ")
}

var monthNames = strings.Fields("January February March April May June July August September October November December")

// date returns the first date, with the day in front if the call wants that. What is no number is
// left as it is written.
func date(a arguments) string {
	year, month, day := a.at(0), a.at(1), a.at(2)
	if n, err := strconv.Atoi(year); err != nil || n < 1 {
		return year
	}
	year = strings.TrimLeft(year, "0")
	m, err := strconv.Atoi(month)
	if err != nil || m < 1 || m > len(monthNames) {
		return year
	}
	month = monthNames[m-1]
	d, err := strconv.Atoi(day)
	switch {
	case err != nil || d < 1 || d > 31:
		return month + " " + year
	case strings.HasPrefix(a.named["df"], "y"):
		return strconv.Itoa(d) + " " + month + " " + year
	}
	return month + " " + strconv.Itoa(d) + ", " + year
}

// coordinates returns a point in the form of its arguments, nothing for what is no point.
func coordinates(a arguments) string {
	args := a.list
	for i, arg := range args {
		if strings.Contains(arg, ":") {
			args = args[:i]
			break
		}
	}
	for len(args) > 0 && args[len(args)-1] == "" {
		args = args[:len(args)-1]
	}
	if _, _, ok := facts.LatitudeLongitude(args); !ok {
		return ""
	}
	half := len(args) / 2
	if half == 1 {
		return signedAngle(args[0], "N", "S") + " " + signedAngle(args[1], "E", "W")
	}
	return angle(args[:half]) + " " + angle(args[half:])
}

func angle(args []string) string {
	last, out := len(args)-1, ""
	for i, number := range args[:last] {
		out += number + []string{"°", "′", "″"}[i]
	}
	return out + strings.ToUpper(args[last])
}

func signedAngle(number, positive, negative string) string {
	for _, minus := range []string{"-", "−"} {
		if size, found := strings.CutPrefix(number, minus); found {
			return angle([]string{size, negative})
		}
	}
	return angle([]string{strings.TrimPrefix(number, "+"), positive})
}

func height(a arguments) string {
	var parts []string
	for _, unit := range []string{"m", "cm", "ft", "in"} {
		if n := a.named[unit]; n != "" {
			parts = append(parts, n+" "+unit)
		}
	}
	return strings.Join(parts, " ")
}
