package play

import (
	"slices"

	"github.com/wikinav/wikinav/eval/trace"
)

// retry takes the items on which the player could not be asked out of the logs, so that they are played once more. What was, stays in
// infra.jsonl: nothing is played again unseen. The order of the writes is such that a crash loses no line of main, and leaves in
// side no more than lines without an item.
func (j *journal) retry() error {
	failed := func(line []byte) bool {
		e, err := j.layout.Entry(line)
		return err == nil && e.Infra != nil
	}
	return j.alone(func() error {
		main, err := j.linesOf(j.layout.Main)
		if err != nil {
			return err
		}
		stays := slices.DeleteFunc(slices.Clone(main), func(l keyed) bool { return failed(l.text) })
		if len(stays) == len(main) {
			return nil
		}
		if err := j.keepFailed(main, failed); err != nil {
			return err
		}
		if err := j.rewrite(j.layout.Main, main, stays); err != nil {
			return err
		}
		if err := j.tidySide(stays); err != nil {
			return err
		}
		return j.readOn()
	})
}

// keepFailed appends to infra.jsonl what is about to leave main.
func (j *journal) keepFailed(main []keyed, failed func([]byte) bool) error {
	old, err := j.linesOf(trace.InfraFile)
	if err != nil {
		return err
	}
	all := slices.Clone(old)
	for _, l := range main {
		if failed(l.text) {
			all = append(all, l)
			j.again[l.key] = true
		}
	}
	return j.rewrite(trace.InfraFile, old, all)
}

// readAgain notes what was played before and failed.
func (j *journal) readAgain() error {
	j.again = map[string]bool{}
	old, err := j.linesOf(trace.InfraFile)
	for _, l := range old {
		j.again[l.key] = true
	}
	return err
}
