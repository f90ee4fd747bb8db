package wikirace

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// addListed adds the splits whose pairs users list, in the order of the files: instances of their
// first rows, and the rows that are none with the reason.
func (p Params) addListed(env *stages.Run, in *pairs.Inputs, drawn []made) ([]made, error) {
	err := stages.EachListed(env, func(split string, rows []schemas.ListedRow) error {
		if err := p.CheckListed(split); err != nil {
			return err
		}
		one, err := p.listed(in, split, rows)
		drawn = append(drawn, one)
		return err
	})
	return drawn, err
}

func (p Params) listed(in *pairs.Inputs, split string, rows []schemas.ListedRow) (made, error) {
	one, first := made{split: split, rows: []schemas.ListedRow{}}, map[[2]uint32]string{}
	for _, row := range rows {
		var pair pairs.Pair
		var err error
		if row.Reason == "" {
			ends := [2]uint32(row.Nodes)
			if row.Instance = first[ends]; row.Instance != "" {
				row.Reason = schemas.RowDuplicate
			} else if pair, row.Reason, err = measured(in, ends); err != nil {
				return one, err
			}
		}
		if row.Reason != "" {
			one.rows = append(one.rows, row)
			continue
		}
		instance, err := p.instance(in, pair)
		if err != nil {
			return one, err
		}
		instance.Split, instance.ID = split, idOf(split, len(one.instances))
		first[[2]uint32{pair.Source, pair.Target}] = instance.ID
		one.instances = append(one.instances, instance)
	}
	if len(one.instances) == 0 {
		return one, fault.New(fault.Malformed, "the file of split %s lists no pair with a game; the first row is %s",
			split, one.rows[0].Reason).
			At("", fmt.Sprintf("line %d", one.rows[0].Line))
	}
	one.quotas = wikirace.ListedQuotas(split, one.instances)
	return one, nil
}

// measured returns the pair with its distance, or why there is no game of it.
func measured(in *pairs.Inputs, ends [2]uint32) (p pairs.Pair, reason string, err error) {
	p = pairs.Pair{Source: ends[0], Target: ends[1]}
	column, err := in.Distances.Column(p.Target)
	if err != nil {
		return p, "", err
	}
	p.Distance = int(column[p.Source])
	switch stale, err := in.Stale(p.Source, p.Target); {
	case err != nil:
		return p, "", err
	case column[p.Source] == schemas.Unreached:
		reason = schemas.RowUnreachable
	case column[p.Source] == schemas.Far:
		reason = schemas.RowTooFar
	case stale:
		reason = schemas.RowNotFresh
	}
	return p, reason, nil
}
