package rng

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestStreamsEqualThePublishedVectors(t *testing.T) {
	for _, v := range []struct {
		parts []string
		words string
		below []int
	}{
		{nil, "9cf5cb34fc74e09e eb14ae26f97252f6 4d60ba5e2b9642ae", []int{0, 9, 8, 1, 9, 0, 3, 2}},
		{[]string{""}, "f5a989825bf9912d 989468ae2f7828c0 1d14a0429d73c6ab", []int{5, 8, 9, 5, 0, 8, 3, 7}},
		{[]string{"a", "b"}, "8912b5eee4c7d548 ad54ebbff3f83562 f555e208d8869089", []int{1, 3, 2, 5, 6, 4, 6, 6}},
		{[]string{"ab"}, "275d789a5454f5ff e9356d90dd34af29 7dc53d120e969a81", []int{0, 5, 9, 1, 7, 6, 3, 7}},
		{[]string{"list", "test", "0"}, "27c5ce5a89faddce 00c2116a8de0e3b6 cbb01b32da3a061b", []int{3, 1, 2, 6, 8, 1, 0, 9}},
		{[]string{"lumina", "list", "test", "k02", "0"}, "5e1ef50e49379558 7a924f784b84f04e b144ed2166408c56", []int{4, 3, 0, 1, 1, 6, 3, 8}},
	} {
		s := New(42, v.parts...)
		var words []string
		for range 3 {
			words = append(words, fmt.Sprintf("%016x", s.Uint64()))
		}
		if got := strings.Join(words, " "); got != v.words {
			t.Errorf("stream %q: words %s, want %s", v.parts, got, v.words)
		}
		var below []int
		for range 8 {
			below = append(below, s.Below(10))
		}
		if !slices.Equal(below, v.below) {
			t.Errorf("stream %q: Below(10) %v, want %v", v.parts, below, v.below)
		}
	}
}

func TestBelowOfAFreshStream(t *testing.T) {
	s := New(42, "list", "test", "0")
	want := []int{1, 0, 7, 3, 1, 2, 6, 8}
	for i, w := range want {
		if got := s.Below(10); got != w {
			t.Errorf("draw %d: got %d, want %d", i, got, w)
		}
	}
}

func TestChooseAll(t *testing.T) {
	got := New(42, "a", "b").Choose(10, 10)
	if want := []int{5, 7, 9, 3, 0, 6, 8, 4, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestShuffledMenuOrder(t *testing.T) {
	for step, want := range map[string][]int{"1": {3, 2, 1, 4, 0}, "2": {0, 1, 2, 4, 3}} {
		got := []int{0, 1, 2, 3, 4}
		Shuffled(New(42, "wikirace", "order", "wr-easy-0001", step), got)
		if !slices.Equal(got, want) {
			t.Errorf("step %s: got %v, want %v", step, got, want)
		}
	}
}
