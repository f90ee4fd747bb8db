package report

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLabelsOfAPlotDoNotCollide reckons 6.5 pixels a character.
func TestLabelsOfAPlotDoNotCollide(t *testing.T) {
	for n := 1; n <= 60; n++ {
		for _, label := range []string{"7", "120", "1.23e-08", strings.Repeat("é", 40)} {
			c := Curve{Name: "x"}
			for range n {
				c.Groups = append(c.Groups, Bin{Low: label, High: label})
			}
			var drawn struct {
				Texts []struct {
					AtX  float64 `xml:"x,attr"`
					AtY  float64 `xml:"y,attr"`
					Size int     `xml:"font-size,attr"`
					Text string  `xml:",chardata"`
				} `xml:"text"`
			}
			if err := xml.Unmarshal(Chart(c, "t", nil), &drawn); err != nil {
				t.Fatal(err)
			}
			end, labels := -1000.0, 0
			for _, x := range drawn.Texts {
				if x.AtY != bottom+16 {
					continue
				}
				labels++
				half := 6.5 * float64(utf8.RuneCountInString(x.Text)) / 2
				if x.AtX-half < end {
					t.Fatalf("%d groups: %q at %v runs into the one before", n, x.Text, x.AtX)
				}
				end = x.AtX + half
			}
			if labels == 0 {
				t.Fatalf("%d groups: no label", n)
			}
		}
	}
}
