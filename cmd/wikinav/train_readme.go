package main

import (
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/eval/train"
)

// readme returns the page that says what the data are.
func (t *trainer) readme() string {
	var rows, overlaps, against strings.Builder
	for _, m := range t.doc.Made {
		name := m.Family + "-" + m.Kind
		fmt.Fprintf(&rows, "| `%s` | %d | %d | %d | %s |\n", name, m.Walks, m.Rows, m.Learnt,
			counted(m.Forbidden, m.Left))
	}
	for _, k := range train.Overlaps {
		n := 0
		for _, m := range t.doc.Made {
			n += m.Overlap[k.Name]
		}
		policy := "reported"
		if k.Forbidden {
			policy = "excluded"
		}
		fmt.Fprintf(&overlaps, "| `%s` | %s | %s | %d |\n", k.Name, k.Says, policy, n)
	}
	for _, f := range t.frozen {
		total := 0
		for _, n := range f.Counts {
			total += n
		}
		fmt.Fprintf(&against, "- %s, manifest id `%s`: %d frozen instances of all families\n",
			f.Name, f.ManifestID, total)
	}
	return fmt.Sprintf(trainReadme, t.doc.Release.Name, against.String(), rows.String(),
		overlaps.String(), t.Seed)
}

const trainReadme = `# Training data from %s

Nothing here may be scored on, and nothing that is scored is here. Shared with nothing of:

%s
| files | walks | rows | replies to be learnt | left out |
| --- | --- | --- | --- | --- |
%s
| overlap | what it is | policy | walks |
| --- | --- | --- | --- |
%s
A row is a dialogue: ` + "`messages`" + ` is what a model reads when it is evaluated, and its
replies, and ` + "`train`" + ` says of each message whether it is a reply to be learnt: the wrong
moves of recovery walks are not. ` + "`NAME.jsonl` and `NAME.parquet`" + ` have the same rows;
` + "`walks/NAME.jsonl`" + ` has the walks that they are of, move by move. ` + "`train.json`" + `
has the rules, counts and releases in full, ` + "`export.json`" + ` the SHA-256 of each file. The
rows of one target stand together: shuffle them.

` + "```python" + `
import glob
from datasets import load_dataset

name = sorted(glob.glob("*.parquet"))[0]
rows = load_dataset("parquet", data_files=name, split="train")
print(rows[0]["messages"][-1], rows[0]["train"])
` + "```" + `

Made with seed %d; the same release and flags make the same bytes.
`
