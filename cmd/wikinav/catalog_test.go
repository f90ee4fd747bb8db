package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/catalog"
)

// Names of columns that name rows of another table, as "table column", and those that look so: the
// nodes of a small world are all in its row, and the source of labels is a kind of file.
var (
	naming   = regexp.MustCompile(` (id|maze_id|source|target|(.*_)?(node|page_id|title))$`)
	ownNames = regexp.MustCompile(`^(pages|lumina_.*) |^instances id$|^mango_mazes |^labels source$`)
	listing  = regexp.MustCompile(` (witness|bottlenecks|dominators|baseline_path|constrained_path|menu_nodes)$`)
)

// columnsOf lists what a question answers in its one column.
func columnsOf(t *testing.T, path, question string) (list []string) {
	t.Helper()
	db, err := catalog.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(question)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		list = append(list, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// refersToWhatItHas holds each column of a catalogue that names rows of another table to a foreign
// key, each row to what it refers to, and each list of nodes to the titles of a view.
func refersToWhatItHas(t *testing.T, path string) {
	t.Helper()
	for _, row := range columnsOf(t, path, `SELECT printf('%s, row %s: no such row of %s', "table", rowid, parent)
		FROM pragma_foreign_key_check`) {
		t.Error(row)
	}
	keys := columnsOf(t, path, `SELECT t.name || ' ' || k."from"
		FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) AS k WHERE t.type = 'table'`)
	named, lists := 0, 0
	for _, c := range columnsOf(t, path, `SELECT t.name || ' ' || c.name
		FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table'`) {
		if naming.MatchString(c) && !ownNames.MatchString(c) {
			if named++; !slices.Contains(keys, c) {
				t.Errorf("%s: no foreign key", c)
			}
		}
		if listing.MatchString(c) {
			lists++
		}
	}
	titles := columnsOf(t, path, `SELECT t.name || ' ' || c.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
		WHERE t.type = 'view' AND c.name GLOB '*_titles'`)
	if named != len(keys) || named < 30 || lists != len(titles) {
		t.Errorf("%d columns name rows, %d keys; %d lists of nodes, titles %v", named, len(keys), lists, titles)
	}
	if bare := columnsOf(t, path, `SELECT id FROM instances_titled WHERE source_title IS NULL OR target_title IS NULL OR
		json_array_length(witness) <> json_array_length(witness_titles) OR witness_titles LIKE '%null%' OR
		(witness <> '[]' AND source_title <> json_extract(witness_titles, '$[0]'))`); len(bare) > 0 {
		t.Errorf("%d instances without titles, %s first", len(bare), bare[0])
	}
}

func TestTheCatalogueRefersToWhatItHas(t *testing.T) {
	path := filepath.Join(townRelease(t), catalogFile)
	refersToWhatItHas(t, path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// An orphan of each kind is seen: a node, a page id, a title, an instance and a maze.
	for _, change := range []string{
		"UPDATE labels SET node = 1000 WHERE node = (SELECT max(node) FROM labels)",
		"UPDATE instances SET target = 1000 WHERE id = (SELECT min(id) FROM instances)",
		"UPDATE onestep SET source_page_id = 1000 WHERE id = (SELECT min(id) FROM onestep)",
		"UPDATE constrained SET ban_witness_title = '' WHERE id = (SELECT min(id) FROM constrained)",
		"UPDATE probe SET id = 'pr-none' WHERE id = (SELECT min(id) FROM probe)",
		"DELETE FROM mango_mazes",
	} {
		edited := filepath.Join(t.TempDir(), catalogFile)
		if err := os.WriteFile(edited, data, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite3", edited)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Exec(change)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if found := columnsOf(t, edited, `SELECT "table" FROM pragma_foreign_key_check`); err != nil || len(found) == 0 {
			t.Errorf("%s: %v, no orphan", change, err)
		}
	}
}
