package stages

import (
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// PartFiles returns the files of a declared input as a part of a release sees them.
func PartFiles(env Env, a schemas.Artifact) (release.Files, error) {
	var out release.Files
	files, err := env.Input(a)
	for _, f := range files {
		out.Add(f.Name, f.Root, f.Name, f.Digest, -1, "")
	}
	return out, err
}
