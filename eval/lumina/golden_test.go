package lumina

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds/draw"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/schemas"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The prompts of the second turn, word for word. When a text changes on purpose, raise prompt.Version.
func TestGoldenPrompts(t *testing.T) {
	book := newBook(t)
	for _, env := range schemas.LuminaEnvs {
		for _, cfg := range family.Configs {
			e := newEpisode(t, drawn(t, 42, env, schemas.LuminaTest, draw.Levels(env)[0], 0), cfg, book)
			e.Play(block(e.best[0].String()))
			text := "version " + prompt.Version + ", templates " + prompt.TemplateSHA256(env) + "\n"
			for _, m := range e.Messages() {
				text += "<<" + m.Role + ">>\n" + m.Content + "\n"
			}
			path := filepath.Join("testdata", strings.ToLower(env+"-"+cfg.String())+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if text != string(want) {
				t.Errorf("%s: got\n%s\nwant\n%s", path, text, want)
			}
		}
	}
}
