package links_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/linkstest"
	"github.com/wikinav/wikinav/eval/links/pseudonym"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// masked is a test world whose pages have invented names.
type masked struct {
	*gametest.World
	*pseudonym.Names
}

func (m masked) Pseudonym(u uint32) string { return m.Of(u) }

// maskedSet returns the games of a world that is titled by a word, with redirects to its pages.
func maskedSet(t testing.TB, word string, rules links.Rules) (*links.Set, *gametest.World) {
	t.Helper()
	w := gametest.Random(5, 80, 60, 50).Label(5, "Place", "Work", "Event")
	w.Aliases = map[string]uint32{}
	for u := range w.Titles {
		w.Titles[u] = fmt.Sprintf("%s %d", word, u)
		if word == "Quux" { // of another order
			w.Titles[u] = fmt.Sprintf("%s %d", word, 200-u)
		}
		w.Aliases[fmt.Sprintf("%sish %d", word, u)] = uint32(u)
	}
	names, err := pseudonym.New(w.Len(), "digest", 0, slices.Values(w.Titles))
	if err != nil {
		t.Fatal(err)
	}
	split := linkstest.Split{Name: "easy"}
	if game.HasBan(rules.Defaults()) {
		feasible, _ := bantest.BannedInstances(w, 5, 6, 3, "Work")
		for _, inst := range feasible {
			split.Tasks = append(split.Tasks, bantest.TaskOf(inst))
		}
	} else {
		for i := range uint32(6) {
			inst := racetest.Instance(w, fmt.Sprint("wr-", i), 3*i, 70-i)
			split.Tasks = append(split.Tasks, racetest.TaskOf(inst))
		}
	}
	resolve := func(title string) (uint32, bool) {
		if u, ok := w.Node(title); ok {
			return u, true
		}
		return w.Alias(title)
	}
	return linkstest.Set(linkstest.World(masked{w, names}), resolve, rules.Defaults(), split), w
}

// manners are all ways to meet an episode.
var manners = []string{
	schemas.InterfaceBuiltin, schemas.InterfaceChat, schemas.InterfaceLines, schemas.InterfaceHuman,
	schemas.InterfaceHTTP, schemas.InterfaceMCP,
}

// told plays all games of a set at random, some replies of which are none, and returns everything
// that players were told. guess returns what a player says who knows the titles of node u.
func told(t *testing.T, set *links.Set, o family.Options, at string, guess func(u int) string) string {
	t.Helper()
	var b strings.Builder
	for _, task := range familytest.Tasks(t, set, "easy") {
		for seed := range uint64(3) {
			m := family.Manner{Interface: at}
			if seed == 2 && at != schemas.InterfaceBuiltin {
				m.Prompt = own(t, o, at)
			}
			tell(t, &b, set, task, o, m, rng.New(seed, "twins", task.ID), guess)
		}
	}
	return b.String()
}

// own returns a prompt of a user's own, with every field that there is.
func own(t *testing.T, o family.Options, at string) *wording.Template {
	t.Helper()
	opts := o.Value.(schemas.GameOptions)
	fields := "{{target}} {{current}} {{links}} {{visited}} {{step}} {{left}} "
	switch {
	case at == schemas.InterfaceMCP && game.HasBan(opts):
		fields = "{{source}} {{target}} {{turns}} {{category}} {{gloss}}"
	case at == schemas.InterfaceMCP:
		fields = "{{source}} {{target}} {{turns}} {{max_links}}"
	case game.HasBan(opts):
		fields += "{{category}} {{gloss}} {{recent}} {{intro}}"
	case opts.Context == game.ContextLead:
		fields += "{{last}} {{lead}}"
	}
	p, err := wording.Parse(fields, "own.txt")
	if err != nil {
		t.Fatal(err)
	}
	rules := free
	if game.HasBan(opts) {
		rules = fence
	}
	form, err := rules.Form(o, family.Manner{Interface: at})
	if err == nil {
		err = p.Check(form)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tell plays one game.
func tell(
	t *testing.T, b *strings.Builder, set *links.Set, task family.Task, o family.Options,
	m family.Manner, s *rng.Stream, guess func(u int) string,
) {
	t.Helper()
	e, err := set.Start(task, o, m)
	if err != nil {
		t.Fatal(err)
	}
	for e.Outcome() == "" {
		b.Write(canon.MustMarshal(e.Observe()))
		for _, m := range e.Messages() {
			b.WriteString(m.Content)
		}
		for _, tool := range e.Tools() {
			fmt.Fprint(b, tool.Name, tool.Description, string(tool.Schema))
		}
		if s.Below(3) == 0 {
			b.Write(canon.MustMarshal(e.(family.Advised).Oracle()))
		}
		lesson, err := e.(family.Taught).Lesson()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range append(lesson.Right, lesson.Wrong...) {
			b.WriteString(*r.Text)
		}
		turn, err := e.Act(reply(s, m.Interface, guess))
		fmt.Fprint(b, turn, err, "\n")
		if err != nil && s.Below(4) == 0 {
			e.Stop(schemas.OutcomeGaveUp)
		}
	}
	b.Write(canon.MustMarshal(e.Observe()))
}

// reply draws a reply of the forms that an interface has; the same draws for the same stream.
func reply(s *rng.Stream, at string, guess func(u int) string) family.Reply {
	number, named, form := s.Below(12), guess(s.Below(80)), s.Below(6)
	stated := map[string]any{"next_page": named, "reasoning": "r", "restriction_reasoning": "k"}
	object := canon.MustMarshal(stated)
	stated["step"] = 1
	click, reasoned := canon.MustMarshal(map[string]any{"step": 1, "title": named}), canon.MustMarshal(stated)
	switch {
	case at == schemas.InterfaceMCP && form == 0:
		return call("click_link", string(click))
	case at == schemas.InterfaceMCP && form == 1:
		return call("click_link", string(reasoned))
	case form == 0 && at == schemas.InterfaceHTTP:
		return strict(title(named))
	case form == 0:
		return title(named)
	case form == 1:
		return text(string(object))
	case form == 2:
		return text("<answer>" + named + "</answer>")
	}
	return choice(number)
}

// settings are options that show pages in some way of their own.
var settings = map[string][][]string{
	"free": {
		{},
		{"order=title"},
		{"context=lead", "back=on"},
		{"renderer=chat", "oracle=SP", "plan=path", "revisit=hide"},
		{"oracle=SPH", "back=on"},
		{"renderer=chat", "oracle=B"},
		{"renderer=chat", "oracle=D"},
		{"max_links=5", "pruning=random"},
	},
	"ban": {
		{"revisit=allow", "invalid=consume"},
		{"history=chat", "oracle=SP", "revisit=allow", "invalid=consume"},
		{"oracle=SPH", "revisit=hide", "invalid=consume"},
		{"max_links=6", "pruning=top", "order=title"},
		{"history=chat", "oracle=B", "revisit=allow", "invalid=consume", "plan=1"},
	},
}

// TestNothingThatIsToldDependsOnATitle plays the same games in two worlds that differ in their
// titles, redirects and leads alone, by players who try all titles: to the byte they are told the
// same, so that no title can be among it.
func TestNothingThatIsToldDependsOnATitle(t *testing.T) {
	for kind, rules := range map[string]links.Rules{"free": free, "ban": fence} {
		for _, texts := range settings[kind] {
			o := optionsOf(t, rules, append(texts, "titles=pseudonym")...)
			for _, at := range manners {
				var all [2]string
				for i, word := range []string{"Paris", "Quux"} {
					set, _ := maskedSet(t, word, rules)
					all[i] = told(t, set, o, at, func(u int) string { // the titles of the first world
						return fmt.Sprintf("Paris%s %d", strings.Repeat("ish", u%2), u)
					})
					if n := strings.Count(all[i], "links"); n < 6 {
						t.Fatalf("%s %v at %s: %d lists of links", kind, texts, at, n)
					}
				}
				if all[0] != all[1] {
					t.Errorf("%s %v at %s: %s", kind, texts, at, firstDifference(all[0], all[1]))
				}
			}
		}
	}
}

func firstDifference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	cut := func(s string) string { return s[max(0, i-60):min(len(s), i+60)] }
	return fmt.Sprintf("%q, and %q", cut(a), cut(b))
}

// hidden starts the first game of a set under invented names.
func hidden(t *testing.T, set *links.Set, rules links.Rules, at string) family.Episode {
	t.Helper()
	return start(t, set, optionsOf(t, rules, "titles=pseudonym"), family.Manner{Interface: at})
}

// TestNoPageIDIsTold looks for the ids of test worlds, which are 100 and more, under every key.
func TestNoPageIDIsTold(t *testing.T) {
	for _, rules := range []links.Rules{free, fence} {
		set, _ := maskedSet(t, "Paris", rules)
		e := hidden(t, set, rules, schemas.InterfaceHTTP)
		var o game.Observation
		if err := json.Unmarshal(canon.MustMarshal(e.Observe()), &o); err != nil {
			t.Fatal(err)
		}
		if o.Current.PageID+o.Target.PageID != 0 || o.Current.Title == "" || o.Target.Title == "" {
			t.Errorf("%+v to %+v", o.Current, o.Target)
		}
	}
}

// twins starts the same game with titles and with invented names.
func twins(
	t *testing.T, set *links.Set, rules links.Rules, task family.Task, texts ...string,
) (list [2]family.Episode) {
	t.Helper()
	for i, titles := range []string{"titles=plain", "titles=pseudonym"} {
		o := optionsOf(t, rules, append(texts, titles)...)
		e, err := set.Start(task, o, family.Manner{Interface: schemas.InterfaceBuiltin})
		if err != nil {
			t.Fatal(err)
		}
		list[i] = e
	}
	return list
}

// TestTwinsHaveTheSameMenusMoveByMove follows every baseline on both twins: what it chooses, the
// pages of the menu and their order are the same by node, but for menus that are sorted by titles.
func TestTwinsHaveTheSameMenusMoveByMove(t *testing.T) {
	for _, rules := range []links.Rules{free, fence} {
		set, _ := maskedSet(t, "Paris", rules)
		for _, baseline := range set.Baselines() {
			for _, task := range familytest.Tasks(t, set, "easy") {
				var lines [2][]string
				for i, e := range twins(t, set, rules, task) {
					seat := family.Seat{Task: task, Attempt: 1, Seed: 1, Player: baseline.Name}
					next := baseline.Start(e, seat)
					for e.Outcome() == "" {
						r, err := next()
						if err == nil {
							_, err = e.Act(r)
						}
						if err != nil {
							t.Fatal(err)
						}
					}
					rec := e.Record(family.Recording{Run: &schemas.Run{}})
					for _, step := range append(rec.Side, rec.Main) {
						lines[i] = append(lines[i], string(canon.MustMarshal(step)))
					}
				}
				if !slices.Equal(lines[0], lines[1]) {
					t.Errorf("%s on %s: %s", baseline.Name, task.ID,
						firstDifference(strings.Join(lines[0], "\n"), strings.Join(lines[1], "\n")))
				}
			}
		}
	}
}

// TestLessonsAreInInventedNames poses games between pages that no list has, and plays them by what
// is taught.
func TestLessonsAreInInventedNames(t *testing.T) {
	for _, rules := range []links.Rules{free, fence} {
		set, w := maskedSet(t, "Paris", rules)
		e := hidden(t, set, rules, schemas.InterfaceChat)
		for e.Outcome() == "" {
			l, err := e.(family.Taught).Lesson()
			if err != nil || len(l.Right) == 0 {
				t.Fatalf("%v, %+v", err, l)
			}
			if turn, err := e.Act(l.Right[0]); err != nil || !turn.Valid {
				t.Fatalf("%s: %+v, %v", *l.Right[0].Text, turn, err)
			}
		}
		if e.Outcome() != schemas.OutcomeSuccess {
			t.Errorf("the lessons end as %s in a world of %d pages", e.Outcome(), w.Len())
		}
	}
}

// TestMenusAreSortedByWhatIsShown sorts by invented names: the order of titles would tell of them.
func TestMenusAreSortedByWhatIsShown(t *testing.T) {
	set, _ := maskedSet(t, "Paris", free)
	for _, task := range familytest.Tasks(t, set, "easy") {
		var menus [2][]uint32
		for i, e := range twins(t, set, free, task, "order=title", "max_steps=1") {
			var o game.Observation
			if err := json.Unmarshal(canon.MustMarshal(e.Observe()), &o); err != nil {
				t.Fatal(err)
			}
			if !slices.IsSorted(o.Titles()) {
				t.Errorf("%s shows %q", task.ID, o.Titles())
			}
			if _, err := e.Act(choice(0)); err != nil {
				t.Fatal(err)
			}
			step := e.Record(family.Recording{Run: &schemas.Run{}}).Side[0].(schemas.Step)
			menus[i] = slices.Clone(step.Menu)
			slices.Sort(menus[i])
		}
		if !slices.Equal(menus[0], menus[1]) {
			t.Errorf("%s: pages %v, and %v", task.ID, menus[0], menus[1])
		}
	}
}

// TestUnderABanPagesCarryTheirCategories reads them off the names, with which and without which a
// page can be named.
func TestUnderABanPagesCarryTheirCategories(t *testing.T) {
	set, w := maskedSet(t, "Paris", fence)
	for _, task := range familytest.Tasks(t, set, "easy") {
		for i := range 3 {
			e := hidden(t, set, fence, schemas.InterfaceHTTP)
			o := e.Observe().(game.Observation)
			said := o.Links[0].Title
			bare, _, _ := strings.Cut(said, " (")
			want := map[int]string{0: said, 1: bare, 2: strings.ToLower(bare)}[i]
			turn, err := e.Act(title(want))
			if err != nil || turn.Valid != true {
				t.Fatalf("%s: %q is %+v, %v", task.ID, want, turn, err)
			}
			step := e.Record(family.Recording{Run: &schemas.Run{}}).Side[0].(schemas.Step)
			name := bare
			if labels := schemas.BitNames(w.Mask(*step.To), schemas.LabelNames); len(labels) > 0 {
				name += " (" + strings.Join(labels, ", ") + ")"
			}
			if step.Menu[0] != *step.To || said != name {
				t.Errorf("%s: %q is shown, want %q", task.ID, said, name)
			}
		}
	}
}

func TestTitlesAreHiddenByKnownRulesAlone(t *testing.T) {
	for value, ok := range map[string]bool{
		"pseudonym": true, "pseudonym:7": true, "pseudonym:0": false, "pseudonym:01": false,
		"pseudonym:": false, "pseudonym:-1": false, "pseudonyms": false, "pseudonym:4294967296": false,
	} {
		for _, rules := range []links.Rules{free, fence} {
			o, err := rules.Options([]string{"titles=" + value})
			if (err == nil) != ok {
				t.Errorf("titles=%s: %v", value, err)
			}
			if ok && (rules.Masks(o) != "titles="+value || rules.Twin(o).Less != "titles="+value) {
				t.Errorf("titles=%s: masks %q, twin %+v", value, rules.Masks(o), rules.Twin(o))
			}
		}
	}
	plain, anon := optionsOf(t, free), optionsOf(t, free, "titles=anon")
	if free.Masks(plain) != "" || free.Twin(plain).Less != "" || free.Masks(anon) != "" {
		t.Error("titles=plain hides something")
	}
	a, b := free.Twin(plain), free.Twin(optionsOf(t, free, "titles=pseudonym:3"))
	if string(a.Rest) != string(b.Rest) {
		t.Errorf("twins differ: %s, %s", a.Rest, b.Rest)
	}
	// A world without names of that kind is refused.
	set := setOf(gametest.G9(), free, racetest.TaskOf(racetest.Instance(gametest.G9(), "wr-1", 0, 8)))
	first := familytest.Tasks(t, set, "easy")[0]
	_, err := set.Start(first, optionsOf(t, free, "titles=pseudonym"), family.Manner{})
	if err == nil || !strings.Contains(err.Error(), "no other names") {
		t.Errorf("got %v", err)
	}
}
