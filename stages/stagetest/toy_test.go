package stagetest

import (
	"context"
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// toy copies the snapshot to two files of an artifact of its own. Each field breaks one clause of the contract.
type toy struct {
	spec          func(*stages.Spec)
	name          string // of the second file
	byWorkers     bool
	countWorkers  bool
	deafToContext bool
	deafToWrites  bool
	deafToInput   bool
	hidesCause    bool
	writesNothing bool
}

var toyOutput = schemas.Artifact{Name: "toy", Version: 1, Files: []string{"*.txt"}}

func (s toy) Spec() stages.Spec {
	spec := stages.Spec{
		Name: "toy", Version: 1, Params: struct{}{},
		Inputs: []schemas.Artifact{schemas.SnapshotArtifact}, Outputs: []schemas.Artifact{toyOutput},
	}
	if s.spec != nil {
		s.spec(&spec)
	}
	return spec
}

func (s toy) Run(ctx context.Context, env stages.Env) error {
	if err := ctx.Err(); err != nil && s.hidesCause {
		return io.ErrUnexpectedEOF
	} else if err != nil && !s.deafToContext {
		return err
	}
	data, err := s.read(env)
	if err != nil && !s.deafToInput {
		return err
	}
	if s.byWorkers {
		data = append(data, byte(env.Workers()))
	}
	if s.countWorkers {
		env.Count("workers", int64(env.Workers()))
	}
	if s.writesNothing {
		return nil
	}
	for _, name := range []string{"first.txt", s.name} {
		if err := env.Write(name, text(data)); err != nil && !s.deafToWrites {
			return err
		}
	}
	return nil
}

func (s toy) read(env stages.Env) ([]byte, error) {
	file, err := stages.Find(env, schemas.SnapshotArtifact, "snapshot.json")
	if err != nil {
		return nil, err
	}
	return file.Root.ReadFile(file.Name)
}

func text(data []byte) stages.WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		_, err := w.Write(data)
		return stages.NoRows, err
	}
}
