package mediawiki

import (
	"crypto/sha1" // the sum that MediaWiki publishes; it finds accidents, not forgers
	"math/big"
	"strings"
	"unsafe"
)

// sumLen is the length of a SHA-1 in base 36, as MediaWiki writes it.
const sumLen = 31

// textSum is MediaWiki's sum of a text: SHA-1 in base 36, lower case, padded with zeros.
func textSum(text string) string {
	// Read where it lies: to copy every text for its sum costs as much as the sum.
	sum := sha1.Sum(unsafe.Slice(unsafe.StringData(text), len(text)))
	digits := new(big.Int).SetBytes(sum[:]).Text(36)
	return strings.Repeat("0", sumLen-len(digits)) + digits
}

func validSum(s string) bool {
	if len(s) != sumLen {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// checkSum compares a text with its declared sum and size. Sums of old revisions were taken with line ends as CR LF, which
// no XML reader gives back.
func checkSum(text, sum string, size int64) (f findings) {
	length := int64(len(text))
	switch {
	case !validSum(sum):
		f.add(foundSumAbsent)
	case textSum(text) == sum:
		f.add(foundSumOK)
	case textSum(strings.ReplaceAll(text, "\n", "\r\n")) == sum:
		f.add(foundSumCRLF)
		length += int64(strings.Count(text, "\n"))
	default:
		f.add(foundSumMismatch)
		return f
	}
	if size >= 0 && size != length {
		f.add(foundBytesMismatch)
	}
	return f
}
