package flat

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// column is a column and its way to the value in a record.
type column struct {
	name, doc string
	kind      kind
	path      []step
	null      any // the cell that stands for a nil pointer on the path
	// Of a path over a pointer that a has column describes: the cell says nothing of the pointer.
	described bool
	has       bool // the column says whether the pointer at the end of the path is set
	nosql     bool
	ref       string // the column "table.column" of SQL whose rows the values name
}

// step leads from a value to a part of it: through its pointer, then to field or element i of n.
type step struct {
	i, n  int  // n is the number of elements of a slice or an array; 0 for a field
	slice bool // as many elements must be there
	every bool // field i of each element
}

func columnsOf(t reflect.Type) []column {
	if t.Kind() != reflect.Struct {
		panic("flat: " + t.String() + " is not a struct")
	}
	b := &builder{root: t}
	b.fields(t, column{}, "")
	return b.columns
}

// builder walks over a type and collects its columns.
type builder struct {
	root    reflect.Type
	columns []column
}

func (b *builder) fail(f reflect.StructField, format string, args ...any) {
	panic(fmt.Sprintf("flat: %s: field %s of type %s: %s", b.root, f.Name, f.Type, fmt.Sprintf(format, args...)))
}

// tag is a flat tag: names of columns, and options.
type tag struct {
	names                  []string
	there                  bool
	decimal, json, nosql   bool
	null, has, of, integer string
	ref                    string
}

func parseTag(f reflect.StructField) tag {
	text, there := f.Tag.Lookup("flat")
	t := tag{there: there || f.Anonymous}
	for i, word := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(word, "=")
		switch {
		case word == "decimal":
			t.decimal = true
		case word == "json":
			t.json = true
		case word == "nosql":
			t.nosql = true
		case slices.Contains(integers, word):
			t.integer = word
		case key == "null":
			t.null = value
		case key == "has":
			t.has = value
		case key == "of":
			t.of = value
		case key == "ref":
			t.ref = value
		case i == 0 || word != "":
			t.names = append(t.names, word)
		}
	}
	return t
}

// fields adds the columns of the fields of a struct, which parent leads to.
func (b *builder) fields(t reflect.Type, parent column, prefix string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("flat") == "-" || !f.IsExported() {
			continue
		}
		c := parent
		c.path = append(slices.Clip(parent.path), step{i: i})
		c.doc = strings.TrimPrefix(parent.doc+": "+f.Tag.Get("doc"), ": ")
		c.doc = strings.TrimSuffix(c.doc, ": ")
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		b.field(f, c, prefix, name, parseTag(f))
	}
}

func (b *builder) field(f reflect.StructField, c column, prefix, name string, t tag) {
	typ := f.Type
	c.nosql = c.nosql || t.nosql
	if typ.Kind() == reflect.Pointer && !t.json {
		typ = typ.Elem()
		c = b.pointer(f, c, prefix, t)
	}
	c.ref = t.ref
	switch {
	case t.json:
		b.leaf(f, c, prefix, t.names[0], name, textKind(true))
	case typ.Kind() == reflect.Struct:
		if !t.there {
			b.fail(f, `a struct without a tag flat:"prefix"`)
		}
		b.fields(typ, c, prefix+t.names[0])
	case t.of != "" && len(t.names) == 1:
		b.every(f, c, prefix, typ, t)
	case len(t.names) > 1:
		b.elements(f, c, prefix, typ, t)
	default:
		b.leaf(f, c, prefix, t.names[0], name, b.kindOf(f, typ, t))
	}
}

// pointer says what stands for nil, and adds the column that tells.
func (b *builder) pointer(f reflect.StructField, c column, prefix string, t tag) column {
	switch {
	case t.has != "":
		has := c
		has.has, has.name, has.kind = true, prefix+t.has, boolKind
		b.columns = append(b.columns, has)
		c.described = true
	case t.null != "":
		n, err := strconv.ParseInt(t.null, 10, 64)
		if err != nil {
			b.fail(f, "null=%s is not a number", t.null)
		}
		c.null = n
	default:
		b.fail(f, "a pointer without null= or has=")
	}
	return c
}

// every adds a list of one field of each element.
func (b *builder) every(f reflect.StructField, c column, prefix string, typ reflect.Type, t tag) {
	part, ok := part(typ, t.of)
	if !ok || part.Type.Kind() != reflect.Uint32 {
		b.fail(f, "of=%s is not a uint32 of its elements", t.of)
	}
	c.path = append(c.path, step{i: part.Index[0], every: true})
	b.leaf(f, c, prefix, t.names[0], "", listKind)
}

func (b *builder) elements(f reflect.StructField, c column, prefix string, typ reflect.Type, t tag) {
	if typ.Kind() != reflect.Slice && (typ.Kind() != reflect.Array || typ.Len() != len(t.names)) {
		b.fail(f, "%d names", len(t.names))
	}
	elem, path := typ.Elem(), []step(nil)
	if t.of != "" {
		part, ok := part(typ, t.of)
		if !ok {
			b.fail(f, "of=%s is not a field of its elements", t.of)
		}
		elem, path = part.Type, []step{{i: part.Index[0]}}
	}
	for i, name := range t.names {
		one := c
		one.path = append(slices.Clip(c.path), step{i: i, n: len(t.names), slice: typ.Kind() == reflect.Slice})
		one.path = append(one.path, path...)
		b.leaf(f, one, prefix, name, "", b.kindOf(f, elem, t))
	}
}

func part(t reflect.Type, name string) (reflect.StructField, bool) {
	if t.Kind() != reflect.Slice && t.Kind() != reflect.Array || t.Elem().Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	return t.Elem().FieldByName(name)
}

func (b *builder) leaf(f reflect.StructField, c column, prefix, name, byDefault string, k kind) {
	if name == "" {
		name = byDefault
	}
	if name == "" {
		b.fail(f, "no name for its column")
	}
	c.name, c.kind = prefix+name, k
	if n, ok := c.null.(int64); ok {
		null, err := k.null(n)
		if err != nil {
			b.fail(f, "null=%d: %v", n, err)
		}
		c.null = null
	}
	b.columns = append(b.columns, c)
}

// cell returns what the column holds for record, a pointer to a struct.
func (c *column) cell(record any) (any, error) {
	cell, err := c.value(record)
	if err == nil && cell == nil {
		cell = c.absent()
	}
	return cell, err
}

// value returns the cell of record, nil where a pointer on the way to it is.
func (c *column) value(record any) (any, error) {
	v := reflect.ValueOf(record).Elem()
	for _, s := range c.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return nil, nil
			}
			v = v.Elem()
		}
		switch {
		case s.every:
			list := make([]uint32, v.Len())
			for i := range list {
				list[i] = uint32(v.Index(i).Field(s.i).Uint())
			}
			return list, nil
		case s.slice && v.Len() != s.n:
			return nil, fmt.Errorf("%d elements, want %d", v.Len(), s.n)
		case s.n > 0:
			v = v.Index(s.i)
		default:
			v = v.Field(s.i)
		}
	}
	if c.has {
		return !v.IsNil(), nil
	}
	if v.Kind() == reflect.Pointer && !c.kind.whole {
		if v.IsNil() {
			return nil, nil
		}
		v = v.Elem()
	}
	cell, err := c.kind.of(v)
	if err == nil && c.null != nil && !c.described && same(cell, c.null) {
		err = fmt.Errorf("%v stands for no value", cell)
	}
	return cell, err
}

// absent returns the cell of a nil pointer.
func (c *column) absent() any {
	if c.null != nil {
		return c.null
	}
	return c.kind.zero
}

// set gives record, a pointer to a struct, what a cell says.
func (c *column) set(record, cell any) error {
	v := reflect.ValueOf(record).Elem()
	absent := c.null != nil && same(cell, c.null)
	for _, s := range c.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() && (absent || c.described) {
				return nil
			}
			v = pointee(v)
		}
		switch {
		case s.every:
			list := cell.([]uint32)
			v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
			for i, x := range list {
				v.Index(i).Field(s.i).SetUint(uint64(x))
			}
			return nil
		case s.n > 0:
			if s.slice && v.Len() != s.n {
				v.Set(reflect.MakeSlice(v.Type(), s.n, s.n))
			}
			v = v.Index(s.i)
		default:
			v = v.Field(s.i)
		}
	}
	if c.has {
		if cell.(bool) {
			pointee(v)
		}
		return nil
	}
	if v.Kind() == reflect.Pointer && !c.kind.whole {
		if absent || v.IsNil() && c.described {
			return nil
		}
		v = pointee(v)
	}
	return c.kind.into(v, cell)
}

// pointee returns what the pointer v points at, which it allocates where v is nil.
func pointee(v reflect.Value) reflect.Value {
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	return v.Elem()
}
