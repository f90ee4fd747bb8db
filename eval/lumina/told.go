package lumina

import (
	"errors"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// toldEpisode is an episode as a log tells it. Any field may be left out, or be null, but instance,
// configuration and replies.
type toldEpisode struct {
	schemas.LuminaEpisode
	Schema         *string                 `json:"schema"`
	ManifestSHA256 *string                 `json:"manifest_sha256"`
	Model          *string                 `json:"model"`
	Sampling       *schemas.LuminaSampling `json:"sampling"`
	TemplateSHA256 *string                 `json:"template_sha256"`
	FewshotSHA256  *string                 `json:"fewshot_sha256"`
	Steps          []toldStep              `json:"steps"`
	Outcome        *string                 `json:"outcome"`
	Retried        *bool                   `json:"retried"`

	line int
}

// ended returns how an episode that somebody else played was broken off from outside, "" if it was
// not.
func (e toldEpisode) ended() string {
	if e.Outcome != nil && slices.Contains([]string{schemas.OutcomeInfra, schemas.OutcomeGaveUp}, *e.Outcome) {
		return schemas.OutcomeGaveUp
	}
	return ""
}

type toldStep struct {
	schemas.LuminaStep
	T            *int    `json:"t"`
	StateDigest  *string `json:"state_digest"`
	Reply        *string `json:"reply"`
	Status       *string `json:"status"`
	Optimal      *bool   `json:"optimal"`
	Dead         *bool   `json:"dead"`
	Obs          *string `json:"obs"`
	PromptSHA256 *string `json:"prompt_sha256"`
	Retries      *int    `json:"retries,omitempty"`
	Flag         *string `json:"flag,omitempty"`
}

// readEpisodes reads a log's episodes in line order; an instance's second in a configuration is
// refused. Errors: fault.NotFound, fault.Malformed with file and line.
func readEpisodes(log *trace.Log) (list []toldEpisode, err error) {
	seen := map[string]int{}
	err = log.Main(func(n int, line []byte) error {
		e, err := decodeEpisode(line)
		if err != nil {
			return err
		}
		key := taskID(e.InstanceID, e.Config)
		if first, twice := seen[key]; twice {
			return fmt.Errorf("%s in configuration %s stands on line %d already", fault.Quote(e.InstanceID), fault.Quote(e.Config), first)
		}
		seen[key], e.line = n, n
		list = append(list, e)
		return nil
	})
	return list, err
}

func decodeEpisode(line []byte) (toldEpisode, error) {
	var e toldEpisode
	if err := canon.Decode(line, canon.MaxLine, &e); err != nil {
		return e, err
	}
	if e.Schema != nil {
		if err := trace.CheckSchema(*e.Schema, schemas.LuminaEpisodeSchema); err != nil {
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
		if err := trace.CheckUsage(s.Usage); err != nil {
			return e, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return e, trace.CheckUsage(e.Usage)
}
