package endpoint

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/wikinav/wikinav/schemas/rng"
)

// Rules of the robustness specification, 10.
const (
	maxTries      = 5
	firstWait     = time.Second
	maxWait       = 60 * time.Second
	maxRetryAfter = 120 * time.Second
)

// backoff gives the time to wait after the k-th try, from 0, with a jitter of up to half as much from the request's own stream.
func backoff(k int, jitter *rng.Stream) time.Duration {
	wait := min(maxWait, firstWait<<k)
	return wait + time.Duration(jitter.Below(int(wait/2)))
}

// retryAfter reads the header of that name: seconds, or a date. What the endpoint says wins, but not beyond all bounds.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 63); err == nil {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second, true
	}
	if strings.Trim(text, "0123456789") == "" && text != "" {
		return maxRetryAfter, true // more digits than a number has
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	return min(max(0, date.Sub(now)), maxRetryAfter), true
}
