package schemas

import "testing"

// Writers give the cells of a row in the order of the layout: a column that moves would hold what another should.
func TestColumnsStandWhereWritersPutThem(t *testing.T) {
	for _, c := range []struct {
		table Table
		at    int
		name  string
	}{
		{LinkAnchorsTable, 0, "link"},
		{LinkAnchorsTable, 1, "at"},
		{LinkAnchorsTable, 2, "provenance"},
		{LinkAnchorsTable, 3, "anchor"},
		{AnchorsTable, 0, "src_page_id"},
		{AnchorsTable, 1, "target_page_id"},
		{AnchorsTable, 2, "order"},
		{AnchorsTable, 3, "provenance"},
		{AnchorsTable, 4, "anchor"},
		{AnchorsTable, 5, "via"},
		{FurtherAnchorsTable, 0, "src_page_id"},
		{FurtherAnchorsTable, 1, "order"},
		{FurtherAnchorsTable, 2, "anchor"},
		{FactsTable, 0, "page_id"},
		{FactsTable, 1, "key"},
		{FactsTable, 2, "kind"},
		{FactsTable, 3, "value"},
		{FactsTable, 4, "unit"},
		{FactsTable, 5, "raw"},
		{FactsTable, 6, "offset"},
		{FactsTable, 7, "source"},
		{LinkGraphTable, 0, "page_id"},
		{LinkGraphTable, 1, "title"},
		{LinkGraphTable, 2, "flags"},
		{LinkGraphTable, 3, "successors"},
		{AliasesTable, 0, "title"},
		{AliasesTable, 1, "page_id"},
		{AliasesTable, 2, "target_title"},
		{AliasesTable, 3, "target_page_id"},
		{AliasesTable, 4, "fragment"},
		{AliasesTable, 5, "hops"},
		{AliasesTable, 6, "status"},
		{GraphTable, 0, "page_id"},
		{GraphTable, 1, "title"},
		{GraphTable, 2, "successors"},
		{GraphTable, 3, "predecessors"},
		{NodesTable, 0, "node"},
		{NodesTable, 1, "page_id"},
		{NodesTable, 2, "title"},
		{NodesTable, 3, "flags"},
		{NodesTable, 4, "in_degree"},
		{NodesTable, 5, "out_degree"},
		{NodesTable, 6, "in_scc"},
		{TargetsTable, 0, "node"},
		{TargetsTable, 1, "page_id"},
		{TargetsTable, 2, "title"},
		{TargetsTable, 3, "reasons"},
		{InfoboxesTable, 0, "page_id"},
		{InfoboxesTable, 1, "template"},
		{LeadsTable, 0, "page_id"},
		{LeadsTable, 1, "text"},
		{LeadsTable, 2, "truncated"},
		{LeadsTable, 3, "sha256"},
		{PagesTable, 0, "page_id"},
		{PagesTable, 1, "ns"},
		{PagesTable, 2, "title"},
		{PagesTable, 3, "is_redirect"},
		{PagesTable, 4, "model"},
		{PagesTable, 5, "rev_id"},
		{PagesTable, 6, "rev_time"},
		{PagesTable, 7, "text_bytes"},
		{PagesTable, 8, "text_sha256"},
		{PagesTable, 9, "flags"},
		{PagesTable, 10, "self_links"},
		{RedirectsTable, 0, "title"},
		{RedirectsTable, 1, "page_id"},
		{RedirectsTable, 2, "target_title"},
		{RedirectsTable, 3, "fragment"},
		{RedirectsTable, 4, "kind"},
		{LinksTable, 0, "page_id"},
		{LinksTable, 1, "target"},
		{LinksTable, 2, "provenance"},
		{LinkTitlesTable, 0, "title"},
		{ColumnsTable, 0, "node"},
		{ColumnsTable, 1, "page_id"},
		{ColumnsTable, 2, "title"},
		{ColumnsTable, 3, "reasons"},
		{ColumnsTable, 4, "shard"},
		{ColumnsTable, 5, "row"},
		{ColumnsTable, 6, "at_0"},
		{ColumnsTable, 22, "at_more"},
		{ColumnsTable, 23, "unreached"},
	} {
		if got := c.table.Columns[c.at].Name; got != c.name {
			t.Errorf("%s: column %d is %s, want %s", c.table.ID, c.at, got, c.name)
		}
	}
}

func TestALayoutWithAnUnknownTypeIsRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	columns("node uint32, title text")
}
