package schemas

// ResultSchema names the record's version. 1: first layout.
const ResultSchema = "wikinav.result/1"

// Result is what came of one item of a run: a line of the file that score writes with --items.
// Whoever looks for what makes instances hard joins it to the records of the release by Instance.
type Result struct {
	Schema     string `json:"schema"`
	ManifestID string `json:"manifest_id"` // of the release; "" for a folder
	Family     string `json:"family"`
	Run        string `json:"run"` // "" for a file that names none
	Model      string `json:"model"`
	Split      string `json:"split"`
	Task       string `json:"task"`
	Instance   string `json:"instance"`
	Attempt    int    `json:"attempt"`
	Outcome    string `json:"outcome"`
	Success    bool   `json:"success"`
}
