package aar

// templateTable is templates.json, as far as it is read.
var templateTable = table[struct {
	Templates []struct {
		Name  string `json:"name"`
		Chain []struct {
			Tool      string `json:"tool"`
			OutputKey string `json:"output_key"`
		} `json:"chain"`
	} `json:"templates"`
	Transforms []transformRow `json:"transforms"`
	Levels     map[string]struct {
		Depth   [2]int `json:"depth"`
		Tools   [2]int `json:"tools"`
		Reasons [2]int `json:"reasons"`
	} `json:"levels"`
	Diamonds map[string][2]int `json:"diamonds_by_level"`
}]("templates")
