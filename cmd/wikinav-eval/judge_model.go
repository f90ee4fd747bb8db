package main

import (
	"strconv"

	"github.com/spf13/pflag"

	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// judgeModel says which model judges.
type judgeModel struct {
	url, name, temperature string
	maxTokens              int64
}

func (f *judgeModel) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "judge-url", "", "base URL of an OpenAI-compatible endpoint; its key comes from the environment's "+apiKeyVariable)
	flags.StringVar(&f.name, "judge-model", "", "name of the model there")
	flags.StringVar(&f.temperature, "judge-temperature", "0", "its temperature")
	flags.Int64Var(&f.maxTokens, "judge-max-tokens", 1000, "tokens of a verdict at most")
}

// open returns the model and how it stands in verdicts. Nothing is asked yet.
func (f *judgeModel) open() (play.Speaker, schemas.Judge, error) {
	switch {
	case f.url == "" || f.name == "":
		return nil, schemas.Judge{}, fault.New(fault.Usage, "a judge needs --judge-url and --judge-model").Hint("or --judge none, for one elsewhere")
	case f.maxTokens < 1:
		return nil, schemas.Judge{}, fault.New(fault.Usage, "--judge-max-tokens %d: want 1 or more", f.maxTokens)
	}
	key, err := (&modelFlags{}).key()
	if err != nil {
		return nil, schemas.Judge{}, err
	}
	conf := outside
	conf.BaseURL, conf.Key = f.url, key
	client, err := endpoint.New(conf)
	if err != nil {
		return nil, schemas.Judge{}, err
	}
	c := &contact{
		client: client, who: schemas.Player{Name: f.name, MaxTokensField: endpoint.FieldMaxTokens},
		asked: schemas.Asked{Temperature: &f.temperature, MaxTokens: &f.maxTokens},
	}
	who := schemas.Judge{Model: f.name, EndpointKind: schemas.KindOpenAI, Params: map[string]string{
		"temperature": f.temperature, "max_tokens": strconv.FormatInt(f.maxTokens, 10),
	}}
	return voice{c, 1}, who, c.request(1, play.Prompt{Messages: []schemas.Message{{}}}).Check()
}
