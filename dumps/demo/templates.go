package demo

// plainPage is a page whose text does not come from the plan.
type plainPage struct {
	ns                         int
	title, model, format, text string
}

const (
	formatWikitext = "text/x-wiki"
	noinclude      = "<noinclude>Documentation: [[Demowiki:About]].</noinclude>"
)

// templates are all templates that articles use. Disambiguation pages are known by the first, or by redirects to it.
var templates = []struct{ name, text string }{
	{"Disambiguation", "<div>This page lists articles with one name.</div>__DISAMBIG__"},
	{"Hndis", "<div>This page lists people with one name.</div>__DISAMBIG__"},
	{"About", "''This page is about {{{1}}}. For {{{2}}}, see [[{{{3}}}]].''"},
	{"Birth date", "{{{3}}}.{{{2}}}.{{{1}}}"},
	{"Death date and age", "{{{3}}}.{{{2}}}.{{{1}}}"},
	{"Start date", "{{{1}}}"},
	{"Cite book", "{{{author|}}}: ''{{{title}}}''"},
	{"Convert", "{{{1}}} {{{2}}}"},
	{"Cvt", "{{{1}}} {{{2}}}"},
	{"Coord", "<span class=\"geo\">{{{1}}} {{{2}}}</span>"},
	{"Quote", "<blockquote>{{{text}}} — {{{sign|}}}</blockquote>"},
	{"Reflist", "<references />"},
	{"Short description", "<span style=\"display:none\">{{{1}}}</span>"},
	{"Stub", "''This article is short.''[[Category:Stubs]]"},
	{"Infobox country", boxText},
	{"Infobox settlement", boxText},
	{"Infobox building", boxText},
	{"Infobox river", boxText},
	{"Infobox mountain", boxText},
	{"Infobox lake", boxText},
	{"Infobox event", boxText},
	{"Infobox person", boxText},
	{"Infobox novel", boxText},
	{"Infobox opera", boxText},
	{"Infobox painting", boxText},
	{"Infobox treatise", boxText},
	{"Infobox film", boxText},
	{"Automatic taxobox", boxText},
	{"Speciesbox", boxText},
}

const boxText = "{| class=\"infobox\"\n! {{{name|{{PAGENAME}}}}}\n|}"

// otherPages are pages that are no articles: other namespaces, and content models other than wikitext, of which one
// lies in namespace 0.
var otherPages = []plainPage{
	{nsProject, "Demowiki:About", wikitext, formatWikitext, "Everything in this wiki is invented. See [[List of countries]]."},
	{nsHelp, "Help:Contents", wikitext, formatWikitext, "See [[Demowiki:About]]."},
	{nsSystem, "MediaWiki:Common.css", "css", "text/css", ".infobox { float: right; } /* [[List of countries]] */\n"},
	{nsSystem, "MediaWiki:Common.js", "javascript", "text/javascript", "// [[List of regions]]\nmw.loader.load('x');\n"},
	{nsTemplate, "Template:Quote/styles.css", "sanitized-css", "text/css", "blockquote { margin: 1em; }\n"},
	{nsModule, "Module:Convert", "Scribunto", "text/plain", "local p = {} -- [[List of lakes]]\nreturn p\n"},
	{nsModule, "Module:Convert/doc", wikitext, formatWikitext, "Used by {{tl|Convert}}."},
	{nsMain, "Census table", "json", "application/json", "{\n    \"link\": \"[[List of regions]]\"\n}"},
}
