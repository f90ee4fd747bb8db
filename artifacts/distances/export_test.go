package distances

import "github.com/wikinav/wikinav/schemas/fault"

// ReadPacked reads a packed shard as a Set does and checks the form of a column: read returns it
// unpacked at once and one by one; nothing for a column too many.
func ReadPacked(data []byte, nodes int, graphSHA256 string) (
	read func(i int) (all, one []uint8, err error), err error,
) {
	list, err := parsePacked(data, nodes, graphSHA256)
	return func(i int) (all, one []uint8, err error) {
		if i >= len(list) {
			return nil, nil, nil
		}
		c := &list[i]
		one = make([]uint8, nodes)
		for u := range one {
			if one[u], err = c.at(uint32(u)); err != nil {
				return nil, nil, err
			}
		}
		if all, err = c.all(); err == nil && !c.canonical(all) {
			err = fault.New(fault.Mismatch, "another form")
		}
		return all, one, err
	}, err
}
