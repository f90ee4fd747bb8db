package play_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

var thenLine = regexp.MustCompile(`\nThen, on the pages to come, in this order: (.*)\.`)

// TestPlansAndExtrasGoThroughPromptsAndReplay plays by prompts alone, and lets the judge render them again.
func TestPlansAndExtrasGoThroughPromptsAndReplay(t *testing.T) {
	w, rel := banned(12)
	for options, block := range map[string]string{
		"oracle=P history=chat plan=2": "Then, on the pages to come", "oracle=SPH plan=path budget=3/2*d+4": "Then, on the pages to come",
		"oracle=D history=chat": "[DISTANCE]", "oracle=B history=chat revisit=allow": "[BACK]", "oracle=P history=chat": "",
	} {
		told, extras := 0, 0
		p := talker{say: func(m []schemas.Message) string {
			last := m[len(m)-1].Content
			if block != "" && strings.Contains(last, block) {
				told++
			}
			if thenLine.MatchString(last) || strings.Contains(last, "[DISTANCE]") || strings.Contains(last, "[BACK]") {
				extras++
			}
			if planLine.MatchString(last) {
				return obeys(m)
			}
			_, links, _ := strings.Cut(last, "one title a line:\n")
			title, _, _ := strings.Cut(links, "\n")
			return answer(title, "")
		}}
		s := playBanned(t, w, rel, p, banOptions(t, append(strings.Fields(options), "max_steps=12")...))
		if (told == 0) != (block == "") || (extras == 0) != (block == "") {
			t.Errorf("%s: %d prompts hold %q, %d an extra", options, told, block, extras)
		}
		if strings.Contains(options, "P") && value(t, s, judge.MetricSR) != one {
			t.Errorf("%s: who obeys the plan has SR %s", options, value(t, s, judge.MetricSR))
		}
		if flags := strings.Join(s.Rows[0].Flags, " "); !strings.Contains(flags, judge.FlagOracle) {
			t.Errorf("%s: flags %s", options, flags)
		}
	}
}

// TestOtherOracleOptionsThanThoseThatWerePlayedAreFound changes the rules of a run and hashes them anew, as a careful forger would.
func TestOtherOracleOptionsThanThoseThatWerePlayedAreFound(t *testing.T) {
	w, rel := banned(6)
	opts := banOptions(t, "oracle=SPH", "plan=path", "budget=3/2*d+4")
	c := record(t, w, rel, talker{say: obeys}, opts)
	for _, forged := range []string{"plan=1", "plan=2", "budget=2*d+4", "budget=fixed"} {
		log := read(t, c.Dir)
		name, text, _ := strings.Cut(forged, "=")
		if err := game.SetOption(&log.Run.Options, name, text); err != nil {
			t.Fatal(err)
		}
		wording := render.Version(log.Run.Options)
		log.Run.OptionsSHA256, log.Run.Prompt = game.OptionsSHA256(log.Run.Options), &wording
		s, err := judge.ScoreBanned(rel, log, judge.Request{})
		if !errors.Is(err, fault.Mismatch) || len(s.Disagreements) == 0 || s.Disagreements[0].Field != "prompt_sha256" {
			t.Errorf("%s: %v", forged, err)
		}
	}
	log := read(t, c.Dir)
	log.Run.Options.Plan = "2"
	if s, err := judge.ScoreBanned(rel, log, judge.Request{}); !errors.Is(err, fault.Mismatch) || s.Disagreements[0].Field != "options_sha256" {
		t.Errorf("options without their hash: %v", err)
	}
}
