package catalog

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/wikinav/wikinav/artifacts/flat"
)

// tableOf has two columns and the rows that are given, in an order that is not that of its key.
func tableOf(rows ...[]any) flat.Rows {
	return flat.Rows{Name: "things", Key: 1, Columns: []string{"id TEXT", "n INTEGER"}, Each: func(visit func([]any) error) error {
		for _, row := range rows {
			if err := visit(row); err != nil {
				return err
			}
		}
		return nil
	}}
}

func TestCompareFindsTheFirstRowThatDiffers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.sqlite")
	written := tableOf([]any{"b", int64(1)}, []any{"a", int64(2)})
	w, err := Create(t.Context(), path)
	if err == nil {
		err = w.Begin(t.Context(), written)
	}
	if err == nil {
		err = written.Each(func(row []any) error { return w.Row(row...) })
	}
	if err == nil {
		_, _, err = w.Close(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	other := tableOf()
	other.Name = "others"
	for want, tables := range map[string][]flat.Rows{
		"":                             {written},
		"things, row 1, n: 3, 2":       {tableOf([]any{"b", int64(1)}, []any{"a", int64(3)})},
		"things, row 0, id: c, b":      {tableOf([]any{"c", int64(1)}, []any{"a", int64(2)})},
		"things: 1 rows, more":         {tableOf([]any{"b", int64(1)})},
		"things, row 2: [c 3], no row": {tableOf([]any{"b", int64(1)}, []any{"a", int64(2)}, []any{"c", int64(3)})},
		"others: a table, none":        {written, other},
		"things: no row, 2 rows":       {},
	} {
		got := ""
		err := Compare(t.Context(), path, tables, func(where string, a, b any) { got += fmt.Sprintf("%s: %v, %v", where, a, b) })
		if err != nil || got != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
}
