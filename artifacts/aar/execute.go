package aar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// What the golden executor finds of a stop.
const (
	StopMatch   = "match"
	StopStale   = "stale"   // the world says otherwise now
	StopMissing = "missing" // the world, the cassette or a stop before says nothing
	StopError   = "error"   // the stop cannot be run
)

// Execution is what running a leg of ours again found: a result for each stop, and whether the leg
// is golden.
type Execution struct {
	Stops  []StopResult `json:"stops"`
	Golden bool         `json:"golden"` // all stops match, and the passcode is that of the last
}

// StopResult is the status of a stop, why, and its value now, nil for none.
type StopResult struct {
	Index  int              `json:"index"`
	Status string           `json:"status"`
	Reason string           `json:"reason,omitempty"`
	Value  schemas.AARValue `json:"value,omitempty"`
}

// Execute runs a leg of ours from the world and the cassette alone: page stops read their fact
// again, and what follows is computed from what the stops before are now. It never runs Python.
func (t *Tools) Execute(ctx context.Context, l *schemas.AARLeg) Execution {
	x := &executor{Tools: t, ctx: ctx, leg: l, now: make([]schemas.AARValue, len(l.Stops))}
	out := Execution{Golden: len(l.Stops) > 0}
	for i := range l.Stops {
		r := x.stop(i)
		x.now[i], out.Stops = r.Value, append(out.Stops, r)
		out.Golden = out.Golden && r.Status == StopMatch
	}
	if out.Golden {
		n, err := Operand(x.now[len(x.now)-1])
		out.Golden = err == nil && Mod10(n) == int64(l.Passcode)
	}
	return out
}

type executor struct {
	*Tools
	ctx context.Context
	leg *schemas.AARLeg
	now []schemas.AARValue // of the stops that were run
}

// gone is that something has no value now.
type gone struct{ error }

func missing(format string, args ...any) error { return &gone{fmt.Errorf(format, args...)} }

// differs is that something is not what the leg says.
func differs(what string, want, got any) string {
	return fmt.Sprintf("%s is %s now, the leg has %s", what, got, want)
}

// stop runs a stop whose predecessors were run.
func (x *executor) stop(i int) StopResult {
	s := &x.leg.Stops[i]
	run := map[string]func(int, *schemas.AARStop) (schemas.AARValue, string, error){
		schemas.AARPage: x.page, schemas.AARTool: x.tool, schemas.AARReason: x.reason, schemas.AARCompute: x.compute,
	}[s.Type]
	if run == nil {
		return StopResult{i, StopError, "unknown stop type " + fault.Quote(s.Type), nil}
	}
	v, stale, err := run(i, s)
	var none *gone
	switch {
	case errors.As(err, &none):
		return StopResult{i, StopMissing, err.Error(), nil}
	case err != nil:
		return StopResult{i, StopError, err.Error(), nil}
	case !sameValue(v, s.ExtractedValue):
		return StopResult{i, StopStale, differs("the value", fault.Quote(s.ExtractedValue), fault.Quote(v)), v}
	case stale != "":
		return StopResult{i, StopStale, stale, v}
	}
	return StopResult{i, StopMatch, "", v}
}

// sameValue compares numbers by value, and all else as it is written.
func sameValue(a, b schemas.AARValue) bool {
	_, textA := text(a)
	_, textB := text(b)
	x, okX := Number(a)
	y, okY := Number(b)
	if !textA && !textB && okX && okY {
		return x == y
	}
	return string(a) == string(b)
}

// value returns what an earlier stop is now.
func (x *executor) value(i, before int) (schemas.AARValue, error) {
	if i < 0 || i >= before {
		return nil, fmt.Errorf("there is no stop %d before stop %d", i, before)
	}
	if x.now[i] == nil {
		return nil, missing("stop %d has no value now", i)
	}
	return x.now[i], nil
}

func (x *executor) page(_ int, s *schemas.AARStop) (v schemas.AARValue, stale string, err error) {
	i, err := x.pageOf(s)
	if err != nil {
		return nil, "", err
	}
	value, typ, ok := Asked(x.World.Facts(i), s.ExtractionTarget)
	if !ok {
		return nil, "", missing("the page %s does not state %s", fault.Quote(x.World.Title(i)), fault.Quote(s.ExtractionTarget))
	}
	if typ != s.ExtractedValueType {
		stale = differs("the type", s.ExtractedValueType, typ)
	}
	if typ == "number" {
		v, err = plainJSON(value)
		return v, stale, err
	}
	return appendString(nil, value), stale, nil
}

func (x *executor) pageOf(s *schemas.AARStop) (int, error) {
	if s.PageURL == nil {
		return 0, errors.New("the stop has no page_url")
	}
	i, ok := x.World.Page(*s.PageURL)
	if !ok {
		return 0, missing("no page of the world is at %s", fault.Quote(*s.PageURL))
	}
	return i, nil
}

func (x *executor) reason(i int, s *schemas.AARStop) (schemas.AARValue, string, error) {
	if s.ReasonSourceStop == nil || s.ReasonTransform == nil {
		return nil, "", errors.New("the stop has no source or no transform")
	}
	source, err := x.value(*s.ReasonSourceStop, i)
	if err != nil {
		return nil, "", err
	}
	n, err := Transform(*s.ReasonTransform, source)
	return integer(n), "", err
}

func integer(n int64) schemas.AARValue { return strconv.AppendInt(nil, n, 10) }

func (x *executor) compute(i int, s *schemas.AARStop) (schemas.AARValue, string, error) {
	if s.Bridge.Expression == nil {
		return nil, "", errors.New("the stop has no expression")
	}
	f, err := Finish(*s.Bridge.Expression)
	if err != nil {
		return nil, "", err
	}
	now := Expression{Reduction: f.Reduction}
	for _, k := range f.Used(s.Bridge.ReferencedStops) {
		v, err := x.value(k, i)
		if err != nil {
			return nil, "", err
		}
		n, err := Operand(v)
		if err != nil {
			return nil, "", fmt.Errorf("stop %d: %w", k, err)
		}
		now.Operands = append(now.Operands, n)
	}
	if len(now.Operands) < 2 {
		return nil, "", errOperands
	}
	stale := ""
	if now.String() != f.String() {
		stale = differs("the expression", f, now)
	}
	n, err := now.Value()
	return integer(n), stale, err
}

// tool runs the chain of a stop.
func (x *executor) tool(i int, s *schemas.AARStop) (v schemas.AARValue, stale string, err error) {
	outputs := map[string]json.RawMessage{}
	for _, c := range s.Bridge.ToolChain {
		var out schemas.AARValue
		var changed string
		if c.ToolName == toolPython {
			v, out, changed, err = x.python(i, c)
		} else {
			v, out, err = x.call(i, c, outputs)
		}
		if err != nil {
			return nil, "", err
		}
		outputs[c.OutputKey] = out
		if stale == "" {
			stale = changed
		}
		if stale == "" && !x.expected(c, out) {
			stale = differs("the output of "+fault.Quote(c.ToolName), fault.Quote(c.ExpectedOutput), fault.Quote(out))
		}
	}
	if v == nil {
		return nil, "", errors.New("the last call of the chain has no value")
	}
	return v, stale, nil
}

func (x *executor) expected(c schemas.AARCall, out schemas.AARValue) bool {
	want, err := Compact(c.ExpectedOutput)
	return err == nil && string(want) == string(out)
}

// call runs a call that is not one of Python, and returns its value, if its tool ends chains, and
// its output.
func (x *executor) call(i int, c schemas.AARCall, outputs map[string]json.RawMessage) (v, out schemas.AARValue, err error) {
	args, err := ChainArgs(c.Arguments, outputs)
	if err != nil {
		return nil, nil, err
	}
	if name, ok := args["country"].(string); ok {
		if args["country"], err = x.country(i, name); err != nil {
			return nil, nil, err
		}
	}
	if err = x.current(i, c, args); err != nil {
		return nil, nil, err
	}
	data, err := canonical(nil, args)
	if err != nil {
		return nil, nil, err
	}
	a := x.Whole(x.ctx, c.ToolName, data)
	if a.Code == CassetteMiss {
		return nil, nil, &gone{&ToolError{a.Code, a.Output}}
	}
	if a.Code != "" {
		return nil, nil, &ToolError{a.Code, a.Output}
	}
	out = ResponseOf([]byte(a.Output))
	v, err = ChainValue(c, args, out)
	return v, out, err
}

// country returns the argument that stands for a country: what the last page stop says now, if it
// was its value.
func (x *executor) country(i int, name string) (string, error) {
	k := x.lastPage(i)
	if k < 0 {
		return name, nil
	}
	if was, ok := text(x.leg.Stops[k].ExtractedValue); !ok || was != name {
		return name, nil
	}
	page, err := x.pageOf(&x.leg.Stops[k])
	if p, _ := x.World.Place(page); err != nil || p.Country && x.World.Title(page) == name {
		return name, err
	}
	v, err := x.value(k, i)
	now, _ := text(v)
	return now, err
}

func (x *executor) lastPage(before int) int {
	for k := before - 1; k >= 0; k-- {
		if x.leg.Stops[k].Type == schemas.AARPage {
			return k
		}
	}
	return -1
}

// python computes what the code of a call does, of what the stops before are now.
func (x *executor) python(i int, c schemas.AARCall) (v, out schemas.AARValue, stale string, err error) {
	args, err := readArgs(c.Arguments)
	code, ok := args["code"].(string)
	was, known := ReadPython(code)
	if err != nil || !ok || !known {
		return nil, nil, "", errors.New("the Python code is none of those that stops have")
	}
	now := Computation{Kind: was.Kind, Factor: was.Factor}
	if now.Values, err = x.operands(i, was); err != nil {
		return nil, nil, "", err
	}
	n, err := now.Value()
	if want := now.Python(); code != want {
		stale = differs("the code", fault.Quote(code), fault.Quote(want))
	}
	printed := answerJSON(Printed{Stdout: strconv.FormatInt(n, 10) + "\n"})
	return integer(n), schemas.AARValue(printed), stale, err
}

// operands returns the numbers or dates of a computation as they are now.
func (x *executor) operands(i int, c Computation) ([]string, error) {
	switch c.Kind {
	case Conversion:
		k := i - 1
		for k >= 0 && unitOf(&x.leg.Stops[k]) == "" {
			k--
		}
		if k < 0 || !converts(unitOf(&x.leg.Stops[k]), func(f Factor) bool { return f.Value == c.Factor }) {
			return nil, fmt.Errorf("no stop before has a value to convert by %s", Repr(c.Factor))
		}
		v, err := x.value(k, i)
		return []string{string(v)}, err
	case DaysKind:
		v, err := x.value(x.lastPage(i), i)
		if err != nil {
			return nil, err
		}
		from, err := isoDate(v)
		return []string{from, x.leg.GeneratedAt[:min(10, len(x.leg.GeneratedAt))]}, err
	}
	a, err := x.value(i-2, i)
	b, errB := x.value(i-1, i)
	return []string{string(a), string(b)}, errors.Join(err, errB)
}

// isoDate returns the date that a value of a page stop is; a year means its first day.
func isoDate(v schemas.AARValue) (string, error) {
	s, ok := text(v)
	if !ok {
		s = string(v)
	}
	d, ok := parseDate(s)
	year, _ := strconv.Atoi(d.year)
	switch {
	case !ok || d.month > 0 && d.day == 0:
		return "", fmt.Errorf("%s is neither a year nor a date", fault.Quote(s))
	case d.month == 0:
		return fmt.Sprintf("%04d-01-01", year), nil
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, d.month, d.day), nil
}

// Python returns the code that computes c, as our legs have it; ReadPython reads it.
func (c Computation) Python() string {
	form := "result = int(%s) + int(%s)\nprint(result)"
	switch c.Kind {
	case MergeAbsDiff:
		form = "result = abs(int(%s) - int(%s))\nprint(result)"
	case DaysKind:
		form = "from datetime import date\n" +
			"result = abs((date.fromisoformat('%s') - date.fromisoformat('%s')).days)\nprint(result)"
	case Conversion:
		return fmt.Sprintf("result = int(%s * %s)\nprint(result)", c.Values[0], Repr(c.Factor))
	}
	return fmt.Sprintf(form, c.Values[0], c.Values[1])
}

// converts reports whether there is a conversion from a unit that is one of those wanted.
func converts(unit string, wanted func(Factor) bool) bool {
	return slices.ContainsFunc(Conversions(), func(f Factor) bool { return f.Unit == unit && wanted(f) })
}

// targetUnits are the units of those questions whose answers can be converted.
var targetUnits = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, k := range factKinds().Kinds {
		for _, unit := range k.Units {
			if converts(unit, func(Factor) bool { return true }) {
				out[Fact{Kind: k.Kind, Unit: unit}.Target(false)] = unit
			}
		}
	}
	return out
})

// unitOf returns the unit of the value of a stop that can be converted, "" for others.
func unitOf(s *schemas.AARStop) string {
	chain := s.Bridge.ToolChain
	switch {
	case s.Type == schemas.AARPage:
		return targetUnits()[s.ExtractionTarget]
	case s.Type != schemas.AARTool || len(chain) == 0:
		return ""
	}
	return map[string]string{"elevation": "m", "distance_km": "km", "temperature": "celsius"}[chain[len(chain)-1].OutputKey]
}

// Keys of arguments that take an earlier output of the same chain.
const (
	fromPrevious  = "__from_previous"
	fromLocations = "__from_previous_as_locations"
	fromEnds      = "__from_previous_as_origins_destinations"
)

// ChainArgs returns the arguments of a call of a chain, with what it takes from the outputs before,
// by their keys. The output of a geocoder is its coordinates.
func ChainArgs(arguments schemas.AARValue, outputs map[string]json.RawMessage) (map[string]any, error) {
	args, err := readArgs(arguments)
	if err != nil {
		return nil, err
	}
	taken := func(key string) (list []string, ok bool) {
		v, ok := args[key]
		delete(args, key)
		many, isList := v.([]any)
		if !isList {
			many = []any{v}
		}
		for _, item := range many {
			name, _ := item.(string)
			list = append(list, name)
		}
		return list, ok
	}
	if list, ok := taken(fromPrevious); ok {
		err = errors.Join(err, mergePrevious(args, list, outputs))
	}
	if list, ok := taken(fromLocations); ok {
		p, errP := coordinatesOf(outputs, strings.Join(list, ", "))
		args["locations"], err = []any{p}, errors.Join(err, errP)
	}
	if list, ok := taken(fromEnds); ok {
		if len(list) != 2 {
			return nil, errors.New(fromEnds + ": want two names of outputs")
		}
		from, errA := coordinatesOf(outputs, list[0])
		to, errB := coordinatesOf(outputs, list[1])
		end := func(p map[string]any) []any { return []any{fmt.Sprint(p["latitude"], ",", p["longitude"])} }
		args["origins"], args["destinations"], err = end(from), end(to), errors.Join(err, errA, errB)
	}
	return args, err
}

// mergePrevious puts outputs into arguments: the keys of an object, anything else under its own
// name.
func mergePrevious(args map[string]any, names []string, outputs map[string]json.RawMessage) error {
	for _, name := range names {
		out, err := output(outputs, name)
		if err != nil {
			return err
		}
		if p, err := coordinatesOf(outputs, name); err == nil {
			out = p
		}
		object, ok := out.(map[string]any)
		if !ok {
			object = map[string]any{name: out}
		}
		for k, v := range object { // each by itself
			args[k] = v
		}
	}
	return nil
}

func output(outputs map[string]json.RawMessage, name string) (v any, err error) {
	data, ok := outputs[name]
	if !ok {
		return nil, fmt.Errorf("no call before has the output_key %s", fault.Quote(name))
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// coordinatesOf returns latitude and longitude of an output.
func coordinatesOf(outputs map[string]json.RawMessage, name string) (map[string]any, error) {
	v, err := output(outputs, name)
	if err != nil {
		return nil, err
	}
	lat, okLat := inside(v, "location.lat").(json.Number)
	lng, okLng := inside(v, "location.lng").(json.Number)
	if !okLat || !okLng {
		return nil, fmt.Errorf("the output %s has no coordinates", fault.Quote(name))
	}
	return map[string]any{"latitude": lat, "longitude": lng}, nil
}

var stepForm = regexp.MustCompile(`[^.\[\]]+`)

// inside walks into a value along a path as in results[0].elevation, and returns nil where that
// ends.
func inside(v any, path string) any {
	for _, step := range stepForm.FindAllString(path, -1) {
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// valuePaths are where the tools that end chains have their value.
var valuePaths = map[string]string{
	"maps_elevation": "results[0].elevation", "maps_distance_matrix": "results[0].elements[0].distance.value",
	"maps_directions": "routes[0].duration.value", "countries_population": "population", "countries_area": "area_km2",
	"stock_historical_price": "close_price", "stock_volume": "volume",
	"crypto_historical_price": "close_price", "crypto_volume": "volume",
}

// ChainValue returns the value that a call gives a stop, by its tool and output_key; nil for a call
// that ends no chain.
func ChainValue(c schemas.AARCall, args map[string]any, out schemas.AARValue) (schemas.AARValue, error) {
	v, err := output(map[string]json.RawMessage{"": out}, "")
	if err != nil {
		return nil, err
	}
	spec, ok := FindSpec(c.ToolName)
	switch {
	case !ok || spec.Name == toolGeocode:
		return nil, nil
	case spec.Name == "maps_search_places":
		return placesValue(c.OutputKey, v)
	case spec.Name == "weather_historical":
		selector, _ := inside(args["select"], "0").(string)
		object, _ := v.(map[string]any)
		return numberIn(object[selector], selector)
	}
	n, err := numberIn(inside(v, valuePaths[spec.Name]), valuePaths[spec.Name])
	f, _ := Number(n)
	switch {
	case err == nil && spec.Name == "maps_distance_matrix":
		return schemas.AARValue(Repr(f / 1000)), nil
	case err == nil && spec.Name == "maps_directions":
		return integer(int64(math.Trunc(f / 60))), nil
	}
	return n, err
}

// placesValue is the number of places, or the rating of the first.
func placesValue(key string, v any) (schemas.AARValue, error) {
	list, ok := inside(v, "places").([]any)
	if !ok {
		return nil, missing("the output has no places")
	}
	if key != "place_rating" {
		return integer(int64(len(list))), nil
	}
	if n, ok := inside(list, "0.rating").(json.Number); ok {
		return schemas.AARValue(n), nil
	}
	return schemas.AARValue("0.0"), nil
}

func numberIn(v any, path string) (schemas.AARValue, error) {
	if n, ok := v.(json.Number); ok {
		return schemas.AARValue(n), nil
	}
	return nil, missing("the output has no number at %s", fault.Quote(path))
}
