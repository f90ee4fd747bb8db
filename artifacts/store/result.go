package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	receiptName  = "receipt.json"
	shardReceipt = "receipt-%04d.json"
)

// Result is the directory of one result of a stage.
type Result struct {
	dir        *Dir
	stage, key string
	path       string
}

// Path is the absolute path of the result's directory.
func (r *Result) Path() string { return r.path }

// Root opens the result's directory for reading.
func (r *Result) Root() (*os.Root, error) { return os.OpenRoot(r.path) }

// Receipt reads the result's receipt without looking at the outputs.
func (r *Result) Receipt() (*schemas.Receipt, error) { return r.read(receiptName) }

// Fresh returns the receipt if the result is complete: the receipt parses strictly, its digest and
// key equal, and every output has the recorded size and SHA-256 (fast: size and xxhash64).
// Otherwise the error says what is missing. Modification times are never evidence.
func (r *Result) Fresh(ctx context.Context, fast bool) (*schemas.Receipt, error) {
	return r.fresh(ctx, receiptName, r.key, fast)
}

// FreshShard is Fresh for the shard of that number and sub-key.
func (r *Result) FreshShard(ctx context.Context, number int, key string) (*schemas.Receipt, error) {
	return r.fresh(ctx, fmt.Sprintf(shardReceipt, number), key, false)
}

func (r *Result) fresh(ctx context.Context, name, key string, fast bool) (*schemas.Receipt, error) {
	receipt, err := r.read(name)
	if err != nil {
		return nil, err
	}
	if receipt.Key != key {
		return nil, fmt.Errorf("%s is of key %.12s, not %.12s", name, receipt.Key, key)
	}
	if err := checkOutputs(ctx, r.path, receipt.Outputs, fast); err != nil {
		return nil, err
	}
	return receipt, nil
}

func (r *Result) read(name string) (*schemas.Receipt, error) {
	data, err := os.ReadFile(filepath.Join(r.path, name))
	if err != nil {
		return nil, err
	}
	var receipt schemas.Receipt
	if err := canon.Decode(data, canon.MaxManifest, &receipt); err != nil {
		return nil, fmt.Errorf("%s does not parse: %w", name, err)
	}
	if receipt.Schema != schemas.ReceiptSchema {
		return nil, fmt.Errorf("%s has schema %q, want %q", name, receipt.Schema, schemas.ReceiptSchema)
	}
	if receipt.SHA256 != sumOf(receipt) {
		return nil, fault.New(fault.Mismatch, "%s was changed since it was written: its sha256 is not that of its content", name)
	}
	return &receipt, nil
}

// sumOf returns the digest that a receipt carries, so that no number in it can be edited unnoticed.
func sumOf(receipt schemas.Receipt) string {
	receipt.SHA256 = ""
	return digest.SHA256(canon.MustMarshal(receipt))
}

// Begin makes the directory ready for another attempt: receipts that do not hold go first and
// durably, then unfinished files and outputs of an earlier attempt. Shards for which keep answers
// true stay.
func (r *Result) Begin(ctx context.Context, keep func(number int) (key string, ok bool)) error {
	if err := r.dir.fs.MkdirAll(r.path); err != nil {
		return err
	}
	entries, err := os.ReadDir(r.path)
	if err != nil {
		return err
	}
	stay := r.freshShards(ctx, entries, keep)
	var receipts, rest []string
	for _, e := range entries {
		switch name := e.Name(); {
		case stay[name]:
		case isReceipt(name):
			receipts = append(receipts, name)
		default:
			rest = append(rest, name)
		}
	}
	return removeInOrder(r.dir.fs, r.path, receipts, rest)
}

// freshShards lists the files that belong to complete shards, receipts included.
func (r *Result) freshShards(ctx context.Context, entries []iofs.DirEntry, keep func(int) (string, bool)) map[string]bool {
	stay := map[string]bool{}
	for _, e := range entries {
		number, ok := shardNumber(e.Name())
		if !ok {
			continue
		}
		key, ok := keep(number)
		if !ok {
			continue
		}
		receipt, err := r.FreshShard(ctx, number, key)
		if err != nil {
			continue
		}
		stay[e.Name()] = true
		for _, out := range receipt.Outputs {
			stay[out.Path] = true
		}
	}
	return stay
}

func shardNumber(name string) (int, bool) {
	var n int
	if _, err := fmt.Sscanf(name, shardReceipt, &n); err != nil || fmt.Sprintf(shardReceipt, n) != name {
		return 0, false
	}
	return n, true
}

func isReceipt(name string) bool {
	return name == receiptName || strings.HasPrefix(name, "receipt-")
}

// Write commits one output; rows and logical digest come from write.
func (r *Result) Write(name string, write func(io.Writer) (rows int64, logical string, err error)) (schemas.ReceiptOutput, error) {
	out := schemas.ReceiptOutput{Path: name}
	sum, err := commit(r.dir.fs, r.path, name, func(w io.Writer) (err error) {
		out.Rows, out.LogicalSHA256, err = write(w)
		return err
	})
	if err != nil {
		return out, err
	}
	out.SHA256, out.XXH64, out.Bytes = sum.SHA256, sum.XXH64, sum.Bytes
	return out, nil
}

// Commit writes the receipt: the result is complete from here on.
func (r *Result) Commit(receipt schemas.Receipt) error { return r.writeReceipt(receiptName, receipt) }

func (r *Result) CommitShard(number int, receipt schemas.Receipt) error {
	return r.writeReceipt(fmt.Sprintf(shardReceipt, number), receipt)
}

func (r *Result) writeReceipt(name string, receipt schemas.Receipt) error {
	receipt.SHA256 = sumOf(receipt)
	return commitJSON(r.dir.fs, r.path, name, receipt)
}

// Temp opens a scratch file in the result's directory that has no name any more.
func (r *Result) Temp() (*os.File, error) {
	f, err := os.CreateTemp(r.path, whole.TempPrefix+"scratch-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// TempPath is the path of a scratch file of that name; RemoveTemps removes it.
func (r *Result) TempPath(name string) string {
	return filepath.Join(r.path, whole.TempPrefix+"scratch-"+name)
}

// RemoveTemps removes unfinished files.
func (r *Result) RemoveTemps() error {
	temps, err := filepath.Glob(filepath.Join(r.path, whole.TempPrefix+"*"))
	if err != nil {
		return err
	}
	for _, path := range temps {
		if err := whole.Remove(r.dir.fs, path); err != nil {
			return err
		}
	}
	return nil
}

func checkOutputs(ctx context.Context, folder string, outputs []schemas.ReceiptOutput, fast bool) error {
	for _, out := range outputs {
		if err := checkOutput(ctx, folder, out, fast); err != nil {
			return fmt.Errorf("%s: %w", out.Path, err)
		}
	}
	return nil
}

func checkOutput(ctx context.Context, folder string, out schemas.ReceiptOutput, fast bool) error {
	if !schemas.ValidPath(out.Path) {
		return errors.New("not a valid file name")
	}
	path := filepath.Join(folder, out.Path)
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() != out.Bytes {
		return fmt.Errorf("%d bytes found, %d recorded", info.Size(), out.Bytes)
	}
	hash, want := digest.SHA256File, out.SHA256
	if fast {
		hash, want = digest.XXH64File, out.XXH64
	}
	got, err := hash(ctx, path)
	if err == nil && got != want {
		err = fmt.Errorf("digest %.16s found, %.16s recorded", got, want)
	}
	return err
}

func isNotExist(err error) bool { return errors.Is(err, iofs.ErrNotExist) }

func DigestOf(out schemas.ReceiptOutput) digest.Digest {
	return digest.Digest{SHA256: out.SHA256, XXH64: out.XXH64, Bytes: out.Bytes}
}
