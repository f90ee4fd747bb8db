package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	written := tableOf([]any{"b", int64(1)}, []any{"a", int64(2)})
	path := catalogOf(t, written)
	other := tableOf()
	other.Name = "others"
	for want, tables := range map[string][]flat.Rows{
		"":                                   {written},
		"things, row 1, n: 3, 2":             {tableOf([]any{"b", int64(1)}, []any{"a", int64(3)})},
		"things, row 0, id: c, b":            {tableOf([]any{"c", int64(1)}, []any{"a", int64(2)})},
		"things: 1 rows, more":               {tableOf([]any{"b", int64(1)})},
		"things, row 2: [c 3], no row":       {tableOf([]any{"b", int64(1)}, []any{"a", int64(2)}, []any{"c", int64(3)})},
		"others: a table, none":              {written, other},
		"things: no table of that name, one": {},
	} {
		got := ""
		err := Compare(t.Context(), path, tables, func(where string, a, b any) { got += fmt.Sprintf("%s: %v, %v", where, a, b) })
		if err != nil || got != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
}

// catalogOf writes a catalogue of one table.
func catalogOf(t *testing.T, written flat.Rows) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.sqlite")
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
	return path
}

// TestCompareFindsAnIndexThatSaysSomethingElse: a question may be answered by an index alone.
func TestCompareFindsAnIndexThatSaysSomethingElse(t *testing.T) {
	written := tableOf([]any{"b", int64(1)}, []any{"someone", int64(2)})
	for what, change := range map[string]func(data []byte) []byte{
		"integrity_check": func(data []byte) []byte {
			at := bytes.LastIndex(data, []byte("someone"))
			if at == bytes.Index(data, []byte("someone")) {
				t.Fatal("no index has the key")
			}
			return slices.Replace(data, at, at+1, 'S')
		},
		"its definition": func(data []byte) []byte {
			return bytes.Replace(data, []byte(`"n" INTEGER NOT`), []byte(`"n" NUMERIC NOT`), 1)
		},
	} {
		path := catalogOf(t, written)
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, change(data), 0o600)
		}
		got := ""
		err = errors.Join(err, Compare(t.Context(), path, []flat.Rows{written}, func(where string, a, b any) { got += fmt.Sprintf("%s: %v, %v", where, a, b) }))
		if err != nil || !strings.Contains(got, what) {
			t.Errorf("%s: got %q, %v", what, got, err)
		}
	}
}
