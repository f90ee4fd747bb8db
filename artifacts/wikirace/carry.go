package wikirace

import (
	"encoding/json"
	"runtime"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/wikirace/difficulty"
	"github.com/wikinav/wikinav/schemas"
)

// records is how instances are taken over. Features stay those of the graph that an instance was
// drawn from, of which it has the digest.
func records() release.Records[schemas.WikiraceInstance] {
	return release.Records[schemas.WikiraceInstance]{
		Schema: schemas.WikiraceInstanceSchema,
		ID:     func(x *schemas.WikiraceInstance) *string { return &x.ID },
		Ends: func(x *schemas.WikiraceInstance) (source, target schemas.PageRef) {
			return x.Source, x.Target
		},
		Slot: func(set string, x *schemas.WikiraceInstance) release.TallyKey {
			return release.TallyKey{Of: set, Distance: x.Distance}
		},
		Rename: rename,
		Column: true,
	}
}

func rename(x *schemas.WikiraceInstance, to *release.Pages) error {
	if err := to.Name(&x.Source, &x.Target); err != nil {
		return err
	}
	x.Key = release.KeyOf(to.Wiki, x.Source.PageID, x.Target.PageID, "")
	return to.Move(x.Witness, x.Features.Bottlenecks, x.Features.Dominators)
}

// Renamed is documented at release.Carrier.
func (part) Renamed(line []byte, to *release.Pages) ([]byte, error) {
	return records().Renamed(line, to)
}

// Carry takes instances over. One that is drawn for a lost slot has another id than in the build,
// and with it other menus: its features are computed anew.
func (part) Carry(c *release.Carrying) error {
	if err := refuseListed(c); err != nil {
		return err
	}
	var game params
	if err := json.Unmarshal(c.Now.Params, &game); err != nil {
		return err
	}
	dealt := map[string]bool{} // ids that records of the build have now
	how := records()
	how.Again = func(x *schemas.WikiraceInstance) error {
		dealt[x.ID] = true
		return nil
	}
	lists, quotas, err := release.Take(c, how)
	if err == nil {
		err = addFeatures(c, game.RW == schemas.RWSim, lists, dealt)
	}
	if err != nil {
		return err
	}
	for _, q := range quotas {
		if lists[q.Of] == nil {
			continue // written for a distance before
		}
		if err := release.WriteRecords(c, q.Of, Table, lists[q.Of]); err != nil {
			return err
		}
		if err := c.Text(q.Of+".ids", IDs(lists[q.Of]), len(lists[q.Of])); err != nil {
			return err
		}
		delete(lists, q.Of)
	}
	return c.Quotas(quotas)
}

// addFeatures computes the features of instances under the ids that they have now.
func addFeatures(
	c *release.Carrying, simulate bool, lists map[string][]schemas.WikiraceInstance, ids map[string]bool,
) error {
	var todo []*schemas.WikiraceInstance
	for _, list := range lists { // each by itself
		for i := range list {
			if ids[list[i].ID] {
				todo = append(todo, &list[i])
			}
		}
	}
	batches := slices.Collect(slices.Chunk(todo, difficulty.Batch))
	kits := make([]*difficulty.Kit, runtime.GOMAXPROCS(0))
	return graph.Each(c.Context(), len(kits), len(batches), func(worker, i int) error {
		batch := batches[i]
		if x := batch[0]; kits[worker] == nil {
			kits[worker] = difficulty.NewKit(c.Graph.Succ, c.Graph.Pred, difficulty.Game{
				Seed: x.Seed, MaxSteps: x.MaxSteps, MaxLinks: x.MaxLinks, Simulate: simulate,
			})
		}
		list := make([]difficulty.Pair, len(batch))
		for k, x := range batch {
			column, err := c.Set.Column(x.Target.Node)
			if err != nil {
				return err
			}
			list[k] = difficulty.Pair{ID: x.ID, Column: column, Witness: x.Witness}
		}
		for k, f := range kits[worker].Features(list) {
			batch[k].Features = f
		}
		return nil
	})
}
