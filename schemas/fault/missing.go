package fault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Opening returns err, which came of opening the file at path, as an Error that says what to do; nil
// stays nil. What is not there is NotFound, and what its name was probably meant to be is said.
func Opening(path string, err error) error {
	var known *Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return Missing(path)
	}
	return New(NotFound, "%w", err).At(path, "")
}

// Missing says that there is no file at path, and what there is next to it.
func Missing(path string) *Error {
	e, folder := New(NotFound, "no such file").At(path, ""), filepath.Dir(path)
	if near := Beside(path); near != "" {
		return e.Hint("did you mean %s?", near)
	}
	if _, err := os.Stat(folder); err != nil {
		return e.Hint("nor is there a folder %s to hold it", folder)
	}
	if folder == "." {
		return e.Hint("the current folder has no file of a name like it")
	}
	return e.Hint("the folder %s has no file of a name like it", folder)
}

// Beside returns what the name of a file or folder that is not there was probably meant to be, ""
// where its folder has nothing of the kind, or has it.
func Beside(path string) string {
	list, err := os.ReadDir(filepath.Dir(path))
	if _, here := os.Lstat(path); err != nil || here == nil {
		return ""
	}
	names := make([]string, len(list))
	for i, entry := range list {
		names[i] = entry.Name()
	}
	if near := Near(filepath.Base(path), slices.Values(names), 1); len(near) > 0 {
		return filepath.Join(filepath.Dir(path), near[0])
	}
	return ""
}
