package demo

import (
	"bytes"
	"compress/bzip2"
	"encoding/xml"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The reader of these tests shares no code with the generator: encoding/xml, the standard library's bzip2, and a
// plain scan for links.

type xmlPage struct {
	Title    string `xml:"title"`
	NS       int    `xml:"ns"`
	ID       int    `xml:"id"`
	Redirect *struct {
		Title string `xml:"title,attr"`
	} `xml:"redirect"`
	Revision []struct {
		ID        int    `xml:"id"`
		Timestamp string `xml:"timestamp"`
		Model     string `xml:"model"`
		Format    string `xml:"format"`
		SHA1      string `xml:"sha1"`
		Text      struct {
			Bytes   int    `xml:"bytes,attr"`
			SHA1    string `xml:"sha1,attr"`
			Deleted string `xml:"deleted,attr"`
			Body    string `xml:",chardata"`
		} `xml:"text"`
	} `xml:"revision"`
}

func (p *xmlPage) text() string { return p.Revision[0].Text.Body }

func unzip(t *testing.T, data []byte) []byte {
	t.Helper()
	out, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(data)))
	if err != nil {
		t.Fatalf("unpack: %v", err)
	}
	return out
}

func readPages(t *testing.T, plain []byte) []xmlPage {
	t.Helper()
	var doc struct {
		Pages []xmlPage `xml:"page"`
	}
	if err := xml.Unmarshal(plain, &doc); err != nil {
		t.Fatalf("read dump: %v", err)
	}
	return doc.Pages
}

var (
	voidRE = regexp.MustCompile(`(?s)<!--.*?-->|<nowiki>.*?</nowiki>|<pre>.*?</pre>|<math>.*?</math>|<syntaxhighlight.*?</syntaxhighlight>`)
	linkRE = regexp.MustCompile(`\[\[([^\[\]{}|<>\n]+)(?:\|[^\[\]]+)?\]\]`)
	charRE = regexp.MustCompile(`&(?:#[0-9]+|#x[0-9A-Fa-f]+|eacute|amp);`)
)

// targets are the link targets of a text in source order, as titles; prefixes of other namespaces are left in.
func targets(text string) []string {
	text = voidRE.ReplaceAllString(strings.ReplaceAll(text, "{{!}}", "|"), "")
	var out []string
	for _, m := range linkRE.FindAllStringSubmatch(text, -1) {
		if title := titleOf(m[1]); title != "" {
			out = append(out, title)
		}
	}
	return out
}

func titleOf(raw string) string {
	if s, err := url.PathUnescape(raw); err == nil {
		raw = s
	}
	raw = charRE.ReplaceAllStringFunc(raw, decodeChar)
	raw, _, _ = strings.Cut(strings.ReplaceAll(raw, "_", " "), "#")
	raw = strings.TrimPrefix(strings.Join(strings.Fields(raw), " "), ":")
	r, n := utf8.DecodeRuneInString(raw)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + raw[n:]
}

func decodeChar(s string) string {
	var out string
	if err := xml.Unmarshal([]byte("<x>"+strings.Replace(s, "&eacute;", "é", 1)+"</x>"), &out); err != nil {
		return s
	}
	return out
}
