package reader

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

// Names of the gates of a riddle, besides those of leaks.
const (
	GatePaste  = "paste"  // a search for the clues as written finds too many pages
	GateReader = "reader" // the rule reader does not follow the riddle
)

// Bounds of the gates.
const (
	PasteResults = 3   // an agent's search has the page among so many
	PasteShare   = 5   // for at most one of so many clues
	minAlignment = 0.7 // of a reading
)

// Closed is the gate at which a riddle stops, and why.
type Closed struct{ Gate, Reason string }

// Gates holds the riddle of a leg of ours to what is promised of it in a world; nil if every gate
// is open. strict asks for the gate paste, and that the reader finds every stop that the passcode
// depends on. The leaks come last.
func (r *Reader) Gates(ctx context.Context, l *schemas.AARLeg, strict bool) *Closed {
	if found, pages := r.Pasted(l); strict && found > pages/PasteShare {
		return &Closed{GatePaste, fmt.Sprintf("a search for a clue finds %d of %d pages", found,
			pages)}
	}
	if closed := r.follows(ctx, l, strict); closed != nil {
		return closed
	}
	if leaks := aar.Leaks(r.World, l); len(leaks) > 0 {
		return &Closed{leaks[0].Check, fmt.Sprintf("stop %d: %s", leaks[0].Stop, leaks[0].Reason)}
	}
	return nil
}

// follows holds the riddle of a leg to the rule reader, who knows the wordings of the tables alone.
// Of a riddle that was reworded the clues have to name the numbers of theirs.
func (r *Reader) follows(ctx context.Context, l *schemas.AARLeg, strict bool) *Closed {
	if aar.Reworded(l) {
		if misread := aar.MisreadClues(l); len(misread) > 0 {
			return &Closed{aar.LeakNumbers, misread[0].Want + ", got: " + misread[0].Got}
		}
		return nil
	}
	x := r.Read(ctx, l.Riddle, l.SeedURL)
	fit := r.Alignment(l, x)
	if !x.Known || x.Code != l.Passcode || fit < minAlignment {
		return &Closed{GateReader, fmt.Sprintf("the code is read as %d (%t), alignment %.2f",
			x.Code, x.Known, fit)}
	}
	for _, i := range aar.DepCone(l) {
		if strict && !r.Right(l, x, i) {
			return &Closed{GateReader, fmt.Sprintf("stop %d is read otherwise", i)}
		}
	}
	return nil
}

// Pasted returns for how many of the page clues after the first the agents' search, asked for the
// clue as it is written, has the page among its first results.
func (r *Reader) Pasted(l *schemas.AARLeg) (found, pages int) {
	clues := aar.SplitRiddle(l.Riddle)
	for i := 1; i < len(l.Stops); i++ {
		s := &l.Stops[i]
		if s.Type != schemas.AARPage || s.PageURL == nil || i >= len(clues) {
			continue
		}
		pages++
		page, ok := r.World.Page(*s.PageURL)
		if ok && r.Pastes(strings.TrimSpace(clues[i]), page) {
			found++
		}
	}
	return found, pages
}

// Pastes reports whether the agents' search for a text has a page among its first results.
func (r *Reader) Pastes(text string, page int) bool {
	r.agents.Rank(text)
	return slices.ContainsFunc(r.agents.Best(nil, PasteResults), func(h aar.Hit) bool { return h.Page == page })
}

// Failures returns what a leg of ours fails over the world of the reader, and why: validator,
// audit, golden executor, and the first gate that is closed.
func (r *Reader) Failures(ctx context.Context, variant string, l *schemas.AARLeg) (failed []string) {
	add := func(format string, args ...any) { failed = append(failed, fmt.Sprintf(format, args...)) }
	for _, issue := range aar.Validate(l, false) {
		add("validator: stop %d: %s", issue.Stop, issue.Message)
	}
	audit := aar.NewAudit([]aar.AuditLeg{aar.AuditOf(aar.File{
		Variant: variant, Level: l.Metadata.Difficulty, Leg: l,
	})})
	for _, flag := range slices.Sorted(maps.Keys(audit.Totals.Flags)) { // of one leg: any flag
		if audit.Totals.Flags[flag] > 0 && !aar.Allowed(flag) {
			add("audit: %s", flag)
		}
	}
	for _, s := range r.Execute(ctx, l).Stops {
		if s.Status != aar.StopMatch {
			add("executor: stop %d: %s: %s", s.Index, s.Status, s.Reason)
		}
	}
	strict := l.Metadata.Source != nil && *l.Metadata.Source == "strict"
	if closed := r.Gates(ctx, l, strict); closed != nil {
		add("%s: %s", closed.Gate, closed.Reason)
	}
	return failed
}
