// Package wikitext reads titles, links, leads, templates and facts out of the text of MediaWiki pages.
//
// It owns one site's naming rules (Site: namespaces, letter case, interwiki prefixes, per-language words), the
// normalisation of titles (ParseTitle), the extraction of links with the place where each stands and what readers see of it (Extractor), the target
// of a redirect, the flags of a page, its lead (Site.Lead), its templates (Templates) and the values they state (Facts).
//
// The rules are sections 5 to 7 of the inputs specification. Steps A to F of 5.1 to 5.6 give the files of links their
// order: magic.go and flatten.go, grammar.go, title.go, counts.go, redirect.go, disambiguation.go. Leads (6) are made in
// lead.go, then leadtemplates.go, leadlinks.go and leadlines.go. Templates (7.1) are found by braces.go and read by
// templates.go; facts (7.2) begin in facts.go, with a file for each kind of value.
//
// It promises that any text is accepted, that the work is linear in it but for sorting the templates, and that
// everything is accounted for: every `[[`, every template and every value that could be a fact is kept, or counted under
// the reason that dropped it. Results depend on the text, the site and the Unicode tables of the toolchain and of
// golang.org/x/text, and on nothing else.
//
// It never expands templates, never reads another page, never resolves a redirect and never logs. Positions in text are
// byte offsets.
package wikitext
