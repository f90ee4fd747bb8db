package stagetest

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// Give makes the file called name an input of artifact a; a name that was given before is replaced.
func (e *Env) Give(a schemas.Artifact, name string, write stages.WriteFunc) {
	e.t.Helper()
	if !a.Holds(name) {
		e.t.Fatalf("artifact %s has no file %s", a.Name, name)
	}
	var data bytes.Buffer
	if _, err := write(&data); err != nil {
		e.t.Fatalf("input %s of %s: %v", name, a.Name, err)
	}
	in := e.artifact(a)
	if err := os.WriteFile(filepath.Join(in.root.Name(), name), data.Bytes(), 0o644); err != nil {
		e.t.Fatal(err)
	}
	in.files[name] = digest.Bytes(data.Bytes())
}

func (e *Env) artifact(a schemas.Artifact) input {
	if in, ok := e.inputs[a.Name]; ok {
		return in
	}
	root, err := os.OpenRoot(e.t.TempDir())
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { root.Close() })
	e.inputs[a.Name] = input{root, map[string]digest.Digest{}, map[string]string{}}
	return e.inputs[a.Name]
}

// GiveBytes is Give for content that is there already.
func (e *Env) GiveBytes(a schemas.Artifact, name string, content []byte) {
	e.t.Helper()
	e.Give(a, name, stages.Bytes(content))
}

// GiveExternal is GiveBytes for a file from outside, which a stage knows by its role.
func (e *Env) GiveExternal(a schemas.Artifact, name, role string, content []byte) {
	e.t.Helper()
	e.GiveBytes(a, name, content)
	e.inputs[a.Name].roles[name] = role
}

func (e *Env) GiveNone(a schemas.Artifact) {
	e.t.Helper()
	e.artifact(a)
}

// GiveSnapshot gives snapshot.json of the wiki "testwiki".
func (e *Env) GiveSnapshot() {
	e.t.Helper()
	e.Give(schemas.SnapshotArtifact, "snapshot.json", stages.JSONDocument(schemas.Snapshot{
		Schema: schemas.SnapshotSchema, Wiki: "testwiki", Date: "20260101", Language: "en",
		SiteName: "Testwiki", Base: "https://test.example/wiki/Main_Page", Unicode: "15.0.0",
	}))
}
