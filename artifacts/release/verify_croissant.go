package release

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// requiredOfDatasets are the keys without which nothing is a description in Croissant.
var requiredOfDatasets = strings.Fields("@context @type conformsTo name description license url creator " +
	"distribution recordSet")

// checkCroissant checks the structure of croissant.json, without rendering it anew: the keys that a
// dataset must have, ids that stand once, references to such ids, and files as the manifest lists
// them.
func (v *verifier) checkCroissant(f FileEntry) {
	data, err := readWhole(v.root, f.Path, f.digestOf())
	var doc map[string]any
	if err == nil {
		err = json.Unmarshal(data, &doc)
	}
	if err != nil {
		v.report.fail("Croissant", f.Path, err)
		return
	}
	bad := func(where, want string, got any) { v.report.add("Croissant", f.Path, where, want, got) }
	required := requiredOfDatasets
	if v.m.Release.Published != "" {
		required = append(slices.Clone(required), "datePublished")
	}
	for _, key := range required {
		if doc[key] == nil {
			bad(key, "a value", "none")
		}
	}
	if doc["conformsTo"] != croissantVersion {
		bad("conformsTo", croissantVersion, doc["conformsTo"])
	}
	ids := linked{
		objects: map[string]map[string]any{},
		twice:   func(id string) { bad(id, "an @id that stands once", "another") },
	}
	ids.collect(doc)
	for _, id := range slices.Sorted(maps.Keys(ids.refs)) {
		if ids.objects[id] == nil {
			bad(id, "an object of this @id", "none")
		}
	}
	v.checkFileObjects(ids.objects, bad)
}

// checkFileObjects compares the files of croissant.json with those of the manifest that are data.
func (v *verifier) checkFileObjects(objects map[string]map[string]any, bad func(where, want string, got any)) {
	for _, f := range v.m.Files {
		if slices.Contains(documentNames, f.Path) {
			continue
		}
		have := objects[f.Path]
		for _, x := range []struct{ key, want string }{
			{"@type", typeFileObject},
			{"contentUrl", f.Path},
			{"contentSize", fmt.Sprintf("%d B", f.Bytes)},
			{"sha256", f.SHA256},
		} {
			if got := have[x.key]; got != x.want {
				bad(f.Path+" "+x.key, x.want, got)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(objects)) {
		if _, listed := v.m.File(id); !listed && objects[id]["@type"] == typeFileObject {
			bad(id, "a file of the release", "none")
		}
	}
}

// linked are the objects of a JSON-LD document by their ids, and the ids that are referred to.
type linked struct {
	objects map[string]map[string]any
	refs    map[string]bool
	twice   func(id string)
}

// collect adds the objects in v. The context names terms, and data is that of records: neither has
// objects.
func (l *linked) collect(v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			l.collect(x)
		}
	case map[string]any:
		if id, ok := v["@id"].(string); ok {
			l.add(id, v)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key != "@context" && key != "data" {
				l.collect(v[key])
			}
		}
	}
}

func (l *linked) add(id string, object map[string]any) {
	if len(object) == 1 {
		if l.refs == nil {
			l.refs = map[string]bool{}
		}
		l.refs[id] = true
		return
	}
	if l.objects[id] != nil {
		l.twice(id)
	}
	l.objects[id] = object
}
