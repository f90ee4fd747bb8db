package fetch

import (
	"crypto/md5" // published by the dump site; it finds accidents
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/wikinav/wikinav/schemas/fault"
)

// algorithms of published sums.
var algorithms = map[string]func() hash.Hash{"sha256": sha256.New, "sha1": sha1.New, "md5": md5.New}

// strongestFirst is the order in which sums are compared.
var strongestFirst = []string{"sha256", "sha1", "md5"}

// sums computes our own SHA-256 and all that a publisher says, in one pass.
type sums map[string]hash.Hash

func newSums(f File) sums {
	s := sums{"sha256": sha256.New()}
	for _, a := range strongestFirst {
		if f.Sums[a] != "" {
			s[a] = algorithms[a]()
		}
	}
	return s
}

// Write never fails.
func (s sums) Write(p []byte) (int, error) {
	for _, h := range s {
		h.Write(p)
	}
	return len(p), nil
}

func (s sums) hex(algorithm string) string { return hex.EncodeToString(s[algorithm].Sum(nil)) }

// compare says what of the published size and sums does not hold for size bytes that went through s.
func (s sums) compare(f File, size int64) error {
	if f.Bytes >= 0 && size != f.Bytes {
		return fault.New(fault.Checksum, "it has %d bytes, the site says %d", size, f.Bytes)
	}
	for _, a := range strongestFirst {
		if want := f.Sums[a]; want != "" && s.hex(a) != want {
			return fault.New(fault.Checksum, "its %s is %s, the site says %s", a, s.hex(a), want)
		}
	}
	return nil
}

// magic is what a file must begin with, by its name; "" for text.
func magic(name string) string {
	for _, m := range []struct{ part, bytes string }{{".bz2", "BZh"}, {".gz", "\x1f\x8b"}, {".xml", "<"}} {
		if len(name) >= len(m.part) && name[len(name)-len(m.part):] == m.part {
			return m.bytes
		}
	}
	return ""
}
