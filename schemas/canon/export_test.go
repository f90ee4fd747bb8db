package canon

import "reflect"

func HasDecoder(t reflect.Type) bool { return decoderOf(t) != nil }
