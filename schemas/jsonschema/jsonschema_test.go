package jsonschema

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

var update = flag.Bool("update", false, "write docs/schemas anew")

var records = map[string]any{
	schemas.WikiraceInstanceSchema:      schemas.WikiraceInstance{},
	schemas.ListedRowSchema:             schemas.ListedRow{},
	schemas.ProbeInstanceSchema:         schemas.ProbeInstance{},
	schemas.OneStepInstanceSchema:       schemas.OneStepInstance{},
	schemas.OneStepReportSchema:         schemas.OneStepReport{},
	schemas.ConstrainedInstanceSchema:   schemas.ConstrainedInstance{},
	schemas.ConstrainedInfeasibleSchema: schemas.ConstrainedInfeasible{},
	schemas.ConstrainedFunnelSchema:     schemas.ConstrainedFunnel{},
	schemas.QuotasSchema:                []schemas.Quota{},
	schemas.ReceiptSchema:               schemas.Receipt{},
	schemas.BuildSchema:                 schemas.Build{},
	schemas.SnapshotSchema:              schemas.Snapshot{},
	schemas.RunSchema:                   schemas.Run{},
	schemas.StepSchema:                  schemas.Step{},
	schemas.GameSchema:                  schemas.Game{},
	schemas.MangoMazeSchema:             schemas.MangoMaze{},
	schemas.MangoQuestionSchema:         schemas.MangoQuestion{},
	schemas.LuminaListSchema:            schemas.LuminaListInstance{},
	schemas.LuminaTreeSchema:            schemas.LuminaTreeInstance{},
	schemas.LuminaGridSchema:            schemas.LuminaGridInstance{},
	schemas.LuminaEpisodeSchema:         schemas.LuminaEpisode{},
	schemas.AAREpisodeSchema:            schemas.AAREpisode{},
	schemas.LabelReportSchema:           schemas.LabelReport{},
	schemas.VerdictSchema:               schemas.Verdict{},
	schemas.ResultSchema:                schemas.Result{},
}

func TestGoldenSchemasAreThoseOfTheTypes(t *testing.T) {
	for id, v := range records {
		path := filepath.Join("..", "..", "docs", "schemas", strings.ReplaceAll(id, "/", "-")+".schema.json")
		got := Of(id, v)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not the schema of the type: run make golden\n%s", path, got)
		}
	}
}

func TestASchemaListsFieldsNullsAndNesting(t *testing.T) {
	type inner struct {
		N *int64 `json:"n"`
	}
	got := string(Of("x/1", struct {
		A []inner         `json:"a"`
		B map[string]bool `json:"b"`
	}{}))
	for _, want := range []string{`"title": "x/1"`, `"required": [`, `"type": "null"`, `"additionalProperties": false`, `"type": "boolean"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
