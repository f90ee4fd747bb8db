package trace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
)

// SHA256 returns one digest for what was played: that of the listing that sha256sum prints of the run's
// files, in order of their names, or that of a single file.
func (l *Log) SHA256(ctx context.Context) (string, error) {
	if l.Dir == "" {
		return digest.SHA256File(ctx, l.Path)
	}
	names := []string{l.Layout.Main, ImportFile, RunFile}
	if l.Layout.Side != "" {
		names = append(names, l.Layout.Side)
	}
	slices.Sort(names)
	var listing strings.Builder
	for _, name := range names {
		sum, err := digest.SHA256File(ctx, filepath.Join(l.Dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&listing, "%s  %s\n", sum, name)
	}
	return digest.SHA256([]byte(listing.String())), nil
}
