package library

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"github.com/wikinav/wikinav/schemas"
)

// dialogue returns the n-th row; every third message calls a tool where tools is not "".
func dialogue(n int, tools string) *schemas.TrainRow {
	r := &schemas.TrainRow{
		ID: fmt.Sprint("w-", n), Walk: "w", Family: "f", Kind: "k", Turn: n, Left: n + 1, Tools: tools,
		Messages: []schemas.Message{{Role: schemas.RoleSystem, Content: "é\n\"x\""}}, Train: []bool{false},
	}
	for i := range n % 5 {
		m := schemas.Message{Role: schemas.RoleAssistant, Content: fmt.Sprint(n, " ", i)}
		if tools != "" && i%3 == 0 {
			m.ToolCalls = []schemas.ToolCall{{
				ID: fmt.Sprint("call_", i), Type: schemas.ToolFunction,
				Function: schemas.CalledByName{Name: "t", Arguments: `{"a":1}`},
			}}
		}
		answer := schemas.Message{Role: schemas.RoleTool, Content: ""}
		if tools != "" {
			answer.ToolCallID = fmt.Sprint("call_", i)
		}
		r.Messages, r.Train = append(r.Messages, m, answer), append(r.Train, n%2 == 0, false)
	}
	return r
}

// What another reader of the format finds in a file is what was written, over several row groups.
func TestDialoguesAreReadAsTheyWereWritten(t *testing.T) {
	for _, c := range []struct {
		tools string
		rows  int
	}{{"", 3}, {`[{"type":"function"}]`, 7}, {"", dialogueRows + 2}, {"", 0}} {
		var out bytes.Buffer
		d := NewDialogues(&out)
		var want []string
		for n := range c.rows {
			r := dialogue(n, c.tools)
			if err := d.Add(r); err != nil {
				t.Fatal(err)
			}
			want = append(want, plain(t, r))
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		got := readRows(t, out.Bytes())
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%d rows, tools %q: got %.400s\nwant %.400s", c.rows, c.tools, got, want)
		}
	}
}

// plain returns a row as JSON without what a file leaves out.
func plain(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var row map[string]any
	if err := json.Unmarshal(data, &row); err != nil {
		t.Fatal(err)
	}
	delete(row, "schema")
	if row["tools"] == "" {
		delete(row, "tools")
	}
	for _, m := range row["messages"].([]any) {
		for name, value := range m.(map[string]any) { // each by itself
			if value == nil {
				delete(m.(map[string]any), name)
			}
		}
	}
	data, _ = json.Marshal(row)
	return string(data)
}

func readRows(t *testing.T, data []byte) (rows []string) {
	t.Helper()
	pf, err := file.NewParquetReader(bytes.NewReader(data), file.WithReadProps(parquet.NewReaderProperties(nil)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := pqarrow.NewFileReader(pf, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	batches := array.NewTableReader(table, 0)
	defer batches.Release()
	for batches.Next() {
		data, err := batches.Record().MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var list []any
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(err)
		}
		for _, row := range list {
			rows = append(rows, plain(t, row))
		}
	}
	return rows
}
