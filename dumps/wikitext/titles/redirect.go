package titles

import (
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/schemas"
)

// Redirect is where a redirect page points, before any look-up.
type Redirect struct {
	Target   string // full normalised title, "" if invalid
	Fragment string // as the text gives it, without #
	Kind     schemas.TargetKind
}

// Redirect reads the target of a page (5.5, rules 1 and 2): attr is the title of its <redirect> element, "" if it has
// none. The element decides, the text supplies the fragment; without an element the text decides, and fromText is set.
// Disagree tells that the text names another target than the element. Ok is false if the page is no redirect.
func (s *Site) Redirect(attr, text string) (r Redirect, fromText, disagree, ok bool) {
	raw, inText := s.TextRedirect(text)
	var written Redirect
	if inText {
		written = s.redirectTo(raw)
	}
	if attr == "" {
		return written, inText, false, inText
	}
	r = s.redirectTo(attr)
	r.Fragment = written.Fragment
	return r, false, inText && written.Target != r.Target, true
}

// redirectTo normalises a target. A bare fragment is none: it names no page.
func (s *Site) redirectTo(raw string) Redirect {
	t, err := s.ParseTitle(raw)
	switch {
	case err != nil, t.Text == "" && t.Interwiki == "":
		return Redirect{Kind: schemas.TargetInvalid}
	case t.Interwiki != "":
		return Redirect{s.FullTitle(t), t.Fragment, schemas.TargetInterwiki}
	case t.NS != NSMain:
		return Redirect{s.FullTitle(t), t.Fragment, schemas.TargetOther}
	}
	return Redirect{t.Text, t.Fragment, schemas.TargetMain}
}

// TextRedirect gives the raw target, without label, of the [[...]] that follows the redirect word at the beginning of
// a page, if the text is that of a redirect.
func (s *Site) TextRedirect(text string) (raw string, ok bool) {
	text, ok = strings.CutPrefix(ascii.TrimSpace(text), "#")
	if !ok {
		return "", false
	}
	for _, word := range append([]string{"REDIRECT"}, s.words.Redirects...) {
		// One word may begin another, so a word that no link follows does not end the search.
		if rest, found := ascii.CutFold(text, word); found {
			if raw, ok = firstTarget(rest); ok {
				return raw, true
			}
		}
	}
	return "", false
}

// firstTarget reads what may follow a redirect word: a colon, then the link, on one line.
func firstTarget(text string) (raw string, ok bool) {
	text = ascii.TrimSpace(text)
	text = ascii.TrimSpace(strings.TrimPrefix(text, ":"))
	text, opened := strings.CutPrefix(text, "[[")
	inside, _, closed := strings.Cut(text, "]]")
	if !opened || !closed || strings.Contains(inside, "\n") {
		return "", false
	}
	raw, _, _ = strings.Cut(inside, "|")
	return raw, true
}
