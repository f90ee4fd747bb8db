package importer

import (
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Write makes the run directory. A directory that holds a run already is refused as a usage fault.
func (r *Result) Write(dir string) error {
	if trace.HasRun(dir) {
		return fault.New(fault.Usage, "the directory holds a run already").At(filepath.Join(dir, trace.RunFile), "").Hint("name another directory")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{trace.StepsFile, lines(r.Steps)},
		{trace.GamesFile, lines(r.Games)},
		{trace.ImportFile, append(canon.MustMarshal(r.Import), '\n')},
		{trace.RunFile, append(canon.MustMarshal(r.Run), '\n')}, // last: it makes the others a run
	} {
		if err := whole.WriteFile(dir, f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}

func lines[T any](records []T) []byte {
	var out []byte
	for _, r := range records {
		out = append(append(out, canon.MustMarshal(r)...), '\n')
	}
	return out
}
