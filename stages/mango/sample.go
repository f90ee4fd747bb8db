package mango

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

// lengthClasses are the upper ends of the length classes of a sample; longer paths are one more class.
var lengthClasses = []int{2, 4, 6}

// sample chooses the DF rows that become questions: all, or budget of them, one from each stratum in turn, easy before hard and
// short before long. Inside a stratum the order is that of a hash of seed and id, so that another row changes no other's place
// (specification 6.8; source of the hash: https://xxhash.com).
func sample(s *skeleton.Set, seed int64, last, budget int) []bool {
	chosen := make([]bool, len(s.DF))
	strata := stratify(s, seed, last)
	for taken := 0; taken < min(budget, len(s.DF)); {
		for i := range strata {
			if len(strata[i]) == 0 || taken == budget {
				continue
			}
			chosen[strata[i][0].row] = true
			strata[i] = strata[i][1:]
			taken++
		}
	}
	return chosen
}

type ranked struct {
	row  int
	hash uint64
	id   string
}

func stratify(s *skeleton.Set, seed int64, last int) [][]ranked {
	classes := len(lengthClasses) + 1
	strata := make([][]ranked, 2*classes)
	for i := range s.DF {
		r := &s.DF[i]
		at := 0
		for at < len(lengthClasses) && len(r.Path) > lengthClasses[at] {
			at++
		}
		if r.Class(last, schemas.MangoRulePaper) != schemas.MangoEasy {
			at += classes
		}
		strata[at] = append(strata[at], ranked{i, xxhash.Sum64String(strconv.FormatInt(seed, 10) + ":" + r.ID), r.ID})
	}
	for _, list := range strata {
		slices.SortFunc(list, func(a, b ranked) int {
			return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(a.id, b.id))
		})
	}
	return strata
}
