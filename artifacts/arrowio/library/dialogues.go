package library

import (
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"github.com/wikinav/wikinav/schemas"
)

// Dialogues writes rows to train on as Parquet. Their messages are lists of structs, which the
// tables of arrowio do not have: {role, content}, and of rows that call tools tool_calls and
// tool_call_id.
type Dialogues struct {
	out    *sink
	file   *pqarrow.FileWriter
	schema *arrow.Schema
	rows   *array.RecordBuilder
	tools  bool // of the first row, and so of all
	bytes  int
}

// A row group has so many bytes of text, or rows.
const (
	dialogueBytes = 16 << 20
	dialogueRows  = 8192
)

// NewDialogues begins a file on w.
func NewDialogues(w io.Writer) *Dialogues { return &Dialogues{out: &sink{w: w}} }

func text(name string) arrow.Field {
	return arrow.Field{Name: name, Type: arrow.BinaryTypes.String}
}

func listOf(name string, of arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: arrow.ListOfField(arrow.Field{Name: listElement, Type: of})}
}

func dialogueSchema(tools bool) *arrow.Schema {
	message := []arrow.Field{text("role"), text("content")}
	if tools {
		function := arrow.Field{
			Name: "function", Type: arrow.StructOf(text("name"), text("arguments")),
		}
		calls := listOf("tool_calls", arrow.StructOf(text("id"), text("type"), function))
		answers := text("tool_call_id")
		calls.Nullable, answers.Nullable = true, true
		message = append(message, calls, answers)
	}
	fields := []arrow.Field{
		text("id"), text("walk"), text("family"), text("kind"),
		{Name: "turn", Type: arrow.PrimitiveTypes.Int64},
		{Name: "left", Type: arrow.PrimitiveTypes.Int64},
		listOf("messages", arrow.StructOf(message...)), listOf("train", arrow.FixedWidthTypes.Boolean),
	}
	if tools {
		fields = append(fields, text("tools"))
	}
	return arrow.NewSchema(fields, nil)
}

func (d *Dialogues) begin(tools bool) (err error) {
	d.tools, d.schema = tools, dialogueSchema(tools)
	d.rows = array.NewRecordBuilder(memory.DefaultAllocator, d.schema)
	d.file, err = pqarrow.NewFileWriter(d.schema, quiet{d.out}, properties(),
		pqarrow.NewArrowWriterProperties())
	return d.out.first(err)
}

// Add writes a row, at the latest with Close.
func (d *Dialogues) Add(r *schemas.TrainRow) error {
	if d.file == nil {
		if err := d.begin(r.Tools != ""); err != nil {
			return err
		}
	}
	for i, s := range []string{r.ID, r.Walk, r.Family, r.Kind} {
		d.rows.Field(i).(*array.StringBuilder).Append(s)
	}
	d.rows.Field(4).(*array.Int64Builder).Append(int64(r.Turn))
	d.rows.Field(5).(*array.Int64Builder).Append(int64(r.Left))
	list := d.rows.Field(6).(*array.ListBuilder)
	list.Append(true)
	for i := range r.Messages {
		d.message(list.ValueBuilder().(*array.StructBuilder), &r.Messages[i])
	}
	flags := d.rows.Field(7).(*array.ListBuilder)
	flags.Append(true)
	flags.ValueBuilder().(*array.BooleanBuilder).AppendValues(r.Train, nil)
	if d.tools {
		d.rows.Field(8).(*array.StringBuilder).Append(r.Tools)
		d.bytes += len(r.Tools)
	}
	if d.bytes > dialogueBytes || d.rows.Field(4).Len() == dialogueRows {
		return d.flush()
	}
	return nil
}

func (d *Dialogues) message(b *array.StructBuilder, m *schemas.Message) {
	b.Append(true)
	b.FieldBuilder(0).(*array.StringBuilder).Append(m.Role)
	b.FieldBuilder(1).(*array.StringBuilder).Append(m.Content)
	d.bytes += len(m.Content)
	if !d.tools {
		return
	}
	calls, answers := b.FieldBuilder(2).(*array.ListBuilder), b.FieldBuilder(3).(*array.StringBuilder)
	calls.Append(m.ToolCalls != nil)
	for _, c := range m.ToolCalls {
		call := calls.ValueBuilder().(*array.StructBuilder)
		call.Append(true)
		call.FieldBuilder(0).(*array.StringBuilder).Append(c.ID)
		call.FieldBuilder(1).(*array.StringBuilder).Append(c.Type)
		function := call.FieldBuilder(2).(*array.StructBuilder)
		function.Append(true)
		function.FieldBuilder(0).(*array.StringBuilder).Append(c.Function.Name)
		function.FieldBuilder(1).(*array.StringBuilder).Append(c.Function.Arguments)
	}
	if m.ToolCallID == "" {
		answers.AppendNull()
	} else {
		answers.Append(m.ToolCallID)
	}
}

func (d *Dialogues) flush() error {
	record := d.rows.NewRecord()
	defer record.Release()
	d.bytes = 0
	if record.NumRows() == 0 {
		return nil
	}
	return d.out.first(d.file.Write(record))
}

// Close finishes the file, which has no rows where none were added.
func (d *Dialogues) Close() error {
	if d.file == nil {
		if err := d.begin(false); err != nil {
			return err
		}
	}
	defer d.rows.Release()
	if err := d.flush(); err != nil {
		return err
	}
	err := d.out.first(d.file.Close())
	if err == nil && !d.out.endsIn(parquetMagic) {
		err = io.ErrShortWrite
	}
	return err
}
