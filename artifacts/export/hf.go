package export

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/fault"
)

const cardFile = "README.md"

// hfNote stands in front of the card of the release.
const hfNote = `
> This folder is an export of the release **%s** (manifest id ` + "`%s`" + `): its tables and
> documents, each the same bytes as there. Graph, distances and catalogue are in the release alone, and so is
> what ` + "`wikinav verify`" + ` checks; ` + "`export.json`" + ` lists the digests of the files here.
`

// configPath finds the files that the configs in the head of a card name.
var configPath = regexp.MustCompile(`(?m)\b(?:path|data_files): "?([^"\s,}]+)"?`)

// reserved finds a split of the name that stands for all splits.
var reserved = regexp.MustCompile(`(?m)\bsplit: "?all\b`)

// HF writes a folder that is a dataset repository of Hugging Face: the card with its configs, every
// table as Parquet, the documents, and with lines the JSON lines, too.
func (d *Dir) HF(j Job, lines bool) error {
	card, err := j.Release.Text(cardFile)
	if err != nil {
		return err
	}
	head, body, ok := cutHead(string(card))
	if !ok {
		return fault.New(fault.Mismatch, "no configs stand at the beginning of the card").
			At(cardFile, "")
	}
	if reserved.MatchString(head) {
		return fault.New(fault.Mismatch, "a config has a split called all, which load_dataset refuses").
			At(cardFile, "").Hint("build it again with another name for the split")
	}
	named := configPath.FindAllStringSubmatch(head, -1)
	files := slices.DeleteFunc(j.files(), func(f release.FileEntry) bool {
		wanted := isNamed(named, f.Path) || isTable(f.Path, lines) || isDocument(f.Path)
		return f.Path == cardFile || !wanted
	})
	for _, n := range named {
		fits := func(f release.FileEntry) bool { return isNamed([][]string{n}, f.Path) }
		if !slices.ContainsFunc(files, fits) {
			return fault.New(fault.Mismatch, "a config names %s, which the release lacks",
				fault.Quote(n[1])).At(cardFile, "")
		}
	}
	m := j.Release.Manifest()
	if err := d.Text(cardFile, head+fmt.Sprintf(hfNote, m.Release.Name, m.ID)+body); err != nil {
		return err
	}
	return j.copyAll(d, files)
}

// cutHead cuts a card behind the lines of YAML at its beginning.
func cutHead(card string) (head, body string, ok bool) {
	const mark = "---\n"
	rest, ok := strings.CutPrefix(card, mark)
	at := strings.Index(rest, "\n"+mark)
	if !ok || at < 0 {
		return "", "", false
	}
	end := len(mark) + at + len("\n"+mark)
	return card[:end], card[end:], true
}

func isNamed(named [][]string, p string) bool {
	return slices.ContainsFunc(named, func(n []string) bool {
		fits, err := path.Match(n[1], p)
		return fits && err == nil
	})
}

func isTable(p string, lines bool) bool {
	return path.Ext(p) == ".parquet" || lines && isLines(p)
}

// isDocument reports whether people read the file at p.
func isDocument(p string) bool {
	return !strings.Contains(p, "/") && slices.Contains([]string{".md", ".cff", ".bib"}, path.Ext(p))
}
