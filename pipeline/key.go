package pipeline

import (
	"bytes"
	"syscall"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages"
)

// keyParts is everything that a key depends on. Its canonical JSON is hashed.
type keyParts struct {
	Stage        string            `json:"stage"`
	StageVersion int               `json:"stage_version"`
	Params       any               `json:"params"`
	Reads        map[string]int    `json:"reads"`  // artifact -> layout version
	Writes       map[string]int    `json:"writes"` // artifact -> layout version
	Inputs       map[string]string `json:"inputs"` // artifact/file -> SHA-256
}

// Key gives the key of a stage over its inputs: 64 hex digits.
func Key(spec stages.Spec, inputs map[string][]stages.File) (string, error) {
	parts := keyParts{
		Stage: spec.Name, StageVersion: spec.Version, Params: spec.Params,
		Reads: versions(spec.Inputs), Writes: versions(spec.Outputs), Inputs: map[string]string{},
	}
	for _, in := range receiptInputs(inputs) {
		parts.Inputs[in.Name] = in.SHA256
	}
	data, err := canon.Marshal(parts)
	if err != nil {
		return "", err
	}
	return digest.SHA256(data), nil
}

// shardKey is the sub-key of a shard.
func shardKey(key string, number int) string {
	return digest.SHA256(canon.MustMarshal(map[string]any{"key": key, "shard": number}))
}

func versions(list []schemas.Artifact) map[string]int {
	out := map[string]int{}
	for _, a := range list {
		out[a.Name] = a.Version
	}
	return out
}

// freeSpace tells how many bytes an ordinary user can still write below path.
func freeSpace(path string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(path, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * st.Bsize, nil
}

func same(a, b schemas.Build) bool {
	return bytes.Equal(canon.MustMarshal(a), canon.MustMarshal(b))
}
