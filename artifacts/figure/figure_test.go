package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const evil = `</script><b onload="x">&amp;` + "\x00\u202e\u2066"

// gallery is a figure of each kind, with the text everywhere.
func gallery(text string) map[string][]byte {
	f := Figure{Title: text, Subtitle: text, X: text, Y: text}
	names := []string{text, "b", "c"}
	numbers := []float64{0.2, 0.5, 0.9}
	s := Series{
		Name: text, X: []float64{1, 2, 3}, Y: numbers, Line: true, Points: true,
		Low: []float64{0.1, 0.4, 0.8}, High: []float64{0.3, 0.6, 1},
	}
	band := s
	band.Band, band.Points, band.Of = true, false, 1
	logs, small := f, f
	logs.LogX, logs.LogY, small.Small = true, true, true
	return map[string][]byte{
		"bars":        f.Bars(names, []Bar{{text, numbers, s.Low, s.High}, {text, numbers, nil, nil}}),
		"log bars":    logs.Bars(names, []Bar{{text, numbers, nil, nil}}),
		"lines":       f.Lines(names, []Series{s, s}),
		"curves":      logs.Lines(nil, []Series{s, band}),
		"small":       small.Lines(names, []Series{s}),
		"boxes":       f.Boxes([]Box{{text, 9, 0, 1, 2, 3, 4}, {"b", 0, 1, 1, 1, 1, 1}}),
		"differences": f.Differences([]Difference{{text, 0.1, -0.1, 0.3}, {"b", 0.5, 0.4, 0.6}}),
		"heat":        f.Heat(names, names, [][]float64{numbers, {1, math.NaN(), 2}, numbers}),
		"nothing":     f.Lines(nil, nil),
	}
}

func TestFiguresAreWellFormedAndAlike(t *testing.T) {
	again := gallery(evil)
	for kind, svg := range gallery(evil) {
		if !bytes.Equal(svg, again[kind]) {
			t.Errorf("%s: equal numbers give other bytes", kind)
		}
		if bytes.ContainsAny(svg, "\x00\u202e\u2066") ||
			bytes.Contains(svg, []byte("</script")) || bytes.Contains(svg, []byte("<b ")) {
			t.Errorf("%s: a text does more than show", kind)
		}
		seen := map[string]int{}
		for dec := xml.NewDecoder(bytes.NewReader(svg)); ; {
			token, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				seen[e.Name.Local]++
				for _, a := range e.Attr {
					name := a.Name.Local
					if name == "id" || strings.HasPrefix(name, "on") || strings.Contains(name, "href") {
						t.Errorf("%s: an attribute %s", kind, name)
					}
				}
			}
		}
		if seen["title"] != 1 || seen["desc"] != 1 || seen["script"]+seen["image"]+seen["foreignObject"] > 0 {
			t.Errorf("%s: elements %v", kind, seen)
		}
		for _, hex := range regexp.MustCompile(`(?:fill|stroke):#[0-9a-fA-F]{6}(.{0,12})`).FindAllSubmatch(svg, -1) {
			if !bytes.HasPrefix(hex[1], []byte(";fill:var(")) && !bytes.HasPrefix(hex[1], []byte(";stroke:var")) {
				t.Errorf("%s: %s does not follow the page", kind, hex[0])
			}
		}
		if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
			t.Errorf("%s: a number is none", kind)
		}
	}
}

// filled returns the corners of the filled shapes of a figure in their order.
func filled(t *testing.T, svg []byte) (shapes [][][2]float64) {
	t.Helper()
	for _, m := range regexp.MustCompile(`<path d="M([^"]*)Z" style="fill:#0067b1`).FindAllSubmatch(svg, -1) {
		var corners [][2]float64
		for _, p := range strings.Split(string(m[1]), "L") {
			x, y, _ := strings.Cut(p, ",")
			fx, err := strconv.ParseFloat(x, 64)
			fy, err2 := strconv.ParseFloat(y, 64)
			if err != nil || err2 != nil {
				t.Fatalf("a corner %q", p)
			}
			corners = append(corners, [2]float64{fx, fy})
		}
		shapes = append(shapes, corners)
	}
	return shapes
}

func TestBarsAreAsHighAsTheirNumbers(t *testing.T) {
	for _, c := range []struct {
		f    Figure
		size func(v float64) float64
	}{
		{Figure{}, func(v float64) float64 { return v }},
		{Figure{LogY: true}, func(v float64) float64 { return math.Log(v / 0.5) }},
	} {
		values := []float64{1, 10, 4, 250, 0, 77}
		shapes := filled(t, c.f.Bars([]string{"a", "b", "c", "d", "e", "f"}, []Bar{{Values: values}}))
		var sizes []float64
		for _, corners := range shapes {
			sizes = append(sizes, corners[2][1]-corners[0][1])
		}
		if c.f.LogY { // 0 has no place there
			values = slices.Delete(values, 4, 5)
		}
		if len(sizes) != len(values) {
			t.Fatalf("%d bars for %d numbers", len(sizes), len(values))
		}
		unit := sizes[3] / c.size(250)
		for i, v := range values {
			if math.Abs(sizes[i]-unit*c.size(v)) > 0.05 {
				t.Errorf("log %v: the bar of %g is %g high, want %g", c.f.LogY, v, sizes[i], unit*c.size(v))
			}
		}
	}
}

func TestPointsStandWhereTheirNumbersAre(t *testing.T) {
	s := Series{X: []float64{1, 10, 100}, Y: []float64{0, 0.25, 1}, Line: true}
	svg := Figure{LogX: true, Bounds: [2]float64{0, 1}}.Lines(nil, []Series{s})
	m := regexp.MustCompile(`<path d="M([^"]*)" style="fill:none;stroke:#0067b1`).FindSubmatch(svg)
	if m == nil {
		t.Fatalf("no line in\n%s", svg)
	}
	var at [][2]float64
	for _, p := range strings.Split(string(m[1]), "L") {
		var x, y float64
		if _, err := fmt.Sscanf(p, "%g,%g", &x, &y); err != nil {
			t.Fatal(err)
		}
		at = append(at, [2]float64{x, y})
	}
	if right := (at[1][0] - at[0][0]) / (at[2][0] - at[0][0]); math.Abs(right-0.5) > 1e-3 {
		t.Errorf("10 stands at %g between 1 and 100", right)
	}
	if up := (at[1][1] - at[0][1]) / (at[2][1] - at[0][1]); math.Abs(up-0.25) > 1e-3 {
		t.Errorf("0.25 stands at %g between 0 and 1", up)
	}
}

func TestWhatIsNoNumberIsLeftOut(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	f := Figure{Title: "t", LogY: true}
	for kind, svg := range map[string][]byte{
		"bars": f.Bars([]string{"a", "b", "c"}, []Bar{{Values: []float64{nan, inf, 0}}}),
		"lines": f.Lines(nil, []Series{
			{X: []float64{1, nan, 2}, Y: []float64{nan, 1, -1}, Points: true, Line: true},
		}),
		"boxes":       f.Boxes([]Box{{"a", 0, nan, 1, 1, 1, 1}, {"b", 0, 0, 1, 1, 1, 1}}),
		"differences": f.Differences([]Difference{{"a", nan, 0, 1}}),
		"heat":        f.Heat([]string{"a"}, []string{"b"}, [][]float64{{nan}}),
	} {
		if !bytes.Contains(svg, []byte("no numbers")) {
			t.Errorf("%s: got\n%s", kind, svg)
		}
	}
	one := Figure{Title: "one"}.Lines(nil, []Series{{X: []float64{3}, Y: []float64{5}, Points: true, Line: true}})
	Figure{LogX: true, LogY: true}.Lines(nil, []Series{{X: []float64{1}, Y: []float64{1}, Points: true}})
	if bytes.Contains(one, []byte("no numbers")) || bytes.Contains(one, []byte("NaN")) {
		t.Errorf("one point: got\n%s", one)
	}
}
