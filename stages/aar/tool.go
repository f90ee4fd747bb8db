package aar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

// option is a tool stop that may follow: a template with its arguments, run.
type option struct {
	template string
	chain    []schemas.AARCall
	args     []*stop    // whose pages or values are the arguments, in the order of the clue
	place    string     // kind of places
	answer   bool       // the country is the answer of the page stop
	country  string     // its name
	factor   aar.Factor // of a conversion
	day      string     // that the clue has to name, because the page stop does not
	merge    *aar.Computation
}

// templateWeights is how often a template is used, per mille, in the profile aar-2026.
var templateWeights = map[string]int{
	"nearby_poi_count": 277, "geocode_elevation": 194, "math_conversion": 173,
	"country_population": 105,
	"date_computation":   82, "country_area": 17, "geocode_distance": 16,

	"place_rating": 70, "geocode_directions_duration": 23, "stock_price": 21,
	"historical_sunshine": 10, "stock_volume": 10,
	"geocode_weather_precipitation": 1, "historical_snowfall": 1, "crypto_price": 1,
}

// transformWeights is how often a transform is used, per mille, in the profile aar-2026.
var transformWeights = map[string]int{
	"next_prime": 112, "digit_sum": 109, "sum_prime_factors": 108, "num_divisors": 104,
	"binary_1bit_count": 104,
	"digital_root":      94, "digit_reversal": 88, "roman_numeral_letter_count": 80,
	"largest_prime_factor": 78,
	"vowel_count":          60, "alpha_position_first_letter": 54, "day_of_week": 5, "leap_years_to_2000": 4,
}

// result is an option with its value.
type result struct {
	option
	value schemas.AARValue
	unit  string
}

// options lists what a page supports as the next tool stop; transformed asks for values that have
// a transform.
func (a *attempt) options(page *stop, transformed bool) (list []result) {
	for _, template := range a.templates() {
		if a.strict() || templateWeights[template] > 0 {
			list = append(list, a.run(template, page, "", transformed)...)
		}
	}
	return list
}

// templates lists the templates that can be answered: those of a provider with a cassette alone.
func (f *field) templates() []string {
	if f.tools.Cassette == nil {
		return aar.Natives()
	}
	return slices.Concat(aar.Natives(), aar.Provided())
}

// run lists the ways to use a template after a page stop that give a value; day is one that is
// asked for whatever the page states.
func (a *attempt) run(template string, page *stop, day string, transformed bool) (list []result) {
	for _, o := range a.instances(template, page, day) {
		v, ok := a.runChain(&o)
		if !ok {
			continue
		}
		n, err := aar.Operand(v)
		s := &stop{kind: schemas.AARTool, value: v, typ: "number"}
		if f, number := aar.Number(v); err != nil || !number || f == 0 || n == 0 &&
			template == "nearby_poi_count" || a.told(v) {
			continue
		}
		if !transformed || len(a.transforms(s, 1)) > 0 {
			list = append(list, result{o, v, map[string]string{
				"geocode_elevation": "m",
				"geocode_distance":  "km",

				"geocode_weather_historical": "celsius",
			}[template]})
		}
	}
	return list
}

// ran is a chain that was run, and its value; nil where a call has no answer.
type ran struct {
	chain []schemas.AARCall
	value schemas.AARValue
}

// maxRan is how many chains a worker remembers.
const maxRan = 20_000

// runChain runs the chain of an option, which is remembered.
func (m *maker) runChain(o *option) (schemas.AARValue, bool) {
	key := o.template
	for _, c := range o.chain {
		key += string(c.Arguments)
	}
	x, known := m.ran[key]
	if !known {
		x.chain = o.chain
		if v, err := m.tools.Run(m.ctx, x.chain); err == nil && aar.Fits(x.chain) {
			x.value = v
		} else if m.missed != nil {
			m.missed(o.template, x.chain)
		}
		if len(m.ran) >= maxRan {
			clear(m.ran)
		}
		m.ran[key] = x
	}
	o.chain = x.chain
	return x.value, x.value != nil
}

// instances lists the arguments that a template can have after a page stop, none that an earlier
// stop has.
func (a *attempt) instances(template string, page *stop, day string) (list []option) {
	add := func(o option, values map[string]string) {
		o.template, o.chain = template, aar.Chain(template, values)
		if !a.repeats(o) {
			list = append(list, o)
		}
	}
	title := a.Title(page.page)
	here, located := a.located(page.page)
	switch template {
	case "geocode_elevation":
		if located && here.Elevation != "" && page.ask.Kind != "elevation" {
			add(option{args: []*stop{page}}, map[string]string{"location": title})
		}
	case "nearby_poi_count":
		for _, kind := range aar.PlaceKinds() {
			if located {
				add(option{args: []*stop{page}, place: kind}, map[string]string{
					"location": title,
					"poi_type": kind,
				})
			}
		}
	case "geocode_distance":
		if other := a.elsewhere(page, here); located && other != nil {
			add(option{args: []*stop{other, page}},
				map[string]string{"location_a": a.Title(other.page), "location_b": title})
		}
	case "country_population", "country_area":
		if name, answer, ok := a.country(page); ok && (answer || !repeatsFact(template,
			page.ask.Kind)) {
			add(option{args: []*stop{page}, answer: answer, country: name},
				map[string]string{"country": name})
		}
	case "date_computation":
		if day, err := aar.DateOf(page.value); err == nil && page.ask.Type == "date" {
			c := aar.Computation{Kind: aar.DaysKind, Values: []string{day, a.isoDay()}}
			add(option{args: []*stop{page}}, map[string]string{"python": c.Python()})
		}
	case "math_conversion":
		a.conversions(page, add)
	default:
		a.provided(template, page, day, add)
	}
	return list
}

// provided adds the arguments of a template that only a provider answers. Where it asks for a day
// the page stop has to state one in full, because a clue names no other.
func (a *attempt) provided(template string, page *stop, day string,
	add func(option, map[string]string),
) {
	here, located := a.located(page.page)
	o := option{args: []*stop{page}, day: day}
	values := map[string]string{"location": a.Title(page.page)}
	if asks := func(name string) bool { return aar.Asks(template, name) }; asks("location_b") {
		other := a.elsewhere(page, here)
		if !located || other == nil {
			return
		}
		o.args = []*stop{other, page}
		values["location_a"], values["location_b"] = a.Title(other.page), a.Title(page.page)
	} else if asks("location") && !located {
		return
	}
	if aar.Asks(template, "date") {
		stated, err := aar.DateOf(page.value)
		if day == "" && (err != nil || !page.ask.full || page.ask.Type != "date") {
			return
		}
		values["date"] = aar.DayOf(template, cmp.Or(day, stated))
		if day == "" && values["date"] != stated {
			o.day = values["date"]
		}
	}
	for _, name := range symbolVariables {
		if aar.Asks(template, name) {
			if values[name] = a.symbols[page.page][name]; values[name] == "" {
				return
			}
		}
	}
	add(o, values)
}

// repeatsFact reports whether a template of countries asks what a page was asked.
func repeatsFact(template, kind string) bool {
	return strings.TrimPrefix(template, "country_") == strings.TrimSuffix(strings.TrimSuffix(kind,
		"_estimate"), "_census")
}

// elsewhere returns the nearest page stop before one whose page lies at another point.
func (a *attempt) elsewhere(page *stop, here aar.Place) *stop {
	for _, s := range slices.Backward(a.before(page)) {
		if s.kind != schemas.AARPage {
			continue
		}
		if p, ok := a.located(s.page); ok && (p.Lat != here.Lat || p.Lng != here.Lng) {
			return s
		}
	}
	return nil
}

// before lists the stops before one; all, for one that is not yet there.
func (a *attempt) before(s *stop) []*stop {
	if i := slices.Index(a.stops, s); i >= 0 {
		return a.stops[:i]
	}
	return a.stops
}

// country returns the country that a page stop leads to: its page, else its answer.
func (a *attempt) country(page *stop) (name string, answer, ok bool) {
	if p, _ := a.Place(page.page); p.Country {
		return a.Title(page.page), false, true
	}
	value, isText := aar.TextOf(page.value)
	if !isText || page.typ != "text" {
		return "", false, false
	}
	i, code := a.Resolve(value)
	p, _ := a.Place(i)
	return value, true, code == "" && p.Country
}

// conversions adds those of the nearest stop, from a page stop that comes next on back, whose value
// has a unit that can be converted.
func (a *attempt) conversions(page *stop, add func(option, map[string]string)) {
	stops := a.stops
	if !slices.Contains(stops, page) {
		stops = append(slices.Clone(stops), page)
	}
	source := convertible(stops)
	if source == nil {
		return
	}
	for _, f := range aar.Conversions() {
		if f.Unit == source.unit {
			c := aar.Computation{
				Kind: aar.Conversion, Values: []string{string(source.value)},
				Factor: f.Value,
			}
			add(option{args: []*stop{source}, factor: f}, map[string]string{"python": c.Python()})
		}
	}
}

// convertible returns the last stop whose value has a unit that can be converted.
func convertible(stops []*stop) *stop {
	for _, s := range slices.Backward(stops) {
		if slices.ContainsFunc(aar.Conversions(), func(f aar.Factor) bool {
			return s.unit != "" &&
				f.Unit == s.unit
		}) {
			return s
		}
	}
	return nil
}

// repeats reports whether an earlier stop has the template and arguments, or converts the same.
func (a *attempt) repeats(o option) bool {
	return slices.ContainsFunc(a.stops, func(s *stop) bool {
		if s.kind != schemas.AARTool || s.template != o.template {
			return false
		}
		if o.template == "math_conversion" {
			return s.args[0] == o.args[0]
		}
		same := func(x, y schemas.AARCall) bool { return string(x.Arguments) == string(y.Arguments) }
		return slices.EqualFunc(s.chain, o.chain, same)
	})
}

// addTool draws a tool stop after the last page stop.
func (a *attempt) addTool(transformed bool) error {
	page := a.lastPage()
	list := a.options(page, transformed)
	if len(list) == 0 {
		return noNeeds
	}
	a.stops = append(a.stops, toolStop(page, a.pick(list)))
	return nil
}

// toolStop makes a stop of a result.
func toolStop(page *stop, x result) *stop {
	s := &stop{
		kind: schemas.AARTool, page: page.page, needs: x.args, value: x.value, typ: "number",
		unit: x.unit, option: x.option,
	}
	if x.template == "math_conversion" {
		s.page = x.args[0].page
	}
	return s
}

// pick draws a template by its weight, and one of its results.
func (a *attempt) pick(list []result) result {
	var names []string
	groups := map[string][]result{}
	for _, x := range list {
		if groups[x.template] == nil {
			names = append(names, x.template)
		}
		groups[x.template] = append(groups[x.template], x)
	}
	weights := make([]int, len(names))
	for i, n := range names {
		if weights[i] = 1; !a.strict() {
			weights[i] = templateWeights[n]
		}
	}
	group := groups[names[weighted(a.r, weights)]]
	return group[a.r.Below(len(group))]
}

// transforms lists the transforms of the value of a stop that give more than 1 and no value that a
// phrase tells, at most so many.
func (a *attempt) transforms(s *stop, most int) (list []string) {
	for _, t := range aar.Transforms() {
		if len(list) == most {
			break
		}
		if !a.strict() && transformWeights[t] == 0 || !aar.Applies(t, s.value, s.typ) {
			continue
		}
		ofYear := t == "day_of_week" || t == "leap_years_to_2000"
		if n, err := aar.Transform(t, s.value); err == nil && n > 1 && (!ofYear ||
			s.ask.isYear()) && !a.told(aar.IntegerValue(n)) {
			list = append(list, t)
		}
	}
	return list
}

// addReason draws a transform of the last stop.
func (a *attempt) addReason() error {
	source := a.stops[len(a.stops)-1]
	list := a.transforms(source, len(aar.Transforms()))
	if len(list) == 0 {
		return noNeeds
	}
	weights := make([]int, len(list))
	for i, t := range list {
		if weights[i] = 1; !a.strict() {
			weights[i] = transformWeights[t]
		}
	}
	t := list[weighted(a.r, weights)]
	n, err := aar.Transform(t, source.value)
	if err != nil {
		return toolError
	}
	a.stops = append(a.stops, &stop{
		kind: schemas.AARReason, page: source.page, needs: []*stop{source},
		value: aar.IntegerValue(n), typ: "number", transform: t,
	})
	return nil
}
