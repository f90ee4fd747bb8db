package aar

import "github.com/wikinav/wikinav/schemas"

// Level is the ranges of a level: stops without reasons and diamonds, tool stops without diamonds,
// reason stops, and how many links a searched page may be away.
type Level struct {
	Depth   [2]int `json:"depth"`
	Tools   [2]int `json:"tools"`
	Reasons [2]int `json:"reasons"`
	Crawl   int    `json:"crawl"`
}

// LevelOf returns the ranges of a level and of its diamonds.
func LevelOf(name string) (l Level, diamonds [2]int) {
	return templateTable().Levels[name], templateTable().Diamonds[name]
}

// Natives lists the templates that a world answers without a cassette.
func Natives() []string { return templateTable().Natives }

// templateRow is a template: its name and chain.
type templateRow struct {
	Name  string `json:"name"`
	Chain []struct {
		Tool      string           `json:"tool"`
		Args      schemas.AARValue `json:"args"`
		OutputKey string           `json:"output_key"`
	} `json:"chain"`
}

// templateTable is templates.json, as far as it is read.
var templateTable = lazily[struct {
	Templates  []templateRow  `json:"templates"`
	Transforms []transformRow `json:"transforms"`
	Kinds      []struct {
		Name string `json:"name"`
		Day  string `json:"fixed_date"`
	} `json:"diamonds"`
	Levels   map[string]Level  `json:"levels"`
	Diamonds map[string][2]int `json:"diamonds_by_level"`
	Natives  []string          `json:"native_templates"`
}]("templates")
