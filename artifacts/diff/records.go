package diff

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/canon"
)

// readRecords compares the records of a part without pairs by their ids and bytes. A record without
// an id is named by its bytes.
func (c *comparison) readRecords(p release.Part) error {
	names := slices.Concat(recordFiles(p, c.old.Part(p)), recordFiles(p, c.now.Part(p)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		later, err := c.digests(c.now.Part(p), name, nil)
		if err != nil {
			return err
		}
		split := splitOf(p, name)
		_, err = c.digests(c.old.Part(p), name, func(id string, sum [16]byte) {
			now, there := later[id]
			delete(later, id)
			state := Same
			switch {
			case !there:
				state = Removed
			case now != sum:
				state = Changed
			}
			c.records = append(c.records, Instance{split, id, state, ""})
		})
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(later)) {
			c.records = append(c.records, Instance{split, id, Added, ""})
		}
	}
	return nil
}

// digests returns the digest of each record of a file by its id, and none where the file is not
// there; visit hears of each in order.
func (c *comparison) digests(
	f release.Files, name string, visit func(id string, sum [16]byte),
) (map[string][16]byte, error) {
	sums := map[string][16]byte{}
	if !f.Has(name) {
		return sums, nil
	}
	return sums, f.Each(name, func(_ int, line []byte) error {
		var head struct {
			ID string `json:"id"`
		}
		whole := sha256.Sum256(line)
		sum := [16]byte(whole[:])
		if json.Unmarshal(line, &head) != nil || head.ID == "" {
			head.ID = fmt.Sprintf("sha256:%x", sum)
		}
		for n := 2; ; n++ { // records without ids may stand twice
			if _, twice := sums[head.ID]; !twice {
				break
			}
			head.ID = fmt.Sprintf("sha256:%x#%d", sum, n)
		}
		sums[head.ID] = sum
		if visit != nil {
			visit(head.ID, sum)
		}
		return c.ctx.Err()
	})
}

// WriteJSON writes everything as one canonical object, a record at a time.
func (r *Result) WriteJSON(w io.Writer) error {
	if _, err := fmt.Fprintf(w, `{"graph":%s,"instances":[`, canon.MustMarshal(r.Graph)); err != nil {
		return err
	}
	comma := ""
	err := r.Each(func(i Instance) error {
		_, err := fmt.Fprintf(w, "%s%s", comma, canon.MustMarshal(i))
		comma = ","
		return err
	})
	if err != nil {
		return err
	}
	warnings := append([]string{}, r.Warnings...)
	_, err = fmt.Fprintf(w, `],"new":%s,"old":%s,"per_split":%s,"version":%s,"warnings":%s}`+"\n",
		canon.MustMarshal(r.New), canon.MustMarshal(r.Old), canon.MustMarshal(r.PerSplit),
		canon.MustMarshal(map[string]string{"bump": r.Bump.String(), "why": r.Why}), canon.MustMarshal(warnings))
	return err
}
