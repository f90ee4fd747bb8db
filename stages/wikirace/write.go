package wikirace

import (
	"context"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
)

// writeAll writes the splits, then the report on them.
func (s stage) writeAll(ctx context.Context, env stages.Env, in *inputs, all results) error {
	for i, split := range s.params.Splits {
		if err := ctx.Err(); err != nil {
			return err
		}
		instances, err := s.instances(in, split, all[i])
		if err != nil {
			return err
		}
		env.Count("accepted_"+split.Name, int64(len(instances)))
		if err := env.Write(split.Name+".jsonl", lines(instances)); err != nil {
			return err
		}
	}
	return env.Write("shortage.json", document(all.reports()))
}

// instances makes the records of one split, in the order of its slots.
func (s stage) instances(in *inputs, split Split, quotas []drawn) ([]schemas.WikiraceInstance, error) {
	var out []schemas.WikiraceInstance
	for _, q := range quotas {
		for _, p := range q.pairs {
			instance, err := s.instance(in, p, q.distance)
			if err != nil {
				return nil, fmt.Errorf("wikirace: split %s: %w", split.Name, err)
			}
			instance.ID = fmt.Sprintf("wr-%s-%04d", split.Name, len(out)+1)
			instance.Split = split.Name
			out = append(out, instance)
		}
	}
	return out, nil
}

// instance makes a record without its place in a split.
func (s stage) instance(in *inputs, p pair, distance int) (schemas.WikiraceInstance, error) {
	column, err := in.distance.Column(p.target)
	if err != nil {
		return schemas.WikiraceInstance{}, err
	}
	witness := graph.Witness(in.graph.Succ, column, p.source)
	if len(witness) != distance+1 {
		return schemas.WikiraceInstance{}, fault.New(fault.Mismatch,
			"distance %d from node %d to node %d, but no such path in the graph", distance, p.source, p.target)
	}
	source, target := page(in.graph, p.source), page(in.graph, p.target)
	return schemas.WikiraceInstance{
		Schema:       schemas.WikiraceInstanceSchema,
		Key:          in.wiki + ":" + rng.Part(source.PageID) + ":" + rng.Part(target.PageID),
		Source:       source,
		Target:       target,
		Distance:     distance,
		Witness:      witness,
		MaxSteps:     s.params.MaxSteps,
		MaxLinks:     s.params.MaxLinks,
		Seed:         s.params.gameSeed(),
		GraphSHA256:  in.graph.SHA256,
		RecipeSHA256: s.params.RecipeSHA256,
	}, nil
}

func page(g *graph.Graph, u uint32) schemas.PageRef {
	return schemas.PageRef{Node: u, PageID: g.PageIDs[u], Title: g.Title(u)}
}

// lines writes a JSON-lines file.
func lines(instances []schemas.WikiraceInstance) stages.WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		for i := range instances {
			if err := writeLine(w, &instances[i]); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return arrowio.Summary{Rows: int64(len(instances))}, nil
	}
}

// document writes a JSON file of one line.
func document(v any) stages.WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) { return stages.NoRows, writeLine(w, v) }
}

func writeLine(w io.Writer, v any) error {
	line, err := canon.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
