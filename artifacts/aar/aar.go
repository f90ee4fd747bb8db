// Package aar is what the family of The Amazing Agent Race publishes: legs, and the world that they
// lead through. It reads and writes legs without loss (leg.go), computes with the values of Python
// (value.go, transform.go, finish.go), validates and audits legs of any origin, and answers the
// calls of tools from the published world and from a cassette, never from a network.
//
// Legs, stops and calls are records of package schemas. The tables of the specification lie in the
// folder tables and are the only place of names, wordings and weights.
package aar

import (
	"embed"
	"encoding/json"
	"sync"
)

//go:embed tables/*.json
var tables embed.FS

// lazily returns a function that reads one of the tables when it is first called: programs that
// need none begin without them.
func lazily[T any](name string) func() T {
	return sync.OnceValue(func() T { return table[T](name) })
}

// table reads one of the embedded tables; a mistake in one is a mistake of this package.
func table[T any](name string) (t T) {
	data, err := tables.ReadFile("tables/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	if err != nil {
		panic("aar: table " + name + ": " + err.Error())
	}
	return t
}
