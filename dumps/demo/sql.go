package demo

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// statementBytes is about how long an INSERT gets.
const statementBytes = 1 << 20

// writeTable writes a table of world.toml as mysqldump does, packed.
func writeTable(to io.Writer, table string, rows []string) error {
	var b bytes.Buffer
	columns := text.Tables[table]
	fmt.Fprintf(&b, "-- MySQL dump of the demo snapshot\n\nDROP TABLE IF EXISTS `%s`;\nCREATE TABLE `%s` (\n", table, table)
	for _, c := range columns {
		name, kind, _ := strings.Cut(c, " ")
		fmt.Fprintf(&b, "  `%s` %s,\n", name, kind)
	}
	key, _, _ := strings.Cut(columns[0], " ")
	fmt.Fprintf(&b, "  KEY `%s` (`%s`)\n) ENGINE=InnoDB DEFAULT CHARSET=binary;\n\nLOCK TABLES `%s` WRITE;\n", key, key, table)
	for len(rows) > 0 {
		from, n := b.Len(), 0
		for n < len(rows) && b.Len()-from < statementBytes {
			b.WriteString(map[bool]string{true: "INSERT INTO `" + table + "` VALUES ", false: ","}[n == 0] + rows[n])
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
