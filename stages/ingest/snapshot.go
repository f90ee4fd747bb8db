package ingest

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages"
)

// writeSnapshot says which wiki and day the pages are from: as given, else by the file's name, else by the dump.
func (s stage) writeSnapshot(env stages.Env, dump *mediawiki.Dump) error {
	info := dump.SiteInfo()
	record := schemas.Snapshot{
		Schema:         schemas.SnapshotSchema,
		Wiki:           cmp.Or(s.params.Wiki, info.DBName, "unknown"),
		Date:           cmp.Or(s.params.Date, day(dump.NewestRevision())),
		Language:       info.Lang,
		SiteName:       info.SiteName,
		Base:           info.Base,
		SiteInfoSHA256: digest.SHA256(canon.MustMarshal(info)),
		IndexChecked:   dump.IndexChecked(),
		Unicode:        unicode.Version,
	}
	return env.Write("snapshot.json", stages.JSONDocument(record))
}

// day turns an RFC 3339 time into YYYYMMDD.
func day(rfc3339 string) string {
	date, _, _ := strings.Cut(rfc3339, "T")
	return strings.ReplaceAll(date, "-", "")
}
