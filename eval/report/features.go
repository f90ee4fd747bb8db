package report

import (
	"strconv"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// features gives the numbers among the features of an instance, under their names in the record: numbers and decimals as they are, yes and no
// as 1 and 0, a list by its length, an agent's result by its fields; and the shares of optimal first moves. It reads the record's JSON, so that
// a feature that is new needs no line here.
func features(f schemas.WikiraceFeatures) map[string]value {
	var tree map[string]any
	data := canon.MustMarshal(f)
	if err := canon.Decode(data, len(data), &tree); err != nil {
		panic(err) // we wrote it
	}
	out := map[string]value{}
	flatten(out, "", tree)
	addShare(out, "opt_first_share", "opt_first", "out_degree")
	addShare(out, "opt_first_menu_share", "opt_first_menu", "menu_size")
	return out
}

func flatten(out map[string]value, prefix string, tree map[string]any) {
	for name, v := range tree {
		switch v := v.(type) {
		case float64:
			out[prefix+name] = count(int64(v))
		case bool:
			out[prefix+name] = count(0)
			if v {
				out[prefix+name] = count(1)
			}
		case string:
			if x, err := strconv.ParseFloat(v, 64); err == nil {
				out[prefix+name] = real(x)
			}
		case []any:
			out[prefix+name+"_length"] = count(int64(len(v)))
		case map[string]any:
			flatten(out, prefix+name+"_", v)
		}
	}
}

func addShare(out map[string]value, name, part, whole string) {
	if w := out[whole]; w.x > 0 {
		out[name] = real(out[part].x / w.x)
	}
}
