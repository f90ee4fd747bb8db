package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/cmd/internal/cli/mistakes"
)

// mistakenFolder is a folder with a small build in work, a release of it, and files that are not what
// their names say.
func mistakenFolder(t *testing.T) string {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	towns := strings.NewReplacer("A", "Berlin", "B", "Hamburg", "C", "Tokyo", "D", "New York", "E", "Paris", "F", "Rome",
		"G", "London", "H", "Madrid", "T", "Lisbon").Replace(g9)
	var packed strings.Builder
	w := gzip.NewWriter(&packed)
	_, err := io.WriteString(w, "<mediawiki>")
	if err == nil {
		err = w.Close()
	}
	for name, text := range map[string]string{
		"towns.tsv": towns, "gzip.xml.bz2": packed.String(), "xxwiki-20260101-pages.xml": "<mediawiki>", "empty.xml": "",
		"zip.xml.bz2": "PK\x03\x04\x14\x00\x00\x00\x08\x00", "cut.xml.bz2": "BZh91AY&SY",
		"bad.toml": "[graph]\nname = strict\n", "flat.toml": "seed = 1\n", "table.toml": "[grpah]\nname = \"x\"\n", "text.txt": "Berlin\n",
		"towns.txt": "Atlantis\n", "old/manifest.json": `{"schema":"wikinav.manifest/0"}`, "cut/manifest.json": `{"schema":`,
	} {
		putFile(t, at(name), []byte(text))
	}
	if err != nil || os.Mkdir(at("folder"), 0o755) != nil {
		t.Fatal(err)
	}
	must(t, "build", "--edges", at("towns.tsv"), "--work", at("work"), "--split", "tiny:4:2,3")
	must(t, "release", "--work", at("work"), "--out", at("release"), "--licence", "CC0-1.0", "--allow-short")
	return dir
}

func TestMistakesAreAnsweredWithWhatToDo(t *testing.T) {
	golden, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	mistakes.CheckIn(t, mistakenFolder(t), golden, "wikinav", run, `
biuld
build extra
build --recpie strict
build --recipe strickt
build --recipe bad.toml
build --recipe flat.toml
build --recipe table.toml
build --recipe folder
build --seed many
build --seed
build --dump
build --workers 0
build --workers -2
build --tolerate -1
build --dump none.xml.bz2
build --dump gzip.xml.bz2 --work new --progress none
build --dump zip.xml.bz2 --work new --progress none
build --dump cut.xml.bz2 --work new --progress none
build --dump empty.xml --work new --progress none
build --dump folder --work new --progress none
build --dump xxwiki-20260101-page.xml
build --edges none.tsv
build --edges town.tsv
build --edges folder --work new --progress none
build --edges towns.tsv --dump gzip.xml.bz2
build --nodes towns.tsv
build --edges towns.tsv --pairs towns.txt
build --edges towns.tsv --pairs hard=towns.txt
build --edges towns.tsv --pairs my-set=towns.txt
build --edges towns.tsv --pairs lab=none.tsv
build --edges towns.tsv --pairs lab=towns.txt --split tiny:4:2,3 --work lab --progress none
verify release --rebuild towns.tsv --pairs lab=towns.txt
build --set graph.link_parts
build --set graph.link_part=body
build --set grpah.link_parts=body
build --set nothing=1
build --set graph.link_parts=bodies
build --set graph.component=sc
build --set graph.redirect_hops=many
build --set onestep.overlap=ensured
build --split easy
build --split easy:ten:3
build --split easy:10:two
build --split all:10:3
build --targets random:few
build --targets twons.txt
build --targets folder
build --texts yes
build --link-source sql
build --only scx
build --only wikirace --shard 3/2
build --memory lots
build --date 2017-09-01 --dump none.xml.bz2
build --progress loud
build --reader fast
build --work release --edges towns.tsv --progress none
build --work towns.tsv --edges towns.tsv
inspect
inspect grpah
inspect Berlin
inspect graph --work none
inspect graph --work release
inspect graph --work towns.tsv
inspect graph --work work --limit -1
inspect graph --work work --format csv
inspect graph --work work --build deflaut
path Berlin
path Berlin Tokyo --work none
path Berlni Lisbon --work work
path berlin Lisbon --work work
path New_York Lisbn --work work
path Berlin Atlantis --work work
path Berlin Lisbon --avoid Pariss --work work
path Berlin Lisbon --avoid label:Plase --work work
path Berlin Lisbon --limit many --work work
page Berlni --work work
path --work Berlin Lisbon work
export hf extra --release release --out web
export xml
export hf --out new
export csv --release release
export hf --release none --out new
export hf --release work --out new
export csv --release release --out old
export csv --release release --out old --force
export csv --release release --out towns.tsv
export inspect --release release --out release/samples
export croissant --release release --out web --base-url nowhere
train
train --release release
train --release none --out data
train --release release --out data --kind optimum
train --release release --out data --family wikirase
train --release release --out data --family probe
train --release release --out data --distance 5-2
train --release release --out data --n 0
train --release release --out data --wrong 0
train --release release --out data --option renderer=chat
train --release release --out data --tasks none
train --release release --out release/data --n 1 --distance 1-5
train audit
train audit folder
train audit none --against release
train audit folder --against release
release --work none
release --published tomorrow
release --work work --published tomorrow --licence CC0-1.0
release --work release
release --work work --version one --licence CC0-1.0
release --work work --build strict
release --work work
verify
verify none
verify relaese
verify work
verify towns.tsv
verify old
verify cut
verify release --level 9
verify release --level two
verify release --subset 3/2
verify release --rebuild none.xml
release --work work --licence CC0-1.0 --previous none
release --work work --licence CC0-1.0 --previous work
release --work work --licence CC0-1.0 --allow-short --out again --previous release
release --work work --licence CC0-1.0 --allow-short --out again --previous release --version 1.0.0
release --work work --licence CC0-1.0 --allow-short --out again --redraw probe
release --work work --licence CC0-1.0 --allow-short --out again --carry none
release --work work --licence CC0-1.0 --allow-short --out again --carry work
release --work work --licence CC0-1.0 --allow-short --out again --carry cut
release --work work --licence CC0-1.0 --allow-short --out again --carry release --redraw prob
verify release --carried release
verify release --carried none --level 1
releases
releases release
diff release
diff release none
diff release work
diff release release --work none
diff release release --workers 0
verify release --level 0
verify release --key none.pub
verify release --key towns.tsv
sign
sign release
sign none --key towns.tsv
sign release --key none.key
sign release --key towns.tsv
sign release --generate towns.tsv
sign --generate towns.tsv
sign --generate new.key
sign --unencrypted release
links none.xml
links folder
links gzip.xml.bz2
fetch ltgwiki yesterday
fetch ltgwiki yesterday --contact me@example.org
fetch 20260101 ltgwiki --contact me@example.org
fetch ltgwiki 20260101 --contact me@example.org --tables pagelink
status --work none
status --work release
prune --work none
plan --recipe strickt
audit none
audit work
audit towns.tsv
audit folder
audit release extra
audit release --graph
audit release --workers 0
audit release --svg plots
audit release --scores none.jsonl
audit release --scores towns.tsv
audit release --against work
audit release --out work
audit --graph --out plots
audit release --draw wr-none
audit release --draw x --out plots
audit folder --draw x
audit release --recipes`)
}
