package release

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/minisign"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// fixedNames are the paths outside schemas.FileNamePattern that a release may hold.
var fixedNames = []string{
	"README.md", "LICENSE.md", "ATTRIBUTION.md", SumsName, "ERRATA.md", "DATASHEET.md", "CITATION.cff",
	"CITATION.bib",
}

// leaderboardDir is the one directory below a release that may grow after publication; no digest covers it.
const leaderboardDir = "leaderboard"

// validPath tells whether a manifest may list p.
func validPath(p string) bool { return slices.Contains(fixedNames, p) || schemas.ValidPath(p) }

// unlisted tells whether the file at p stands outside the manifest's list: the files that cover the list, and what
// may be added after publication.
func unlisted(p string) bool {
	return slices.Contains(signedNames, strings.TrimSuffix(p, minisign.Extension)) ||
		strings.HasPrefix(p, leaderboardDir+"/")
}

// checkPaths refuses lists that must not be opened: a path that leaves the directory or has another spelling, one that stands twice
// or differs from another in case only (some file systems would make them one file), and one that is a file and a directory.
func checkPaths(files []FileEntry) error {
	seen := make(map[string]bool, len(files))
	for i, f := range files {
		if why := badPath(f.Path, seen); why != "" {
			return fault.New(fault.Mismatch, "path %s %s", fault.Quote(f.Path), why).At(ManifestName, "files")
		}
		if i > 0 && files[i-1].Path > f.Path {
			return fault.New(fault.Mismatch, "path %s stands after %s", fault.Quote(f.Path), fault.Quote(files[i-1].Path)).
				At(ManifestName, "files")
		}
		seen[strings.ToLower(f.Path)] = true
	}
	for _, f := range files {
		for dir := parent(f.Path); dir != ""; dir = parent(dir) {
			if seen[dir] {
				return fault.New(fault.Mismatch, "path %s is listed as a file and as a directory", fault.Quote(dir)).At(ManifestName, "files")
			}
		}
	}
	return nil
}

func badPath(p string, seen map[string]bool) string {
	switch {
	case !validPath(p):
		return "is not allowed in a release"
	case unlisted(p):
		return "must not be in the list"
	case seen[strings.ToLower(p)]:
		return "stands twice, or differs from another in case only"
	}
	return ""
}

// parent gives the directory of p, "" at the top.
func parent(p string) string {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)]
}
