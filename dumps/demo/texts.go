package demo

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// worldTOML is what this package knows by heart; it says itself what its tables mean.
//
//go:embed world.toml
var worldTOML []byte

type kindText struct {
	Nouns, Classes, Names                     []string
	Shown, Around, Untyped, Alias, Population int
	Lost                                      bool
	Theme, Form, General                      string
	Below                                     []group
}

// form is the pattern of all articles of one kind, in which $words (words.go) stand for what differs.
type form struct {
	About    string   // the short description
	Box      string   // the infobox; "" for none
	Lead     []string // first paragraphs, of which one is drawn; as many for every noun of a kind
	Body     string   // the form whose sections these are; "" for its own
	Sections []section
	More     string
}

// section is a heading and so many of some sentences.
type section struct {
	Title     string
	Count     int
	Pool      string // where the sentences are; "" for their own
	Sentences []string
}

// group is a heading and the kids of one kind.
type group struct {
	Title string
	Kind  kind
}

// texts is world.toml.
type texts struct {
	Growth        []growth
	Guises        []guise
	Details       map[string][]string
	StandIns      map[string]string `toml:"stand_ins"`
	Plurals       map[string]string
	Lists         []list
	Kind          map[string]*kindText
	Pools         map[string][]string
	Form          map[string]*form
	Topics        map[string][]string
	ThemeLinks    map[string]string `toml:"theme_links"`
	TopicClasses  map[string]string `toml:"topic_classes"`
	ThemeClasses  map[string]string `toml:"theme_classes"`
	SecondClasses map[string]string `toml:"second_classes"`
	Tongues       []tongue
	Latin         tongue
	Works         struct{ Adjectives, Things []string }
	Oddities      struct{ Near, Void []string }
	Templates     []struct{ Name, Text string }
	Redirects     []redirect
	Young, Feet   []string
	Chronicle     []string
	Tables        map[string][]string

	// Pages are those whose text does not come from the plan.
	Pages []struct {
		Title, Model, Format, Text string
		NS                         int
	}
}

// The names in world.toml, in the order of their constants. They stand in front of text, which reads by them.
var (
	kindNames = strings.Fields("century decade year topic country region district settlement building landform person work event " +
		"kingdom class order family genus species list")
	themes = strings.Fields("land culture life society")
)

// text is the world as it is written, and about what it says of each kind.
var (
	text  = mustRead(worldTOML)
	about = text.kinds()
)

// mustRead panics where the file has a mistake: it is part of the program.
func mustRead(raw []byte) *texts {
	t := new(texts)
	if err := toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields().Decode(t); err != nil {
		panic(fmt.Sprintf("demo: world.toml: %v", err))
	}
	return t
}

func (t *texts) kinds() (all [kinds]*kindText) {
	for k, name := range kindNames {
		about := t.Kind[name]
		if about.Form == "" {
			about.Form = name
		}
		if about.Shown < 0 {
			about.Shown = 1 << 30
		}
		all[k] = about
	}
	return all
}

// noun is what a thing of kind k and that variety is called.
func noun(k kind, variety int) string { return about[k].Nouns[variety%len(about[k].Nouns)] }

func (k *kind) UnmarshalText(name []byte) error {
	*k = kind(slices.Index(kindNames, string(name)))
	if *k < 0 {
		return fmt.Errorf("no kind %q", name)
	}
	return nil
}

// theme is what a topic belongs to; a kind of article draws most of its topics from one of them.
func (w *world) theme(i int) string {
	if t := &w.things[i]; t.kind == kindTopic {
		return themes[t.variety]
	}
	return about[w.things[i].kind].Theme
}

// kind is what an article is about.
type kind int

const (
	kindCentury kind = iota
	kindDecade
	kindYear
	kindTopic
	kindCountry
	kindRegion
	kindDistrict
	kindSettlement
	kindBuilding
	kindLandform
	kindPerson
	kindWork
	kindEvent
	kindKingdom
	kindClass
	kindOrder
	kindFamily
	kindGenus
	kindSpecies
	kindList
	kinds
)
