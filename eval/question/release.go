package question

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Lists names the lists of questions in a folder of a release: its files of JSON lines.
func Lists(r *open.Release, folder string) ([]string, error) {
	var lists []string
	for _, name := range r.Names(folder) {
		if list, ok := strings.CutSuffix(name, ".jsonl"); ok {
			lists = append(lists, list)
		}
	}
	if len(lists) == 0 {
		return nil, fault.New(fault.NotFound, "the release has no %s set", folder)
	}
	return lists, nil
}

// ReadList reads a list, and its split as far as its files say it. A class of the list that has a quota
// of its own counts in the split.
func ReadList[T any](r *open.Release, folder, list string) ([]T, family.Split, error) {
	path := folder + "/" + list + ".jsonl"
	split := family.Split{Name: list}
	data, err := r.Text(path)
	if err != nil {
		return nil, split, err
	}
	records, err := trace.Lines[T](data, path)
	if err != nil {
		return nil, split, err
	}
	entry, _ := r.Manifest().File(path)
	split.SHA256, split.Got = entry.SHA256, len(records)
	missing, err := missingOf(r, folder, list)
	split.Requested = split.Got + missing
	return records, split, err
}

// missingOf returns by how much the quotas of a list were not met. A folder of one list has quotas for
// the classes in it, a folder of several has them for each.
func missingOf(r *open.Release, folder, list string) (int, error) {
	lists, err := Lists(r, folder)
	if err != nil {
		return 0, err
	}
	return Missing(r, folder, func(of string) bool { return of == list || len(lists) == 1 })
}

// Missing returns by how much the quotas of a folder that counts names were not met.
func Missing(r *open.Release, folder string, counts func(of string) bool) (int, error) {
	const file = "quotas.json"
	if !slices.Contains(r.Names(folder), file) {
		return 0, nil
	}
	data, err := r.Text(folder + "/" + file)
	if err != nil {
		return 0, err
	}
	var quotas []struct {
		Of             string
		Requested, Got int
	}
	if err := json.Unmarshal(data, &quotas); err != nil {
		return 0, fault.New(fault.Malformed, "%w", err).At(folder+"/"+file, "")
	}
	missing := 0
	for _, q := range quotas {
		if counts(q.Of) {
			missing += max(0, q.Requested-q.Got)
		}
	}
	return missing, nil
}
