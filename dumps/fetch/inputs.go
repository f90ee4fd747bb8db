package fetch

import (
	"crypto/md5" // published by the dump site; it finds accidents
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// InputsName is the file in which Get says what it got.
const InputsName = "inputs.json"

const inputsRecord = "wikinav.inputs/1"

// licence goes wherever the text goes.
const licence = "Text: CC BY-SA 4.0, and GFDL where the site notes it. Titles, leads and facts taken from it need attribution and share-alike."

// Inputs is inputs.json: the files of one run in a folder, each with the sums that it has.
type Inputs struct {
	Record     string  `json:"record"`
	Wiki       string  `json:"wiki"`
	Date       string  `json:"date"`
	Requested  string  `json:"requested,omitempty"` // latest, where the date was found out
	Source     string  `json:"source"`
	Snapshot   string  `json:"snapshot"`
	SumsSHA256 string  `json:"sums_sha256,omitempty"` // of SHA256SUMS of the content exports
	Licence    string  `json:"licence"`
	Files      []Input `json:"files"`
}

// Input is a file that has all of its published sums.
type Input struct {
	Name      string            `json:"name"`
	Bytes     int64             `json:"bytes"`
	SHA256    string            `json:"sha256"`
	Published map[string]string `json:"published"` // algorithm to sum
	URL       string            `json:"url"`
}

// newInputs joins what was got with the files of the same run that an earlier call got.
func newInputs(l Listing, got, before []Input) Inputs {
	in := Inputs{
		Record: inputsRecord, Wiki: l.Wiki, Date: l.Date, Requested: l.Requested, Source: l.Source, SumsSHA256: l.SumsSHA256,
		Snapshot: snapshot(l), Licence: licence, Files: got,
	}
	for _, old := range before {
		if !slices.ContainsFunc(got, func(f Input) bool { return f.Name == old.Name }) {
			in.Files = append(in.Files, old)
		}
	}
	slices.SortFunc(in.Files, func(a, b Input) int { return strings.Compare(a.Name, b.Name) })
	return in
}

// dashed writes a date of eight digits as YYYY-MM-DD.
func dashed(date string) string { return date[:4] + "-" + date[4:6] + "-" + date[6:] }

func snapshot(l Listing) string {
	if l.Source == Content {
		return "content_current:" + l.Wiki + ":" + dashed(l.Date)
	}
	return l.Wiki + ":" + l.Date
}

// readInputs gives the files that an earlier call got and that are still there. A folder belongs to one run.
func readInputs(folder string, l Listing) ([]Input, error) {
	path := filepath.Join(folder, InputsName)
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var in Inputs
	if err := canon.Decode(raw, canon.MaxManifest, &in); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "").Hint("move it away and run again")
	}
	if in.Wiki != l.Wiki || in.Date != l.Date || in.Source != l.Source {
		return nil, fault.New(fault.Usage, "the folder holds %s %s (%s)", in.Wiki, in.Date, in.Source).At(folder, "").
			Hint("name another folder with --out")
	}
	return slices.DeleteFunc(in.Files, func(f Input) bool {
		_, err := os.Stat(filepath.Join(folder, f.Name))
		return err != nil
	}), nil
}

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
	return map[string]string{".bz2": "BZh", ".gz": "\x1f\x8b", ".xml": "<"}[filepath.Ext(name)]
}
