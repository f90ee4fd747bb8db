package links

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

// The oracle does steps A0 to C again in the slow and plain way: regular expressions tried at every position, and
// places found by comparing each position with every pair.

const (
	oracleRaw = "nowiki|pre|math|chem|ce|syntaxhighlight|source|score|timeline|hiero|templatedata|templatestyles|graph|" +
		"mapframe|maplink|categorytree|inputbox|section|charinsert|rawhtml|languages"
	oracleSub = "ref|references|poem|gallery|imagemap|indicator|langconvert"
)

var (
	oracleMagic   = regexp.MustCompile(`\{\{(!|=|!-|!!|[\s\v]*(?:FULL)?PAGENAME[\s\v]*)\}\}`)
	oracleComment = regexp.MustCompile(`(?s)^<!--.*?(-->|$)`)
	oracleTag     = regexp.MustCompile(`(?is)^<(/?)(` + oracleRaw + `|` + oracleSub + `|includeonly|noinclude|onlyinclude)([\s\v/][^>]*)?>`)
	oracleLink    = regexp.MustCompile("(?s)^([ %!\"$&'()*,\\-./0-9:;=?@A-Z\\\\^_`a-z~+#\u0080-\U0010FFFF]+)(?:\\|(.+?))?\\]\\]")
	oracleTable   = regexp.MustCompile(`(?m)^[ \t:]*(\{\||\|\})`)
	oracleFile    = regexp.MustCompile(`(?i)^[ _]*(file|image)[ _]*:`)
	oracleRef     = regexp.MustCompile(`(?i)^[\s\v]*#tag:ref[\s\v]*\|`)
)

type oraclePair struct {
	from, to int
	place    place
}

type oracle struct {
	site    *titles.Site
	own     titles.Title
	links   []Link
	anchors []Anchor
	seen    int // occurrences
}

func (o *oracle) run(text string) []Link {
	text = oracleMagic.ReplaceAllStringFunc(text, func(word string) string {
		switch word {
		case "{{!}}":
			return "|"
		case "{{=}}":
			return "="
		case "{{!-}}":
			return "|-"
		case "{{!!}}":
			return "||"
		}
		return o.own.Text
	})
	o.fragment(text, inBody)
	return o.links
}

// flatten gives the flat text, with bodies by the offset of their markers.
func (o *oracle) flatten(raw string) (flat string, bodies map[int][2]string) {
	bodies = map[int][2]string{}
	for raw != "" {
		if comment := oracleComment.FindString(raw); comment != "" {
			raw = raw[len(comment):]
			continue
		}
		m := oracleTag.FindStringSubmatch(raw)
		if m == nil {
			flat, raw = flat+raw[:1], raw[1:]
			continue
		}
		tag, closing, name, rest := m[0], m[1] != "", strings.ToLower(m[2]), raw[len(m[0]):]
		sub := slices.Contains(strings.Split(oracleSub, "|"), name)
		include := strings.Contains(name, "include")
		close := regexp.MustCompile(`(?i)</` + name + `[\s\v]*>`).FindStringIndex(rest)
		switch {
		case closing && !include:
			flat, raw = flat+"<", raw[1:]
		case closing, name == "noinclude", name == "onlyinclude", include && strings.HasSuffix(tag, "/>"):
			raw = rest
		case strings.HasSuffix(tag, "/>"):
			flat, raw = flat+"\x7F", rest
		case include && close == nil:
			raw = ""
		case include:
			raw = rest[close[1]:]
		case close == nil:
			flat, raw = flat+"<", raw[1:]
		default:
			if sub {
				bodies[len(flat)] = [2]string{name, rest[:close[0]]}
			}
			flat, raw = flat+"\x7F", rest[close[1]:]
		}
	}
	return flat, bodies
}

// pairs finds every balanced pair of the flat text.
func (o *oracle) pairs(flat string) (pairs []oraclePair) {
	tables := map[int]bool{}
	for _, m := range oracleTable.FindAllStringSubmatchIndex(flat, -1) {
		tables[m[2]] = true
	}
	open := map[string][]int{}
	shut := func(kind string, to int, found func(from int)) {
		if stack := open[kind]; len(stack) > 0 {
			open[kind] = stack[:len(stack)-1]
			found(stack[len(stack)-1])
		}
	}
	for i := 0; i+1 < len(flat); i++ {
		mark := flat[i : i+2]
		switch {
		case mark == "{|" && tables[i], mark == "{{", mark == "[[":
			open[mark] = append(open[mark], i)
		case mark == "|}" && tables[i]:
			if strings.HasPrefix(flat[i:], "|}}") && len(open["{{"]) > 0 {
				continue
			}
			shut("{|", i, func(from int) { pairs = append(pairs, oraclePair{from, i, inTable}) })
		case mark == "}}":
			shut("{{", i, func(from int) {
				pairs = append(pairs, oraclePair{from, i, inTemplate})
				if oracleRef.MatchString(flat[from+2:]) {
					pairs = append(pairs, oraclePair{from, i, inRefs})
				}
			})
		case mark == "]]":
			shut("[[", i, func(from int) {
				if pipe := strings.Index(flat[from:i], "|"); pipe >= 0 && oracleFile.MatchString(flat[from+2:]) {
					pairs = append(pairs, oraclePair{from + pipe, i, inCaptions})
				}
			})
		default:
			continue
		}
		i++
	}
	return pairs
}

func (o *oracle) fragment(raw string, around place) {
	flat, bodies := o.flatten(raw)
	pairs := o.pairs(flat)
	at := func(pos int) place {
		best := around
		for _, p := range pairs {
			if p.from < pos && pos < p.to {
				best = min(best, p.place)
			}
		}
		return best
	}
	pos := 0
	for i, piece := range strings.Split(flat, "[[") {
		if m := oracleLink.FindStringSubmatch(piece); i > 0 && m != nil {
			o.keep(m[1], m[2], piece[len(m[0]):], at(pos-2))
		}
		for ; len(piece) > 0; piece, pos = piece[1:], pos+1 {
			if body, ok := bodies[pos]; ok {
				inside := map[string]place{"ref": inRefs, "references": inRefs, "gallery": inCaptions, "imagemap": inCaptions}
				p, special := inside[body[0]]
				if !special {
					p = inBody
				}
				o.fragment(body[1], min(p, at(pos)))
			}
		}
		pos += 2
	}
}

func (o *oracle) keep(raw, label, after string, p place) {
	t, err := o.site.ParseTitle(raw)
	if err != nil || t.NS != 0 || t.Interwiki != "" || t.Text == "" || t.Text == o.own.Text {
		return
	}
	i := slices.IndexFunc(o.links, func(l Link) bool { return l.Target == t.Text })
	if i < 0 {
		i = len(o.links)
		o.links = append(o.links, Link{Target: t.Text})
	}
	o.links[i].Provenance |= provenances[p]
	o.keepAnchor(Anchor{uint32(i), uint32(o.seen), provenances[p], oracleAnchor(raw, label, after)})
	o.seen++
}

// compareWithOracle checks one text. The oracle does not know a marker byte of the text from its own.
func compareWithOracle(t testing.TB, x *Extractor, text, label string) {
	t.Helper()
	own := titles.Title{Text: "T"}
	want := (&oracle{site: x.site, own: own}).run(text)
	if got := x.Links(own, text); !slices.Equal(got, want) {
		t.Fatalf("%s: %q: got %v, want %v", label, text, got, want)
	}
}

var oracleTokens = []string{
	"[[", "]]", "[", "]", "|", "|", "{{", "}}", "{", "}", "\n{|", "\n|}", "\n :{|", "\n", " ", ":", "[[File:", "[[ image :", "|x",
	"A", "b", "[[B]]", "[[c|d]]", "[[D]]", "[[e#f|g]]", "[[T]]", "fr:", "Category:", "#tag:ref|", "{{#tag:ref|", "{{#Tag:REF |",
	"{{!}}", "{{=}}", "{{!-}}", "{{!!}}", "{{ PAGENAME }}", "{{PAGENAME", "<", ">", "/>", "<ref>", "</ref>", "<ref name=x/>", "<REF >", "<refx>",
	"<references>", "</references>", "<nowiki>", "</nowiki\n>", "<nowiki/>", "<gallery>", "</gallery>", "<poem>", "</POEM >",
	"<!--", "-->", "\n<!-- c -->\n", "<includeonly>", "</includeonly>", "<includeonly/>", "<noinclude>", "</noinclude>", "</onlyinclude >",
	"é", "&amp;", "%41", "''", "'''''", "'", "s", "sé", "__A__", "&nbsp;", "  ", "<br/>", "]]s", "]]s", "[[A|''", "[[b|",
	// What makes places stands more than once, so that enough links get into them.
	"{{", "{{x|", "}}", "}}", "\n{|\n|", "\n{|\n|", "\n|}", "\n|}", "[[File:x|", "]]", "]]", "[[B]]", "[[B]]", "[[A|x]]",
	"<gallery>", "</gallery>",
}

func TestExtractionEqualsOracleOnRandomText(t *testing.T) {
	x, with := NewExtractor(wikitest.EnglishWikipedia()), anchorReader()
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for n := range 10_000 {
		var b strings.Builder
		for range 1 + r.IntN(40) {
			b.WriteString(oracleTokens[r.IntN(len(oracleTokens))])
		}
		compareWithOracle(t, x, b.String(), fmt.Sprintf("seed %d text %d", seed, n))
		compareAnchorsWithOracle(t, with, titles.Title{Text: "T"}, b.String())
	}
	c := x.Counts()
	CheckBalance(t, c)
	for i, kept := range c[InFirst:] { // texts that never reach a place would prove nothing about it
		if kept < 300 {
			t.Errorf("only %d links at place %d: %+v", kept, i, c)
		}
	}
}

func FuzzLinks(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.Wikitext)
	}
	f.Add(workedExample)
	for _, c := range anchorCases {
		f.Add(c.text)
	}
	x, with := NewExtractor(wikitest.EnglishWikipedia()), anchorReader()
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, markup.Marker) {
			x.Links(titles.Title{Text: "T"}, text)
			with.Links(titles.Title{Text: "T"}, text)
			return
		}
		compareWithOracle(t, x, text, "fuzz")
		compareAnchorsWithOracle(t, with, titles.Title{Text: "T"}, text)
		CheckBalance(t, x.Counts())
	})
}
