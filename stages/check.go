package stages

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Check tells, before any work, whether parameters keep to what the tags of their fields allow: oneof lists the words that a text may
// be, min and max are the ends of a number, which else are those of canonical JSON. Its errors are fault.Usage and begin with the
// name of the stage.
func Check(stage string, params any) error {
	v := reflect.ValueOf(params)
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if err := checkField(stage, name, reflect.Indirect(v.FieldByIndex(f.Index)), f.Tag); err != nil {
			return err
		}
	}
	return nil
}

func checkField(stage, name string, v reflect.Value, tag reflect.StructTag) error {
	switch {
	case v.Kind() == reflect.String:
		if words := strings.Fields(tag.Get("oneof")); len(words) > 0 && !slices.Contains(words, v.String()) {
			return Usage(stage, "%s cannot be %s", name, fault.Quote(v.String())).Choose(v.String(), words)
		}
	case v.CanInt():
		least, most := bound(tag, "min", -canon.MaxInt), bound(tag, "max", canon.MaxInt)
		if v.Int() < least || v.Int() > most {
			return Usage(stage, "%s is %d, outside %d..%d", name, v.Int(), least, most)
		}
	}
	return nil
}

func bound(tag reflect.StructTag, key string, none int64) int64 {
	if n, err := strconv.ParseInt(tag.Get(key), 10, 64); err == nil {
		return n
	}
	return none
}

// Ascend tells whether these are distances that ascend, each once.
func Ascend(list []int) bool {
	last := 0
	for _, d := range list {
		if d <= last || d > int(schemas.MaxDistance) {
			return false
		}
		last = d
	}
	return true
}

// Usage is what is wrong with the parameters of a stage.
func Usage(stage, format string, args ...any) *fault.Error {
	return fault.New(fault.Usage, stage+": "+format, args...)
}
