package train

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

// Within a wiki a page is its id, whatever it is called now; in another wiki it is its title.
func TestOverlapsOfPairsLegsAndParts(t *testing.T) {
	page := func(id uint32, title string) *schemas.PageRef {
		return &schemas.PageRef{Node: id * 7, PageID: id, Title: title}
	}
	for pages, renamed := range map[string]func(id uint32, title string) *schemas.PageRef{
		byPageID: func(id uint32, title string) *schemas.PageRef { return page(id, title+" (town)") },
		byTitle:  func(id uint32, title string) *schemas.PageRef { return page(id+1000, title) },
	} {
		f := &Frozen{
			Pages: pages, pairs: map[string]bool{}, sources: map[string]bool{}, targets: map[string]bool{},
			witness: map[string]bool{}, instances: map[string]bool{}, parts: map[string]bool{},
		}
		f.add(*page(1, "A"), *page(2, "B"))
		f.witness[f.page(*page(3, "C"))] = true
		f.keep("legs", family.Marks{Instance: "i", Parts: []string{"p", "q"}})
		a, b, c, other := renamed(1, "A"), renamed(2, "B"), renamed(3, "C"), renamed(9, "Z")
		for _, x := range []struct {
			family string
			marks  family.Marks
			want   []string
		}{
			{"links", family.Marks{Source: a, Target: b}, []string{"pair", "target", "source"}},
			{"links", family.Marks{Source: b, Target: a}, []string{
				"reversed_pair", "source_is_eval_target", "target_is_eval_source",
			}},
			{"links", family.Marks{Source: other, Target: b}, []string{"target"}},
			{"links", family.Marks{Source: c, Target: other}, []string{"source_on_witness"}},
			{"links", family.Marks{Source: other, Target: other}, nil},
			{"legs", family.Marks{Instance: "i"}, []string{"instance"}},
			{"legs", family.Marks{Instance: "j", Parts: []string{"x", "q"}}, []string{"part"}},
			{"mazes", family.Marks{Instance: "i", Parts: []string{"p"}}, nil},
		} {
			if got := f.Shares(x.family, x.marks); !slices.Equal(got, x.want) {
				t.Errorf("%s, %s %+v: %v, want %v", pages, x.family, x.marks, got, x.want)
			}
		}
	}
	if forbids([]string{"source", "target"}) != "target" || forbids([]string{"source", "part"}) != "" {
		t.Error("what is forbidden is not")
	}
}

// TestAWalkCountsOnce has a walk whose source two releases have: it is one walk that shares it.
func TestAWalkCountsOnce(t *testing.T) {
	source, target := &schemas.PageRef{PageID: 1, Title: "A"}, &schemas.PageRef{PageID: 2, Title: "B"}
	f := &Frozen{Pages: byPageID, sources: map[string]bool{"1": true}}
	made := &Made{Lengths: map[int]int{}, Overlap: map[string]int{}}
	job := &Job{
		Lesson: Lesson{
			Family: called{name: "links"}, Set: about{m: family.Marks{Source: source, Target: target}},
		},
		Frozen: []*Frozen{f, f},
	}
	w := writer{job, nowhere{}, made}
	if err := w.keep(family.Task{}, 0, &Walk{}, nil); err != nil {
		t.Fatal(err)
	}
	if made.Walks != 1 || made.Overlap["source"] != 1 || len(made.Overlap) != 1 {
		t.Errorf("%d walk, of which share: %v", made.Walks, made.Overlap)
	}
}

type called struct {
	family.Family
	name string
}

func (c called) Name() string { return c.name }

type about struct {
	family.Set
	m family.Marks
}

func (a about) Marks(family.Task) (family.Marks, error) { return a.m, nil }

type nowhere struct{}

func (nowhere) Walk(*Walk) error { return nil }
func (nowhere) Row(*Row) error   { return nil }
