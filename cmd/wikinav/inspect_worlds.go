package main

import (
	"context"

	"github.com/wikinav/wikinav/schemas"
)

// showWorlds prints the instances of the three worlds, split by split.
func showWorlds(_ context.Context, v *view) error {
	for _, world := range schemas.LuminaEnvs {
		for _, split := range schemas.LuminaSplits {
			if err := v.copyLines("lumina", schemas.LuminaFile(world, split)); err != nil {
				return err
			}
		}
	}
	return nil
}
