// Package arrowio reads and writes wikinav's tables as Arrow IPC files and as Parquet; the rest of the project
// sees Go slices and schemas.Table. Reading needs no library. Writing goes through the encoders of package library
// below, which a program that writes imports for its side effect, as it would the driver of a database.
//
// It promises that
//   - the bytes of a file follow from table, options and rows alone: no clock, version, map order or thread count;
//   - columns hold no nulls, no dictionaries and, in Arrow files, no compression, so that a mapped file is its own
//     in-memory form and a list column is a graph in CSR;
//   - a file is read without the Arrow library, which panics or exhausts memory on damaged files: a small
//     bounds-checked parser for each format accepts the exact form that the writers here give and nothing else,
//     allocates in proportion to the file at most, and hands out views only after every offset was checked;
//   - whatever does not hold up is a fault.Mismatch that names the file and the place in it.
//
// It never decides what a column means: whether a node is below n, or a list ascends, is for its
// reader to say.
//
// Memory: the row-wise writers hold one batch of 65,536 rows; WriteTable and BatchWriter hold no
// copy of the columns, bool columns (an eighth) apart; Open holds under 100 bytes per column and
// batch beside the mapping.
//
// Files are little-endian and are written from and mapped to memory as they are, so big-endian
// hosts are refused.
package arrowio

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Keys of the schema's metadata that every Arrow file has; Parquet files have the first.
const (
	KeySchema = "wikinav.schema"        // the table's ID
	KeyParams = "wikinav.params_sha256" // Options.ParamsSHA256
)

// Limits on metadata, obeyed by the writers and enforced by Open: values may share bytes in a
// hostile file, so that without them a small footer could ask for any amount of memory.
const (
	maxMetadataKeys  = 16
	maxMetadataBytes = 1024 // of one key or value
)

// Options are what the metadata of an Arrow file says beside the table's ID.
type Options struct {
	ParamsSHA256 string
	Metadata     map[string]string // further keys; only distance files have any
}

// Summary is what a writer knows of a table that it finished.
type Summary struct {
	Rows    int64
	Logical string // lower-case hex logical SHA-256 (robustness specification 4.5): of the rows, whatever the file format
}

// metadata returns the pairs of a file's metadata, sorted by key.
func metadata(t schemas.Table, o Options) (keys, values []string, err error) {
	pairs := map[string]string{KeySchema: t.ID, KeyParams: o.ParamsSHA256}
	for k, v := range o.Metadata { // sorted below
		if _, reserved := pairs[k]; reserved {
			panic("arrowio: metadata key " + k + " is set by the writer")
		}
		pairs[k] = v
	}
	keys = slices.Sorted(maps.Keys(pairs))
	values = make([]string, len(keys))
	for i, k := range keys {
		values[i] = pairs[k]
		if max(len(k), len(values[i])) > maxMetadataBytes {
			return nil, nil, fault.New(fault.Failure, "%s: metadata %s is longer than %d bytes", t.ID, fault.Quote(k), maxMetadataBytes)
		}
	}
	if len(keys) > maxMetadataKeys {
		return nil, nil, fault.New(fault.Failure, "%s: %d metadata keys, at most %d are allowed", t.ID, len(keys), maxMetadataKeys)
	}
	return keys, values, nil
}

// hostCanMap refuses the hosts on which slices do not have the byte order of the files.
func hostCanMap() error {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return fault.New(fault.Failure, "tables cannot be mapped on a big-endian host")
	}
	return nil
}
