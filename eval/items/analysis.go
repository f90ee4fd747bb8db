package items

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Schemas of the records.
const (
	AnalysisSchema = "wikinav.items/1"
	SubsetSchema   = "wikinav.subset/1"
)

// Flags of players and instances.
const (
	FlagAllWon  = "ALL WON"
	FlagAllLost = "ALL LOST"
	FlagSuspect = "SUSPECT"
)

// Source is where data comes from: runs of one family and release under the same rules of play.
type Source struct {
	Family     string
	Release    string
	ManifestID string
	Differs    []string // in what other rules differ from the first run's, a field each
	Runs       []report.Run
	Tasks      []family.Task // by instance of the data
	Data       Data
}

// Collect takes the runs' results together: an item for each task that two players or more played.
// What was not played, and what failed for no fault of the player, leaves no cell. Errors:
// fault.Usage for runs under other rules of play.
func Collect(runs []report.Run) (*Source, error) {
	first := runs[0].Scores
	s := &Source{
		Family: first.Family, Release: first.Release, ManifestID: first.ManifestID,
		Differs: []string{}, Runs: runs,
	}
	if err := distinct(runs); err != nil {
		return nil, err
	}
	for _, r := range runs[1:] {
		differs, err := sameGame(runs[0], r)
		if err != nil {
			return nil, err
		}
		s.Differs = append(s.Differs, differs...)
	}
	var seen []map[string]Cell
	for _, r := range runs {
		s.Data.Players = append(s.Data.Players, r.Name)
		seen = append(seen, CellsOf(r.Scores))
	}
	for _, split := range runs[0].Set.Splits() {
		tasks, err := runs[0].Set.Tasks(split.Name, 0)
		if err != nil {
			return nil, err
		}
		for _, t := range tasks {
			s.take(t, seen)
		}
	}
	return s, s.Data.Check()
}

// sameGame lists in what else the rules of b differ from a's. Errors: fault.Usage where the options
// of the family do, so that the instances were other games.
func sameGame(a, b report.Run) (differs []string, err error) {
	if (a.Scores.Rules == nil) != (b.Scores.Rules == nil) {
		return []string{b.Name + ": a list without rules among runs with theirs"}, nil
	}
	for _, field := range report.RulesDiffer(a.Scores.Rules, b.Scores.Rules) {
		if strings.HasPrefix(field, "options.") {
			return nil, fault.New(
				fault.Usage, "%s was played by other rules than %s: %s",
				fault.Quote(b.Name), fault.Quote(a.Name), field,
			).
				Hint("name runs with the same --option values: instances are compared under the same rules")
		}
		differs = append(differs, b.Name+": "+field)
	}
	return differs, nil
}

// distinct refuses a run that is named twice: it would count as two players who agree in all.
func distinct(runs []report.Run) error {
	var ids []string
	for _, r := range runs {
		if r.Scores.Run == nil {
			continue
		}
		if id := *r.Scores.Run; slices.Contains(ids, id) {
			return fault.New(fault.Usage, "the run %s is named twice", fault.Quote(id)).
				Hint("name each run once: every run counts as a player of its own")
		}
		ids = append(ids, *r.Scores.Run)
	}
	return nil
}

func (s *Source) take(t family.Task, seen []map[string]Cell) {
	cells, played := make([]Cell, len(seen)), 0
	for p := range seen {
		if cells[p] = seen[p][t.ID]; cells[p].Tried > 0 {
			played++
		}
	}
	if played > 1 {
		s.Tasks, s.Data.Items = append(s.Tasks, t), append(s.Data.Items, t.ID)
		s.Data.Cells = append(s.Data.Cells, cells)
	}
}

// CellsOf returns what a run won of each task.
func CellsOf(scores *family.Scores) map[string]Cell {
	out := map[string]Cell{}
	for _, x := range scores.Results {
		if x.Outcome == schemas.OutcomeInfra || x.Outcome == family.OutcomeMissing {
			continue
		}
		c := out[x.Task]
		c.Tried++
		if x.Success {
			c.Won++
		}
		out[x.Task] = c
	}
	return out
}

// Analysis is the record of `report items`: decimals have six digits.
type Analysis struct {
	Schema     string       `json:"schema"`
	Family     string       `json:"family"`
	Release    string       `json:"release"`
	ManifestID string       `json:"manifest_id"`
	Differs    []string     `json:"differs"`
	Model      ModelName    `json:"model"` // whose estimates follow
	Models     []ModelRow   `json:"models"`
	Players    []PlayerRow  `json:"players"`
	Features   []FeatureRow `json:"features"` // by name
	Items      []ItemRow    `json:"items"`    // in the order of the release
	Suspects   []string     `json:"suspects"` // ids of items, the likeliest first

	// Width is the characters of a line of a table as text; 0: any.
	Width int `json:"-"`
}

type ModelRow struct {
	Model         ModelName `json:"model"`
	Parameters    int       `json:"parameters"`
	LogLikelihood string    `json:"log_likelihood"`
	AIC           string    `json:"aic"`
	BIC           string    `json:"bic"`
	Spread        string    `json:"difficulty_sd"`
	Varied        string    `json:"log_discrimination_sd"`
}

// Decimals is an estimate as records hold it.
type Decimals struct {
	Value string `json:"value"`
	Lo    string `json:"lo"`
	Hi    string `json:"hi"`
}

type PlayerRow struct {
	Player  string   `json:"player"`
	Won     int      `json:"won"`
	Tried   int      `json:"tried"`
	Missing int      `json:"missing"` // instances that it did not play
	Score   string   `json:"score"`   // mean share won of the instances that it played
	Ability Decimals `json:"ability"`
	Infit   *string  `json:"infit"`
	Outfit  *string  `json:"outfit"`
	Flags   []string `json:"flags"`
}

// FeatureRow is how difficulty goes with a feature of the instances.
type FeatureRow struct {
	Name string  `json:"name"`
	N    int     `json:"n"`
	Rank *string `json:"rank_correlation"` // Spearman's, null where either does not vary
}

type ItemRow struct {
	ID             string            `json:"id"`
	Instance       string            `json:"instance"`
	Variant        string            `json:"variant,omitempty"`
	Split          string            `json:"split"`
	Won            int               `json:"won"`
	Tried          int               `json:"tried"`
	Difficulty     Decimals          `json:"difficulty"`
	Discrimination *Decimals         `json:"discrimination"` // null under one parameter
	Infit          *string           `json:"infit"`
	Outfit         *string           `json:"outfit"`
	PointBiserial  *string           `json:"point_biserial"`
	Reversal       *string           `json:"reversal_p"` // how rarely players so weak win so often
	FalseRate      *string           `json:"reversal_q"` // the false discoveries where it counts
	Length         int               `json:"length"`
	Features       map[string]string `json:"features"`
	Flags          []string          `json:"flags"`
	WonBy          []string          `json:"won_by,omitempty"` // of suspects, as what follows
	LostBy         []string          `json:"lost_by,omitempty"`
	Drawing        *dag.Drawing      `json:"drawing,omitempty"` // where the family has drawings

	difficulty float64
}

// suspicious is the rate of false discoveries up to which an instance is a suspect.
const suspicious = 0.05

// Analyse fits both models and describes players and instances by the one that is named, or by that
// of the smaller BIC where name is "".
func Analyse(s *Source, name ModelName) (*Analysis, error) {
	one, two, err := fitBoth(s.Data)
	if err != nil {
		return nil, err
	}
	f := better(one, two)
	switch name {
	case OneParameter:
		f = one
	case TwoParameters:
		f = two
	}
	a := &Analysis{
		Schema: AnalysisSchema, Family: s.Family, Release: s.Release, ManifestID: s.ManifestID,
		Differs: s.Differs, Model: f.Model, Models: []ModelRow{}, Players: []PlayerRow{},
		Suspects: []string{}, Width: report.PageWidth,
	}
	for _, m := range []*Fit{one, two} {
		a.Models = append(a.Models, ModelRow{
			m.Model, m.Parameters, canon.Decimal(m.LogLikelihood), canon.Decimal(m.AIC()),
			canon.Decimal(m.BIC()), canon.Decimal(m.Spread), canon.Decimal(m.Varied),
		})
	}
	for p := range s.Data.Players {
		a.Players = append(a.Players, s.player(f, p))
	}
	if err := a.items(s, f, one); err != nil {
		return nil, err
	}
	a.Features = a.features()
	return a, nil
}

func (s *Source) player(f *Fit, p int) PlayerRow {
	cells := s.Data.ofPlayer(p)
	won, tried := total(cells)
	share, played := Score(cells)
	row := PlayerRow{
		Player: s.Data.Players[p], Won: won, Tried: tried, Missing: len(cells) - played,
		Score: canon.Decimal(share), Ability: decimals(f.Abilities[p]), Flags: extreme(won, tried),
	}
	row.Infit, row.Outfit = misfit(cells, func(i int) float64 { return f.chance(p, i) }).decimals()
	return row
}

// extreme flags what leaves open how far beyond the others an estimate lies.
func extreme(won, tried int) []string {
	switch {
	case tried > 0 && won == tried:
		return []string{FlagAllWon}
	case tried > 0 && won == 0:
		return []string{FlagAllLost}
	}
	return []string{}
}

func (a *Analysis) items(s *Source, f, one *Fit) error {
	totals := make([]Cell, len(s.Data.Players))
	for p := range totals {
		totals[p].Won, totals[p].Tried = total(s.Data.ofPlayer(p))
	}
	test, odd := reversals{one.Abilities, map[string]*ways{}}, []*float64{}
	for i, cells := range s.Data.Cells {
		row := s.item(f, i)
		p := test.of(cells)
		row.PointBiserial, row.Reversal = decimal(pointBiserial(cells, totals)), decimal(p)
		odd, a.Items = append(odd, p), append(a.Items, row)
	}
	var suspects []int
	for i, q := range falseRates(odd) {
		a.Items[i].FalseRate = decimal(q)
		if q != nil && *q <= suspicious {
			suspects = append(suspects, i)
		}
	}
	order.Sort(suspects, func(x, y int) int { return cmp.Compare(*odd[x], *odd[y]) })
	for _, i := range suspects {
		row := &a.Items[i]
		row.Flags = append(row.Flags, FlagSuspect)
		row.WonBy, row.LostBy = s.sides(f, i)
		a.Suspects = append(a.Suspects, row.ID)
		if set, ok := s.Runs[0].Set.(family.Drawn); ok {
			d, err := set.Drawing(s.Tasks[i])
			if err != nil {
				return err
			}
			row.Drawing = &d
		}
	}
	return nil
}

// sides lists who won an instance at least half of the time and who did not, the ablest first.
func (s *Source) sides(f *Fit, item int) (won, lost []string) {
	players := make([]int, len(s.Data.Players))
	for p := range players {
		players[p] = p
	}
	order.Sort(players, func(x, y int) int {
		return cmp.Compare(f.Abilities[y].Value, f.Abilities[x].Value)
	})
	for _, p := range players {
		switch c := s.Data.Cells[item][p]; {
		case c.Tried == 0:
		case 2*c.Won >= c.Tried:
			won = append(won, s.Data.Players[p])
		default:
			lost = append(lost, s.Data.Players[p])
		}
	}
	return won, lost
}

func (s *Source) item(f *Fit, i int) ItemRow {
	t, cells := s.Tasks[i], s.Data.Cells[i]
	won, tried := total(cells)
	row := ItemRow{
		ID: t.ID, Instance: t.Instance, Variant: t.Variant, Split: t.Split, Won: won, Tried: tried,
		Difficulty: decimals(f.Difficulties[i]), difficulty: f.Difficulties[i].Value,
		Features: map[string]string{}, Flags: extreme(won, tried),
	}
	if f.Model == TwoParameters {
		d := decimals(f.Discrimination[i])
		row.Discrimination = &d
	}
	row.Infit, row.Outfit = misfit(cells, func(p int) float64 { return f.chance(p, i) }).decimals()
	if set, ok := s.Runs[0].Set.(family.Described); ok {
		known, _ := set.Difficulty(t.Instance)
		row.Length = known.Length
		for _, feature := range known.Features {
			row.Features[feature.Name] = feature.Value
		}
	}
	return row
}

// featureNames lists the features that any instance has.
func (a *Analysis) featureNames() []string {
	names := map[string]bool{}
	for _, row := range a.Items {
		for name := range row.Features {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// features correlates difficulty with each feature that is a number throughout.
func (a *Analysis) features() []FeatureRow {
	list := []FeatureRow{}
	for _, name := range a.featureNames() {
		var x, y []float64
		numbers := true
		for _, row := range a.Items {
			text, has := row.Features[name]
			if !has {
				continue
			}
			v, err := strconv.ParseFloat(text, 64)
			numbers = numbers && err == nil
			x, y = append(x, v), append(y, row.difficulty)
		}
		if numbers {
			list = append(list, FeatureRow{name, len(x), decimal(rankCorrelation(x, y))})
		}
	}
	return list
}

func decimals(e Estimate) Decimals {
	return Decimals{canon.Decimal(e.Value), canon.Decimal(e.Lo), canon.Decimal(e.Hi)}
}

func decimal(x *float64) *string {
	if x == nil {
		return nil
	}
	text := canon.Decimal(*x)
	return &text
}

// SubsetRecord is the record of `report subset`.
type SubsetRecord struct {
	Schema     string      `json:"schema"`
	Family     string      `json:"family"`
	Release    string      `json:"release"`
	ManifestID string      `json:"manifest_id"`
	Differs    []string    `json:"differs"`
	Model      ModelName   `json:"model"`
	Of         int         `json:"of"` // instances that were chosen from
	Chosen     []ChosenRow `json:"chosen"`
	HeldOut    *MissRow    `json:"held_out"`  // null for fewer players than can be held out
	ByChance   string      `json:"by_chance"` // root mean square error of as many drawn at random
	Players    []HeldRow   `json:"players"`   // each predicted by a subset chosen without it
	Checked    *MissRow    `json:"checked"`   // of the players of --check that played everything
	Check      []HeldRow   `json:"check"`

	Width int `json:"-"` // as of Analysis
}

type ChosenRow struct {
	ID             string   `json:"id"`
	Instance       string   `json:"instance"`
	Split          string   `json:"split"`
	Won            int      `json:"won"`
	Tried          int      `json:"tried"`
	Difficulty     Decimals `json:"difficulty"`
	Discrimination Decimals `json:"discrimination"`
}

// MissRow is how far predictions lie from scores.
type MissRow struct {
	Players int    `json:"players"`
	Mean    string `json:"mean_absolute_error"`
	Root    string `json:"root_mean_square_error"`
	Max     string `json:"largest_error"`
	Within  string `json:"within"` // half-width that holds the next player in 95 of 100 cases
}

// HeldRow is a player with its score and what was predicted; the score is null for a player that
// did not play everything.
type HeldRow struct {
	Player    string   `json:"player"`
	Played    int      `json:"played"` // of the chosen
	Score     *string  `json:"score"`
	Predicted Decimals `json:"predicted"`
}

// Select chooses n instances by the model that is named, or by that of the smaller BIC, and checks
// them on further runs.
func Select(s *Source, name ModelName, n int, check []report.Run) (*SubsetRecord, error) {
	f, err := s.fit(name)
	if err != nil {
		return nil, err
	}
	sub, err := ChooseSubset(f, n)
	if err != nil {
		return nil, err
	}
	r := &SubsetRecord{
		Schema: SubsetSchema, Family: s.Family, Release: s.Release, ManifestID: s.ManifestID,
		Differs: s.Differs, Model: f.Model, Of: len(s.Tasks), Chosen: []ChosenRow{},
		HeldOut: missRow(sub.Held), ByChance: canon.Decimal(sub.ByChance()),
		Players: []HeldRow{}, Check: []HeldRow{}, Width: report.PageWidth,
	}
	for _, i := range sub.Chosen {
		won, tried := total(s.Data.Cells[i])
		t := s.Tasks[i]
		r.Chosen = append(r.Chosen, ChosenRow{
			t.ID, t.Instance, t.Split, won, tried,
			decimals(f.Difficulties[i]), decimals(f.Discrimination[i]),
		})
	}
	for _, h := range sub.Held {
		r.Players = append(r.Players, HeldRow{h.Player, n, decimal(&h.Score), decimals(h.Predicted)})
	}
	return r, r.check(s, sub, check)
}

func (s *Source) fit(name ModelName) (*Fit, error) {
	if name != "" {
		return FitModel(s.Data, name)
	}
	one, two, err := fitBoth(s.Data)
	if err != nil {
		return nil, err
	}
	return better(one, two), nil
}

// check predicts the scores of further runs, which may have played the subset alone.
func (r *SubsetRecord) check(s *Source, sub *Subset, runs []report.Run) error {
	if err := distinct(slices.Concat(s.Runs, runs)); err != nil {
		return err
	}
	var held []Held
	for _, run := range runs {
		if _, err := sameGame(s.Runs[0], run); err != nil {
			return err
		}
		seen, cells := CellsOf(run.Scores), make([]Cell, len(s.Tasks))
		for i, t := range s.Tasks {
			cells[i] = seen[t.ID]
		}
		predicted := sub.Predict(cells)
		row := HeldRow{Player: run.Name, Predicted: decimals(predicted)}
		for _, i := range sub.Chosen {
			if cells[i].Tried > 0 {
				row.Played++
			}
		}
		if row.Played == 0 {
			return fault.New(fault.Usage, "%s played none of the chosen instances", fault.Quote(run.Name)).
				Hint("leave out its --check, or play them")
		}
		if score, played := Score(cells); played == len(cells) {
			row.Score = decimal(&score)
			held = append(held, Held{run.Name, score, predicted})
		}
		r.Check = append(r.Check, row)
	}
	r.Checked = missRow(held)
	return nil
}

func missRow(held []Held) *MissRow {
	m := MissOf(held)
	if m == nil {
		return nil
	}
	return &MissRow{
		m.Players, canon.Decimal(m.Mean), canon.Decimal(m.Root), canon.Decimal(m.Max), canon.Decimal(m.Within),
	}
}

func (m *Misfit) decimals() (infit, outfit *string) {
	if m == nil {
		return nil, nil
	}
	return decimal(&m.Infit), decimal(&m.Outfit)
}
