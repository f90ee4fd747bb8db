package mango

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

// A walk from A north to B, east to C and back west; B links to A, too.
func TestTheProofMakesTheSkeletonsOfASmallWalk(t *testing.T) {
	w := &walked{link: func(string, string) bool { return true }, record: &schemas.MangoMaze{}, steps: []schemas.MangoStep{
		{Dst: "A"}, {Step: 1, Act: "north", Src: "A", Dst: "B"}, {Step: 2, Act: "east", Src: "B", Dst: "C"}, {Step: 3, Act: "west", Src: "C", Dst: "B"},
	}}
	w.makeMoves()
	var moves []string
	for _, m := range w.moves {
		moves = append(moves, fmt.Sprint(m.SrcNode, m.Action, m.DstNode, m.SeenInForward, " ", m.SeenInReversed))
	}
	if got, want := strings.Join(moves, ", "), "AnorthB1 9999, BsouthA9999 1, BeastC2 3, CwestB3 2"; got != want {
		t.Errorf("moves %s, want %s", got, want)
	}
	for longest, want := range map[int]string{
		1: "A>B 1 1 1, B>A 1 9999 1, B>C 1 2 2, C>B 1 3 2; longer map[[A C]:true [C A]:true]",
		2: "A>B 1 1 1, A>C 2 2 2, B>A 1 9999 1, B>C 1 2 2, C>A 2 9999 2, C>B 1 3 2; longer map[]",
	} {
		paths, longer, all := w.paths(longest, 6)
		s := w.skeletons(paths, longer, schemas.MangoMazeParams{DFMaxLen: longest, DFBudget: 3}, 42)
		var rows []string
		for _, r := range s.df {
			rows = append(rows, fmt.Sprintf("%s>%s %d %d %d", r.SrcNode, r.DstNode, r.StepCount, r.MinStepForward, r.MinStepTotal))
		}
		if got := strings.Join(rows, ", ") + "; longer " + fmt.Sprint(longer); got != want || !all {
			t.Errorf("at most %d moves: got %s, want %s", longest, got, want)
		}
		pair := s.rf[4] // C to A
		x := s.extra[len(s.df)+4]
		if pair.MinStepForward != schemas.MangoNever || pair.MinStepTotal != 2 || x.ShortestForward != schemas.MangoNever ||
			classOf(pair.MangoLabels, x.ShortestForwardAnswers, 3) != schemas.MangoHard || classOf(pair.MangoLabels, 0, 1) != schemas.MangoUnanswerable {
			t.Errorf("from C to A: %+v, %+v", pair, x)
		}
		sampled := 0
		for _, x := range s.extra {
			if x.Sampled {
				sampled++
			}
		}
		if sampled != 3 {
			t.Errorf("%d rows are sampled, want 3", sampled)
		}
	}
	if _, _, all := w.paths(2, 5); all {
		t.Error("six paths pass for five")
	}
	if got, want := python("é\"\x7f\n😀"), `"\u00e9\"\u007f\n\ud83d\ude00"`; got != want {
		t.Errorf("as Python spells it: %s, want %s", got, want)
	}
}
