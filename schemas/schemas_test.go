package schemas

import "testing"

// Layouts are text, and the numbers of their columns stand beside them: who reads a column by the wrong number reads another.
func TestNumbersOfColumnsAreThoseOfTheirNames(t *testing.T) {
	for _, c := range []struct {
		table Table
		at    int
		name  string
	}{
		{LinkAnchorsTable, LinkAnchorsLink, "link"},
		{LinkAnchorsTable, LinkAnchorsAt, "at"},
		{LinkAnchorsTable, LinkAnchorsProvenance, "provenance"},
		{LinkAnchorsTable, LinkAnchorsAnchor, "anchor"},
		{AnchorsTable, AnchorsSource, "src_page_id"},
		{AnchorsTable, AnchorsTarget, "target_page_id"},
		{AnchorsTable, AnchorsOrder, "order"},
		{AnchorsTable, AnchorsProvenance, "provenance"},
		{AnchorsTable, AnchorsAnchor, "anchor"},
		{AnchorsTable, AnchorsVia, "via"},
		{FurtherAnchorsTable, FurtherAnchorsSource, "src_page_id"},
		{FurtherAnchorsTable, FurtherAnchorsOrder, "order"},
		{FurtherAnchorsTable, FurtherAnchorsAnchor, "anchor"},
		{FactsTable, FactsPageID, "page_id"},
		{FactsTable, FactsKey, "key"},
		{FactsTable, FactsKind, "kind"},
		{FactsTable, FactsValue, "value"},
		{FactsTable, FactsUnit, "unit"},
		{FactsTable, FactsRaw, "raw"},
		{FactsTable, FactsOffset, "offset"},
		{FactsTable, FactsSource, "source"},
		{LinkGraphTable, LinkGraphPageID, "page_id"},
		{LinkGraphTable, LinkGraphTitle, "title"},
		{LinkGraphTable, LinkGraphFlags, "flags"},
		{LinkGraphTable, LinkGraphSuccessors, "successors"},
		{AliasesTable, AliasesTitle, "title"},
		{AliasesTable, AliasesPageID, "page_id"},
		{AliasesTable, AliasesTargetTitle, "target_title"},
		{AliasesTable, AliasesTargetPageID, "target_page_id"},
		{AliasesTable, AliasesFragment, "fragment"},
		{AliasesTable, AliasesHops, "hops"},
		{AliasesTable, AliasesStatus, "status"},
		{GraphTable, GraphPageID, "page_id"},
		{GraphTable, GraphTitle, "title"},
		{GraphTable, GraphSuccessors, "successors"},
		{GraphTable, GraphPredecessors, "predecessors"},
		{NodesTable, NodesNode, "node"},
		{NodesTable, NodesPageID, "page_id"},
		{NodesTable, NodesTitle, "title"},
		{NodesTable, NodesFlags, "flags"},
		{NodesTable, NodesInDegree, "in_degree"},
		{NodesTable, NodesOutDegree, "out_degree"},
		{NodesTable, NodesInSCC, "in_scc"},
		{TargetsTable, TargetsNode, "node"},
		{TargetsTable, TargetsPageID, "page_id"},
		{TargetsTable, TargetsTitle, "title"},
		{TargetsTable, TargetsReasons, "reasons"},
		{InfoboxesTable, InfoboxesPageID, "page_id"},
		{InfoboxesTable, InfoboxesTemplate, "template"},
		{LeadsTable, LeadsPageID, "page_id"},
		{LeadsTable, LeadsText, "text"},
		{LeadsTable, LeadsTruncated, "truncated"},
		{LeadsTable, LeadsSHA256, "sha256"},
		{PagesTable, PagesPageID, "page_id"},
		{PagesTable, PagesNS, "ns"},
		{PagesTable, PagesTitle, "title"},
		{PagesTable, PagesIsRedirect, "is_redirect"},
		{PagesTable, PagesModel, "model"},
		{PagesTable, PagesRevID, "rev_id"},
		{PagesTable, PagesRevTime, "rev_time"},
		{PagesTable, PagesTextBytes, "text_bytes"},
		{PagesTable, PagesTextSHA256, "text_sha256"},
		{PagesTable, PagesFlags, "flags"},
		{PagesTable, PagesSelfLinks, "self_links"},
		{RedirectsTable, RedirectsTitle, "title"},
		{RedirectsTable, RedirectsPageID, "page_id"},
		{RedirectsTable, RedirectsTargetTitle, "target_title"},
		{RedirectsTable, RedirectsFragment, "fragment"},
		{RedirectsTable, RedirectsKind, "kind"},
		{LinksTable, LinksPageID, "page_id"},
		{LinksTable, LinksTarget, "target"},
		{LinksTable, LinksProvenance, "provenance"},
		{LinkTitlesTable, LinkTitlesTitle, "title"},
		{ColumnsTable, ColumnsNode, "node"},
		{ColumnsTable, ColumnsPageID, "page_id"},
		{ColumnsTable, ColumnsTitle, "title"},
		{ColumnsTable, ColumnsReasons, "reasons"},
		{ColumnsTable, ColumnsShard, "shard"},
		{ColumnsTable, ColumnsRow, "row"},
		{ColumnsTable, ColumnsAt, "at_0"},
		{ColumnsTable, ColumnsAt + CountedDepth, "at_more"},
		{ColumnsTable, ColumnsUnreached, "unreached"},
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
