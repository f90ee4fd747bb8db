package demo

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// sqlTable is a table in the layout of 2026.
type sqlTable struct {
	name    string
	columns []string // each with its type
}

var (
	pageTable = sqlTable{"page", []string{
		"page_id int(8) unsigned NOT NULL AUTO_INCREMENT", "page_namespace int(11) NOT NULL DEFAULT 0",
		"page_title varbinary(255) NOT NULL DEFAULT ''", "page_is_redirect tinyint(1) unsigned NOT NULL DEFAULT 0",
		"page_is_new tinyint(1) unsigned NOT NULL DEFAULT 0", "page_random double unsigned NOT NULL DEFAULT 0",
		"page_touched binary(14) NOT NULL", "page_links_updated varbinary(14) DEFAULT NULL", "page_latest int(8) unsigned NOT NULL DEFAULT 0",
		"page_len int(8) unsigned NOT NULL DEFAULT 0", "page_content_model varbinary(32) DEFAULT NULL", "page_lang varbinary(35) DEFAULT NULL",
	}}
	redirectTable = sqlTable{"redirect", []string{
		"rd_from int(8) unsigned NOT NULL DEFAULT 0", "rd_namespace int(11) NOT NULL DEFAULT 0", "rd_title varbinary(255) NOT NULL DEFAULT ''",
		"rd_interwiki varbinary(32) DEFAULT NULL", "rd_fragment varbinary(255) DEFAULT NULL",
	}}
	pagelinksTable = sqlTable{"pagelinks", []string{
		"pl_from int(8) unsigned NOT NULL DEFAULT 0", "pl_from_namespace int(11) NOT NULL DEFAULT 0", "pl_target_id bigint(20) unsigned NOT NULL",
	}}
	linktargetTable = sqlTable{"linktarget", []string{
		"lt_id bigint(20) unsigned NOT NULL AUTO_INCREMENT", "lt_namespace int(11) NOT NULL", "lt_title varbinary(255) NOT NULL",
	}}
	pagePropsTable = sqlTable{"page_props", []string{
		"pp_page int(8) unsigned NOT NULL", "pp_propname varbinary(60) NOT NULL DEFAULT ''", "pp_value blob NOT NULL", "pp_sortkey float DEFAULT NULL",
	}}
)

// statementBytes is about how long an INSERT gets.
const statementBytes = 1 << 20

// write writes the table as mysqldump does, packed.
func (t sqlTable) write(to io.Writer, rows []string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "-- MySQL dump of the demo snapshot\n\nDROP TABLE IF EXISTS `%s`;\nCREATE TABLE `%s` (\n", t.name, t.name)
	for _, c := range t.columns {
		name, kind, _ := strings.Cut(c, " ")
		fmt.Fprintf(&b, "  `%s` %s,\n", name, kind)
	}
	key, _, _ := strings.Cut(t.columns[0], " ")
	fmt.Fprintf(&b, "  KEY `%s` (`%s`)\n) ENGINE=InnoDB DEFAULT CHARSET=binary;\n\nLOCK TABLES `%s` WRITE;\n", key, key, t.name)
	for len(rows) > 0 {
		from, n := b.Len(), 0
		for n < len(rows) && b.Len()-from < statementBytes {
			b.WriteString(map[bool]string{true: "INSERT INTO `" + t.name + "` VALUES ", false: ","}[n == 0] + rows[n])
			n++
		}
		rows = rows[n:]
		b.WriteString(";\n")
	}
	b.WriteString("UNLOCK TABLES;\n-- Dump completed\n")
	return (&multistream{out: to}).stream(b.Bytes())
}

var quoter = strings.NewReplacer(`\`, `\\`, `'`, `\'`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\x00", `\0`, "\x1a", `\Z`)

// row writes values as mysqldump does; nil is NULL.
func row(values ...any) string {
	var parts []string
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			parts = append(parts, "NULL")
		case string:
			parts = append(parts, "'"+quoter.Replace(v)+"'")
		case bool:
			parts = append(parts, map[bool]string{true: "1", false: "0"}[v])
		case int:
			parts = append(parts, strconv.Itoa(v))
		}
	}
	return "(" + strings.Join(parts, ",") + ")"
}
