package canon

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas/order"
)

// DecodeCanonical decodes data into v, a pointer to a zero value, and reports whether data is the
// canonical form of what v then holds: whether Marshal writes back the very bytes that
// json.Unmarshal read. Nothing that Decode refuses can be in it: another key, a key twice or a
// number that was rounded would not have come back. After false v holds nothing of use.
//
// One pass answers for all that is canonical, and for the types of our records; whatever it does
// not take is left to the two of package json, which are slow and decide.
func DecodeCanonical(data []byte, v any) bool {
	to := reflect.ValueOf(v).Elem()
	if decodeExactly(data, to) {
		return true
	}
	to.SetZero()
	if json.Unmarshal(data, v) != nil {
		return false
	}
	again, err := marshalTree(v)
	return err == nil && bytes.Equal(data, again)
}

func decodeExactly(data []byte, to reflect.Value) bool {
	f := formOf(to.Type())
	if f == nil || !utf8.Valid(data) {
		return false
	}
	r := exact{data: data}
	return f.take(&r, to) && r.i == len(data)
}

// Without returns a canonical object, which the caller knows to be one, without the members of
// these names.
func Without(object []byte, names ...string) []byte {
	r, out := exact{data: object}, []byte{'{'}
	from := 1
	r.members(func(key string) bool {
		ok := r.value()
		if !slices.Contains(names, key) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, object[from:r.i]...)
		}
		from = r.i + 1 // after the comma
		return ok
	})
	return append(out, '}')
}

// exact reads canonical JSON in valid UTF-8. Its methods take what they are called for and report
// whether it stood there; after false nothing more is read.
type exact struct {
	data  []byte
	i     int // the next byte
	depth int // of the lists and objects around it
}

func (r *exact) take(c byte) bool {
	if r.i < len(r.data) && r.data[r.i] == c {
		r.i++
		return true
	}
	return false
}

func (r *exact) takeAll(text string) bool {
	if rest := r.data[r.i:]; len(rest) < len(text) || string(rest[:len(text)]) != text {
		return false
	}
	r.i += len(text)
	return true
}

// value takes any value.
func (r *exact) value() bool {
	switch {
	case r.i == len(r.data):
		return false
	case r.data[r.i] == '{':
		return r.members(func(string) bool { return r.value() })
	case r.data[r.i] == '[':
		return r.items('[', ']', func(int) bool { return r.value() })
	case r.data[r.i] == '"':
		_, ok := r.text()
		return ok
	case r.takeAll("true"), r.takeAll("false"), r.takeAll("null"):
		return true
	}
	_, _, ok := r.integer()
	return ok
}

// items takes a list, or the members of an object.
func (r *exact) items(first, last byte, item func(n int) bool) bool {
	if r.depth++; r.depth > MaxDepth || !r.take(first) {
		return false
	}
	for n := 0; !r.take(last); n++ {
		if n > 0 && !r.take(',') || !item(n) {
			return false
		}
	}
	r.depth--
	return true
}

// members takes an object whose keys ascend.
func (r *exact) members(member func(key string) bool) bool {
	last := ""
	return r.items('{', '}', func(n int) bool {
		key, ok := r.text()
		if !ok || n > 0 && key <= last || !isASCII(key) || !r.take(':') {
			return false
		}
		last = key
		return member(key)
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf })
}

func (r *exact) text() (string, bool) {
	if !r.take('"') {
		return "", false
	}
	var before []byte // what stands before the last escape
	for from := r.i; r.i < len(r.data); r.i++ {
		switch c := r.data[r.i]; {
		case c == '"':
			r.i++
			if before == nil {
				return string(r.data[from : r.i-1]), true
			}
			return string(append(before, r.data[from:r.i-1]...)), true
		case c == '\\':
			before = append(before, r.data[from:r.i]...)
			c, ok := r.escape()
			if !ok {
				return "", false
			}
			before = append(before, c)
			from = r.i + 1
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// escape reads a character that is escaped, in the one form that AppendString writes, up to its
// last byte.
func (r *exact) escape() (byte, bool) {
	rest := r.data[r.i:]
	if len(rest) < len(`\n"`) {
		return 0, false
	}
	c := rest[1]
	switch i := strings.IndexByte("btnfr", c); {
	case c == '"' || c == '\\':
	case i >= 0:
		c = "\b\t\n\f\r"[i]
	default:
		for c = 0; c < ' ' && !bytes.HasPrefix(rest, appendControl(nil, c)); c++ {
		}
		r.i += len(`\u00`)
		if c == ' ' {
			return 0, false
		}
	}
	r.i++
	return c, true
}

// integer takes an integer in its shortest form, of magnitude up to MaxInt.
func (r *exact) integer() (n int64, negative, ok bool) {
	negative = r.take('-')
	from := r.i
	for r.i < len(r.data) && r.data[r.i] >= '0' && r.data[r.i] <= '9' && n <= MaxInt {
		n = 10*n + int64(r.data[r.i]-'0')
		r.i++
	}
	digits := r.i - from
	if digits == 0 || n > MaxInt || r.data[from] == '0' && (digits > 1 || negative) {
		return 0, false, false
	}
	if negative {
		n = -n
	}
	return n, negative, true
}

// form is how values of one type stand in canonical JSON: take reads one into a zero value, and put
// appends one; false for what is left to package json.
type form struct {
	take func(r *exact, to reflect.Value) bool
	put  func(dst []byte, v reflect.Value) ([]byte, bool)
}

var forms sync.Map // by type; nil for one that is left to package json

func formOf(t reflect.Type) *form {
	if found, ok := forms.Load(t); ok {
		return found.(*form)
	}
	f := compile(t, nil)
	forms.Store(t, f)
	return f
}

// compile returns the form of a type that stands within the types above it. It is nil for those
// with a form of their own, for reals, interfaces and types within themselves.
func compile(t reflect.Type, above []reflect.Type) *form {
	if t == nil { // of an interface that holds nothing
		return nil
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		return &form{takeRaw, putRaw}
	}
	if slices.Contains(above, t) || hasOwnForm(t) {
		return nil
	}
	above = append(slices.Clip(above), t)
	switch t.Kind() {
	case reflect.String:
		return &form{takeString, putString}
	case reflect.Bool:
		return &form{takeBool, putBool}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &form{takeInt, putInt}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &form{takeUint, putUint}
	case reflect.Struct:
		return compileStruct(t, above)
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		if elem := compile(t.Elem(), above); elem != nil {
			return compileHolder(t, elem)
		}
	}
	return nil
}

// hasOwnForm reports whether package json writes or reads a type otherwise than its kind.
func hasOwnForm(t reflect.Type) bool {
	for _, p := range []reflect.Type{t, reflect.PointerTo(t)} {
		if p.Implements(reflect.TypeFor[json.Marshaler]()) ||
			p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
			p.Implements(reflect.TypeFor[encoding.TextMarshaler]()) ||
			p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
			return true
		}
	}
	switch t.Kind() {
	case reflect.Slice:
		return t.Elem().Kind() == reflect.Uint8
	case reflect.Map:
		return t.Key().Kind() != reflect.String || hasOwnForm(t.Key())
	}
	return t == reflect.TypeFor[json.Number]()
}

func takeRaw(r *exact, to reflect.Value) bool {
	from := r.i
	ok := r.value()
	to.SetBytes(bytes.Clone(r.data[from:r.i]))
	return ok
}

func putRaw(dst []byte, v reflect.Value) ([]byte, bool) {
	r := exact{data: v.Bytes()}
	return append(dst, r.data...), utf8.Valid(r.data) && r.value() && r.i == len(r.data)
}

func takeString(r *exact, to reflect.Value) bool {
	s, ok := r.text()
	to.SetString(s)
	return ok
}

func putString(dst []byte, v reflect.Value) ([]byte, bool) {
	return AppendString(dst, v.String()), utf8.ValidString(v.String())
}

func putBool(dst []byte, v reflect.Value) ([]byte, bool) {
	return strconv.AppendBool(dst, v.Bool()), true
}

func putInt(dst []byte, v reflect.Value) ([]byte, bool) {
	return strconv.AppendInt(dst, v.Int(), 10), v.Int() <= MaxInt && v.Int() >= -MaxInt
}

func putUint(dst []byte, v reflect.Value) ([]byte, bool) {
	return strconv.AppendUint(dst, v.Uint(), 10), v.Uint() <= MaxInt
}

func takeBool(r *exact, to reflect.Value) bool {
	yes := r.takeAll("true")
	to.SetBool(yes)
	return yes || r.takeAll("false")
}

func takeInt(r *exact, to reflect.Value) bool {
	n, _, ok := r.integer()
	to.SetInt(n)
	return ok && !to.OverflowInt(n)
}

func takeUint(r *exact, to reflect.Value) bool {
	n, negative, ok := r.integer()
	to.SetUint(uint64(n))
	return ok && !negative && !to.OverflowUint(uint64(n))
}

// compileHolder returns the form of a type of so many values of another.
func compileHolder(t reflect.Type, elem *form) *form {
	switch t.Kind() {
	case reflect.Array:
		return &form{func(r *exact, to reflect.Value) bool {
			n := 0
			return r.items('[', ']', func(i int) bool {
				n++
				return i < t.Len() && elem.take(r, to.Index(i))
			}) && n == t.Len()
		}, elem.putItems}
	case reflect.Slice:
		return orNull(func(r *exact, to reflect.Value) bool {
			to.Set(reflect.MakeSlice(t, 0, 0))
			return r.items('[', ']', func(i int) bool {
				if i == to.Cap() {
					to.Grow(1)
				}
				to.SetLen(i + 1)
				return elem.take(r, to.Index(i))
			})
		}, elem.putItems)
	case reflect.Map:
		return orNull(func(r *exact, to reflect.Value) bool {
			to.Set(reflect.MakeMap(t))
			return r.members(func(key string) bool {
				v := reflect.New(t.Elem()).Elem()
				ok := elem.take(r, v)
				to.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), v)
				return ok
			})
		}, elem.putMembers)
	}
	return orNull(func(r *exact, to reflect.Value) bool {
		to.Set(reflect.New(t.Elem()))
		return elem.take(r, to.Elem())
	}, func(dst []byte, v reflect.Value) ([]byte, bool) { return elem.put(dst, v.Elem()) })
}

func (f *form) putItems(dst []byte, v reflect.Value) (out []byte, ok bool) {
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = f.put(dst, v.Index(i)); !ok {
			return dst, false
		}
	}
	return append(dst, ']'), true
}

func (f *form) putMembers(dst []byte, v reflect.Value) (out []byte, ok bool) {
	keys := v.MapKeys()
	order.Sort(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	dst = append(dst, '{')
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, key.String()), ':')
		if dst, ok = f.put(dst, v.MapIndex(key)); !ok || !isASCII(key.String()) {
			return dst, false
		}
	}
	return append(dst, '}'), true
}

// orNull is the form of a type whose nil is null.
func orNull(take func(*exact, reflect.Value) bool, put func([]byte, reflect.Value) ([]byte, bool)) *form {
	return &form{
		func(r *exact, to reflect.Value) bool { return r.takeAll("null") || take(r, to) },
		func(dst []byte, v reflect.Value) ([]byte, bool) {
			if v.IsNil() {
				return append(dst, "null"...), true
			}
			return put(dst, v)
		},
	}
}

// place is a field of a struct.
type place struct {
	key      string // with its quotes and the colon
	index    []int
	optional bool // left out where it is empty
	form     *form
}

func compileStruct(t reflect.Type, above []reflect.Type) *form {
	list, ok := placesOf(t, nil, above)
	order.Sort(list, func(a, b place) int { return strings.Compare(nameOf(a), nameOf(b)) })
	for i := range list {
		ok = ok && (i == 0 || list[i].key != list[i-1].key)
	}
	if !ok {
		return nil
	}
	return &form{places(list).take, places(list).put}
}

// places are the fields of a struct in the order of their names.
type places []place

func (list places) take(r *exact, to reflect.Value) bool {
	if r.depth++; r.depth > MaxDepth || !r.take('{') {
		return false
	}
	n := 0
	for i := range list {
		p, start := &list[i], r.i
		if n > 0 && !r.take(',') || !r.takeAll(p.key) {
			if r.i = start; !p.optional {
				return false
			}
			continue
		}
		n++
		field := to.FieldByIndex(p.index)
		if !p.form.take(r, field) || p.optional && isEmpty(field) {
			return false
		}
	}
	r.depth--
	return r.take('}')
}

func (list places) put(dst []byte, v reflect.Value) (out []byte, ok bool) {
	dst = append(dst, '{')
	n := len(dst)
	for i := range list {
		p := &list[i]
		field := v.FieldByIndex(p.index)
		if p.optional && isEmpty(field) {
			continue
		}
		if len(dst) > n {
			dst = append(dst, ',')
		}
		if dst, ok = p.form.put(append(dst, p.key...), field); !ok {
			return dst, false
		}
	}
	return append(dst, '}'), true
}

func nameOf(p place) string { return strings.Trim(p.key, `":`) }

// placesOf lists the fields of a struct and of those that it embeds; false for one with a tag
// whose meaning is left to package json.
func placesOf(t reflect.Type, within []int, above []reflect.Type) (list []place, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, option, _ := strings.Cut(tag, ",")
		index := append(slices.Clip(within), i)
		switch {
		case tag == "-" || !f.IsExported() && !f.Anonymous:
		case f.Anonymous && (name != "" || f.Type.Kind() != reflect.Struct || hasOwnForm(f.Type)):
			return nil, false
		case f.Anonymous:
			inner, ok := placesOf(f.Type, index, above)
			if !ok {
				return nil, false
			}
			list = append(list, inner...)
		default:
			d, name := compile(f.Type, above), cmp.Or(name, f.Name)
			if d == nil || !isPlain(name) || option != "" && option != "omitempty" {
				return nil, false
			}
			list = append(list, place{`"` + name + `":`, index, option != "", d})
		}
	}
	return list, true
}

// isPlain reports whether a name is one that package json takes as it stands.
func isPlain(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// isEmpty reports whether package json leaves out a value where its tag says omitempty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
