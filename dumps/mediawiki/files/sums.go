package files

import (
	"context"
	"crypto/md5" // published by the dump site; it finds accidents
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// What VerifySums says of a file that did not fail.
const (
	VerifiedSums = "sums" // every published sum beside the file was compared and holds
	VerifiedNone = "none" // there is no sum for it
)

// sumFiles are the names, as glob patterns, under which publishers put sums beside a dump, and fetch what it compared.
var sumFiles = []struct {
	pattern string
	algo    func() hash.Hash
	read    func(raw []byte, name string) ([]string, error)
}{
	{"SHA256SUMS", sha256.New, readSums},
	{"*-sha1sums.txt", sha1.New, readSums},
	{"*-md5sums.txt", md5.New, readSums},
	{"inputs.json", sha256.New, readInputs},
}

// published is a sum that a file must have.
type published struct {
	from string // base name of the file of sums
	sum  string // lower-case hex
	hash hash.Hash
}

// VerifySums compares a file with its lines in SHA256SUMS, *-sha1sums.txt and *-md5sums.txt beside it, and with its entry in the inputs.json
// of fetch, reading it once. verified is VerifiedSums or VerifiedNone; a sum that does not hold is a fault.Checksum. Lines are hex, blanks,
// and the file's base name.
func VerifySums(ctx context.Context, path string) (verified string, err error) {
	if _, err := os.Stat(path); err != nil {
		return "", Place(err, path, "")
	}
	sums, err := publishedSums(path)
	if err != nil {
		return "", err
	}
	if len(sums) == 0 {
		return VerifiedNone, nil
	}
	if err := hashFile(ctx, path, sums); err != nil {
		return "", Place(err, path, "")
	}
	for _, p := range sums {
		if got := hex.EncodeToString(p.hash.Sum(nil)); got != p.sum {
			return "", fault.New(fault.Checksum, "its sum is %s, %s says %s", got, p.from, p.sum).
				At(path, "").Hint("fetch the file again")
		}
	}
	return VerifiedSums, nil
}

func publishedSums(path string) (sums []published, err error) {
	folder, name := filepath.Split(path)
	beside, err := os.ReadDir(filepath.Clean(folder))
	if err != nil {
		return nil, Place(err, path, "")
	}
	for _, kind := range sumFiles {
		for _, file := range beside {
			if match, _ := filepath.Match(kind.pattern, file.Name()); !match || file.IsDir() {
				continue
			}
			list := filepath.Join(folder, file.Name())
			raw, err := os.ReadFile(list)
			if err != nil {
				return nil, Place(err, list, "")
			}
			listed, err := kind.read(raw, name)
			for _, sum := range listed {
				p := published{file.Name(), strings.ToLower(sum), kind.algo()}
				if raw, wrong := hex.DecodeString(sum); wrong != nil || len(raw) != p.hash.Size() {
					err = fault.New(fault.Malformed, "the sum of %s is %s, expected %d hex digits", fault.Quote(name), fault.Quote(sum), 2*p.hash.Size())
				}
				sums = append(sums, p)
			}
			if err != nil {
				return nil, Place(err, list, "")
			}
		}
	}
	return sums, nil
}

// readSums returns the sums of the file called name in a list of sums.
func readSums(raw []byte, name string) (sums []string, _ error) {
	for line := range strings.Lines(string(raw)) {
		sum, listed, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.TrimPrefix(strings.TrimSpace(listed), "*") == name {
			sums = append(sums, sum)
		}
	}
	return sums, nil
}

// readInputs returns the sums of the file called name in the inputs.json of fetch: a list of files, or an object with one under "files".
func readInputs(raw []byte, name string) (sums []string, _ error) {
	var whole struct {
		Files []struct{ Name, SHA256 string }
	}
	if err := json.Unmarshal(raw, &whole.Files); err != nil {
		if err := json.Unmarshal(raw, &whole); err != nil {
			return nil, fault.New(fault.Malformed, "not the list of files that fetch writes: %w", err)
		}
	}
	for _, f := range whole.Files {
		if f.Name == name {
			sums = append(sums, f.SHA256)
		}
	}
	return sums, nil
}

// hashFile feeds the file to all hashes; it looks at ctx every MiB.
func hashFile(ctx context.Context, path string, sums []published) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.Read(buf)
		for _, p := range sums {
			p.hash.Write(buf[:n])
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
