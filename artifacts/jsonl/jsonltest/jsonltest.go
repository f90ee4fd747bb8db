// Package jsonltest packs and unpacks files of JSON lines for tests.
package jsonltest

import (
	"bytes"
	"compress/gzip"
	"strings"

	"github.com/wikinav/wikinav/artifacts/jsonl"
)

// Pack returns data in the form that the name of a file asks for.
func Pack(name string, data []byte) []byte {
	if !strings.HasSuffix(name, jsonl.PackedSuffix) {
		return data
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// Unpack returns what Pack packed, and the bytes themselves where they are no such thing.
func Unpack(name string, data []byte) []byte {
	out, err := jsonl.Unpacked(data, name)
	if err != nil {
		return data
	}
	return out
}
