package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strings"

	"github.com/wikinav/wikinav/artifacts/flat"
)

// logicalDomain names the record that is hashed; the digit rises when tables or columns change.
const logicalDomain = "wikinav/logical/1\x00wikinav.catalog/4"

// logical hashes the rows of all tables as they come: after the domain, each table's definition as a string, then
// its rows column by column. Null is 'n', an integer 'i' and eight bytes, a double 'f' and
// the eight bytes of its bits, a string 's', its length in four bytes and its bytes;
// all numbers are little-endian.
type logical struct {
	sha hash.Hash
	buf []byte
}

func newLogical() *logical {
	l := &logical{sha: sha256.New()}
	l.sha.Write([]byte(logicalDomain))
	return l
}

func (l *logical) table(t flat.Rows) {
	l.row([]any{t.Name + "(" + strings.Join(t.Columns, ",") + ")"})
}

func (l *logical) row(values []any) {
	l.buf = l.buf[:0]
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			l.buf = append(l.buf, 'n')
		case int64:
			l.buf = binary.LittleEndian.AppendUint64(append(l.buf, 'i'), uint64(v))
		case float64:
			l.buf = binary.LittleEndian.AppendUint64(append(l.buf, 'f'), math.Float64bits(v))
		case string:
			l.buf = binary.LittleEndian.AppendUint32(append(l.buf, 's'), uint32(len(v)))
			l.buf = append(l.buf, v...)
		default:
			panic(fmt.Sprintf("catalog: a value of type %T", v))
		}
	}
	l.sha.Write(l.buf)
}

func (l *logical) sum() string { return hex.EncodeToString(l.sha.Sum(nil)) }
