package aar

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas/canon"
)

var (
	_ family.Taught = (*Episode)(nil)
	_ family.Marked = (*Set)(nil)
)

// Lesson returns the optimal calls, one a turn because a later one may take from what an earlier
// one returns, or the answer where none is left; and pages that were linked to, which no clue is
// about.
func (e *Episode) Lesson() (l family.Lesson, err error) {
	at, spare := e.at(), e.budget-len(e.turns)-e.at().left()
	if spare < 0 {
		return l, nil
	}
	for _, b := range at.optimal() {
		l.Right = append(l.Right, e.calling(b.tool, b.args))
	}
	if l.Right == nil {
		text := "Final Answer: " + strconv.Itoa(e.leg.Passcode)
		l.Right = []family.Reply{{Text: &text}}
	}
	if spare > 0 && slices.Contains(e.rules.Tools, toolFetch) {
		for _, url := range at.astray() {
			args, _ := json.Marshal(map[string]string{"url": url}) // a text
			l.Wrong = append(l.Wrong, e.calling(toolFetch, args))
		}
	}
	return l, nil
}

// calling returns a reply that is one call, as a model makes it.
func (e *Episode) calling(tool string, args json.RawMessage) family.Reply {
	if !e.inWords() {
		return family.Reply{Calls: []family.Call{{Name: tool, Arguments: args}}}
	}
	text := fmt.Sprintf("```tool\n{\"name\":%s,\"arguments\":%s}\n```",
		canon.AppendString(nil, tool), args)
	return family.Reply{Text: &text}
}

// linkForm is a link in what a tool shows of a page.
var linkForm = regexp.MustCompile(`\]\((/wiki/[^()\s]+)\)`)

// mostAstray bounds how many pages a lesson has that lead nowhere: those seen last.
const mostAstray = 50

// astray lists addresses of pages that were seen, are there, and are not of the golden chain.
func (p *progress) astray() (urls []string) {
	of := map[string]bool{}
	for _, list := range p.golden {
		for _, c := range list {
			of[c.key] = true
		}
	}
	links := linkForm.FindAllStringSubmatch(p.seen.String(), -1)
	for _, m := range slices.Backward(links) {
		args, _ := json.Marshal(map[string]string{"url": m[1]}) // a text
		key := p.key(toolFetch, args)
		if _, there := p.open(m[1]); !there || of[key] || p.made[key] {
			continue
		}
		of[key] = true // once
		if urls = append(urls, m[1]); len(urls) == mostAstray {
			break
		}
	}
	return urls
}

// Marks names a leg by what its stops ask for, in whatever words, and its parts: the pages, and
// what is asked of each.
func (s *Set) Marks(t family.Task) (m family.Marks, err error) {
	l, err := s.leg(t.Instance)
	if err != nil {
		return m, err
	}
	type stop struct {
		Type   string `json:"type"`
		Page   string `json:"page"`
		Target string `json:"target"`
		Value  string `json:"value"`
	}
	var stops []stop
	for i := range l.Stops {
		x := &l.Stops[i]
		page := ""
		if x.PageURL != nil {
			page = *x.PageURL
			for _, part := range []string{page, page + " " + x.ExtractionTarget} {
				if !slices.Contains(m.Parts, part) {
					m.Parts = append(m.Parts, part)
				}
			}
		}
		stops = append(stops, stop{x.Type, page, x.ExtractionTarget, string(x.ExtractedValue)})
	}
	m.Instance = digest.SHA256(canon.MustMarshal(stops))
	return m, nil
}
