package fetch

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a site says is never trusted: a name that is taken stays in the folder, a wait is short of an hour, an offset is a number.
func FuzzWhatASiteSays(f *testing.F) {
	sum := strings.Repeat("0", 40)
	f.Add(sum+"  testwiki-20260101-page.sql.gz\n", "bytes 7-9/10", "17")
	f.Add(sum+"  ../x\n"+sum+" *y", "bytes */10", "Thu, 01 Jan 1970 00:00:00 GMT")
	f.Add(`{"jobs":{"pagetable":{"status":"done","files":{"testwiki-20260101-..":{"url":"/testwiki/20260101/testwiki-20260101-.."}}}}}`, "bytes -1-/x", "-3")
	f.Fuzz(func(t *testing.T, text, span, wait string) {
		names, sums, err := sumLines("u", []byte(text), 40)
		if err == nil && (len(names) != len(sums) || len(names) != strings.Count(text, "\n")) {
			t.Errorf("%q: %d names and %d sums", text, len(names), len(sums))
		}
		var status dumpStatus
		if json.Unmarshal([]byte(text), &status) == nil {
			for _, j := range status.Jobs {
				l := Listing{Wiki: "testwiki", Date: "20260101"}
				_ = l.addJob("job", j, "https://example.org")
				for _, file := range l.Files {
					if filepath.Base(file.Name) != file.Name || len(file.Sums) == 0 {
						t.Errorf("%q: took %q with sums %v", text, file.Name, file.Sums)
					}
				}
			}
		}
		if start, total, ok := contentRange(span); ok && (start < 0 || total < 0) {
			t.Errorf("%q: got %d of %d", span, start, total)
		}
		if d := retryAfter(http.Header{"Retry-After": {wait}}, time.Unix(0, 0)); d > longestAsked || d < -1 {
			t.Errorf("%q: a wait of %s", wait, d)
		}
	})
}
