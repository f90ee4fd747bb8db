package release

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas"
)

// node is an object of JSON-LD.
type node map[string]any

func ref(id string) node { return node{"@id": id} }

// Types of Croissant that the check looks for as well.
const (
	croissantVersion = "http://mlcommons.org/croissant/1.1"
	typeFileObject   = "cr:FileObject"
)

// croissant describes the release in Croissant 1.1: a FileObject for each file that is data, a
// FileSet for files of one layout that are many, a RecordSet for each Parquet table, and the
// splits. The date is there once the release has one.
func (c *card) croissant() ([]byte, error) {
	citation, err := c.fill(citationFile)
	if err != nil {
		return nil, err
	}
	doc := node{
		"@context": json.RawMessage(schemas.CroissantContext), "@type": "sc:Dataset", "conformsTo": croissantVersion,
		"name": c.Slug, "description": c.About(), "url": c.URL(), "license": c.licenceURLs(),
		"creator": node{"@type": "sc:Organization", "name": c.Maker(), "url": c.URL()},
		"version": c.M.Release.Version, "keywords": c.Tags(), "inLanguage": c.M.Language,
		"citeAs": string(citation), "isLiveDataset": false, "sdVersion": c.M.Release.Version,
		"sdLicense": licenceURL(c.M.Licence.SPDX), "prov:wasDerivedFrom": c.sources(),
		"distribution": c.distribution(), "recordSet": append(c.recordSets(), c.splits()...),
	}
	if c.M.Release.Published != "" {
		doc["datePublished"] = c.M.Release.Published
	}
	return indented(doc)
}

// sources are the files that the release was made from, by their digests.
func (c *card) sources() []node {
	list := []node{}
	add := func(role, name, sha256 string) {
		list = append(list, node{
			"@id": "urn:sha256:" + sha256, "@type": "prov:Entity",
			"prov:label": role + " " + name, "sha256": sha256,
		})
		if base := c.M.Dump.BaseURL; base != "" && role == "dump" {
			list[len(list)-1]["url"] = base + name
		}
	}
	seen := map[string]bool{} // one file may have two roles
	for _, f := range c.M.Dump.Files {
		if !seen[f.SHA256] {
			add("dump", f.Name, f.SHA256)
		}
		seen[f.SHA256] = true
	}
	for _, s := range c.M.SideInputs {
		if !seen[s.SHA256] {
			add(s.Role, s.Name, s.SHA256)
		}
		seen[s.SHA256] = true
	}
	return list
}

// foreignFormats are what the reference program calls types of files; the registered names follow.
var foreignFormats = map[string]string{
	"application/vnd.apache.parquet": "application/x-parquet", "application/jsonl": "application/jsonlines",
}

// formatsOf lists what the file at p is called, a packed one as what it is first and then as what
// is in it.
func formatsOf(p string) (formats []string) {
	if inner, isPacked := strings.CutSuffix(p, jsonl.PackedSuffix); isPacked {
		return append([]string{mediaType(p)}, formatsOf(inner)...)
	}
	if other := foreignFormats[mediaType(p)]; other != "" {
		formats = append(formats, other)
	}
	return append(formats, mediaType(p))
}

// distribution lists the files, and the sets of those that are shards of one thing.
func (c *card) distribution() []node {
	list, sets := []node{}, map[string][]FileEntry{}
	for _, f := range c.M.Files {
		list = append(list, node{
			"@type": typeFileObject, "@id": f.Path, "name": f.Path, "contentUrl": f.Path,
			"contentSize": fmt.Sprintf("%d B", f.Bytes), "encodingFormat": formatsOf(f.Path), "sha256": f.SHA256,
		})
		if stem, ok := shardOf(f.Path); ok && f.Schema != nil {
			sets[stem] = append(sets[stem], f)
		}
	}
	for _, stem := range slices.Sorted(maps.Keys(sets)) {
		list = append(list, node{
			"@type": "cr:FileSet", "@id": strings.TrimSuffix(stem, "-") + "-*",
			"includes":       stem + "*" + path.Ext(sets[stem][0].Path),
			"encodingFormat": sets[stem][0].MediaType,
			"description":    "the shards of one table, in the order of their names",
		})
	}
	return list
}

// shardOf reports whether p is a shard, whose name ends with its number, and what stands before it.
func shardOf(p string) (stem string, ok bool) {
	name := strings.TrimSuffix(p, path.Ext(p))
	stem = strings.TrimRight(name, "0123456789")
	return stem, stem != name && path.Dir(p) == distancesDir
}

// recordSets describes the columns of the Parquet tables.
func (c *card) recordSets() []node {
	list := []node{}
	for _, f := range c.M.Files {
		k, ok := kindOf(f.Path, c.parts)
		if path.Ext(f.Path) != ".parquet" || !ok || k.Table == nil || f.Rows == nil {
			continue
		}
		id := strings.TrimSuffix(f.Path, ".parquet")
		set := node{
			"@type": "cr:RecordSet", "@id": id, "name": id, "field": c.fields(id, f.Path, k.Kind),
			"description": fmt.Sprintf("%d rows of %s", *f.Rows, k.Table.ID),
		}
		if key := keyOf(*k.Table); key != "" {
			set["key"] = ref(id + "/" + key)
		}
		list = append(list, set)
	}
	return list
}

// keyOf returns the column that tells the rows of a table apart, as far as its name says so.
func keyOf(t schemas.Table) string {
	if slices.ContainsFunc(t.Columns, func(c schemas.Column) bool { return c.Name == "id" }) {
		return "id"
	}
	return ""
}

// dataTypes are what Croissant calls the types of columns.
var dataTypes = map[schemas.Type]string{
	schemas.Bool: "sc:Boolean", schemas.Float64: "sc:Float", schemas.String: "sc:Text", schemas.Binary: "sc:Text",
}

func (c *card) fields(set, file string, k Kind) []node {
	list := []node{}
	for _, column := range k.Table.Columns {
		f := node{
			"@type": "cr:Field", "@id": set + "/" + column.Name, "name": set + "/" + column.Name,
			"dataType": cmp.Or(dataTypes[column.Type], "sc:Integer"),
			"source":   node{"fileObject": ref(file), "extract": node{"column": column.Name}},
		}
		if column.Type == schemas.ListUint32 {
			f["isArray"], f["arrayShape"] = true, "-1"
		}
		if doc := k.doc(column.Name); doc != "" {
			f["description"] = doc
		}
		list = append(list, f)
	}
	return list
}

// splits is the table of the splits and what they are for; nothing where there is none.
func (c *card) splits() []node {
	const id = "wikinav_splits"
	rows := []node{}
	for _, config := range c.Configs {
		for _, f := range config.Files {
			if purpose := config.Purpose(f.Split); purpose != "" {
				rows = append(rows, node{id + "/name": config.Name + "/" + f.Split, id + "/url": "cr:" + purpose})
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	field := func(name, dataType string) node {
		return node{"@type": "cr:Field", "@id": id + "/" + name, "name": id + "/" + name, "dataType": dataType}
	}
	return []node{{
		"@type": "cr:RecordSet", "@id": id, "name": id, "dataType": "cr:Split", "key": ref(id + "/name"),
		"description": "what each split of each config is for", "data": rows,
		"field": []node{field("name", "sc:Text"), field("url", "sc:URL")},
	}}
}

// dataPackage describes the release as a Data Package, version 2.
func (c *card) dataPackage() ([]byte, error) {
	resources := []node{}
	for _, f := range c.M.Files {
		// Format and media type are those of what is packed.
		inner, isPacked := strings.CutSuffix(f.Path, jsonl.PackedSuffix)
		resource := node{
			"name": f.Path, "path": f.Path,
			"format": strings.TrimPrefix(path.Ext(inner), "."), "mediatype": mediaType(inner),
			"bytes": f.Bytes, "hash": "sha256:" + f.SHA256,
		}
		if isPacked {
			resource["compression"] = strings.TrimPrefix(jsonl.PackedSuffix, ".")
		}
		if k, ok := kindOf(f.Path, c.parts); ok && k.Table != nil && path.Ext(f.Path) == ".parquet" {
			resource["type"], resource["schema"] = "table", node{"fields": tableFields(k.Kind)}
		}
		resources = append(resources, resource)
	}
	licences := []node{}
	for _, spdx := range c.licences() {
		licences = append(licences, node{"name": spdx, "path": licenceURL(spdx)})
	}
	sources := []node{}
	for _, s := range c.sources() {
		source := node{"title": s["prov:label"]}
		if url, ok := s["url"]; ok {
			source["path"] = url
		}
		sources = append(sources, source)
	}
	doc := node{
		"$schema": "https://datapackage.org/profiles/2.0/datapackage.json", "name": c.Slug, "title": c.Title,
		"description": c.About(), "version": c.M.Release.Version,
		"homepage": c.URL(), "keywords": c.Tags(), "licenses": licences,
		"sources": sources, "contributors": []node{{"title": c.Maker(), "path": c.URL(), "roles": []string{"creator"}}},
		"resources": resources,
	}
	return indented(doc)
}

// fieldTypes are what the table schema of a Data Package calls the types of columns.
var fieldTypes = map[schemas.Type]string{
	schemas.Bool: "boolean", schemas.Float64: "number", schemas.String: "string", schemas.Binary: "string",
	schemas.ListUint32: "array",
}

func tableFields(k Kind) []node {
	list := []node{}
	for _, column := range k.Table.Columns {
		f := node{"name": column.Name, "type": cmp.Or(fieldTypes[column.Type], "integer")}
		if doc := k.doc(column.Name); doc != "" {
			f["description"] = doc
		}
		list = append(list, f)
	}
	return list
}

// licences lists the licences of all parts, that of the whole first.
func (c *card) licences() []string {
	list := []string{c.M.Licence.SPDX}
	for _, part := range c.M.Licence.Parts {
		for _, term := range terms(part.SPDX) {
			if !slices.Contains(list, term) {
				list = append(list, term)
			}
		}
	}
	return list
}

func (c *card) licenceURLs() (urls []string) {
	for _, spdx := range c.licences() {
		urls = append(urls, licenceURL(spdx))
	}
	return urls
}

// licenceURL is where SPDX describes a licence; one that it does not know is in LICENSE.md.
func licenceURL(spdx string) string {
	if strings.HasPrefix(spdx, "LicenseRef-") {
		return "LICENSE.md"
	}
	return "https://spdx.org/licenses/" + spdx + ".html"
}
