package pipeline

import (
	"errors"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

func TestFilesThatDoNotBelongTogetherAreRefused(t *testing.T) {
	for _, c := range []struct {
		wiki, date, table string
		apart             bool
	}{
		{"aawiki", "20260101", "x/aawiki-20260101-pagelinks.sql.gz", false},
		{"aawiki", "20260101", "abwiki-20260101-pagelinks.sql.gz", true},
		{"aawiki", "20260101", "aawiki-20260201-pagelinks.sql.gz", true},
		{"aawiki", "20260101", "aawiki-latest-pagelinks.sql.gz", false}, // nobody can tell
		{"aawiki", "20260101", "page_props.sql", false},
		{"", "", "aawiki-20260101-pagelinks.sql.gz", false},
	} {
		s := Source{Input: Input{Wiki: c.wiki, Date: c.date}}
		if err := s.tableTogether(c.table); errors.Is(err, fault.Malformed) != c.apart {
			t.Errorf("%s %s with %s: got %v, want a refusal: %v", c.wiki, c.date, c.table, err, c.apart)
		}
	}
	for _, c := range []struct {
		wiki, types string
		apart       bool
	}{
		{"gawiki", "instance-types_lang_ga.ttl.bz2", false},
		{"gawiki", "instance-types_lang=ga_specific.ttl.bz2", false},
		{"enwiki", "instance-types_lang=ga_specific.ttl.bz2", true},
		{"zh_min_nanwiki", "instance-types_lang=zh-min-nan_specific.ttl.bz2", false},
		{"wikispeedia", "instance-types_lang=en_specific.ttl.bz2", false},
		{"demowiki", "types.ttl", false},
	} {
		s := Source{Input: Input{Wiki: c.wiki}}
		if err := s.typesTogether(c.types); errors.Is(err, fault.Malformed) != c.apart {
			t.Errorf("%s with %s: got %v, want a refusal: %v", c.wiki, c.types, err, c.apart)
		}
	}
}
