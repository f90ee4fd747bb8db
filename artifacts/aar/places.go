package aar

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// natives are the tools that a world answers.
var natives = map[string]func(*Tools, map[string]any) (string, error){
	"fetch_webpage":        (*Tools).fetch,
	"serper_google_search": (*Tools).search,
	toolGeocode:            (*Tools).geocode,
	"maps_reverse_geocode": (*Tools).reverseGeocode,
	"maps_search_places":   (*Tools).searchPlaces,
	"maps_place_details":   (*Tools).placeDetails,
	"maps_distance_matrix": (*Tools).distanceMatrix,
	"maps_elevation":       (*Tools).elevation,
	"countries_population": (*Tools).population,
	"countries_area":       (*Tools).area,
}

// noNative is an error after which a cassette may have the answer: the tool is native in part.
type noNative struct{ error }

func (e *noNative) Unwrap() error { return e.error }

// Limits of calls whose answers grow with their arguments.
const (
	maxElements  = 100 // origins times destinations
	maxLocations = 100
)

func (t *Tools) fetch(args map[string]any) (string, error) {
	url := args["url"].(string)
	i, ok := t.World.Page(url)
	switch raw, _ := args["raw_html"].(bool); {
	case raw:
		return "", toolError(Unsupported, "pages have no HTML here; leave raw_html out")
	case !ok:
		return "", toolError(Outside, "%s is not the address of a page of this encyclopedia", fault.Quote(url))
	}
	page := t.World.Text(i)
	if page.Truncated {
		return page.Text + truncatedMark, nil
	}
	return page.Text, nil
}

func (t *Tools) search(args map[string]any) (string, error) {
	type hit struct {
		Title    string `json:"title"`
		Link     string `json:"link"`
		Snippet  string `json:"snippet"`
		Position int    `json:"position"`
	}
	out := struct {
		Organic []hit `json:"organic"`
	}{[]hit{}}
	limit := 5
	if n, ok := args["num_results"].(json.Number); ok {
		f, _ := n.Float64()
		limit = int(f)
	}
	for k, h := range t.World.Search(args["query"].(string), limit) {
		page := t.World.Text(h.Page)
		out.Organic = append(out.Organic, hit{page.Title, t.World.URL(h.Page), page.ShortDescription, k + 1})
	}
	return answerJSON(out), nil
}

// point is a place on earth in millionths of a degree.
type point struct{ lat, lng int64 }

// coordinate is a number of degrees, written as Python writes it.
type coordinate int64

func (c coordinate) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }
func (c coordinate) String() string               { return Repr(float64(c) / 1e6) }

// latLng is a point as answers have it.
type latLng struct {
	Lat coordinate `json:"lat"`
	Lng coordinate `json:"lng"`
}

func (p point) shown() *latLng { return &latLng{coordinate(p.lat), coordinate(p.lng)} }
func (p point) String() string { return coordinate(p.lat).String() + "," + coordinate(p.lng).String() }

// pointOf returns the point of degrees, rounded to millionths.
func pointOf(lat, lng float64) (point, error) {
	if !(math.Abs(lat) <= 90 && math.Abs(lng) <= 180) {
		return point{}, toolError(BadArguments, "latitude %s, longitude %s: want at most 90 and 180 degrees", Repr(lat), Repr(lng))
	}
	return point{int64(math.Round(lat * 1e6)), int64(math.Round(lng * 1e6))}, nil
}

// pointIn reads latitude and longitude of an object; ok is false where it lacks one.
func pointIn(object map[string]any) (p point, ok bool, err error) {
	lat, okLat := object["latitude"].(json.Number)
	lng, okLng := object["longitude"].(json.Number)
	if !okLat || !okLng {
		return p, false, nil
	}
	x, _ := lat.Float64()
	y, _ := lng.Float64()
	p, err = pointOf(x, y)
	return p, true, err
}

// geo finds the located pages of a world.
type geo struct {
	at          map[point][]int // pages, ascending
	kinds       map[string][]site
	settlements []site
}

// site is a located page; lists of them are sorted by latitude.
type site struct {
	point
	page int
}

func (t *Tools) located() *geo {
	t.once.Do(func() {
		t.geo = geo{at: map[point][]int{}, kinds: map[string][]site{}}
		for i, p := range t.World.Places() {
			if !p.Located {
				continue
			}
			s := site{point{p.Lat, p.Lng}, i}
			t.geo.at[s.point] = append(t.geo.at[s.point], i)
			if p.Kind != "" {
				t.geo.kinds[p.Kind] = append(t.geo.kinds[p.Kind], s)
			}
			if p.Settlement {
				t.geo.settlements = append(t.geo.settlements, s)
			}
		}
		for list := range maps.Values(t.geo.kinds) { // each by itself
			sortSites(list)
		}
		sortSites(t.geo.settlements)
	})
	return &t.geo
}

func sortSites(list []site) {
	order.Sort(list, func(a, b site) int { return cmp.Or(cmp.Compare(a.lat, b.lat), cmp.Compare(a.page, b.page)) })
}

const (
	earthRadius = 6_371_008.8 // metres
	perDegree   = 111_195     // metres along a meridian
)

// metres returns the great-circle distance of two points. It is rounded to a millimetre, so that
// the last bits of a processor's arithmetic decide neither what is within a radius nor what is
// nearer.
func metres(a, b point) float64 {
	const radian = math.Pi / 180e6
	half := func(d int64) float64 { s := math.Sin(float64(float64(d) * radian / 2)); return float64(s * s) }
	along := math.Cos(float64(float64(a.lat)*radian)) * math.Cos(float64(float64(b.lat)*radian))
	h := half(a.lat-b.lat) + float64(float64(along)*half(a.lng-b.lng))
	return math.Round(float64(2*earthRadius*math.Asin(math.Sqrt(min(1, h))))*1000) / 1000
}

// near is a site and how far away it is.
type near struct {
	site
	away float64
}

// around lists the sites within a radius in metres, the nearest first, those of one distance by
// page.
func around(list []site, center point, radius float64) (out []near) {
	const most = 180e6
	band := int64(min(most, math.Ceil(radius/perDegree*1e6)+10))
	from := sort.Search(len(list), func(i int) bool { return list[i].lat >= center.lat-band })
	for _, s := range list[from:] {
		if s.lat > center.lat+band {
			break
		}
		if away := metres(center, s.point); away <= radius {
			out = append(out, near{s, away})
		}
	}
	order.Sort(out, func(a, b near) int { return cmp.Or(cmp.Compare(a.away, b.away), cmp.Compare(a.page, b.page)) })
	return out
}

// page resolves a name.
func (t *Tools) page(name string) (int, error) {
	i, code := t.World.Resolve(name)
	switch code {
	case "":
		return i, nil
	case Ambiguous:
		return 0, toolError(Ambiguous, "%s is a name of several pages; use a title", fault.Quote(name))
	}
	return 0, toolError(code, "no page is named %s", fault.Quote(name))
}

// locate resolves the name of a located page.
func (t *Tools) locate(name string) (int, point, error) {
	i, err := t.page(name)
	if err != nil {
		return 0, point{}, err
	}
	p, _ := t.World.Place(i)
	if !p.Located {
		return 0, point{}, toolError(NotFound, "the page %s states no coordinates", fault.Quote(t.World.Title(i)))
	}
	return i, point{p.Lat, p.Lng}, nil
}

const placeIDPrefix = "wiki:"

func (t *Tools) placeID(i int) string {
	return placeIDPrefix + strconv.FormatUint(uint64(t.World.ID(i)), 10)
}

func (t *Tools) geocode(args map[string]any) (string, error) {
	i, p, err := t.locate(args["address"].(string))
	if err != nil {
		return "", err
	}
	return answerJSON(struct {
		Location *latLng `json:"location"`
		Address  string  `json:"formatted_address"`
		ID       string  `json:"place_id"`
	}{p.shown(), t.World.Title(i), t.placeID(i)}), nil
}

// farthestSettlement is how far, in metres, a point may be from the settlement that it is said to
// be at.
const farthestSettlement = 100_000

func (t *Tools) reverseGeocode(args map[string]any) (string, error) {
	p, _, err := pointIn(args)
	if err != nil {
		return "", err
	}
	list := around(t.located().settlements, p, farthestSettlement)
	if len(list) == 0 {
		return "", toolError(NotFound, "there is no settlement within %d km of %s", farthestSettlement/1000, p)
	}
	i := list[0].page
	return answerJSON(struct {
		Address    string    `json:"formatted_address"`
		ID         string    `json:"place_id"`
		Components *struct{} `json:"address_components"`
	}{t.World.Title(i), t.placeID(i), nil}), nil
}

// nearWord stands between kind and place in a query for places.
const nearWord = " near "

// searchPlaces answers `museums near Paris`, and `museums` with a location. Other queries, for one
// place, are not native.
func (t *Tools) searchPlaces(args map[string]any) (string, error) {
	query := strings.TrimSpace(args["query"].(string))
	kind, name, named := strings.Cut(query, nearWord)
	kind = strings.ToLower(strings.TrimSpace(kind))
	known := slices.ContainsFunc(PlaceKinds(), func(k string) bool { return k == kind })
	object, _ := args["location"].(map[string]any)
	center, given, err := pointIn(object)
	if !known || !named && !given {
		return "", &noNative{toolError(NotFound, "no answer to %s; ask for KIND near PLACE, KIND one of %s",
			fault.Quote(query), strings.Join(PlaceKinds(), ", "))}
	}
	left := -1
	if named {
		left, center, err = t.locate(strings.TrimSpace(name))
	}
	if err != nil {
		return "", err
	}
	radius := float64(placeKinds().RadiusKM) * 1000
	if n, ok := args["radius"].(json.Number); ok {
		if radius, _ = n.Float64(); radius < 0 {
			return "", toolError(BadArguments, "radius %s: want at least 0 metres", n)
		}
	}
	return t.placeList(kind, around(t.located().kinds[kind], center, radius), left), nil
}

// PlaceKinds lists the kinds of places.
func PlaceKinds() (names []string) {
	for _, k := range placeKinds().Kinds {
		names = append(names, k.Kind)
	}
	return names
}

// placeList writes places of a kind but for the page left.
func (t *Tools) placeList(kind string, list []near, left int) string {
	type place struct {
		Name     string    `json:"name"`
		Address  string    `json:"formatted_address"`
		Location *latLng   `json:"location"`
		ID       string    `json:"place_id"`
		Rating   *struct{} `json:"rating"`
		Ratings  *struct{} `json:"user_ratings_total"`
		Types    []string  `json:"types"`
	}
	out := struct {
		Places []place `json:"places"`
	}{[]place{}}
	for _, n := range list {
		if n.page != left {
			title := t.World.Title(n.page)
			out.Places = append(out.Places, place{
				Name: title, Address: title, Location: n.shown(), ID: t.placeID(n.page), Types: []string{kind},
			})
		}
	}
	return answerJSON(out)
}

func (t *Tools) placeDetails(args map[string]any) (string, error) {
	id := args["place_id"].(string)
	number, ok := strings.CutPrefix(id, placeIDPrefix)
	n, err := strconv.ParseUint(number, 10, 32)
	i, found := t.World.Number(uint32(n))
	p, isPlace := t.World.Place(i)
	if !ok || err != nil || !found || !isPlace || t.placeID(i) != id {
		return "", &noNative{toolError(NotFound, "no place has the place_id %s", fault.Quote(id))}
	}
	out := struct {
		Name     string   `json:"name"`
		Address  string   `json:"formatted_address"`
		Location *latLng  `json:"location"`
		ID       string   `json:"place_id"`
		Types    []string `json:"types"`
		URL      string   `json:"url"`
	}{t.World.Title(i), t.World.Title(i), nil, id, p.types(), t.World.URL(i)}
	if p.Located {
		out.Location = point{p.Lat, p.Lng}.shown()
	}
	return answerJSON(out), nil
}

// types lists what a place is.
func (p Place) types() []string {
	out := []string{}
	if p.Kind != "" {
		out = append(out, p.Kind)
	}
	if p.Settlement {
		out = append(out, "settlement")
	}
	if p.Country {
		out = append(out, "country")
	}
	return out
}

var pointForm = regexp.MustCompile(`^\s*([-+0-9.eE]+)\s*,\s*([-+0-9.eE]+)\s*$`)

// end is an origin or a destination: `lat,lng`, or the name of a located page.
func (t *Tools) end(text string) (shown string, p point, err error) {
	if m := pointForm.FindStringSubmatch(text); m != nil {
		lat, okLat := pyFloat(m[1])
		lng, okLng := pyFloat(m[2])
		if okLat && okLng {
			p, err = pointOf(lat, lng)
			return p.String(), p, err
		}
	}
	i, p, err := t.locate(text)
	if err != nil {
		return "", p, err
	}
	return t.World.Title(i), p, nil
}

// ends resolves a list of origins or destinations.
func (t *Tools) ends(list any) (shown []string, points []point, err error) {
	for _, item := range list.([]any) {
		s, p, err := t.end(item.(string))
		if err != nil {
			return nil, nil, err
		}
		shown, points = append(shown, s), append(points, p)
	}
	return shown, points, nil
}

type distanceElement struct {
	Status   string    `json:"status"`
	Duration *struct{} `json:"duration"`
	Distance struct {
		Value int64  `json:"value"`
		Text  string `json:"text"`
	} `json:"distance"`
}

type distanceRow struct {
	Elements []distanceElement `json:"elements"`
}

func (t *Tools) distanceMatrix(args map[string]any) (string, error) {
	origins, destinations := len(args["origins"].([]any)), len(args["destinations"].([]any))
	if n := origins * destinations; n < 1 || n > maxElements {
		return "", toolError(BadArguments, "%d origins and %d destinations: want 1 to %d pairs", origins, destinations, maxElements)
	}
	out := struct {
		Origins      []string      `json:"origin_addresses"`
		Destinations []string      `json:"destination_addresses"`
		Mode         string        `json:"mode"`
		Results      []distanceRow `json:"results"`
	}{Mode: "great_circle"}
	var from, to []point
	var err error
	if out.Origins, from, err = t.ends(args["origins"]); err != nil {
		return "", err
	}
	if out.Destinations, to, err = t.ends(args["destinations"]); err != nil {
		return "", err
	}
	for _, a := range from {
		row := distanceRow{}
		for _, b := range to {
			e := distanceElement{Status: "OK"}
			e.Distance.Value = int64(math.Round(metres(a, b)))
			e.Distance.Text = fmt.Sprintf("%.1f km", float64(e.Distance.Value)/1000)
			row.Elements = append(row.Elements, e)
		}
		out.Results = append(out.Results, row)
	}
	return answerJSON(out), nil
}

func (t *Tools) elevation(args map[string]any) (string, error) {
	type result struct {
		Elevation  json.RawMessage `json:"elevation"`
		Location   *latLng         `json:"location"`
		Resolution *struct{}       `json:"resolution"`
	}
	out := struct {
		Results []result `json:"results"`
	}{}
	list := args["locations"].([]any)
	if len(list) < 1 || len(list) > maxLocations {
		return "", toolError(BadArguments, "%d locations: want 1 to %d", len(list), maxLocations)
	}
	for _, item := range list {
		p, _, err := pointIn(item.(map[string]any))
		if err != nil {
			return "", err
		}
		metres, err := t.elevationAt(p)
		if err != nil {
			return "", err
		}
		out.Results = append(out.Results, result{metres, p.shown(), nil})
	}
	return answerJSON(out), nil
}

// elevationAt returns what the one page at a point states.
func (t *Tools) elevationAt(p point) (json.RawMessage, error) {
	pages := t.located().at[p]
	if len(pages) > 1 {
		return nil, toolError(Ambiguous, "%d pages are at %s", len(pages), p)
	}
	if len(pages) == 1 {
		if place, _ := t.World.Place(pages[0]); place.Elevation != "" {
			return plainJSON(place.Elevation)
		}
	}
	return nil, &noNative{toolError(NotFound, "no page at %s states its elevation", p)}
}

// plainJSON returns a number that a page shows, as it is if that is JSON.
func plainJSON(shown string) (json.RawMessage, error) {
	if numberForm.FindString(shown) == shown && shown != "" {
		return json.RawMessage(shown), nil
	}
	f, ok := pyFloat(shown)
	if !ok {
		return nil, toolError(NotFound, "%s is not a number", fault.Quote(shown))
	}
	return json.RawMessage(Repr(f)), nil
}

// country resolves the name of a country and returns one of its numbers.
func (t *Tools) country(args map[string]any, what string, number func(Place) string) (string, json.RawMessage, error) {
	i, err := t.page(args["country"].(string))
	if err != nil {
		return "", nil, err
	}
	title := t.World.Title(i)
	p, _ := t.World.Place(i)
	switch {
	case !p.Country:
		return "", nil, toolError(NotFound, "%s is not a country", fault.Quote(title))
	case number(p) == "":
		return "", nil, toolError(NotFound, "the page %s states no %s", fault.Quote(title), what)
	}
	n, err := plainJSON(number(p))
	return title, n, err
}

func (t *Tools) population(args map[string]any) (string, error) {
	title, n, err := t.country(args, "population", func(p Place) string { return p.Population })
	if err != nil {
		return "", err
	}
	return answerJSON(struct {
		Country    string          `json:"country"`
		Population json.RawMessage `json:"population"`
	}{title, n}), nil
}

func (t *Tools) area(args map[string]any) (string, error) {
	title, n, err := t.country(args, "area", func(p Place) string { return p.Area })
	if err != nil {
		return "", err
	}
	return answerJSON(struct {
		Country string          `json:"country"`
		Area    json.RawMessage `json:"area_km2"`
	}{title, n}), nil
}
