package links

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Numbers are an instance's numbers by name, as text: integers, and decimals with an exponent.
type Numbers map[string]string

// NumbersOf returns the numbers of a record by their names in its JSON: yes and no as 1 and 0, a
// list by its length, an object by its fields. A new field of the record needs no line here.
func NumbersOf(record any) Numbers {
	var tree map[string]any
	data := canon.MustMarshal(record)
	if err := canon.Decode(data, len(data), &tree); err != nil {
		panic(err) // we wrote it
	}
	n := Numbers{}
	n.flatten("", tree)
	return n
}

func (n Numbers) flatten(prefix string, tree map[string]any) {
	for name, v := range tree {
		switch v := v.(type) {
		case float64:
			n[prefix+name] = fmt.Sprint(int64(v))
		case bool:
			n[prefix+name] = "0"
			if v {
				n[prefix+name] = "1"
			}
		case string:
			if _, err := strconv.ParseFloat(v, 64); err == nil {
				n[prefix+name] = v
			}
		case []any:
			n[prefix+name+"_length"] = fmt.Sprint(len(v))
		case map[string]any:
			n.flatten(prefix+name+"_", v)
		}
	}
}

// Share adds what part of a whole there is; nothing for an empty whole.
func (n Numbers) Share(name, part, whole string) {
	p, _ := strconv.ParseFloat(n[part], 64) // what is not there is 0
	w, _ := strconv.ParseFloat(n[whole], 64)
	if w > 0 {
		n[name] = strconv.FormatFloat(p/w, 'e', -1, 64)
	}
}

// Features lists the numbers by name.
func (n Numbers) Features() []family.Feature {
	var list []family.Feature
	for _, name := range slices.Sorted(maps.Keys(n)) {
		list = append(list, family.Feature{Name: name, Value: n[name]})
	}
	return list
}
