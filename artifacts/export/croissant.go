package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/fault"
)

const croissantFile = "croissant.json"

// Croissant writes the document of the release with the files that it describes beside it, as their
// paths in it say; with the address where the release lies, the document alone, with theirs.
func (d *Dir) Croissant(j Job, base string) error {
	at, err := addressOf(base)
	if err != nil {
		return err
	}
	if _, ok := j.Release.Manifest().File(croissantFile); !ok {
		return fault.New(fault.NotFound, "the release has no %s", croissantFile).At(j.From, "").
			Hint("make the release again: wikinav release writes one")
	}
	text, err := j.Release.Text(croissantFile)
	if err != nil {
		return err
	}
	doc, paths, err := located(text, at)
	if err != nil {
		return err
	}
	if err := d.Text(croissantFile, doc); err != nil || at != nil {
		return err
	}
	files := slices.DeleteFunc(j.files(), func(f release.FileEntry) bool {
		return f.Path == croissantFile || !slices.Contains(paths, f.Path)
	})
	return j.copyAll(d, files)
}

// addressOf reads the address of the folder of a release; nil for none.
func addressOf(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(strings.TrimSuffix(text, "/") + "/")
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fault.New(fault.Usage, "--base-url %s: want an address such as "+
			"https://example.org/release", fault.Quote(text))
	}
	return u, nil
}

// located puts the files of the document at base, unless that is nil, and lists their paths.
func located(text []byte, base *url.URL) (doc string, paths []string, err error) {
	var tree map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		return "", nil, fault.New(fault.Malformed, "%w", err).At(croissantFile, "")
	}
	list, _ := tree["distribution"].([]any)
	for _, x := range list {
		file, _ := x.(map[string]any)
		p, ok := file["contentUrl"].(string)
		if !ok {
			continue
		}
		paths = append(paths, p)
		if base != nil {
			file["contentUrl"] = base.ResolveReference(&url.URL{Path: p}).String()
		}
	}
	if len(paths) == 0 {
		return "", nil, fault.New(fault.Malformed, "the document describes no file").At(croissantFile, "")
	}
	if base == nil {
		return string(text), paths, nil
	}
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(tree); err != nil {
		return "", nil, fmt.Errorf("%s cannot be written: %w", croissantFile, err)
	}
	return out.String(), paths, nil
}
