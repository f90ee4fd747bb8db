// Package digest computes the digests by which files are known: SHA-256, which decides everywhere, and
// xxhash64, which serves quick checks against accident and is no protection against intent.
package digest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// Digest identifies the bytes of a file. Hashes are lower-case hex.
type Digest struct {
	SHA256 string `json:"sha256"`
	XXH64  string `json:"xxh64"`
	Bytes  int64  `json:"bytes"`
}

// Hash computes a Digest of what is written to it.
type Hash struct {
	sha   hash.Hash
	xxh   *xxhash.Digest
	bytes int64
}

func NewHash() *Hash { return &Hash{sha: sha256.New(), xxh: xxhash.New()} }

// Write never fails.
func (h *Hash) Write(p []byte) (int, error) {
	h.sha.Write(p)
	h.xxh.Write(p)
	h.bytes += int64(len(p))
	return len(p), nil
}

// Sum returns the Digest of all that was written so far.
func (h *Hash) Sum() Digest {
	return Digest{
		SHA256: hex.EncodeToString(h.sha.Sum(nil)),
		XXH64:  fmt.Sprintf("%016x", h.xxh.Sum64()),
		Bytes:  h.bytes,
	}
}

func Bytes(p []byte) Digest {
	h := NewHash()
	h.Write(p)
	return h.Sum()
}

// SHA256 returns the lower-case hex SHA-256 of p.
func SHA256(p []byte) string {
	sum := sha256.Sum256(p)
	return hex.EncodeToString(sum[:])
}

// Text returns the SHA-256 of a string without copying it.
func Text(s string) [sha256.Size]byte {
	return sha256.Sum256(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// File returns the Digest of the file at path; it reads the whole file and stops when ctx ends.
func File(ctx context.Context, path string) (Digest, error) {
	f, err := os.Open(path)
	if err != nil {
		return Digest{}, err
	}
	defer f.Close()
	return Reader(ctx, f)
}

// SHA256File and XXH64File give one hash of the file at path, in lower-case hex.
func SHA256File(ctx context.Context, path string) (string, error) {
	return hashFile(ctx, path, sha256.New())
}

// XXH64File is documented at SHA256File.
func XXH64File(ctx context.Context, path string) (string, error) {
	return hashFile(ctx, path, xxhash.New())
}

func hashFile(ctx context.Context, path string, h hash.Hash) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err := io.CopyBuffer(h, &ctxReader{ctx, f}, make([]byte, 1<<20)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Reader returns the Digest of all that r has left.
func Reader(ctx context.Context, r io.Reader) (Digest, error) {
	h := NewHash()
	if _, err := io.CopyBuffer(h, &ctxReader{ctx, r}, make([]byte, 1<<20)); err != nil {
		return Digest{}, err
	}
	return h.Sum(), nil
}

type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
