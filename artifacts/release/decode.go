package release

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Decode reads a manifest strictly: canonical JSON of at most 16 MiB with every field of Manifest
// and no other. Text that is no such manifest is fault.Malformed; paths that must not be opened,
// and an id that does not follow from the rest, are fault.Mismatch. A manifest that Decode returned
// may be opened by its paths.
func Decode(data []byte) (*Manifest, error) {
	m, err := parse(data)
	if err != nil {
		return nil, err
	}
	if want := idOf(data); m.ID != want {
		return nil, fault.New(fault.Mismatch, "id %s does not follow from the manifest, which gives %s", fault.Quote(m.ID), want).
			At(ManifestName, "id")
	}
	return m, nil
}

// parse is Decode without the check of the id, which verify reports beside other findings.
func parse(data []byte) (*Manifest, error) {
	m := new(Manifest)
	// The canonical form also has every field: an absent one would come back with its zero value.
	isCanonical := len(data) <= canon.MaxManifest && canon.DecodeCanonical(data, m)
	if !isCanonical || m.Schema != Schema {
		if err := checkVersion(data); err != nil {
			return nil, err
		}
		m = new(Manifest)
		if err := canon.Decode(data, canon.MaxManifest, m); err != nil {
			return nil, fault.New(fault.Malformed, "%w", err).At(ManifestName, "")
		}
	}
	if field := m.badField(); field != "" {
		return nil, fault.New(fault.Malformed, "value is missing or of the wrong form").At(ManifestName, field)
	}
	if !isCanonical {
		return nil, fault.New(fault.Malformed, "not the canonical form of its content, or a field is missing").At(ManifestName, "")
	}
	return m, checkPaths(m.Files)
}

// checkVersion comes before strict decoding, which would complain about the first new field of
// another version instead.
func checkVersion(data []byte) error {
	if len(data) > canon.MaxManifest {
		return fault.New(fault.Malformed, "%d bytes, at most %d are accepted", len(data), canon.MaxManifest).At(ManifestName, "")
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if json.Unmarshal(data, &head) == nil && head.Schema != Schema {
		return fault.New(fault.Malformed, "version %s is not supported, only %s is", fault.Quote(head.Schema), Schema).
			At(ManifestName, "schema")
	}
	return nil
}

// Encode returns the bytes of m's file. It panics if m holds what canonical JSON cannot, which the
// writer has checked.
func Encode(m *Manifest) []byte { return canon.MustMarshal(m) }

// ID derives the id of m: the first 16 hex digits of the SHA-256 of its canonical form without id
// and release.
func ID(m *Manifest) string { return idOf(Encode(m)) }

// idOf is ID of the canonical form.
func idOf(data []byte) string { return digest.SHA256(canon.Without(data, "id", "release"))[:16] }

var (
	hex64Form   = regexp.MustCompile(`^[0-9a-f]{64}$`)
	hex16Form   = regexp.MustCompile(`^[0-9a-f]{16}$`)
	dateForm    = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	versionForm = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`)
	wikiForm    = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)
	splitForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9_]*$`)
	plainName   = regexp.MustCompile(`^[^/\\\x00]+$`)
	serverURL   = regexp.MustCompile(`^https?://[^\s@]+$`)
)

// field is a named condition on a manifest.
type field struct {
	name string
	ok   bool
}

// badField names the first field of m whose value has not the form that the specification gives it,
// or "".
func (m *Manifest) badField() string {
	fields := []field{
		{"wiki", wikiForm.MatchString(m.Wiki)},
		{"snapshot_date", dateForm.MatchString(m.SnapshotDate)},
		{"dump.files", m.Dump.Files != nil},
		{"dump.base_url", m.Dump.BaseURL == "" || serverURL.MatchString(m.Dump.BaseURL)},
		{"side_inputs", m.SideInputs != nil},
		{"recipe", isObject(m.Recipe)},
		{"recipe_sha256", hex64Form.MatchString(m.RecipeSHA256)},
		{"params", m.Params != nil},
		{"stages", m.Stages != nil},
		{"counts", m.Counts != nil},
		{"graph.sha256", hex64Form.MatchString(m.Graph.SHA256)},
		{"graph.scc.largest", m.Graph.SCC.Largest != nil && len(m.Graph.SCC.Largest) <= 10},
		{"splits", m.Splits != nil},
		{"files", m.Files != nil},
		{"warnings", m.Warnings != nil},
		{"licence.parts", m.Licence.Parts != nil},
		{"supersedes", m.Supersedes == nil || hex16Form.MatchString(*m.Supersedes)},
		{"release.version", versionForm.MatchString(m.Release.Version)},
		{"release.published", m.Release.Published == "" || dateForm.MatchString(m.Release.Published)},
	}
	for _, f := range slices.Concat(fields, m.nestedFields(), m.carriedFields()) {
		if !f.ok {
			return f.name
		}
	}
	return ""
}

func (m *Manifest) nestedFields() []field {
	var out []field
	for _, f := range m.Dump.Files {
		out = append(out, field{"dump.files", plainName.MatchString(f.Name) && hex64Form.MatchString(f.SHA256)})
	}
	for _, s := range m.SideInputs {
		out = append(out, field{"side_inputs", plainName.MatchString(s.Name)})
	}
	for _, p := range m.Params { // a set of checks, in any order
		out = append(out, field{"params", isObject(p)})
	}
	for _, s := range m.Stages {
		ok := s.Inputs != nil && s.Outputs != nil && s.Counters != nil
		for _, sum := range slices.Concat(slices.Collect(maps.Values(s.Inputs)), slices.Collect(maps.Values(s.Outputs))) {
			ok = ok && hex64Form.MatchString(sum)
		}
		out = append(out, field{"stages", ok})
	}
	for name, s := range m.Splits { // as above
		out = append(out, field{"splits", splitForm.MatchString(name) && s.Distances != nil})
	}
	for _, f := range m.Files {
		out = append(out, field{"files", f.Bytes >= 0 && hex64Form.MatchString(f.SHA256) && hex16Form.MatchString(f.XXH64)})
	}
	return out
}

func isObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }
