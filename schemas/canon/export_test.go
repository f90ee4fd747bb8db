package canon

import "reflect"

func HasForm(t reflect.Type) bool { return formOf(t) != nil }
