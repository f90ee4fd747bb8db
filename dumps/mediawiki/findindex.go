package mediawiki

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var partName = regexp.MustCompile(`multistream(\d+)\.xml`)

// FindIndex gives the index file beside a dump: of the dump's name with ".xml" replaced by "-index.txt"
// (multistream3.xml-p… by multistream-index3.txt-p…), packed or not.
func FindIndex(dump string) (path string, ok bool) {
	folder, name := filepath.Split(dump)
	indexed := partName.ReplaceAllString(name, "multistream-index$1.txt")
	if indexed == name {
		indexed = strings.Replace(name, ".xml", "-index.txt", 1)
	}
	if indexed == name {
		return "", false
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(indexed, ".bz2"), ".gz")
	for _, candidate := range []string{indexed, bare, bare + ".bz2", bare + ".gz"} {
		path := filepath.Join(folder, candidate)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, true
		}
	}
	return "", false
}
