// Package lock holds the two kinds of advisory locks of the evaluator: that of a directory, and
// that of one byte of a file. Both belong to open files, not to processes, so that two holders in
// one process keep out of each other's way, too; and both end with the process that holds them.
package lock

import (
	"errors"
	"os"
)

// TryDir opens dir and locks it, unless another holds its lock: then both results are nil.
func TryDir(dir string) (*os.File, error) {
	f, err := OpenDir(dir)
	if err != nil {
		return nil, err
	}
	if free, err := try(f); !free || err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
