package main

import (
	"testing"

	"github.com/wikinav/wikinav/cmd/internal/cli/mistakes"
)

func TestMistakesAreAnsweredWithWhatToDo(t *testing.T) {
	mistakes.Check(t, "wikinav", run, `
biuld
build extra
build --recpie strict
build --recipe strickt
build --seed many
build --seed
build --workers 0
build --dump none.xml.bz2
build --edges none.tsv
build --set graph.link_parts
build --set graph.link_part=body
build --set nothing=1
build --set graph.link_parts=bodies
build --split easy:ten:3
build --only scx
build --only wikirace --shard 3/2
build --memory lots
build --date 2017-09-01 --dump none.xml.bz2
build --progress loud
build --reader fast
inspect
inspect grpah
inspect graph --work none
inspect graph --limit -1
path Berlin
path Berlin Tokyo --work none
release --work none
release --published tomorrow
verify
verify none
verify . --level 9
verify . --subset 3/2
links none.xml
fetch ltgwiki yesterday
status --work none`)
}
