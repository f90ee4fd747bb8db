package ingest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/stagetest"
)

type pair struct{ key, payload string }

// sorted sends records through a sorter and gives what comes out, and how many runs it spilled.
func sorted(t *testing.T, budget int, in []pair) ([]pair, int) {
	t.Helper()
	s := newSorter(stagetest.New(t).Temp, budget)
	defer s.Close()
	for _, r := range in {
		if err := s.add([]byte(r.key), []byte(r.payload)); err != nil {
			t.Fatal(err)
		}
	}
	var out []pair
	err := s.each(func(key, payload []byte) error {
		out = append(out, pair{string(key), string(payload)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, len(s.runs.Files)
}

// randomRecords have few different keys, so that many are equal, and payloads that tell the order.
func randomRecords(r *rng.Stream) []pair {
	in := make([]pair, r.Below(300))
	for i := range in {
		key := binary.BigEndian.AppendUint16(nil, uint16(r.Below(40)*300))[:r.Below(3)]
		in[i] = pair{string(key), fmt.Sprint(i, string(bytes.Repeat([]byte{'x'}, r.Below(50))))}
	}
	return in
}

func TestTheSorterOrdersByKeyAndThenByArrivalWhateverItsBudget(t *testing.T) {
	spilled := 0
	for seed := range 15 {
		in := randomRecords(rng.New(uint64(seed), "sorter"))
		want := slices.Clone(in)
		slices.SortStableFunc(want, func(a, b pair) int { return bytes.Compare([]byte(a.key), []byte(b.key)) })
		for _, budget := range []int{1, 500, 5000, sorterBudget} {
			got, runs := sorted(t, budget, in)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, budget %d: got %q, want %q", seed, budget, got, want)
			}
			if budget == sorterBudget && runs != 0 {
				t.Fatalf("seed %d: %d runs on disk of a few kB", seed, runs)
			}
			spilled = max(spilled, runs)
		}
	}
	if spilled < 100 {
		t.Errorf("at most %d runs were merged: the tiny budgets spill nothing", spilled)
	}
}

func TestASorterIsReadTwiceAlike(t *testing.T) {
	for _, budget := range []int{64, sorterBudget} {
		s := newSorter(stagetest.New(t).Temp, budget)
		for i := range 50 {
			if err := s.add([]byte{byte(i % 7)}, []byte{byte(i)}); err != nil {
				t.Fatal(err)
			}
		}
		var passes [2][]byte
		for p := range passes {
			if err := s.each(func(_, payload []byte) error { passes[p] = append(passes[p], payload...); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		if len(passes[0]) != 50 || !bytes.Equal(passes[0], passes[1]) {
			t.Errorf("budget %d: first pass %v, second %v", budget, passes[0], passes[1])
		}
		s.Close()
	}
}

func TestTheSorterPassesErrorsOn(t *testing.T) {
	stop := errors.New("stop")
	for _, budget := range []int{1, sorterBudget} {
		s := newSorter(stagetest.New(t).Temp, budget)
		for range 3 {
			if err := s.add([]byte("k"), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.each(func(_, _ []byte) error { return stop }); err != stop {
			t.Errorf("budget %d: visit's error: got %v, want %v", budget, err, stop)
		}
		s.Close()
	}
	full := newSorter(func() (*os.File, error) { return nil, stop }, 1)
	if err := errors.Join(full.add([]byte("a"), nil), full.add([]byte("b"), nil)); !errors.Is(err, stop) {
		t.Errorf("no scratch file: got %v, want %v", err, stop)
	}
}

func TestARunThatIsCutShortIsAnError(t *testing.T) {
	s := newSorter(stagetest.New(t).Temp, 1)
	defer s.Close()
	for i := range 4 {
		if err := s.add([]byte("key"), bytes.Repeat([]byte{byte(i)}, 20)); err != nil {
			t.Fatal(err)
		}
	}
	for size := int64(1); size < 25; size++ {
		if err := s.runs.Files[1].Truncate(size); err != nil {
			t.Fatal(err)
		}
		if err := s.each(func(_, _ []byte) error { return nil }); err == nil {
			t.Errorf("run of 25 bytes cut to %d: no error", size)
		}
		if _, err := s.runs.Files[1].WriteAt(append([]byte{3, 20, 'k', 'e', 'y'}, make([]byte, 20)...), 0); err != nil {
			t.Fatal(err)
		}
	}
}
