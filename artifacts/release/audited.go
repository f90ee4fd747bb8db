package release

// Audited is a part that says how its records are to be judged by those who look for what makes
// them hard. Records of other parts are judged by their columns alone.
type Audited interface {
	Audits() []Audit
}

// Audit is how the records of some tables are judged. Columns are those of the tables.
type Audit struct {
	Tables   string   // of path.Match, for the names of the tables
	By       []string // columns whose values are groups; all together, and each alone
	Ease     string   // a number that is the higher the easier a record is, such as a chance; "" for none
	Hardness string   // or one that is the lower; "" for none
	Floor    []string // shares or successes, 0 to 1, of players that know nothing
	Skip     []string // numbers that cannot make a record hard, such as its place in a list
	// Suspect returns what about a record makes one doubt that it measures anything; nil for none.
	Suspect func(at func(column string) float64) []string
}

// Told is a part that has more to say of itself than its records.
type Told interface {
	Facts(f Files) ([]Facts, error)
}

// Facts is a table of counts.
type Facts struct {
	Title string `json:"title"`
	Rows  []Fact `json:"rows"`
}

// Fact is a count and its whole; Of is 0 where there is none.
type Fact struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
	Of   int64  `json:"of"`
}
