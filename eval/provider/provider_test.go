package provider

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// fake answers with what it is given.
type fake struct {
	answer string
	err    error
	asked  int
}

func (*fake) Name() string      { return "fake" }
func (*fake) Tools() []string   { return []string{"echo"} }
func (*fake) Secrets() []string { return []string{"", "s3cret-key"} }
func (f *fake) Call(context.Context, string, []byte) ([]byte, error) {
	f.asked++
	return []byte(f.answer), f.err
}

func record(f *fake, calls ...Call) (list []Recorded, err error) {
	at := time.Date(2026, 1, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	err = Record(context.Background(), f, calls, func() time.Time { return at }, func(r Recorded) error {
		list = append(list, r)
		return nil
	})
	return list, err
}

func TestAnswersAndErrorsAreRecorded(t *testing.T) {
	list, err := record(&fake{answer: "{}"}, Call{"echo", []byte(`{"a":1}`)})
	if err != nil || len(list) != 1 || list[0].Failed || list[0].At != "2026-01-01T00:00:00Z" || string(list[0].Response) != "{}" {
		t.Errorf("got %+v, %v", list, err)
	}
	list, err = record(&fake{err: errors.New("closed")}, Call{"echo", []byte(`{}`)})
	if err != nil || len(list) != 1 || !list[0].Failed || string(list[0].Response) != "closed" {
		t.Errorf("got %+v, %v", list, err)
	}
}

func TestKeysAreNeverRecorded(t *testing.T) {
	for name, c := range map[string]struct {
		fake  *fake
		args  string
		asked int
	}{
		"answer": {&fake{answer: `{"you":"s3cret-key"}`}, `{}`, 1},
		"error":  {&fake{err: errors.New("bad key s3cret-key")}, `{}`, 1},
		"args":   {&fake{answer: `{}`}, `{"key":"s3cret-key"}`, 0},
	} {
		list, err := record(c.fake, Call{"echo", []byte(c.args)})
		if err == nil || len(list) > 0 || strings.Contains(err.Error(), "s3cret") || c.fake.asked != c.asked {
			t.Errorf("%s: got %+v, %v, asked %d times", name, list, err, c.fake.asked)
		}
	}
}

func TestNothingIsAskedForAToolThatIsNotOffered(t *testing.T) {
	f := &fake{}
	if list, err := record(f, Call{"echo", []byte(`{}`)}, Call{"other", []byte(`{}`)}); err == nil || len(list)+f.asked > 0 {
		t.Errorf("got %+v, %v", list, err)
	}
	if _, err := Find("other", []Provider{f}); err == nil || !strings.Contains(err.Error(), "choose from fake") {
		t.Errorf("got %v", err)
	}
	if _, err := Find("other", All); err == nil || !strings.Contains(err.Error(), "no live provider") {
		t.Errorf("got %v", err)
	}
}
