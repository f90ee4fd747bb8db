package mediawiki

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"hash"
	"os"
	"path/filepath"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// readSums gives the sums of the file called name in one file of sums.
func readSums(path, name string, algo func() hash.Hash) (sums []published, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, place(err, path, "")
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		sum, listed, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if strings.TrimPrefix(strings.TrimSpace(listed), "*") != name {
			continue
		}
		p, err := newPublished(path, name, sum, algo())
		if err != nil {
			return nil, err
		}
		sums = append(sums, p)
	}
	if err := lines.Err(); err != nil {
		return nil, place(err, path, "")
	}
	return sums, nil
}

// newPublished is a sum as the file at path gives it.
func newPublished(path, name, sum string, hash hash.Hash) (published, error) {
	p := published{filepath.Base(path), strings.ToLower(sum), hash}
	if raw, err := hex.DecodeString(p.sum); err != nil || len(raw) != p.hash.Size() {
		return p, fault.New(fault.Malformed, "the sum of %s is %s, expected %d hex digits", fault.Quote(name), fault.Quote(sum), 2*p.hash.Size()).
			At(path, "")
	}
	return p, nil
}

// fetched is an entry of inputs.json, as far as it matters here.
type fetched struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// readInputs gives the sums of the file called name in the inputs.json of fetch: a list of files, or an object with one under "files".
func readInputs(path, name string, algo func() hash.Hash) (sums []published, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, place(err, path, "")
	}
	var whole struct {
		Files []fetched `json:"files"`
	}
	if err := json.Unmarshal(raw, &whole.Files); err != nil {
		if err := json.Unmarshal(raw, &whole); err != nil {
			return nil, fault.New(fault.Malformed, "not the list of files that fetch writes: %w", err).At(path, "")
		}
	}
	for _, f := range whole.Files {
		if f.Name != name {
			continue
		}
		p, err := newPublished(path, name, f.SHA256, algo())
		if err != nil {
			return nil, err
		}
		sums = append(sums, p)
	}
	return sums, nil
}
