package facts

import (
	"reflect"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

// factCases give each row of the specification's table (7.2), with what it refuses. Want is "key kind value unit", ""
// for a text that has no fact.
var factCases = []struct{ text, want string }{
	{"{{coord|57.5|-4.25}}", "coordinates coord 57.5,-4.25 deg"},
	{"{{Coord|57.5|N|4.25|W}}", "coordinates coord 57.5,-4.25 deg"},
	{"{{coord|57|30|n|4|15|w}}", "coordinates coord 57.5,-4.25 deg"},
	{"{{coord|57|18|22|N|4|27|32.5|W|type:city|display=title}}", "coordinates coord 57.306111,-4.459028 deg"},
	{"{{ coord |0|S|180|E|format=dms}}", "coordinates coord 0,180 deg"},
	{"{{Coord|12|19|N|70|1|W|\n}}", "coordinates coord 12.316667,-70.016667 deg"},
	{"{{coord|90|0|0|S|180|0|0|W}}", "coordinates coord -90,-180 deg"},
	{"{{coord|1|S}}", ""},
	{"{{coord}}", ""},
	{"{{coord|}}", ""},
	{"{{coord|S|1}}", ""},
	{"{{coord|1|2|3}}", ""},
	{"{{coord|1|N|2|3|E}}", ""},
	{"{{coord|display=title|1|2}}", ""},
	{"{{coord|type:city|1|2}}", ""},
	{"{{coord|90.1|0}}", ""},
	{"{{coord|0|180.000001}}", ""},
	{"{{coord|90|0|1|N|0|0|0|E}}", ""},
	{"{{coord|1|60|N|2|0|E}}", ""},
	{"{{coord|1|0|60|N|2|0|0|E}}", ""},
	{"{{coord|1.5|30|N|2|0|E}}", ""},
	{"{{coord|-1|N|2|E}}", ""},
	{"{{coord|1|E|2|N}}", ""},
	{"{{coord|1|N|2|E|3|E}}", ""},
	{"{{coord|1..2|3}}", ""},
	{"{{coord|1.|3}}", ""},

	{"{{convert|1,234.50|km|mi}}", "convert_1 convert 1234.5 km"},
	{"{{cvt|−5|°C|0|abbr=on}}", "convert_1 convert -5 °C"},
	{"{{convert|4|ft|6|in|m}}", "convert_1 convert 4 6 ft in"},
	{"{{convert|10|km|mi|1}}", "convert_1 convert 10 km"},
	{"{{convert|10|km|1}}", "convert_1 convert 10 km"},
	{"{{convert|10|to|20|km}}", ""},
	{"{{convert|10|-|20|km}}", ""},
	{"{{convert|10|x|20|m}}", ""},
	{"{{convert|10-20|km}}", ""},
	{"{{convert|10|km|20|mi}}", ""},
	{"{{convert|1|yd|2|ft|3|in}}", ""},
	{"{{convert|ten|km}}", ""},
	{"{{convert|10|20}}", ""},
	{"{{convert|10}}", ""},
	{"{{convert|1,23|km}}", ""},

	{"{{birth date|1879|3|14}}", "birth_date date 1879-03-14 "},
	{"{{Birth date and age|df=yes|1950|12|31}}", "birth_date date 1950-12-31 "},
	{"{{death date|1955|04|18|mf=y}}", "death_date date 1955-04-18 "},
	{"{{death date and age|1955|4|18|1879|3|14}}", "death_date date 1955-04-18 "},
	{"{{start date|1990}}", "start_date date 1990 "},
	{"{{start date|1990|5}}", "start_date date 1990-05 "},
	{"{{Start date and age|2000|2|29}}", "start_date date 2000-02-29 "},
	{"{{film date|1998|09|01|Spain}}", "film_date date 1998-09-01 "},
	{"{{film date|1998|09|01|Spain|1999|1|1}}", ""},
	{"{{birth date|1990}}", ""},
	{"{{birth date|1990|5}}", ""},
	{"{{birth date|1900|2|29}}", ""},
	{"{{birth date|1990|13|1}}", ""},
	{"{{birth date|1990|1|32}}", ""},
	{"{{birth date|1990|0|1}}", ""},
	{"{{birth date|0|1|1}}", ""},
	{"{{birth date|2027|1|1}}", ""},
	{"{{birth date|1990|May|1}}", ""},
	{"{{birth date|df=yes}}", ""},

	{"{{Infobox x|a=1,234}}", "a number 1234 "},
	{"{{Infobox x|Area km2= 0012.50 <!-- c --><ref>2</ref>}}", "area_km2 number 12.5 "},
	{"{{infobox|a=−5}}", "a number -5 "},
	{"{{Taxobox|a=+5}}", "a number 5 "},
	{"{{Infobox x|a=1&nbsp;234&thinsp;567}}", "a number 1234567 "},
	{"{{Infobox x|a={{formatnum:1234}}}}", "a number 1234 "},
	{"{{Infobox x|a={{val|1234|u=km}}}}", "a number 1234 km"},
	{"{{Infobox x|a={{nowrap|12 %}}}}", "a number 12 %"},
	{"{{Infobox x|a=12 km²}}", "a number 12 km2"},
	{"{{Infobox x|a=12,34,567}}", "a number 1234567 "},
	{"{{Infobox x|a=-0.0}}", "a number 0 "},
	{"{{Infobox x|a=c. 1234}}", ""},
	{"{{Infobox x|a=circa 1234}}", ""},
	{"{{Infobox x|a=~1234}}", ""},
	{"{{Infobox x|a=10–20}}", ""},
	{"{{Infobox x|a=10-20}}", ""},
	{"{{Infobox x|a=10, 20}}", ""},
	{"{{Infobox x|a=10 20}}", ""},
	{"{{Infobox x|a=500 BC}}", ""},
	{"{{Infobox x|a=1,234 (2010)}}", ""},
	{"{{Infobox x|a=10<br>20}}", ""},
	{"{{Infobox x|a=12,34}}", ""},
	{"{{Infobox x|a=1.2.3}}", ""},
	{"{{Infobox x|a={{val|12|3}}}}", ""},
	{"{{Infobox x|a=}}", ""},
	{"{{Infobox x|a=<!-- 5 -->}}", ""},

	{"{{Infobox x|a=[[B|c]]}}", "a text c "},
	{"{{Infobox x|a=''[[B]]''}}", "a text B "},
	{"{{Infobox x|a='''Plain''' &amp; text{{!}}}}", ""},
	{"{{Infobox x|a='''Plain''' &amp; text}}", "a text Plain & text "},
	{"{{Infobox x|name={{PAGENAME}}}}", "name text T "},
	{"{{Infobox x|a=[[B]], [[C]]}}", ""},
	{"{{Infobox x|a=[[B]], c}}", ""},
	{"{{Infobox x|a=b\n* c}}", ""},
	{"{{Infobox x|a={{b}}}}", ""},
	{"{{Infobox x|a=[http://b c]}}", ""},

	{"{{Character Infobox|a=5}}", "a number 5 "},
	{"{{character_infobox|a=5}}", "a number 5 "},
	{"{{Infoboxes infoboxing|a=5}}", ""},
	{"{{Infobox x|founded=[[15 May]] [[2007]]}}", "founded date 2007-05-15 "},
	{"{{Infobox x|founded=[[May 15]], [[2007 in music|2007]]<ref>x</ref>}}", "founded date 2007-05-15 "},
	{"{{Infobox x|founded=15&nbsp;May 2007}}", "founded date 2007-05-15 "},
	{"{{Infobox x|founded=May 2007}}", "founded date 2007-05 "},
	{"{{Infobox x|founded='''2007-05-15'''}}", "founded date 2007-05-15 "},
	{"{{Infobox x|founded=31 June 2007}}", ""},
	{"{{Infobox x|founded=2007-13-01}}", ""},
	{"{{Infobox x|founded=May 2027}}", ""},
	{"{{Infobox x|founded=15 May 2007 – 16 May 2008}}", ""},
	{"{{Infobox x|founded=2007}}", "founded number 2007 "},
	{"{{Infobox x|founded=May 15}}", "founded text May 15 "},
	{"{{Infobox x|founded=Monday}}", "founded text Monday "},
	{"{{Infobox x|founded={{end date|2007|5|15}}}}", "founded date 2007-05-15 "},
	{"{{dda|2007|5|15|1960|1|1}} {{bda|1960|1|1}}", "death_date date 2007-05-15 ; birth_date date 1960-01-01 "},
	{"{{birth-date|15 May 1960}}", "birth_date date 1960-05-15 "},
	{"{{birth-date|May 1960}}", ""},
	{"{{start-date|May 1960}}", "start_date date 1960-05 "},

	{"{{Infobox x|coordinates={{coord|1|2}}}}", "coordinates coord 1,2 deg"},
	{"{{Infobox x|length={{convert|5|km|mi}}<ref>x</ref>}}", "length convert 5 km"},
	{"{{Infobox x|born={{birth date|1879|3|14}}}}", "birth_date date 1879-03-14 "},
	{"{{Infobox x|opened={{start date|1990}}}}", "opened date 1990 "},
	{"{{Infoboxes|a=5}}", ""},
	{"{{x|a=5}} {{y|{{convert|5|km}}}}", "convert_1 convert 5 km"},
	{"<ref>{{coord|1|2}}</ref><nowiki>{{coord|1|2}}</nowiki>", ""},
}

func TestFactsFollowTheRuleOfEachKind(t *testing.T) {
	x := NewFacts(wikitest.EnglishWikipedia(), 2026)
	for _, c := range factCases {
		var got []string
		for _, f := range x.Page(titles.Title{Text: "T"}, c.text) {
			got = append(got, strings.Join([]string{f.Key, f.Kind, f.Value, f.Unit}, " "))
			if !strings.HasPrefix(c.text[f.Offset:], f.Raw) {
				t.Errorf("%q: offset %d is not that of %q", c.text, f.Offset, f.Raw)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
		checkFactBalance(t, x.Counts())
	}
}

func TestSourcesThatDisagreeAreDroppedAndCounted(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
		n    Counts
	}{
		{"{{Infobox x|a=1|b=2}}{{Infobox y|a=3}}", []string{"b 2"}, Counts{Found: 3, Kept: 1, Disagreed: 2}},
		{"{{Infobox x|a=1}}{{Infobox y|a=1.0}}", []string{"a 1"}, Counts{Found: 2, Kept: 1, Repeated: 1}},
		{"{{Infobox x|a=1}}{{Infobox y|a=3}}{{Infobox y|a=1}}", nil, Counts{Found: 3, Disagreed: 3}},
		{"{{Infobox x|a=1|a=2}}", []string{"a 2"}, Counts{Found: 1, Kept: 1}},
		{"{{coord|1|2}} {{coord|3|4}}", nil, Counts{Found: 2, Disagreed: 2}},
		{"{{coord|1|2}} {{coord|3|4|display=inline,title}}", []string{"coordinates 3,4"}, Counts{Found: 2, Kept: 1, Aside: 1}},
		{"{{coord|1|2|display=title}} {{Infobox x|coordinates={{coord|3|4}}}}", nil, Counts{Found: 2, Disagreed: 2}},
		{"{{Infobox x|birth_date=1990}} {{birth date|1990|1|1}}", nil, Counts{Found: 2, Disagreed: 2}},
		{"{{convert|1|km}} {{convert|1|to|2|km}} {{convert|2|km}}", []string{"convert_1 1", "convert_2 2"}, Counts{Found: 3, Kept: 2, Refused: 1}},
	} {
		x := NewFacts(wikitest.EnglishWikipedia(), 2026)
		var got []string
		for _, f := range x.Page(titles.Title{Text: "T"}, c.text) {
			got = append(got, f.Key+" "+f.Value)
		}
		n := x.Counts()
		clear(n[Infoboxes:])
		if !reflect.DeepEqual(got, c.want) || n != c.n {
			t.Errorf("%q: got %q, %+v, want %q, %+v", c.text, got, n, c.want, c.n)
		}
	}
}

func TestFactSaysWhereItIsFrom(t *testing.T) {
	x := NewFacts(wikitest.EnglishWikipedia(), 2026)
	got := x.Page(titles.Title{Text: "T"}, "<!-- é -->{{Infobox x| Area = 5<ref>6</ref> }} {{coord|1|2}} {{cvt|3|km}}")
	want := []Fact{
		{Key: "area", Kind: schemas.FactNumber, Value: "5", Raw: "5", Offset: 31, Source: "infobox:Area"},
		{Key: "coordinates", Kind: schemas.FactCoord, Value: "1,2", Unit: "deg", Raw: "{{coord|1|2}}", Offset: 48, Source: "coord"},
		{Key: "convert_1", Kind: schemas.FactConvert, Value: "3", Unit: "km", Raw: "{{cvt|3|km}}", Offset: 62, Source: "prose"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestFactsForgetTheLastPage(t *testing.T) {
	x := NewFacts(wikitest.EnglishWikipedia(), 2026)
	x.Page(titles.Title{Text: "T"}, "{{Infobox x|a=1|{{coord|1|2|display=title}}{{cvt|1|km}}")
	x.Page(titles.Title{Text: "T"}, "{{Infobox x|a=1|b={{coord|1|2|display=title}}}}")
	if got := x.Page(titles.Title{Text: "U"}, "{{coord|3|4}}{{cvt|5|km}}"); len(got) != 2 || got[0].Value != "3,4" || got[1].Key != "convert_1" {
		t.Errorf("got %+v", got)
	}
	if got := x.Page(titles.Title{Text: "V"}, "no braces"); len(got) != 0 {
		t.Errorf("got %+v of a page without templates", got)
	}
}

func TestThePagesFirstInfoboxIsNamed(t *testing.T) {
	x := NewFacts(wikitest.EnglishWikipedia(), 2026)
	for text, want := range map[string]string{
		"{{About|x}}{{infobox_river|a=1}} {{Infobox lake}}":      "Infobox river",
		"{{Infobox person|module={{Infobox officeholder|a=1}}}}": "Infobox person",
		"{{Speciesbox}}": "Speciesbox", "{{Infoboxes}} {{coord|1|2}}": "", "<!--{{Infobox river}}-->": "", "no braces": "",
	} {
		x.Page(titles.Title{Text: "T"}, "{{Infobox before}}")
		if x.Page(titles.Title{Text: "T"}, text); x.Infobox() != want {
			t.Errorf("%s: got %q, want %q", text, x.Infobox(), want)
		}
	}
}

func TestSampleFacts(t *testing.T) {
	site, pages := wikitest.Sample(t)
	x := NewFacts(site, 2016)
	with := map[string]int{}
	for _, p := range pages {
		boxes, kinds := x.Counts()[Infoboxes], map[string]bool{}
		for _, f := range x.Page(wikitest.PageTitle(t, site, p), p.Text) {
			kinds[f.Kind] = true
			kinds["birth"] = kinds["birth"] || f.Key == "birth_date"
			if p.Text[f.Offset] != f.Raw[0] {
				t.Errorf("page %d %q: %+v is not at its offset", p.ID, p.Title, f)
			}
		}
		kinds["infobox"] = x.Counts()[Infoboxes] > boxes
		for kind, yes := range kinds {
			if yes {
				with[kind]++
			}
		}
	}
	checkFactBalance(t, x.Counts())
	for kind, want := range map[string]int{"infobox": 50, "coord": 13, "convert": 29, "birth": 10} {
		if with[kind] != want {
			t.Errorf("got %d pages with %s, want %d", with[kind], kind, want)
		}
	}
}
