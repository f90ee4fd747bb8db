package distances_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
)

// The folder of a release or of the stage distances, with the digests that its manifest or receipt has, answers for every
// node and target in constant time.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "distances")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	if err := writeLine(folder); err != nil {
		fmt.Println(err)
		return
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer root.Close()
	files := map[string]digest.Digest{}
	for _, name := range []string{distances.Sidecar, distances.ShardName(0)} {
		if files[name], err = digest.File(context.Background(), filepath.Join(folder, name)); err != nil {
			fmt.Println(err)
			return
		}
	}
	set, err := distances.Open(root, ".", files, 4, lineSHA256)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer set.Close()

	d, err := set.At(0, 3)
	fmt.Println("from node 0 to node 3:", d, err)
	column, err := set.Column(3)
	fmt.Println("from every node:", column, err)
	_, err = set.At(0, 2)
	fmt.Println("node 2 has a column:", !errors.Is(err, distances.ErrNoTarget))
	// Output:
	// from node 0 to node 3: 3 <nil>
	// from every node: [3 2 1 0] <nil>
	// node 2 has a column: false
}

// lineSHA256 is the digest of the graph 0 -> 1 -> 2 -> 3, as its manifest would have it.
var lineSHA256 = strings.Repeat("0", 64)

// writeLine writes the one column of node 3, which the stage distances does for whole target sets.
func writeLine(folder string) error {
	dist := []uint8{3, 2, 1, 0}
	at, unreached := distances.Count(dist)
	shard, err := os.Create(filepath.Join(folder, distances.ShardName(0)))
	if err != nil {
		return err
	}
	defer shard.Close()
	sidecar, err := os.Create(filepath.Join(folder, distances.Sidecar))
	if err != nil {
		return err
	}
	defer sidecar.Close()
	_, err = distances.WriteShard(shard, arrowio.Options{}, lineSHA256, 4, 1, func(int) ([]uint8, error) { return dist, nil })
	if err != nil {
		return err
	}
	_, err = distances.WriteColumns(sidecar, arrowio.Options{}, []distances.Column{
		{Node: 3, PageID: 40, Title: "D", At: at, Unreached: unreached},
	})
	return err
}
