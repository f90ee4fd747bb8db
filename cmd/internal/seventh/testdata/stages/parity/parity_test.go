package parity

import (
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/stages/stagetest"
)

func TestTheStageKeepsTheContract(t *testing.T) {
	env := stagetest.New(t)
	env.GiveGraph(stagetest.NewWiki(graphtest.WikiLike(60, 5, 5)))
	stagetest.Run(t, New(Params{Seed: 1, Size: 20}), env)
}
