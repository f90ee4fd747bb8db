package aar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// ReportFile is how legs were made, and how baselines fare at them.
const ReportFile = "report.json"

// ReportSchema names the version of ReportFile. 1: first layout.
const ReportSchema = "aar.report/1"

// Report is ReportFile: how legs were made, what they are made of, and how baselines fare. Means
// and shares are decimals of four digits.
type Report struct {
	Schema    string         `json:"schema"`
	Profile   string         `json:"profile"`
	Groups    []ReportGroup  `json:"groups"` // by variant and level
	Baselines []ReportPlayer `json:"baselines"`
	Flags     map[string]int `json:"flags"`     // legs with a flag of the audit
	Passcodes [10]int        `json:"passcodes"` // legs by passcode
	Uses      ReportUses     `json:"uses"`

	// Rewordings counts legs by what became of their rewording: reworded, or why not. Without a
	// verbalizer there is none.
	Rewordings map[string]int `json:"rewordings,omitempty"`
}

// WasReworded is the key of legs in Rewordings whose riddle was.
const WasReworded = "reworded"

// ReportGroup is the legs of a variant and level.
type ReportGroup struct {
	Variant   string                `json:"variant"`
	Level     string                `json:"level"`
	Requested int                   `json:"requested"`
	Made      int                   `json:"made"`
	Attempts  int                   `json:"attempts"`
	Failed    map[string]int        `json:"failed"` // attempts by reason
	Means     map[string]ReportMean `json:"means"`  // per leg
}

// ReportMean is a mean and that of the released legs, with what a diamond more or less adds.
type ReportMean struct {
	Ours     string `json:"ours"`
	Released string `json:"released"`
}

// ReportPlayer is how a baseline fares at the legs of a variant and level, both "all" for all legs.
// Of legs without page or tool stops there is no share; Nulls counts them.
type ReportPlayer struct {
	Player      string `json:"player"`
	Variant     string `json:"variant"`
	Level       string `json:"level"`
	Legs        int    `json:"legs"`
	FA          string `json:"fa"`
	PVR         string `json:"pvr"`
	PVRSeedless string `json:"pvr_without_seed"`
	RCR         string `json:"rcr"`
	Nulls       int    `json:"rcr_nulls"`
	AllKnown    int    `json:"all_operands_known"` // legs
}

// ReportAll stands for every variant, and every level.
const ReportAll = "all"

// ReportUses is how often things occur in the legs: with 0 what could and does not.
type ReportUses struct {
	Templates  map[string]int `json:"templates"`
	Transforms map[string]int `json:"transforms"`
	Diamonds   map[string]int `json:"diamonds"`
	Facts      map[string]int `json:"facts"`       // questions by kind
	FactPages  map[string]int `json:"fact_pages"`  // pages that answer them
	PlaceKinds map[string]int `json:"place_kinds"` // pages of the world
}

// releasedMeans is the means of the released legs, by variant and level.
var releasedMeans = map[string]map[string]float64{
	"linear easy": {
		"stops": 5.4, "tool_stops": 1.1, "reason_stops": 1.0, "calls": 1.4,
		"diamonds": 0, "words": 178,
	},
	"linear medium": {
		"stops": 11.7, "tool_stops": 2.3, "reason_stops": 2.3, "calls": 2.9,
		"diamonds": 0, "words": 346,
	},
	"linear hard": {
		"stops": 18.7, "tool_stops": 4.1, "reason_stops": 3.9, "calls": 5.0,
		"diamonds": 0, "words": 460,
	},
	"linear extreme": {
		"stops": 24.3, "tool_stops": 5.4, "reason_stops": 5.3, "calls": 6.6,
		"diamonds": 0, "words": 563,
	},
	"dag easy": {
		"stops": 8.3, "tool_stops": 3.6, "reason_stops": 1.0, "calls": 4.8,
		"diamonds": 0.8, "words": 225,
	},
	"dag medium": {
		"stops": 15.4, "tool_stops": 6.0, "reason_stops": 2.3, "calls": 7.9,
		"diamonds": 1.2, "words": 364,
	},
	"dag hard": {
		"stops": 24.6, "tool_stops": 10.1, "reason_stops": 3.9, "calls": 13.2,
		"diamonds": 2.0, "words": 531,
	},
	"dag extreme": {
		"stops": 33.0, "tool_stops": 14.1, "reason_stops": 5.2, "calls": 18.2,
		"diamonds": 2.9, "words": 672,
	},
}

// Decimal writes a mean or a share.
func Decimal(f float64) string { return fmt.Sprintf("%.4f", f) }

// MeansOf returns the means of rows of a variant and level, next to those of the released legs: a
// diamond adds three stops and three tool stops.
func MeansOf(variant, level string, rows []schemas.AARLegRow) map[string]ReportMean {
	sums, released := map[string]float64{}, maps.Clone(releasedMeans[variant+" "+level])
	for _, r := range rows {
		for name, n := range map[string]int{ // each by itself
			"stops": r.Stops, "tool_stops": r.ToolStops, "reason_stops": r.ReasonStops,
			"calls":    r.Calls,
			"diamonds": r.Diamonds, "words": r.Words,
		} {
			sums[name] += float64(n)
		}
	}
	n := float64(max(1, len(rows)))
	more := 3 * (sums["diamonds"]/n - released["diamonds"])
	out := map[string]ReportMean{}
	for name, target := range released { // each by itself
		if name == "stops" || name == "tool_stops" {
			target += more
		}
		out[name] = ReportMean{Decimal(sums[name] / n), Decimal(target)}
	}
	return out
}

// Follow writes into a report what follows from the legs: flags of the audit, passcodes and uses.
func (r *Report) Follow(w *World, legs []File, factPages map[string]int) {
	var audits []AuditLeg
	r.Passcodes = [10]int{}
	for _, f := range legs {
		f.Path = LegIDIn(f.Variant, f.Leg)
		audits = append(audits, AuditOf(f))
		if f.Leg.Passcode >= 0 && f.Leg.Passcode <= 9 {
			r.Passcodes[f.Leg.Passcode]++
		}
	}
	r.Flags, r.Uses = NewAudit(audits).Totals.Flags, usesOf(w, legs, factPages)
}

// usesOf counts what legs are made of; world and facts say what could occur.
func usesOf(w *World, legs []File, factPages map[string]int) ReportUses {
	u := ReportUses{
		map[string]int{},
		map[string]int{},
		map[string]int{},
		map[string]int{},
		maps.Clone(factPages),
		map[string]int{},
	}
	for _, name := range Natives() {
		u.Templates[name] = 0
	}
	for _, name := range Transforms() {
		u.Transforms[name] = 0
	}
	for _, k := range factKinds().Kinds {
		u.Facts[k.Kind], u.FactPages[k.Kind] = 0, u.FactPages[k.Kind]+0
	}
	for _, k := range PlaceKinds() {
		u.PlaceKinds[k] = 0
	}
	for _, p := range w.Places() {
		if p.Kind != "" && p.Located {
			u.PlaceKinds[p.Kind]++
		}
	}
	for _, f := range legs {
		u.add(f.Leg)
	}
	used := func(name string) bool { return u.Templates[name] > 0 }
	if slices.ContainsFunc(Provided(), used) { // there is a cassette, so that each of them could be
		for _, name := range Provided() {
			u.Templates[name] += 0
		}
	}
	return u
}

// kindOfTarget is the kind of facts of each question.
var kindOfTarget = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for noun, a := range nouns() { // each by itself
		if a.noun == 0 {
			out[noun] = a.kind
		}
	}
	return out
})

func (u *ReportUses) add(l *schemas.AARLeg) {
	merged := merges(l)
	for i := range l.Stops {
		s := &l.Stops[i]
		switch {
		case s.Type == schemas.AARPage:
			u.Facts[kindOfTarget()[s.ExtractionTarget]]++
		case s.ReasonTransform != nil:
			u.Transforms[*s.ReasonTransform]++
		case slices.Contains(merged, i):
			both := []string{TemplateOf(&l.Stops[i-2]), TemplateOf(&l.Stops[i-1])}
			u.Diamonds[diamondOf()[strings.Join(both, " ")]]++
		case s.Type == schemas.AARTool:
			u.Templates[strings.TrimPrefix(TemplateOf(s), "tool.")]++
		}
	}
}

// diamondOf is the name of a diamond by the templates of its branches.
var diamondOf = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	list := table[struct {
		Diamonds []struct {
			Name string
			A    string `json:"branch_a"`
			B    string `json:"branch_b"`
		}
	}]("templates").Diamonds
	for _, d := range list {
		b, _, _ := strings.Cut(d.B, " ") // a note may follow
		out["tool."+d.A+" tool."+b] = d.Name
	}
	return out
})

// Text returns the section of a data card on the legs: how many there are and how they were made,
// their means next to those of the released legs, what does not occur, and how baselines fare.
func (r Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Legs (profile %s)\n\n", r.Profile)
	b.WriteString("| variant | level | legs | of | attempts | stops | released | tool stops | released | " +
		"reason stops | released | words |\n| --- | --- |" + strings.Repeat(" ---: |", 10) + "\n")
	for _, g := range r.Groups {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d |", g.Variant, g.Level, g.Made, g.Requested,
			g.Attempts)
		for _, name := range []string{"stops", "tool_stops", "reason_stops"} {
			fmt.Fprintf(&b, " %s | %s |", short(g.Means[name].Ours), short(g.Means[name].Released))
		}
		fmt.Fprintf(&b, " %s |\n", short(g.Means["words"].Ours))
	}
	fmt.Fprintf(&b, "\nPasscodes 0 to 9: %s.\n", strings.Trim(fmt.Sprint(r.Passcodes), "[]"))
	for _, what := range []struct {
		name string
		uses map[string]int
	}{
		{"Templates", r.Uses.Templates},
		{"Transforms", r.Uses.Transforms},
		{"Kinds of facts", r.Uses.Facts},
		{"Kinds of places", r.Uses.PlaceKinds},
	} {
		if list := unused(what.uses); len(list) > 0 {
			fmt.Fprintf(&b, "%s that do not occur: %s.\n", what.name, strings.Join(list, ", "))
		}
	}
	b.WriteString("\nHow players without a model fare at all legs: passcodes (FA), pages fetched (PVR), tool stops\n" +
		"done (RCR). What `wikinav-eval` says of models stands next to these numbers.\n\n" +
		"| player | FA | PVR | PVR without the seed | RCR |\n| --- | ---: | ---: | ---: | ---: |\n")
	for _, p := range r.Baselines {
		if p.Variant == ReportAll {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", p.Player, p.FA, p.PVR, p.PVRSeedless,
				p.RCR)
		}
	}
	return b.String()
}

// short cuts a decimal to one digit behind the point.
func short(decimal string) string {
	if at := strings.IndexByte(decimal, '.'); at >= 0 && at+2 < len(decimal) {
		return decimal[:at+2]
	}
	return decimal
}

// unused lists what has the count 0.
func unused(uses map[string]int) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		if uses[name] == 0 {
			list = append(list, name)
		}
	}
	return list
}

// report compares the report with what follows from quotas, legs and world. Of the attempts it is
// known how many there are: one for each leg and each reason. What failed, level 4 makes again;
// what baselines get, level 3 plays again.
func (k *legCheck) report(w *World, s Survey) {
	k.Need(ReportFile)
	var r Report
	if !k.whole || !k.Wants(ReportFile) || !k.Document(ReportFile, &r) {
		return
	}
	differ := func(field, where string, want, got any) {
		w, g := release.Shown(want), release.Shown(got) // texts: maps cannot be compared
		release.Differ(k.Check, field, ReportFile, where, w, g)
	}
	var params struct{ Profile string }
	if k.Params(&params) && params.Profile != "" {
		differ("profile", "", params.Profile, r.Profile)
	}
	k.groups(r.Groups, differ)
	want := Report{}
	want.Follow(w, k.legs, s.Kinds)
	differ("flags", "", want.Flags, r.Flags)
	differ("passcodes", "", want.Passcodes, r.Passcodes)
	differ("uses", "", want.Uses, r.Uses)
	reworded := 0
	for _, f := range k.legs {
		if Reworded(f.Leg) {
			reworded++
		}
	}
	differ("rewordings", "", reworded, r.Rewordings[WasReworded])
	k.players(r, differ)
}

// groups compares each group with its quota and the rows of its legs.
func (k *legCheck) groups(groups []ReportGroup, differ func(field, where string, want, got any)) {
	quotas, err := k.Files().Quotas()
	if err != nil {
		return // a finding of its own
	}
	var want, got []string
	for _, q := range quotas {
		want = append(want, q.Of)
	}
	for _, g := range groups {
		of := strings.TrimSuffix(LegsFile(g.Variant, g.Level), ".jsonl")
		got = append(got, of)
		i := slices.IndexFunc(quotas, func(q schemas.Quota) bool { return q.Of == of })
		if i < 0 {
			continue
		}
		var rows []schemas.AARLegRow
		attempts := g.Made
		for _, r := range k.rows {
			if r.Variant == g.Variant && r.Level == g.Level {
				rows = append(rows, r)
			}
		}
		for _, n := range g.Failed { // a sum
			attempts += n
		}
		where := g.Variant + " " + g.Level
		differ("requested", where, quotas[i].Requested, g.Requested)
		differ("made", where, len(rows), g.Made)
		differ("attempts", where, attempts, g.Attempts)
		differ("means", where, MeansOf(g.Variant, g.Level, rows), g.Means)
		for name, n := range quotas[i].Counts { // each by itself
			if name == "attempts" {
				differ(name+" as in the quota", where, n, int64(g.Attempts))
			}
		}
	}
	differ("groups", "", want, got)
}

// players checks that a baseline has a row for each variant and level, with the number of its legs.
func (k *legCheck) players(r Report, differ func(field, where string, want, got any)) {
	for _, p := range r.Baselines {
		legs := 0
		for _, f := range k.legs {
			of := p.Variant == f.Variant || p.Variant == ReportAll
			if of && (p.Level == f.Level || p.Level == ReportAll) {
				legs++
			}
		}
		differ("legs", p.Player+" "+p.Variant+" "+p.Level, legs, p.Legs)
	}
}
