package arrowio

import (
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// File is an Arrow file mapped into memory. Columns are views of the mapping, valid until Close; whoever reads one from
// a file that others may truncate does so within Guard. A File may be read by many goroutines at once.
type File struct {
	views
	metadata map[string]string
	mapping  *mapping // nil for bytes in memory
}

// Metadata gives a value of the schema's metadata, "" where the key is absent.
func (f *File) Metadata(key string) string { return f.metadata[key] }

// BufferOffset gives the position in the file of the first value of a column in batch b. Distance files state it
// for readers that have no Arrow library.
func (f *File) BufferOffset(b, col int) int64 { return f.batches[b].positions[col] }

// Close unmaps the file and ends the life of its views.
func (f *File) Close() error {
	if f.mapping == nil {
		return nil
	}
	m := f.mapping
	f.mapping, f.batches = nil, nil
	return m.close()
}

// parse checks data, a whole Arrow file, against t and makes views of all its columns. It reads the metadata, the
// offsets and the text of the columns, and nothing of the others.
func parse(data []byte, t schemas.Table) (*File, error) {
	if err := hostCanMap(); err != nil {
		return nil, err
	}
	meta, blocks, err := readFooter(data, t)
	if err != nil {
		return nil, fmt.Errorf("footer: %w", err)
	}
	f := &File{views: views{table: t, batches: make([]batch, len(blocks))}, metadata: meta}
	for i, b := range blocks {
		if f.batches[i], err = readBatch(data, b, t); err != nil {
			return nil, fmt.Errorf("record batch %d: %w", i, err)
		}
	}
	return f, nil
}
