package demo

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/wikinav/wikinav/dumps/dbpedia"
)

func TestEveryKindHasAClassForEachVariety(t *testing.T) {
	for k := range kinds {
		if k != kindTopic && len(about[k].Classes) != len(about[k].Nouns) && len(about[k].Nouns) > 0 {
			t.Errorf("kind %d: %d classes for %d varieties", k, len(about[k].Classes), len(about[k].Nouns))
		}
	}
}

// The classes are real ones; only a list has no label.
func TestTheReaderReadsTheTypesLikeAnyOther(t *testing.T) {
	var file bytes.Buffer
	sum, err := WriteTypes(t.Context(), &file, Options{Seed: Seed})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "types.ttl.bz2")
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	titles := map[string]bool{}
	w := newWorld(Seed, defaultPages)
	for i := range w.things {
		titles[w.things[i].title] = true
		titles[w.things[i].alias] = true
	}
	levels := dbpedia.Classes{Table: dbpedia.DefaultTable(), Policy: true}
	unmatched, labels := 0, map[string]int{}
	counts, err := dbpedia.ReadTypes(t.Context(), path, "en", func(title, class string) error {
		if !titles[title] {
			unmatched++
		}
		level, known := levels.Level(class)
		if !known || level.Label == "" && class != "List" {
			t.Errorf("%s: class %s has no label", title, class)
		}
		labels[level.Label]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if int(counts.Lines) != sum.Lines || int(counts.Bad) != sum.Bad || sum.Bad == 0 || sum.Wrong == 0 || counts.Intermediate == 0 || counts.ForeignClass == 0 {
		t.Errorf("written %+v, read %+v", sum, counts)
	}
	if unmatched < 5 || unmatched > 50 {
		t.Errorf("%d types of no page, want some", unmatched)
	}
	if len(labels) < 12 || labels["PersonAgent"] < 1000 || labels["Work"] < 1000 || labels["Species"] < 1000 {
		t.Errorf("labels %v", labels)
	}
	if share := sum.Things * 100 / len(w.things); share < 85 || share > 96 {
		t.Errorf("%d %% of the things are typed", share)
	}
}
