package arrowio

import (
	"encoding/binary"
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// The frame of an Arrow file: magic, padding to 8 bytes, messages, footer, its length, magic.
// Format: https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format and format/File.fbs, Schema.fbs there.
const (
	magic         = "ARROW1"
	headBytes     = 8
	tailBytes     = 4 + len(magic)
	maxMetadata   = 16 << 20 // of a footer or message
	versionV5     = 4
	blockBytes    = 24
	maxTextLength = 256 // of a column's name
)

// block is the place of a message: metadata at offset, body behind it.
type block struct {
	offset, meta, body int64
}

// footerOf finds the footer's flatbuffer, and where in the file it begins.
func footerOf(data []byte) (footer *flat, start int64, err error) {
	n := len(data)
	if n < headBytes+tailBytes || string(data[:len(magic)]) != magic || string(data[n-len(magic):]) != magic {
		return nil, 0, fmt.Errorf("no Arrow file: the magic %q is not at both ends of %d bytes", magic, n)
	}
	size := int64(int32(binary.LittleEndian.Uint32(data[n-tailBytes:])))
	start = int64(n-tailBytes) - size
	if size <= 0 || size > maxMetadata || start < headBytes {
		return nil, 0, fmt.Errorf("footer of %d bytes in a file of %d", size, n)
	}
	return &flat{buf: data[start : start+size]}, start, nil
}

// readFooter checks the schema against t and gives the schema's metadata and the places of the record batches.
// Batches follow each other within the file and do not overlap, so that all checks together read each byte once.
func readFooter(data []byte, t schemas.Table) (meta map[string]string, blocks []block, err error) {
	f, start, err := footerOf(data)
	if err != nil {
		return nil, nil, err
	}
	root := f.root()
	if version := root.uint16(0); version != versionV5 {
		f.fail("metadata version %d, expected %d", version+1, versionV5+1)
	}
	meta = readSchema(root.child(1), t)
	if n := root.vector(2, blockBytes).n; n != 0 {
		f.fail("%d dictionaries, expected none", n)
	}
	blocks = readBlocks(root.vector(3, blockBytes), start)
	if f.err != nil {
		return nil, nil, f.err
	}
	return meta, blocks, nil
}

func readBlocks(v vector, end int64) []block {
	blocks := make([]block, 0, v.n)
	free := int64(headBytes)
	for i := range v.n {
		b := block{v.int64(i, 0), int64(v.int32(i, 8)), v.int64(i, 16)}
		if !b.within(free, end) {
			v.flat.fail("record batch %d: %d and %d bytes at %d are not in the file between %d and %d", i, b.meta, b.body, b.offset, free, end)
			return nil
		}
		free = b.offset + b.meta + b.body
		blocks = append(blocks, b)
	}
	return blocks
}

// within tells whether b lies between from and to, on 8-byte boundaries. No sum can overflow: each part is compared first.
func (b block) within(from, to int64) bool {
	aligned := b.offset%8 == 0 && b.meta%8 == 0 && b.body%8 == 0
	inside := b.offset >= from && b.offset <= to &&
		b.meta > 8 && b.meta <= maxMetadata && b.meta <= to-b.offset &&
		b.body >= 0 && b.body <= to-b.offset-b.meta
	return aligned && inside
}
