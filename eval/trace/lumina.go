package trace

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// EpisodesFile is the log of a run directory over the three worlds: a line an episode. An episode without a whole line
// is not complete.
const EpisodesFile = "episodes.jsonl"

// LuminaLog is what a source says about episodes.
type LuminaLog struct {
	Path      string             // as the user named it
	Dir       string             // the run directory, "" for a single file
	Run       *schemas.LuminaRun // nil for a single file
	Episodes  []LuminaEpisode    // in file order
	TornLines int
}

// LuminaEpisode is an episode as told: of schemas.LuminaEpisode any field may be left out but instance, configuration and replies.
type LuminaEpisode struct {
	Line           int                     `json:"-"`
	Schema         *string                 `json:"schema"`
	InstanceID     string                  `json:"instance_id"`
	ManifestSHA256 *string                 `json:"manifest_sha256"`
	Config         string                  `json:"config"`
	Model          *string                 `json:"model"`
	Sampling       *schemas.LuminaSampling `json:"sampling"`
	TemplateSHA256 *string                 `json:"template_sha256"`
	FewshotSHA256  *string                 `json:"fewshot_sha256"`
	Steps          []LuminaStep            `json:"steps"`
	Outcome        *string                 `json:"outcome"`
	Retried        *bool                   `json:"retried"`
	Reason         *string                 `json:"reason,omitempty"`
	Usage          *schemas.Usage          `json:"usage,omitempty"`
	Cost           *string                 `json:"cost,omitempty"`
}

// LuminaStep is a turn as told.
type LuminaStep struct {
	T            *int     `json:"t"`
	StateDigest  *string  `json:"state_digest"`
	Reply        *string  `json:"reply"`
	Action       *string  `json:"action"`
	Status       *string  `json:"status"`
	Optimal      *bool    `json:"optimal"`
	Dead         *bool    `json:"dead"`
	AStar        []string `json:"a_star"`
	Obs          *string  `json:"obs"`
	PromptSHA256 *string  `json:"prompt_sha256"`

	Reasoning *string        `json:"reasoning,omitempty"`
	Usage     *schemas.Usage `json:"usage,omitempty"`
	Cost      *string        `json:"cost,omitempty"`
	Retries   *int           `json:"retries,omitempty"`
	Flag      *string        `json:"flag,omitempty"`
}

// OpenLumina reads the episodes at path: a run directory, one of its files, which stands for the directory, or a JSON-lines file with
// an episode a line. A second episode of an instance in a configuration is refused. Errors: fault.NotFound, fault.Malformed
// with file and line.
func OpenLumina(path string) (*LuminaLog, error) {
	dir, ok := path, isDir(path)
	if name := filepath.Base(path); !ok && (name == RunFile || name == EpisodesFile || name == SummaryFile) {
		dir = filepath.Dir(path)
		ok = exists(filepath.Join(dir, RunFile))
	}
	if !ok {
		return openEpisodes(&LuminaLog{Path: path}, path)
	}
	run, err := ReadLuminaRun(dir)
	if err != nil {
		return nil, err
	}
	return openEpisodes(&LuminaLog{Path: path, Dir: dir, Run: run}, filepath.Join(dir, EpisodesFile))
}

// ReadLuminaRun reads dir's run.json.
func ReadLuminaRun(dir string) (*schemas.LuminaRun, error) {
	path := filepath.Join(dir, RunFile)
	data, err := ReadDocument(path)
	if err != nil {
		return nil, err
	}
	var run schemas.LuminaRun
	if err := canon.Decode(data, canon.MaxManifest, &run); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "").Hint("score a run of another family with its --family")
	}
	if err := CheckSchema(run.Schema, schemas.LuminaRunSchema); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "schema")
	}
	return &run, nil
}

// openEpisodes reads the lines; only in a run directory may the last one be torn.
func openEpisodes(log *LuminaLog, file string) (*LuminaLog, error) {
	seen := map[[2]string]int{}
	torn, err := ScanLines(file, log.Dir == "", func(n int, line []byte) error {
		e, err := decodeEpisode(line)
		if err != nil {
			return err
		}
		key := [2]string{e.InstanceID, e.Config}
		if first, twice := seen[key]; twice {
			return fmt.Errorf("%s in configuration %s stands on line %d already", fault.Quote(e.InstanceID), fault.Quote(e.Config), first)
		}
		e.Line, seen[key] = n, n
		log.Episodes = append(log.Episodes, e)
		return nil
	})
	if torn {
		log.TornLines++
	}
	return log, err
}

func decodeEpisode(line []byte) (LuminaEpisode, error) {
	var e LuminaEpisode
	if err := canon.Decode(line, canon.MaxLine, &e); err != nil {
		return e, err
	}
	if e.Schema != nil {
		if err := CheckSchema(*e.Schema, schemas.LuminaEpisodeSchema); err != nil {
			return e, err
		}
	}
	if e.InstanceID == "" || e.Config == "" {
		return e, errors.New("an episode needs instance_id and config")
	}
	for i, s := range e.Steps {
		if s.Reply == nil {
			return e, fmt.Errorf("step %d has no reply", i+1)
		}
		if err := CheckUsage(s.Usage); err != nil {
			return e, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return e, CheckUsage(e.Usage)
}
