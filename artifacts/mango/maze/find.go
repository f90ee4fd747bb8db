package maze

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// maxFile bounds a file of a game in memory. The largest published map has a few hundred edges.
const maxFile = 64 << 20

// Find lists the edges files below dir, sorted by the game's name. Two files for one game are an error: which one is meant
// is not ours to say.
func Find(dir string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, EdgesFile) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return nil, fault.New(fault.NotFound, "look for mazes: %w", err).At(dir, "")
	}
	if len(paths) == 0 {
		return nil, fault.New(fault.NotFound, "no maze here").At(dir, "").Hint("want a folder that holds <game>%s, at any depth", EdgesFile)
	}
	order.Sort(paths, func(a, b string) int { return cmp.Or(strings.Compare(nameOf(a), nameOf(b)), strings.Compare(a, b)) })
	for i := 1; i < len(paths); i++ {
		if nameOf(paths[i]) == nameOf(paths[i-1]) {
			return nil, fault.New(fault.Malformed, "game %s is there twice, also as %s", fault.Quote(nameOf(paths[i])), paths[i-1]).
				At(paths[i], "").Hint("name the folder of one data version")
		}
	}
	return paths, nil
}

// Open reads the game whose edges are in path, with its walkthrough if one lies beside them. Of a shipped game the lists of
// locations and moves, where they are there, must say what the edges say.
func Open(path string) (*Maze, error) {
	m := &Maze{Name: nameOf(path)}
	if m.Name == "" {
		return nil, fault.New(fault.Malformed, "the game has no name").At(path, "")
	}
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	if m.Format, m.Edges, err = DecodeEdges(m.Name, data); err != nil {
		return nil, inFile(err, path)
	}
	base := strings.TrimSuffix(path, EdgesFile)
	if m.Walkthrough, err = openWalkthrough(base + WalkthroughFile); err != nil {
		return nil, err
	}
	if m.Format != Shipped {
		return m, nil
	}
	if err := checkList(base+LocationsFile, Locations(m.Edges)); err != nil {
		return nil, err
	}
	return m, checkList(base+ActionsFile, Moves(m.Edges))
}

func openWalkthrough(path string) (*Walkthrough, error) {
	data, err := readOptional(path)
	if err != nil || data == nil {
		return nil, err
	}
	w, err := ParseWalkthrough(data)
	return w, inFile(err, path)
}

// checkList compares a published list with what the edges have, as sets; no file, no check.
func checkList(path string, want []string) error {
	data, err := readOptional(path)
	if err != nil || data == nil {
		return err
	}
	var got []string
	if err := decode(data, &got); err != nil {
		return fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	got, want = sortedSet(got), sortedSet(want)
	for _, name := range got {
		if _, ok := slices.BinarySearch(want, name); !ok {
			return fault.New(fault.Malformed, "%s is in no edge", fault.Quote(name)).At(path, "")
		}
	}
	for _, name := range want {
		if _, ok := slices.BinarySearch(got, name); !ok {
			return fault.New(fault.Malformed, "%s of the edges is missing", fault.Quote(name)).At(path, "")
		}
	}
	return nil
}

// sortedSet sorts by code point, which for UTF-8 is the order of the bytes.
func sortedSet(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return slices.Compact(out)
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxFile {
		return nil, fault.New(fault.Malformed, "%d bytes, at most %d are read", info.Size(), maxFile).At(path, "")
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fault.Opening(path, err)
	}
	return data, nil
}

// readOptional gives nil for a file that is not there.
func readOptional(path string) ([]byte, error) {
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return nil, nil
	}
	return readFile(path)
}

// inFile places an error that knows its kind but not its file.
func inFile(err error, path string) error {
	if err == nil {
		return nil
	}
	return fault.New(fault.KindOf(err), "%w", err).At(path, "")
}
