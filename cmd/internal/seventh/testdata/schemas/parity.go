package schemas

// Parity is the questions whether a page has an even number of links, and their quota.
// 1: first layout.
var Parity = Artifact{Name: "parity", Version: 1, Files: []string{"parity.jsonl", "parity.parquet", QuotasFile}}

// ParityInstanceSchema names the record's version. 1: first layout.
const ParityInstanceSchema = "parity.instance/1"

// ParityInstance asks whether the number of links of a page is even or odd.
type ParityInstance struct {
	Schema string  `json:"schema" flat:"-"`
	ID     string  `json:"id" doc:"name of the question: pa-<0001..>"`
	Page   PageRef `json:"page" flat:"page_" doc:"the page that is asked about"`
	Gold   string  `json:"gold" doc:"even or odd: the right answer"`
}

// Golden answers.
const (
	ParityEven = "even"
	ParityOdd  = "odd"
)
