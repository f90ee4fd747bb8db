package maze

import (
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"golang.org/x/text/unicode/norm"
)

// normalise returns names and moves as compared: NFC, lower case, single blanks, none at the ends.
func normalise(x string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFC.String(x))), " ")
}

// Similarity is an exact fraction in 0..1. The zero value is 0; two empty texts have the denominator 0.
type Similarity struct{ Num, Den int64 }

// Similar returns 1 - d/n, where d is the edit distance of the normalised texts and n the length of
// the longer one, in characters; of two empty texts it is 0.
func Similar(a, b string) Similarity { return similar(normalise(a), normalise(b)) }

// similar is Similar for texts that are normalised already.
func similar(a, b string) Similarity {
	n := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if n == 0 {
		return Similarity{}
	}
	return Similarity{int64(n - levenshtein.ComputeDistance(a, b)), int64(n)}
}

func whole(yes bool) Similarity {
	if yes {
		return Similarity{1, 1}
	}
	return Similarity{}
}

// Less reports whether s is the smaller one.
func (s Similarity) Less(t Similarity) bool { return s.Num*max(1, t.Den) < t.Num*max(1, s.Den) }
