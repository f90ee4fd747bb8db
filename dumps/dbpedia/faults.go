package dbpedia

import (
	"errors"
	"strconv"

	"github.com/wikinav/wikinav/schemas/fault"
)

// placed says where an error happened, unless it knows its place or is none of the file.
func placed(path string, number int64, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		if known.File == "" {
			known.File = path
		}
		return err
	}
	return fault.New(fault.Malformed, "%w", err).At(path, "line "+strconv.FormatInt(number, 10))
}

func malformed(path string, number int64, format string, args ...any) *fault.Error {
	return fault.New(fault.Malformed, format, args...).At(path, "line "+strconv.FormatInt(number, 10))
}
