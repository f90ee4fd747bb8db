package reply_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
)

// menu has 40 links; some titles look like answers.
func menu() []string {
	var titles []string
	for i := range 40 {
		titles = append(titles, fmt.Sprintf("Page %d", i))
	}
	titles[31], titles[7], titles[8], titles[9], titles[10] = "Serbia", "0", "12. Paris", "</answer>", "a\nb"
	titles[11], titles[12] = "Twin", "Twin"
	return titles
}

// none is a reply without a choice; more than 40 is a choice that the game refuses.
const none, back = -1, -2

var replies = []struct {
	text            string
	strict, lenient int
}{
	// The whole reply is the number.
	{"25", 25, 25},
	{" 25 \n", 25, 25},
	{"25.", 25, 25},
	{"**25**", 25, 25},
	{"`25`", 25, 25},
	{`"25"`, 25, 25},
	{"'25'.", 25, 25},
	{"“25”", 25, 25},
	{"**25.**", 25, 25},
	{"007", 7, 7},
	{"999999", 999999, 999999},
	{"1234567", none, none},
	{"25..", none, 25},
	{"", none, none},
	{" \n\t", none, none},
	// No numbers of ours.
	{"-1", none, none},
	{"+1", none, none},
	{"1e1", none, none},
	{"1.5", none, none},
	{"1,5", none, none},
	{"٣", none, none},
	{"２５", none, none},
	{"0x1f", none, none},
	{"³", none, none},
	{"twenty", none, none},
	{"\x00", none, none},
	{"2\x005", none, 5},
	{"\xff25", none, 25},
	// Tags and boxes.
	{"<answer>3</answer>", 3, 3},
	{"I think 5.\n<answer> 3 </answer>", 3, 3},
	{`\boxed{4}`, 4, 4},
	{`so \boxed{ 4 }.`, 4, 4},
	{"<answer>3</answer> no: <answer>6</answer>", 6, 6},
	{`<answer>3</answer> or \boxed{6}`, 6, 6},
	{`\boxed{6} or <answer>3</answer>`, 3, 3},
	{"<answer>-3</answer>", none, none},
	{"<answer>3.</answer>", none, 3},
	{"<answer>Serbia</answer>", none, none},
	{"<answer>77</answer>\n5", 77, 77},
	{"<answer>1234567</answer>", none, none},
	{"<answer></answer>", none, none},
	// Lines.
	{"31: Serbia\nbecause it is near.", 31, 31},
	{"31. Serbia", 31, 31},
	{"30: Serbia", none, 30},
	{"31 Serbia", none, 31},
	{"Because.\n\n17", 17, 17},
	{"17\n\nBecause.", 17, 17},
	{"4\n5", 5, 5},
	{"31: Serbia\n30: Serbia", 31, 31},
	{"8: 12. Paris", 8, 8},
	{"7. 0", 7, 7},
	{"9. </answer>", 9, 9},
	{`10. a\u{000A}b`, 10, 10},
	{"99: Serbia", none, 99},
	{"Thoughts: 3 or 4\n**12**", 12, 12},
	// After a word for it.
	{"The answer is 12", 12, 12},
	{"ANSWER: 12", 12, 12},
	{"my choice = 12, yes", 12, 12},
	{"option #12", 12, 12},
	{"option # 12.", 12, 12},
	{"Link: 3. Number: 4!", 4, 4},
	{"answer 12", none, 12},
	{"answer: 1e1", none, none},
	{"answer: 12.5", none, none},
	{"answer: -1", none, none},
	{"manswer: 3", none, 3},
	{"answer: 1234567", none, none},
	{"answer: **12**", none, 12},
	{"link is 12 and number is 13", 13, 13},
	// The last integer anywhere, and titles.
	{"I pick 3 or 4", none, 4},
	{"I pick 3 or 4.5", none, 3},
	{"Page3", none, none},
	{"I go to\nSerbia", none, 31},
	{"serbia", none, none},
	{"Twin", none, none},
	{"a-5", none, none},
	// Thinking.
	{"<think>answer: 5</think>6", 6, 6},
	{"<think>5", none, none},
	{"6\n<think>5", 6, 6},
	{"<think>5</think>", none, none},
	{"<think>1</think>2<think>3</think>", 2, 2},
	// Back is a number's stand-in where the game has it.
	{"back", back, back},
	{"<answer>back</answer>", back, back},
	{"<answer>3</answer> then <answer>back</answer>", back, back},
	{"go back", none, none},
	{`\boxed{back}`, back, back},
}

func TestRepliesMeanTheSameEverywhere(t *testing.T) {
	if len(replies) < 60 {
		t.Fatalf("only %d replies", len(replies))
	}
	titles := menu()
	for _, c := range replies {
		check(t, reply.Parser{Back: true}, c.text, titles, c.strict)
		check(t, reply.Parser{Back: true, Lenient: true}, c.text, titles, c.lenient)
	}
}

func check(t *testing.T, p reply.Parser, text string, titles []string, want int) {
	t.Helper()
	if got := outcome(p.Parse(text, titles)); got != want {
		t.Errorf("%+v: %.80q gives %d, want %d", p, text, got, want)
	}
}

func outcome(m game.Move) int {
	switch {
	case m.Back:
		return back
	case m.Choice == nil:
		return none
	}
	return *m.Choice
}

func TestBackIsNoWordWhereItIsOff(t *testing.T) {
	for text, want := range map[string]int{"back": none, "<answer>back</answer>": none, "<answer>3</answer> <answer>back</answer>": 3} {
		check(t, reply.Parser{}, text, menu(), want)
	}
}

func TestOfALongReplyTheEndIsRead(t *testing.T) {
	long := "<answer>3</answer>" + strings.Repeat("x", 1<<20)
	check(t, reply.Parser{}, long, menu(), none)
	check(t, reply.Parser{}, long+"<answer>5</answer>", menu(), 5)
	check(t, reply.Parser{}, "<answer>3</answer>"+strings.Repeat("x", 1<<19), menu(), 3)
}

func TestParsersAreFoundByTheirVersion(t *testing.T) {
	strict, lenient := reply.Parser{}.Version(), reply.Parser{Lenient: true}.Version()
	if strict == lenient || strict.Version != "wikirace/1" {
		t.Errorf("versions %+v and %+v", strict, lenient)
	}
	if p, ok := reply.ReaderOf(&lenient, game.Defaults()); !ok || p != reply.Reader(reply.Parser{Lenient: true}) {
		t.Errorf("got %+v, %v", p, ok)
	}
	if _, ok := reply.ReaderOf(&schemas.Versioned{Version: "wikirace/1", SHA256: "0"}, game.Defaults()); ok {
		t.Error("another parser's version is taken for ours")
	}
	if _, ok := reply.ReaderOf(nil, game.Defaults()); ok {
		t.Error("no version is taken for ours")
	}
}

// FuzzParse looks for replies that crash the parser, or that mean a choice of more than six digits.
func FuzzParse(f *testing.F) {
	for _, c := range replies {
		f.Add(c.text)
	}
	titles := menu()
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range []reply.Parser{{}, {Lenient: true}, {Back: true, Lenient: true}} {
			m := p.Parse(text, titles)
			if m.Choice != nil && (*m.Choice < 0 || *m.Choice > 999_999) || m.Back && !p.Back {
				t.Errorf("%+v: %q gives %+v", p, text, m)
			}
		}
		strict, lenient := reply.Parser{}.Parse(text, titles), reply.Parser{Lenient: true}.Parse(text, titles)
		if strict.Choice != nil && (lenient.Choice == nil || *lenient.Choice != *strict.Choice) {
			t.Errorf("%q: strict %d, lenient %v", text, *strict.Choice, lenient)
		}
	})
}
