package blocks

import "fmt"

const (
	minTables = 2
	maxTables = 6
	groupSize = 50 // symbols that share a table
	// maxGroups is as many as a full block can use, its end included.
	maxGroups = MaxSize/groupSize + 2
)

// readTables reads which bytes occur, the table of each group, and the tables.
func (d *Decoder) readTables(in *bitReader) error {
	used := d.symbols.readUsed(in)
	if used == 0 {
		return Damage("no byte occurs")
	}
	d.tables = int(in.take(3))
	if d.tables < minTables || d.tables > maxTables {
		return Damage(fmt.Sprintf("%d tables, expected 2 to 6", d.tables))
	}
	if err := d.readChoice(in); err != nil {
		return err
	}
	for i := range d.tables {
		if err := d.codes[i].read(in, used+2); err != nil {
			return err
		}
	}
	return nil
}

// readChoice reads the table of each group. There may be more groups than a block can use; lbzip2 and others write such.
func (d *Decoder) readChoice(in *bitReader) error {
	groups := int(in.take(15))
	order := [maxTables]byte{0, 1, 2, 3, 4, 5}
	d.choice = d.choice[:0]
	for range groups {
		j := 0
		for in.take(1) == 1 {
			if j++; j >= d.tables {
				return Damage("a group names no table")
			}
		}
		chosen := order[j]
		copy(order[1:j+1], order[:j])
		order[0] = chosen
		if len(d.choice) < maxGroups {
			d.choice = append(d.choice, chosen)
		}
	}
	return nil
}

// read reads the lengths of n symbols, each as the difference to the one before.
func (c *code) read(in *bitReader, n int) error {
	var lengths [maxSymbols]uint8
	length := int(in.take(5))
	for i := range n {
		for {
			if length < 1 || length > maxCodeLen {
				return Damage(fmt.Sprintf("a code of %d bits", length))
			}
			if in.take(1) == 0 {
				break
			}
			length += 1 - 2*int(in.take(1))
		}
		lengths[i] = uint8(length)
	}
	if !c.build(lengths[:n]) {
		return Damage("more codes than bits allow")
	}
	return nil
}
