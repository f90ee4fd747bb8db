package flat

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// kind is a type of column, and how values become cells and back. A cell is the Go value of the column's type.
type kind struct {
	typ       schemas.Type
	word, sql string // as people and SQL call it
	zero      any    // the cell that nothing is known of
	whole     bool   // a pointer is a value as well
	of        func(v reflect.Value) (cell any, err error)
	into      func(v reflect.Value, cell any) error
}

// null returns the cell that holds n.
func (k kind) null(n int64) (any, error) {
	if k.typ == schemas.Float64 {
		return float64(n), nil
	}
	if k.sql != "INTEGER" || k.typ == schemas.Bool {
		return nil, fmt.Errorf("a column of type %s holds no number", k.word)
	}
	return k.of(reflect.ValueOf(n))
}

// integers are the types that a column of integers can have, smallest first.
var integers = []string{"uint8", "uint16", "uint32", "uint64", "int64"}

// kindOf chooses the kind of the column of a scalar or a list.
func (b *builder) kindOf(f reflect.StructField, t reflect.Type, tag tag) kind {
	switch {
	case tag.decimal && t.Kind() == reflect.String:
		return decimalKind
	case tag.decimal:
		b.fail(f, "a decimal that is not text")
	}
	switch t.Kind() {
	case reflect.Bool:
		return boolKind
	case reflect.String:
		return textKind(false)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Int64, reflect.Int:
		return integerKind(integerOf(t, tag))
	case reflect.Slice:
		if e := t.Elem().Kind(); e == reflect.Uint32 || e == reflect.Int {
			return listKind
		}
	}
	b.fail(f, "there is no column for its type")
	return kind{}
}

func integerOf(t reflect.Type, tag tag) string {
	switch {
	case tag.integer != "":
		return tag.integer
	case tag.null != "" && t.Kind() == reflect.Int:
		return "int64"
	case t.Kind() == reflect.Int:
		return "uint32"
	}
	return t.Kind().String()
}

var boolKind = kind{
	typ: schemas.Bool, word: "bool", sql: "INTEGER", zero: false,
	of:   func(v reflect.Value) (any, error) { return v.Bool(), nil },
	into: func(v reflect.Value, cell any) error { v.SetBool(cell.(bool)); return nil },
}

// textKind is a column of text: that of a string, or the canonical JSON of any value.
func textKind(asJSON bool) kind {
	k := kind{
		typ: schemas.String, word: "string", sql: "TEXT", zero: "",
		of:   func(v reflect.Value) (any, error) { return v.String(), nil },
		into: func(v reflect.Value, cell any) error { v.SetString(cell.(string)); return nil },
	}
	if asJSON {
		k.word, k.whole = "string, JSON", true
		k.of = func(v reflect.Value) (any, error) {
			text, err := canon.Marshal(v.Interface())
			return string(text), err
		}
		k.into = func(v reflect.Value, cell any) error {
			return json.Unmarshal([]byte(cell.(string)), v.Addr().Interface())
		}
	}
	return k
}

// decimalForm is the exact text of a decimal with six digits.
var decimalForm = regexp.MustCompile(`^(0|[1-9]\.[0-9]{5}e[+-][0-9]{2,3})$`)

// Decimal reports whether text is a decimal as records hold it: 0, or six digits and an exponent.
func Decimal(text string) bool { return decimalForm.MatchString(text) }

// decimalKind is a column of the numbers that a record holds as exact text.
var decimalKind = kind{
	typ: schemas.Float64, word: "double", sql: "REAL", zero: float64(0),
	of: func(v reflect.Value) (any, error) {
		if !Decimal(v.String()) {
			return nil, fmt.Errorf("%s is not a decimal of six digits", fault.Quote(v.String()))
		}
		return strconv.ParseFloat(v.String(), 64)
	},
	into: func(v reflect.Value, cell any) error {
		v.SetString(canon.Decimal(cell.(float64)))
		return nil
	},
}

var listKind = kind{
	typ: schemas.ListUint32, word: "list of uint32", sql: "TEXT", zero: []uint32{},
	of: func(v reflect.Value) (any, error) {
		list := make([]uint32, v.Len())
		for i := range list {
			n, err := integerOfValue(v.Index(i), math.MaxUint32)
			if err != nil {
				return nil, err
			}
			list[i] = uint32(n)
		}
		return list, nil
	},
	into: func(v reflect.Value, cell any) error {
		list := cell.([]uint32)
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, x := range list {
			v.Index(i).Set(reflect.ValueOf(x).Convert(v.Type().Elem()))
		}
		return nil
	},
}

// integerOfValue returns a number of any integer type that is not negative.
func integerOfValue(v reflect.Value, most uint64) (n uint64, err error) {
	if v.CanUint() {
		n = v.Uint()
	} else if v.Int() < 0 {
		return 0, fmt.Errorf("%d is below 0", v.Int())
	} else {
		n = uint64(v.Int())
	}
	if n > most {
		return 0, fmt.Errorf("%d is above %d", n, most)
	}
	return n, nil
}

// integerKind is a column of integers of a type.
func integerKind(name string) kind {
	switch name {
	case "uint8":
		return unsignedKind[uint8](name, schemas.Uint8, math.MaxUint8)
	case "uint16":
		return unsignedKind[uint16](name, schemas.Uint16, math.MaxUint16)
	case "uint32":
		return unsignedKind[uint32](name, schemas.Uint32, math.MaxUint32)
	case "uint64":
		return unsignedKind[uint64](name, schemas.Uint64, math.MaxUint64)
	}
	return kind{typ: schemas.Int64, word: name, sql: "INTEGER", zero: int64(0), of: signed, into: setInteger}
}

func unsignedKind[U uint8 | uint16 | uint32 | uint64](name string, typ schemas.Type, most uint64) kind {
	return kind{typ: typ, word: name, sql: "INTEGER", zero: U(0), into: setInteger, of: func(v reflect.Value) (any, error) {
		n, err := integerOfValue(v, most)
		return U(n), err
	}}
}

func signed(v reflect.Value) (any, error) {
	if v.CanInt() {
		return v.Int(), nil
	}
	n, err := integerOfValue(v, math.MaxInt64)
	return int64(n), err
}

// setInteger gives v the number of a cell, unless its type is too narrow for it.
func setInteger(v reflect.Value, cell any) error {
	c := reflect.ValueOf(cell)
	if !c.CanConvert(v.Type()) {
		return errors.New("not an integer")
	}
	out := c.Convert(v.Type())
	if back := out.Convert(c.Type()); !back.Equal(c) || c.CanInt() && out.CanUint() && c.Int() < 0 || c.CanUint() && out.CanInt() && out.Int() < 0 {
		return fmt.Errorf("%v does not fit", cell)
	}
	v.Set(out)
	return nil
}
