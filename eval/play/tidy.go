package play

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas/order"
)

// tidy puts the logs into the order of play, so that their bytes tell neither how many processes and workers wrote them nor which game
// ended first. Each log is replaced whole, side first: until main follows, every line that it needs is there in either order.
func (j *journal) tidy() error {
	return j.alone(func() error {
		main, err := j.linesOf(j.layout.Main)
		if err != nil {
			return err
		}
		items := slices.Clone(main)
		if err := j.know(items); err != nil {
			return err
		}
		order.Sort(items, func(a, b keyed) int { return cmp.Compare(j.rank(a.key), j.rank(b.key)) })
		if err := j.tidySide(items); err != nil {
			return err
		}
		if err := j.rewrite(j.layout.Main, main, items); err != nil {
			return err
		}
		return j.readOn()
	})
}

// arrange takes the names of the items in the order of play.
func (j *journal) arrange(keys []string) {
	for i, key := range keys {
		j.place[key] = i
	}
}

// know asks for the whole order of play where some of the items are beyond what is known.
func (j *journal) know(items []keyed) error {
	beyond := func(x keyed) bool { _, known := j.place[x.key]; return !known }
	if j.more == nil || !slices.ContainsFunc(items, beyond) {
		return nil
	}
	keys, err := j.more()
	j.arrange(keys)
	return err
}

// rank is an item's place; what this run does not play comes last.
func (j *journal) rank(key string) int {
	if p, ok := j.place[key]; ok {
		return p
	}
	return math.MaxInt
}

// tidySide brings the lines of side into the order of the items, and drops those of others.
func (j *journal) tidySide(items []keyed) error {
	if j.layout.Side == "" {
		return nil
	}
	side, err := j.linesOf(j.layout.Side)
	if err != nil {
		return err
	}
	groups := map[string][]keyed{}
	for _, l := range side {
		groups[l.key] = append(groups[l.key], l)
	}
	var want []keyed
	for _, item := range items {
		want = append(want, groups[item.key]...)
	}
	return j.rewrite(j.layout.Side, side, want)
}

// dropLoose drops the lines of side that belong to no item: older versions could leave them in the middle.
func (j *journal) dropLoose() error {
	if j.layout.Side == "" {
		return nil
	}
	side, err := j.linesOf(j.layout.Side)
	if err != nil || !slices.ContainsFunc(side, func(l keyed) bool { return !j.done[l.key] }) {
		return err
	}
	main, err := j.linesOf(j.layout.Main)
	if err != nil {
		return err
	}
	return j.tidySide(main)
}

type keyed struct {
	key  string
	text []byte
}

// linesOf reads a log; one that is not there has no lines.
func (j *journal) linesOf(name string) (list []keyed, err error) {
	data, err := os.ReadFile(j.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range bytes.Lines(data) {
		key, err := j.layout.Key(line)
		if err != nil {
			return nil, err
		}
		list = append(list, keyed{key, line})
	}
	return list, nil
}

// rewrite replaces a log whose lines are old, unless they are what is wanted.
func (j *journal) rewrite(name string, old, want []keyed) error {
	was, is := text(old), text(want)
	if bytes.Equal(was, is) {
		return nil
	}
	return whole.WriteFile(j.dir, name, is)
}

func text(lines []keyed) (all []byte) {
	for _, l := range lines {
		all = append(all, l.text...)
	}
	return all
}
