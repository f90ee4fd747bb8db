package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/wikinav/wikinav/schemas/fault"
)

// maxDocument is far above any list of files.
const maxDocument = 64 << 20

// hexDigits is what a file of sums begins with.
const hexDigits = "0123456789abcdefABCDEF"

// document reads a small file whole. Its first byte must be one of begins, which an HTML page's is not.
func (c *client) document(ctx context.Context, url, begins string) (text []byte, err error) {
	err = c.patiently(ctx, url, func() (bool, error) {
		a, err := c.ask(ctx, http.MethodGet, url, nil)
		if err != nil {
			return false, err
		}
		defer a.Close()
		if a.StatusCode != http.StatusOK {
			return false, fault.New(fault.Failure, "the answer to a plain question is %s", a.Status)
		}
		text, err = io.ReadAll(io.LimitReader(a, maxDocument+1))
		return false, err
	})
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxDocument:
		return nil, fault.New(fault.Failure, "more than %d bytes, which no list of files has", maxDocument).At(url, "")
	case len(text) == 0 || !strings.ContainsRune(begins, rune(text[0])):
		return nil, fault.New(fault.Checksum, "it begins with %s: this is no list of files", fault.Quote(text[:min(len(text), 20)])).At(url, "")
	}
	return text, nil
}

// size asks how long a file is; -1 where the site does not say.
func (c *client) size(ctx context.Context, url string) (size int64, err error) {
	err = c.patiently(ctx, url, func() (bool, error) {
		a, err := c.ask(ctx, http.MethodHead, url, nil)
		if err != nil {
			return false, err
		}
		size = a.ContentLength
		return false, a.Close()
	})
	return size, err
}

// sumLines reads lines of hex, blanks, name. A line that is cut ends with exit 12: the list is not whole.
func sumLines(url string, text []byte, digits int) (names, sums []string, err error) {
	if !bytes.HasSuffix(text, []byte("\n")) {
		return nil, nil, fault.New(fault.Checksum, "the last line has no end: the list is cut").At(url, "")
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		sum, name, ok := strings.Cut(line, " ")
		name = strings.TrimPrefix(strings.TrimSpace(name), "*")
		if !ok || len(sum) != digits || strings.Trim(sum, hexDigits) != "" || name == "" {
			return nil, nil, fault.New(fault.Checksum, "want %d hex digits and a name, found %s", digits, fault.Quote(line)).
				At(url, fmt.Sprintf("line %d", i+1))
		}
		names, sums = append(names, name), append(sums, strings.ToLower(sum))
	}
	return names, sums, nil
}

// freeSpace tells how many bytes an ordinary user can still write into a folder.
func freeSpace(folder string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(folder, &st); err != nil {
		return 0, fault.New(fault.Failure, "free space: %w", err).At(folder, "")
	}
	return int64(st.Bavail) * st.Bsize, nil
}

// lock keeps a second fetch out of the folder. The lock is on the folder itself and dies with the process.
func lock(folder string) (unlock func(), err error) {
	d, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	if err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		return func() { d.Close() }, nil
	}
	d.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fault.New(fault.Locked, "another fetch is at work in this folder").At(folder, "").Hint("wait for it, or name another with --out")
	}
	return nil, fault.New(fault.Failure, "lock: %w", err).At(folder, "")
}

func syncDir(folder string) error {
	d, err := os.Open(filepath.Clean(folder))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
