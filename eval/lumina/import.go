package lumina

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func (Family) Imports() []family.Import {
	return []family.Import{{
		Format: "episodes-jsonl",
		Says:   "a line for each episode: instance_id, config, and steps with the reply of each turn; outcome gave_up where the player broke it off",
		Read: func(set family.Set, path string, req family.ImportRequest) (*family.Imported, error) {
			return set.(*Set).imported(path, req)
		},
	}}
}

// Reasons for which a line is no episode of the release.
const (
	rejectInstance = "unknown_instance"
	rejectConfig   = "unknown_config"
	rejectModel    = "other_model"
	rejectAfterEnd = "reply_after_end"
	rejectUnended  = "not_ended"
)

func (s *Set) imported(path string, req family.ImportRequest) (*family.Imported, error) {
	if req.Unchecked {
		return nil, fault.New(fault.Usage, "--unchecked: episodes of lumina are replayed, on the instances of the release")
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Missing(path)
	}
	if err != nil {
		return nil, err
	}
	episodes, err := readEpisodes(&trace.Log{Path: path})
	if err == nil {
		err = s.readAll()
	}
	if err != nil {
		return nil, err
	}
	m := &family.Imported{Run: req.Run, Import: schemas.Import{
		Schema: schemas.ImportSchema, Source: "import:" + Family{}.Imports()[0].Format, FileSHA256: digest.SHA256(data), Steps: true,
		Rows: len(episodes), Rejected: map[string]int{}, Invalid: map[string]int{}, Types: map[string]int{},
	}}
	if m.Run.Model.Name, err = modelOf(episodes, req.Model); err != nil {
		return nil, err
	}
	m.Run.Model.Kind, m.Run.Rules.Interface = schemas.KindForeign, schemas.InterfaceForeign
	words, err := Family{}.Words(req.Options, family.Manner{Interface: schemas.InterfaceForeign})
	if err != nil {
		return nil, err
	}
	m.Run.Rules.Prompt, m.Run.Rules.Parser = words.Prompt, words.Parser
	given := optionsOf(req.Options)
	configs, splits := []string{}, []string{}
	for _, told := range episodes {
		e, reason, err := s.replay(told, given, req.Model)
		switch {
		case err != nil:
			return nil, err
		case reason != "":
			m.Import.Rejected[reason]++
			continue
		}
		for _, step := range e.steps {
			if step.Status != schemas.StatusLegal {
				m.Import.Invalid[step.Status]++
			}
		}
		configs, splits = append(configs, told.Config), append(splits, s.known[told.InstanceID].split)
		m.Records = append(m.Records, e.Record(family.Recording{Run: &m.Run, Attempt: 1, Reason: told.Reason}))
	}
	given.Oracle = slices.DeleteFunc(family.ConfigNames(), func(c string) bool { return !slices.Contains(configs, c) })
	if len(given.Oracle) == 0 {
		given.Oracle = Defaults().Oracle
	}
	o, err := checked(given)
	if err != nil {
		return nil, err
	}
	m.Run.Rules.Options, m.Run.Splits, m.Run.Attempts = o.JSON, []string{}, 1
	for _, p := range s.splits {
		if slices.Contains(splits, p.Name) {
			m.Run.Splits = append(m.Run.Splits, p.Name)
		}
	}
	m.Import.Games = len(m.Records)
	return m, nil
}

// modelOf returns whose episodes are imported: the one that is asked for, or the only one.
func modelOf(episodes []toldEpisode, asked string) (string, error) {
	var names []string
	for _, e := range episodes {
		if e.Model != nil && *e.Model != "" && !slices.Contains(names, *e.Model) {
			names = append(names, *e.Model)
		}
	}
	switch {
	case asked != "":
		return asked, nil
	case len(names) > 1:
		return "", fault.New(fault.Usage, "the file has episodes of %d models", len(names)).Hint("choose one with --model: %s", strings.Join(names, ", "))
	case len(names) == 1:
		return names[0], nil
	}
	return "unnamed", nil
}

// replay plays an episode's replies, or says why it cannot be of this release.
func (s *Set) replay(told toldEpisode, rules schemas.LuminaOptions, model string) (e *Episode, reject string, err error) {
	place, ok := s.known[told.InstanceID]
	cfg, bad := family.ParseConfig(told.Config)
	switch {
	case !ok:
		return nil, rejectInstance, nil
	case bad != nil:
		return nil, rejectConfig, nil
	case told.Outcome != nil && *told.Outcome == schemas.OutcomeInfra:
		return nil, family.RejectInfra, nil
	case model != "" && told.Model != nil && *told.Model != model:
		return nil, rejectModel, nil
	}
	if e, err = New(place.inst, cfg, rules, s.book, nil); err != nil {
		return nil, "", err
	}
	for _, step := range told.Steps {
		if e.Done() {
			return nil, rejectAfterEnd, nil
		}
		said := family.Said{Reasoning: step.Reasoning, Usage: step.Usage}
		if _, err := e.Act(family.Reply{Text: step.Reply, Said: said}); err != nil {
			return nil, "", err
		}
	}
	if end := told.ended(); end != "" {
		e.Stop(end)
	}
	if !e.Done() {
		return nil, rejectUnended, nil
	}
	return e, "", nil
}
