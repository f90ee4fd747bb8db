package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Row is a record of a folder that is not a release: its id, an object of JSON, and what about it
// makes one doubt that it measures anything.
type Row struct {
	ID      string
	Record  any
	Reasons []string
}

// TableOf makes a table of rows, which are all of one type. Its columns are the names of the
// objects in their order: numbers, truth values as 1 and 0, lists as their lengths, and words;
// other values are left out.
func TableOf(family, set string, judged release.Audit, rows []Row) (*Table, error) {
	t := &Table{Family: family, Set: set, Judged: judged}
	records := make([]Record, len(rows))
	places := map[string]int{}
	for n, row := range rows {
		members, err := membersOf(row.Record)
		if err != nil {
			return nil, fault.New(fault.Malformed, "%s: %w", row.ID, err)
		}
		records[n] = Record{ID: row.ID, Reasons: row.Reasons}
		for _, m := range members {
			i, ok := places[m.name]
			if !ok {
				i = len(t.Columns)
				places[m.name], t.Columns = i, append(t.Columns, Column{Name: m.name, Kind: Other})
			}
			cell, kind := cellOf(m.value)
			if slices.Contains(judged.Skip, m.name) {
				kind = Other
			}
			t.Columns[i].Kind = max(t.Columns[i].Kind, kind)
			for len(records[n].Cells) <= i {
				records[n].Cells = append(records[n].Cells, nil)
			}
			records[n].Cells[i] = cell
		}
	}
	for n := range records {
		records[n].fill(t.Columns)
	}
	t.Each = func(visit func(*Record) error) error {
		for n := range records {
			if err := visit(&records[n]); err != nil {
				return err
			}
		}
		return nil
	}
	return t, nil
}

// fill puts what stands for nothing into the cells that a record has not, or of another kind.
func (r *Record) fill(columns []Column) {
	for len(r.Cells) < len(columns) {
		r.Cells = append(r.Cells, nil)
	}
	for i, c := range columns {
		switch _, number := r.Cells[i].(float64); {
		case c.Kind == Numeric && !number:
			r.Cells[i] = math.NaN()
		case c.Kind == Word:
			if _, word := r.Cells[i].(string); !word {
				r.Cells[i] = ""
			}
		}
	}
}

type member struct {
	name  string
	value json.RawMessage
}

// membersOf returns the members of an object in the order of its fields.
func membersOf(record any) (list []member, err error) {
	data, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return nil, fmt.Errorf("the record is not an object")
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		list = append(list, member{fmt.Sprint(name), value})
	}
	return list, nil
}

func cellOf(value json.RawMessage) (cell any, k Kind) {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return nil, Other
	}
	switch x := v.(type) {
	case float64:
		return x, Numeric
	case bool:
		if x {
			return 1.0, Numeric
		}
		return 0.0, Numeric
	case string:
		return x, Word
	case []any:
		return float64(len(x)), Numeric
	}
	return nil, Other
}
