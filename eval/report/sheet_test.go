package report

import "testing"

func TestASheetKeepsNamesOfOthersInTheirPlaces(t *testing.T) {
	s := Sheet{
		Title: "T", Head: [][2]string{{"run", "a\x1b|b"}},
		Tables: []Table{{Rows: [][]string{{"x", "y"}, {"a|b", "1"}}}, {Heading: "H", Note: "n", Rows: [][]string{{"z"}}}},
		Notes:  []Note{{Text: "list:", Lines: []string{"<i>", "two"}}, {Text: "end"}},
	}
	text := "run      \"a\\x1b|b\"\n\nx    y\na|b  1\n\nH: n\nz\n\nlist:\n  <i>\n  two\n\nend\n"
	if got := string(s.Text()); got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
	page := "# T\n\n- run: \"a\\\\x1b\\|b\"\n\n| x | y |\n| --- | --- |\n| a\\|b | 1 |\n\n## H\n\nn\n\n| z |\n| --- |\n\nlist:\n\n- &lt;i>\n- two\n\nend\n"
	if got := string(s.Markdown()); got != page {
		t.Errorf("got\n%s\nwant\n%s", got, page)
	}
}
