package files

import (
	"bytes"
	"io"
	"os"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Kind is how a file is packed, by its content.
type Kind int

// The kinds that Sniff tells apart.
const (
	KindUnknown Kind = iota
	KindXML
	KindBzip2
	KindGzip
	KindZstd
	KindXz
	Kind7z
)

// SniffLen is as much as Sniff needs, with room for blanks before the first tag.
const SniffLen = 512

var magics = []struct {
	prefix string
	kind   Kind
}{
	{"BZh", KindBzip2},
	{"\x1f\x8b", KindGzip},
	{"\x28\xb5\x2f\xfd", KindZstd},
	{"\xfd7zXZ\x00", KindXz},
	{"7z\xbc\xaf\x27\x1c", Kind7z},
	{"\uFEFF", KindXML},
	{"\xff\xfe", KindXML}, // UTF-16, which the guard refuses by name
	{"\xfe\xff", KindXML},
}

// Sniff tells the kind of a file from its first bytes (512 are enough). The name does not count.
func Sniff(first []byte) Kind {
	for _, m := range magics {
		if bytes.HasPrefix(first, []byte(m.prefix)) {
			return m.kind
		}
	}
	if bytes.HasPrefix(bytes.TrimLeft(first, " \t\r\n"), []byte("<")) {
		return KindXML
	}
	return KindUnknown
}

// Refuse says why a kind is not read; nil for those that are.
func (k Kind) Refuse() error {
	switch k {
	case KindXz:
		return fault.New(fault.Usage, "packed with xz, which is not read").Hint("unpack it with xz -d")
	case Kind7z:
		return fault.New(fault.Usage, "a 7z archive, which is not read").Hint("unpack it with 7z x")
	case KindUnknown:
		return fault.New(fault.Malformed, "neither XML nor a packing that is known, by its first bytes")
	}
	return nil
}

// Open opens a regular file for reading and sniffs it. Errors name the file.
func Open(path string) (f *os.File, kind Kind, err error) {
	f, err = os.Open(path)
	if err != nil {
		return nil, 0, Place(err, path, "")
	}
	if kind, err = sniff(f); err == nil {
		err = kind.Refuse()
	}
	if err != nil {
		f.Close()
		return nil, 0, Place(err, path, "")
	}
	return f, kind, nil
}

// sniff gives the kind of a file that is regular and not empty.
func sniff(f *os.File) (Kind, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fault.New(fault.Usage, "not a regular file").Hint("name a dump file, or a folder of them")
	}
	first := make([]byte, SniffLen)
	n, err := f.ReadAt(first, 0)
	if err != nil && err != io.EOF {
		return 0, err
	}
	if n == 0 {
		return 0, fault.New(fault.Malformed, "the file is empty")
	}
	return Sniff(first[:n]), nil
}
