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
	out := numbers(f)
	addShare(out, "opt_first_share", "opt_first", "out_degree")
	addShare(out, "opt_first_menu_share", "opt_first_menu", "menu_size")
	return out
}

// banFeatures gives the numbers that say how hard a ban makes an instance. Its length is not among them: that has a curve of its own.
func banFeatures(i schemas.ConstrainedInstance) map[string]value {
	out := numbers(map[string]any{
		"baseline_length": i.BaselineLength, "detour": i.Detour, "unlabelled_on_path": i.Unlabelled, "successors_banned": i.BannedShare[0],
		"successors": i.BannedShare[1], "shortest_pages_banned": i.BannedOnShortest[0], "shortest_pages": i.BannedOnShortest[1],
		"feasible_first": i.FeasibleFirst[0], "optimal_first": i.FeasibleFirst[1], "compat_found": i.Compat.Found,
	})
	addShare(out, "successors_banned_share", "successors_banned", "successors")
	addShare(out, "shortest_pages_banned_share", "shortest_pages_banned", "shortest_pages")
	addShare(out, "optimal_first_share", "optimal_first", "successors")
	return out
}

// numbers gives the numbers of a record by name.
func numbers(record any) map[string]value {
	var tree map[string]any
	data := canon.MustMarshal(record)
	if err := canon.Decode(data, len(data), &tree); err != nil {
		panic(err) // we wrote it
	}
	out := map[string]value{}
	flatten(out, "", tree)
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
