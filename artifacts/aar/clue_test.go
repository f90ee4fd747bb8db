package aar

import (
	"slices"
	"strings"
	"testing"
)

// clueOf makes a clue of a slot with something in each of its placeholders.
func clueOf(slot string, wording int) Clue {
	c := Clue{
		Slot: slot, Wording: wording, A: 3, B: 12, List: []int{2, 5, 7}[:2+wording%2],
		Phrase: "a city in …, set up in 1718. Find it",
		Place:  "museums", Answer: wording%2 == 0, From: "metres", To: "feet", Factor: "3.28084",
		Date: "1 January 2026",
		Note: wording%2 == 1,
	}
	if c.List[len(c.List)-1] == 7 && strings.HasSuffix(slot, ReduceDiff) {
		c.List = c.List[:2]
	}
	return c
}

func TestEveryWordingIsReadAsItsOwnSlotOnly(t *testing.T) {
	n := 0
	check := func(c Clue) {
		t.Helper()
		n++
		read := ReadClue(c.String())
		if len(read) != 1 || read[0].Slot != c.Slot || read[0].Wording != c.Wording ||
			read[0].String() != c.String() {
			t.Errorf("%s %d: %q is read as %+v", c.Slot, c.Wording, c, read)
		}
	}
	for _, slot := range Slots() {
		if got := len(Wordings(slot)); got < 5 {
			t.Errorf("%s has %d wordings(), want 5 or more", slot, got)
		}
		for i := range Wordings(slot) {
			if !strings.HasPrefix(slot, "page.") {
				check(clueOf(slot, i))
				continue
			}
			for noun, a := range nouns() { // each by itself
				for k := range AskWordings() {
					if (len(noun)+k+i)%7 == 0 {
						c := clueOf(slot, i)
						c.Ask, c.Kind, c.Noun, c.Unit, c.Full = k, a.kind, a.noun, a.unit, a.full
						check(c)
					}
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("%d clues, want 1000 or more", n)
	}
}

func TestWordingsNameNoToolAndNounsAreUnique(t *testing.T) {
	if what, found := namesIn(allWordings() + providedWords()); found {
		t.Errorf("a wording holds %s", what)
	}
	kinds := map[string]string{}
	for _, k := range factKinds().Kinds {
		for _, noun := range k.Nouns {
			if other := kinds[noun]; other != "" {
				t.Errorf("%s is a noun phrase of %s and of %s", noun, other, k.Kind)
			}
			kinds[noun] = k.Kind
		}
	}
}

func TestRiddlesAreSplitAsTheyAreJoined(t *testing.T) {
	list := []Clue{
		clueOf("tool.nearby_poi_count", 1), clueOf("reason.digit_sum", 2),
		clueOf("finish.mod10", 0),
	}
	var want []string
	for _, c := range list {
		want = append(want, c.String())
	}
	if got := SplitRiddle(Riddle(list)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
