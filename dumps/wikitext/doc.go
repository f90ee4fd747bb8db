// Package wikitext reads titles and links out of the text of MediaWiki pages.
//
// It owns one site's naming rules (Site: namespaces, letter case, interwiki prefixes, per-language words), the
// normalisation of titles (ParseTitle), the extraction of links with the place where each stands (Extractor), the target
// of a redirect and the flags of a page. The rules are sections 5.1 to 5.6 of the inputs specification, whose steps A to
// F give the files their order: magic.go and flatten.go, grammar.go, title.go, counts.go, redirect.go.
//
// It promises that any text is accepted, that the work is linear in it, and that every `[[` is accounted for: kept, or
// counted under the reason that dropped it. Results depend on the text, the site and the Unicode tables of the toolchain
// and of golang.org/x/text, and on nothing else.
//
// It never expands templates, never reads another page, never resolves a redirect and never logs. Positions in text are
// byte offsets.
package wikitext
