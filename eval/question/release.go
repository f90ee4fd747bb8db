package question

import (
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

// SplitOf returns the split that a list of n questions is, which lies in a file of a part of a release.
// It is short by what quotas of the names that counts accepts did not get.
func SplitOf(f release.Files, list string, n int, counts func(of string) bool) (family.Split, error) {
	missing, err := Missing(f, counts)
	return family.Split{
		Name: list, SHA256: f.Digest(list + ".jsonl").SHA256, Got: n, Requested: n + missing,
	}, err
}

// Missing returns by how much the quotas of the names that counts accepts were not met.
func Missing(f release.Files, counts func(of string) bool) (missing int, err error) {
	if !f.Has(schemas.QuotasFile) {
		return 0, nil
	}
	var quotas []schemas.Quota
	err = f.Document(schemas.QuotasFile, &quotas)
	for _, q := range quotas {
		if counts(q.Of) {
			missing += max(0, q.Requested-q.Got)
		}
	}
	return missing, err
}

func Any(string) bool { return true }
