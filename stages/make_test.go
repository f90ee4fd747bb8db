package stages_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

type file struct{ closed *int }

func (f file) Close() error {
	*f.closed++
	return nil
}

func TestAStageClosesWhatItOpened(t *testing.T) {
	closed := 0
	s := stages.Make(stages.Spec{Name: "s", Version: 1, Params: struct{}{}}, func(_ context.Context, env *stages.Run) error {
		for _, err := range []error{nil, nil, errors.New("not opened")} {
			_, _ = stages.Keep(env, file{&closed}, err)
		}
		return errors.New("the stage fails")
	})
	if err := stagetest.New(t).Run(context.Background(), s); err == nil || closed != 2 {
		t.Errorf("got %v with %d files closed, want 2", err, closed)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if err := stagetest.New(t).Run(ended, s); !errors.Is(err, context.Canceled) || closed != 2 {
		t.Errorf("got %v with %d files closed after the context ended", err, closed)
	}
}

type inner struct {
	Share int `json:"share" min:"0" max:"100"`
}

type checked struct {
	inner
	Mode string `json:"mode" oneof:"all some"`
	Free string `json:"free"`
	Seed *int64 `json:"seed"`
}

func TestParametersKeepToTheirTags(t *testing.T) {
	far := int64(1 << 60)
	for _, c := range []struct {
		change func(*checked)
		says   string
	}{
		{func(*checked) {}, ""},
		{func(p *checked) { p.Share = 100 }, ""},
		{func(p *checked) { p.Share = 101 }, "s: share is 101, outside 0..100"},
		{func(p *checked) { p.Share = -1 }, "s: share is -1, outside 0..100"},
		{func(p *checked) { p.Mode = "none" }, `s: mode cannot be "none" (did you mean some? choose from all, some)`},
		{func(p *checked) { p.Seed = &far }, "s: seed is 1152921504606846976"},
	} {
		p := checked{Mode: "all"}
		c.change(&p)
		switch err := stages.Check("s", p); {
		case c.says == "" && err == nil:
		case c.says == "" || err == nil || !strings.Contains(err.Error(), c.says) || fault.KindOf(err) != fault.Usage:
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
	for _, c := range []struct {
		list []int
		ok   bool
	}{{nil, true}, {[]int{1, 3}, true}, {[]int{3, 3}, false}, {[]int{0}, false}, {[]int{int(schemas.MaxDistance) + 1}, false}} {
		if stages.Ascend(c.list) != c.ok {
			t.Errorf("%v: want %t", c.list, c.ok)
		}
	}
}
