package board

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// ProofSchema names the version of the record that a submission begins with, in the member
// ProofFile.
const (
	ProofSchema = "wikinav.submission/1"
	ProofFile   = "submission.json"
)

// Proof is what a submission says of itself: whose score it is, how it was scored, and the digests
// of all that it was made of.
type Proof struct {
	Schema             string   `json:"schema"`
	Family             string   `json:"family"`
	Release            string   `json:"release"`
	ManifestID         string   `json:"manifest_id"`
	Run                string   `json:"run"`
	Model              string   `json:"model"`
	RulesSHA256        string   `json:"rules_sha256"`
	Splits             []string `json:"splits"` // that were scored; null for those of the run
	Partial            bool     `json:"partial"`
	Seed               int64    `json:"seed"` // of the bootstrap
	SummarySHA256      string   `json:"summary_sha256"`
	TrajectoriesSHA256 string   `json:"trajectories_sha256"`
	Files              []Packed `json:"files"` // by name
}

// Packed is a file of a submission.
type Packed struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Pack is a run with its summary and proof. Its form is a tar of plain files without owner, mode or
// time: the proof, then the files in the order of their names. The same run makes the same bytes.
type Pack struct {
	Proof
	dir     string // of the run
	summary []byte // nil where it is a file of dir
}

// Files lists what is packed of a run directory but the summary, with its digests.
func Files(ctx context.Context, dir string, l trace.Layout) ([]Packed, error) {
	var files []Packed
	for _, name := range packable(l) {
		sum, err := digest.File(ctx, filepath.Join(dir, name))
		switch {
		case name == trace.SummaryFile, errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		files = append(files, Packed{name, sum.Bytes, sum.SHA256})
	}
	return files, nil
}

// packable lists the files that a submission may hold, in their order.
func packable(l trace.Layout) []string {
	names := []string{trace.ImportFile, trace.PromptFile, trace.RunFile, trace.SummaryFile, l.Main}
	if l.Side != "" {
		names = append(names, l.Side)
	}
	slices.Sort(names)
	return names
}

// NewPack returns the submission of a run whose files were listed before it was scored.
func NewPack(dir string, files []Packed, s Submission, req family.Request) Pack {
	files = append(slices.Clone(files), Packed{trace.SummaryFile, int64(len(s.Summary)), s.SHA256()})
	order.Sort(files, func(a, b Packed) int { return strings.Compare(a.Path, b.Path) })
	return Pack{dir: dir, summary: s.Summary, Proof: Proof{
		Schema: ProofSchema, Family: s.Scores.Family, Release: s.Scores.Release, ManifestID: s.Scores.ManifestID,
		Run: *s.Scores.Run, Model: s.Scores.Model.Name, RulesSHA256: s.Scores.RulesSHA256,
		Splits: req.Splits, Partial: req.Partial, Seed: req.Seed,
		SummarySHA256: s.SHA256(), TrajectoriesSHA256: *s.Trajectories,
		Files: files,
	}}
}

// Write writes the submission. A file that has changed since it was listed is fault.Mismatch.
func (p Pack) Write(w io.Writer) error {
	t, proof := tar.NewWriter(w), append(canon.MustMarshal(p.Proof), '\n')
	if err := put(t, ProofFile, int64(len(proof)), bytes.NewReader(proof)); err != nil {
		return err
	}
	for _, f := range p.Files {
		if err := p.write(t, f); err != nil {
			return err
		}
	}
	return t.Close()
}

func (p Pack) write(w *tar.Writer, f Packed) error {
	path := filepath.Join(p.dir, f.Path)
	var from io.Reader = bytes.NewReader(p.summary)
	if f.Path != trace.SummaryFile || p.summary == nil {
		file, err := os.Open(path)
		if err != nil {
			return fault.Opening(path, err)
		}
		defer file.Close()
		from = file
	}
	h := sha256.New()
	err := put(w, f.Path, f.Bytes, io.TeeReader(from, h))
	if err == nil && hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
		err = fault.New(fault.Mismatch, "changed while it was packed").At(path, "").
			Hint("wait until nothing plays this run any more")
	}
	return err
}

// put writes a member.
func put(w *tar.Writer, name string, size int64, from io.Reader) error {
	if err := w.WriteHeader(plainFile(name, size)); err != nil {
		return err
	}
	_, err := io.CopyN(w, from, size)
	return err
}

func plainFile(name string, size int64) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, Format: tar.FormatUSTAR}
}

// block is the unit of a tar.
const block = 512

func padding(size int64) int64 { return -size & (block - 1) }

// header returns the block before a member. What is read is compared with it: package tar would
// take other forms, and bytes between members.
func header(name string, size int64) []byte {
	var out bytes.Buffer
	_ = tar.NewWriter(&out).WriteHeader(plainFile(name, size)) // of nothing, no submission has the header
	return out.Bytes()
}

// MaxPack is the most bytes that a submission may unpack to where nobody says more.
const MaxPack = 1 << 30

// mostPack is what a header can say, with room.
const mostPack = 4 << 30

// Unpack reads the submission at path, plain or packed by gzip, into dir, which is empty.
// It takes what Write writes and nothing else: the members that the proof lists, in their order,
// with their sizes and digests, and no more than limit bytes of them. Whatever a stranger put in
// their place is named: fault.Malformed for what is not a submission, and fault.Mismatch for one
// that holds other than it says.
func Unpack(path, dir string, limit int64, find func(name string) (family.Family, error)) (p Pack, err error) {
	f, err := os.Open(path)
	if err != nil {
		return p, fault.Opening(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return p, fault.New(fault.NotFound, "a folder, want a submission").At(path, "").
			Hint("wikinav-eval submit packs a run")
	}
	r, err := plain(f)
	if err == nil {
		u := unpacking{r: r, dir: dir, limit: min(limit, mostPack), find: find}
		err = u.run()
		p = Pack{Proof: u.proof, dir: dir}
	}
	if err != nil {
		return p, fault.New(kindOf(err), "%w", err).At(path, "")
	}
	return p, nil
}

// plain returns what a file holds, unpacked if it is packed.
func plain(f io.Reader) (io.Reader, error) {
	r := bufio.NewReaderSize(f, 1<<16)
	switch magic, _ := r.Peek(4); {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return gzip.NewReader(r)
	case string(magic) == "\x28\xb5\x2f\xfd":
		return nil, fault.New(fault.Malformed, "packed by zstd").Hint("unpack it with zstd -d, or pack it with gzip")
	}
	return r, nil
}

// unpacking is a submission on its way to a folder.
type unpacking struct {
	r     io.Reader
	dir   string
	limit int64
	find  func(name string) (family.Family, error)
	proof Proof
}

func (u *unpacking) run() error {
	if err := u.readProof(); err != nil {
		return err
	}
	if err := u.checkProof(); err != nil {
		return err
	}
	for _, f := range u.proof.Files {
		if err := u.member(f); err != nil {
			return err
		}
	}
	if err := u.zeros(2*block, "the end"); err != nil {
		return err
	}
	if n, err := io.ReadFull(u.r, make([]byte, 1)); n > 0 || err != io.EOF {
		return fault.New(fault.Mismatch, "something follows the end")
	}
	return nil
}

func (u *unpacking) readProof() error {
	h := make([]byte, block)
	if _, err := io.ReadFull(u.r, h); err != nil {
		return fault.New(kindOf(err), "no submission: %w", err).Hint("wikinav-eval submit writes one")
	}
	size, err := strconv.ParseInt(string(h[124:135]), 8, 64)
	if err != nil || size < 0 || size > canon.MaxManifest || !bytes.Equal(h, header(ProofFile, size)) {
		return fault.New(fault.Malformed, "no submission: it begins with %s, want %s", memberName(h), ProofFile).
			Hint("wikinav-eval submit writes one")
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(u.r, data); err != nil {
		return cut(ProofFile, err)
	}
	if err := u.zeros(padding(size), ProofFile); err != nil {
		return err
	}
	if err := canon.Decode(data, canon.MaxManifest, &u.proof); err != nil {
		return fault.New(fault.Malformed, "%s: %w", ProofFile, err)
	}
	if u.proof.Schema != ProofSchema {
		return fault.New(fault.Malformed, "%s: schema is %s, this version reads %s",
			ProofFile, fault.Quote(u.proof.Schema), ProofSchema)
	}
	return nil
}

// checkProof looks at what is used as names and sizes.
func (u *unpacking) checkProof() error {
	refuse := func(format string, args ...any) *fault.Error {
		return fault.New(fault.Mismatch, ProofFile+": "+format, args...)
	}
	f, err := u.find(u.proof.Family)
	if err != nil {
		return refuse("this program has no family %s", fault.Quote(u.proof.Family))
	}
	left, may, last := u.limit, packable(f.Layout()), ""
	var names []string
	for _, f := range u.proof.Files {
		switch {
		case !slices.Contains(may, f.Path):
			return refuse("file %s is none of %v", fault.Quote(f.Path), may)
		case f.Path <= last:
			return refuse("file %s stands twice, or not in its order", fault.Quote(f.Path))
		case f.Bytes < 0 || f.Bytes > left:
			return refuse("%s would make more than %d bytes", f.Path, u.limit).Hint("--max-mib allows more")
		}
		left, last, names = left-f.Bytes, f.Path, append(names, f.Path)
	}
	for _, name := range []string{trace.RunFile, trace.SummaryFile, f.Layout().Main} {
		if !slices.Contains(names, name) {
			return refuse("it lists no %s", name)
		}
	}
	return nil
}

// member copies a file into the folder.
func (u *unpacking) member(f Packed) error {
	h := make([]byte, block)
	if _, err := io.ReadFull(u.r, h); err != nil {
		return cut(f.Path, err)
	}
	if !bytes.Equal(h, header(f.Path, f.Bytes)) {
		return foreign(h, f)
	}
	out, err := os.OpenFile(filepath.Join(u.dir, f.Path), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.CopyN(io.MultiWriter(out, sum), u.r, f.Bytes)
	if err := errors.Join(err, out.Close()); err != nil {
		return cut(f.Path, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		return fault.New(fault.Mismatch, "%s does not have the SHA-256 that %s lists", f.Path, ProofFile)
	}
	return u.zeros(padding(f.Bytes), f.Path)
}

// zeros reads what fills a block.
func (u *unpacking) zeros(n int64, after string) error {
	fill := make([]byte, n)
	if _, err := io.ReadFull(u.r, fill); err != nil {
		return cut(after, err)
	}
	if slices.ContainsFunc(fill, func(b byte) bool { return b != 0 }) {
		return fault.New(fault.Mismatch, "bytes are hidden after %s", after)
	}
	return nil
}

func cut(name string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(fault.Mismatch, "it ends within %s", name)
	}
	return fault.New(kindOf(err), "%s: %w", name, err)
}

// kindOf is that of a failure to read on, and fault.Malformed for what a decoder says.
func kindOf(err error) *fault.Kind {
	if kind := fault.KindOf(err); kind != fault.Failure {
		return kind
	}
	return fault.Malformed
}

// kinds are the members of a tar that are no files, by the letter of their header.
var kinds = map[byte]string{
	'1': "a hard link", '2': "a symbolic link", '3': "a device", '4': "a device", '5': "a directory", '6': "a pipe",
}

// foreign is the refusal of a member that is not the next file.
func foreign(h []byte, want Packed) error {
	name, kind := memberName(h), kinds[h[156]]
	switch {
	case kind != "":
		return fault.New(fault.Mismatch, "%s is %s, want the file %s", name, kind, want.Path)
	case name != fault.Quote(want.Path):
		return fault.New(fault.Mismatch, "%s is a file that %s does not list here, want %s", name, ProofFile, want.Path)
	}
	return fault.New(fault.Mismatch, "the header of %s is not that of a plain file of %d bytes", want.Path, want.Bytes).
		Hint("hand in the file that submit wrote; tar writes others")
}

func memberName(h []byte) string {
	name, _, _ := bytes.Cut(h[:100], []byte{0})
	if len(name) == 0 {
		return "nothing"
	}
	return fault.Quote(name)
}

// Told returns the first place in the files of a run that holds one of some words, which are not
// for others to read: the file and line, and the number of the word; "" for none.
func (p Pack) Told(words []string) (place string, word int, err error) {
	found := errors.New("found")
	for _, f := range p.Files {
		if f.Path == trace.SummaryFile {
			continue // follows from the others
		}
		_, err := trace.ScanLines(filepath.Join(p.dir, f.Path), true, func(n int, line []byte) error {
			for i, w := range words {
				if bytes.Contains(line, []byte(w)) {
					place, word = fmt.Sprintf("%s: line %d", f.Path, n), i
					return found
				}
			}
			return nil
		})
		if place != "" || err != nil {
			return place, word, ignore(err, found)
		}
	}
	return "", 0, nil
}

func ignore(err, known error) error {
	if errors.Is(err, known) {
		return nil
	}
	return err
}
