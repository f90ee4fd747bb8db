package worlds

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Instance is a record that was checked, ready to be played.
type Instance struct {
	schemas.LuminaHead
	Start  State    // before the first turn
	OnPath []string // ids that a clairvoyant would query; nil outside TreeWorld and where there is nothing to find
	Clair  int      // turns of a clairvoyant in TreeWorld, 0 elsewhere
}

// Decode reads one line of an instance file. It refuses what the strict decoder refuses, a record that breaks the rules of its
// world, and any derived field that is not what the rules say: a changed instance does not pass for the published one.
func Decode(line []byte) (*Instance, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, err
	}
	switch head.Schema {
	case schemas.LuminaListSchema:
		return decode(line, SealList)
	case schemas.LuminaTreeSchema:
		return decode(line, SealTree)
	case schemas.LuminaGridSchema:
		return decode(line, SealGrid)
	}
	return nil, fmt.Errorf("record version %s is not supported", fault.Quote(head.Schema))
}

func decode[R any](line []byte, seal func(*R) (*Instance, error)) (*Instance, error) {
	var r R
	if err := canon.Decode(line, canon.MaxLine, &r); err != nil {
		return nil, err
	}
	inst, err := seal(&r)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(canon.MustMarshal(&r), line) {
		return nil, errors.New("a derived field is not what the rules say, or the line is not canonical")
	}
	return inst, nil
}

// seal fills in the fields that follow from the others, the id last.
func seal(head *schemas.LuminaHead, env, schema string, record any, start State) (*Instance, error) {
	if len(head.Level) > 32 || !schemas.ValidPath(head.Split+"/"+head.Level) {
		return nil, fmt.Errorf("split %s or level %s is no name", fault.Quote(head.Split), fault.Quote(head.Level))
	}
	head.Schema, head.Env, head.ID = schema, env, ""
	// Keys are sorted, so the id stands before the index, and nowhere else does an empty one.
	hashed := bytes.Replace(canon.MustMarshal(record), []byte(`"id":"","index":`), []byte(`"index":`), 1)
	sum := sha256.Sum256(hashed)
	head.ID = env + "-" + head.Level + "-" + hex.EncodeToString(sum[:6])
	return &Instance{LuminaHead: *head, Start: start}, nil
}

// slack is how many turns beyond an optimal policy's are allowed.
const slack = 5

// ceilHalves is ceil(1.5 * n).
func ceilHalves(n int) int { return (3*n + 1) / 2 }

// SealList checks a list and fills in what follows from seed, knobs, initial and target.
func SealList(r *schemas.LuminaListInstance) (*Instance, error) {
	if len(r.Initial) > MaxList {
		return nil, fmt.Errorf("a list of %d elements, at most %d are possible", len(r.Initial), MaxList)
	}
	start := List{Cur: r.Initial, Target: r.Target}
	if !start.live() {
		return nil, errors.New("target is no subsequence of initial")
	}
	r.TStar = len(r.Initial) - len(r.Target) + 1
	r.BudgetRule = schemas.LuminaBudget{MNum: 1, MDen: 1, N: slack}
	r.TMax = r.TStar + slack
	return seal(&r.LuminaHead, schemas.LuminaList, schemas.LuminaListSchema, r, start)
}

// MaxList is the longest list; its values are below this, too.
const MaxList = 1000

// SealTree checks a tree and fills in what follows from seed, knobs, nodes, source, facts and target value.
func SealTree(r *schemas.LuminaTreeInstance) (*Instance, error) {
	if err := checkTree(r); err != nil {
		return nil, err
	}
	t := newTree(newShape(r.Nodes, r.TargetValue), r.Facts)
	if t.seen() >= 0 {
		return nil, errors.New("a fact discloses the target's value")
	}
	r.TWorst, r.TClair = t.worst(), t.clair()
	r.Answer = schemas.LuminaAnswer{Kind: schemas.AnswerUnreachable}
	if z := t.shape.answer(t.order); z >= 0 {
		r.Answer = schemas.LuminaAnswer{Kind: schemas.AnswerFound, Node: &z}
	}
	r.TStar = r.TWorst
	r.BudgetRule, r.TMax = schemas.LuminaBudget{MNum: 1, MDen: 1, N: slack}, r.TWorst+slack
	if r.Knobs.Budget == schemas.BudgetClair {
		r.BudgetRule, r.TMax = schemas.LuminaBudget{MNum: 3, MDen: 2, N: slack}, ceilHalves(r.TClair)+slack
	}
	inst, err := seal(&r.LuminaHead, schemas.LuminaTree, schemas.LuminaTreeSchema, r, t)
	if err == nil {
		inst.OnPath, inst.Clair = t.OnPath(), r.TClair
	}
	return inst, err
}

// SealGrid checks a grid and fills in what follows from seed, knobs, n, start, goal and holes.
func SealGrid(r *schemas.LuminaGridInstance) (*Instance, error) {
	if err := checkGrid(r); err != nil {
		return nil, err
	}
	b := NewBoard(r.N, r.Goal, r.Holes, r.HoleCost, r.OOBCost)
	r.DStart = b.Cost(r.Start)
	r.BudgetRule = schemas.LuminaBudget{MNum: 3, MDen: 2, N: gridSlack}
	r.Budget = ceilHalves(r.DStart) + gridSlack
	r.TStar = 1 + b.Moves(r.Start)
	r.TMax = r.Budget + 1 + MaxFormatErrors
	start := Grid{Board: b, Pos: r.Start, Remaining: r.Budget}
	return seal(&r.LuminaHead, schemas.LuminaGrid, schemas.LuminaGridSchema, r, start)
}

// gridSlack is how many moves beyond one and a half times the least cost the budget allows.
const gridSlack = 4
