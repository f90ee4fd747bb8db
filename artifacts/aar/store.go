package aar

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Part returns the world of some of the pages of w, in memory: with their aliases, and with the
// links to other pages replaced by their labels. A search ranks them as one of w does.
func (w *World) Part(pages []int) *World {
	pages = slices.Compact(slices.Sorted(slices.Values(pages)))
	ids, names := map[uint32]bool{}, map[string]bool{}
	for _, i := range pages {
		ids[w.ID(i)], names[w.Title(i)] = true, true
	}
	var aliases []Alias
	for k := range w.Aliases() {
		if a := w.Alias(k); ids[a.PageID] {
			aliases, names[a.Name] = append(aliases, a), true
		}
	}
	texts := make([]schemas.Text, len(pages))
	for k, i := range pages {
		t := w.Text(i)
		text, _ := w.Relink(t.Text, func(title string) bool { return names[title] })
		t.Chars -= uint32(utf8.RuneCountInString(t.Text) - utf8.RuneCountInString(text))
		t.Text = text
		texts[k] = t
	}
	part := NewWorld(w.Site, texts, aliases)
	part.weigh(w.corpusOf(part.Index))
	return part
}

// StoreFile holds the world of one task: a line that says of which wiki it is, how many calls are
// answered and by what a search weighs words, and a line for each page. Places and index follow
// from these and are computed when it is opened: a store has some hundred pages, and the program
// of a task writes no tables.
const StoreFile = "pages.jsonl"

// StoreSchema names its version.
const StoreSchema = "aar.store/1"

type storeHead struct {
	Schema   string `json:"schema"`
	Base     string `json:"base"`
	Language string `json:"language"`
	Year     int    `json:"year"`
	Calls    int    `json:"calls"`
	Corpus   Corpus `json:"corpus"`
}

type storePage struct {
	PageID           uint32   `json:"page_id"`
	Title            string   `json:"title"`
	Aliases          []string `json:"aliases"`
	ShortDescription string   `json:"short_description"`
	Text             string   `json:"text"`
	Chars            uint32   `json:"chars"` // of the whole text
	Truncated        bool     `json:"truncated"`
}

// WriteStore writes a world, and how many calls of its tools are answered.
func (w *World) WriteStore(out io.Writer, calls int) error {
	buffered := bufio.NewWriter(out)
	lines := json.NewEncoder(buffered)
	lines.SetEscapeHTML(false)
	corpus := w.corpusOf(w.Index)
	err := lines.Encode(storeHead{StoreSchema, w.Base, w.Language, w.Year, calls, *corpus})
	names := map[uint32][]string{}
	for k := range w.Aliases() {
		names[w.Alias(k).PageID] = append(names[w.Alias(k).PageID], w.Alias(k).Name)
	}
	for i := 0; i < w.Len() && err == nil; i++ {
		t := w.Text(i)
		aliases := append([]string{}, names[t.PageID]...)
		err = lines.Encode(storePage{
			t.PageID, t.Title, aliases, t.ShortDescription, t.Text, t.Chars, t.Truncated,
		})
	}
	return cmp.Or(err, buffered.Flush())
}

// ReadStore reads a world, and how many calls of its tools are answered.
func ReadStore(in io.Reader) (w *World, calls int, err error) {
	lines := json.NewDecoder(bufio.NewReader(in))
	var head storeHead
	if err := lines.Decode(&head); err != nil || head.Schema != StoreSchema || head.Calls < 1 {
		return nil, 0, fault.New(fault.Malformed, "it does not begin as %s does", StoreSchema)
	}
	var pages []schemas.Text
	var aliases []Alias
	for n := 2; ; n++ {
		var p storePage
		err := lines.Decode(&p)
		if err == io.EOF {
			return head.world(pages, aliases)
		}
		if err == nil && len(pages) > 0 && pages[len(pages)-1].PageID >= p.PageID {
			err = errors.New("page ids do not ascend")
		}
		if err != nil {
			return nil, 0, fault.New(fault.Malformed, "line %d: %w", n, err)
		}
		for _, name := range p.Aliases {
			aliases = append(aliases, Alias{name, p.PageID})
		}
		pages = append(pages, schemas.Text{
			PageID: p.PageID, Title: p.Title, ShortDescription: p.ShortDescription, Text: p.Text,
			Chars: p.Chars, Truncated: p.Truncated,
		})
	}
}

// world returns the world of a store with these pages, and how many calls are answered.
func (h *storeHead) world(pages []schemas.Text, aliases []Alias) (*World, int, error) {
	w := NewWorld(Site{Base: h.Base, Language: h.Language, Year: h.Year}, pages, aliases)
	if err := h.Corpus.check(w.Index); err != nil {
		return nil, 0, fault.New(fault.Malformed, "line 1: %w", err)
	}
	w.weigh(&h.Corpus)
	return w, h.Calls, nil
}

// Needed lists the pages that a leg needs: those of its stops, those that its calls name, and all
// that its calls answer with, such as the places that a stop counts.
func (t *Tools) Needed(ctx context.Context, l *schemas.AARLeg) (pages []int, err error) {
	add := func(page int, ok bool) {
		if ok {
			pages = append(pages, page)
		}
	}
	for i := range l.Stops {
		s := &l.Stops[i]
		if s.PageURL != nil {
			add(t.World.Page(*s.PageURL))
		}
		calls, err := Calls(s.Bridge.ToolChain)
		if err != nil {
			return nil, err
		}
		for _, c := range calls {
			t.named(c.Args, add)
			if c.Tool != toolPython {
				t.named([]byte(t.Whole(ctx, c.Tool, c.Args).Output), add)
			}
		}
	}
	return pages, nil
}

// named visits the pages that the texts of a JSON value name: by name, after `near`, or by the id
// of a place.
func (t *Tools) named(data []byte, add func(page int, ok bool)) {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return // the text of a page
	}
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, v := range v {
				visit(v)
			}
		case map[string]any:
			for _, v := range v { // of a set of pages
				visit(v)
			}
		case string:
			if _, place, ok := strings.Cut(v, nearWord); ok {
				visit(place)
			}
			if id, ok := strings.CutPrefix(v, placeIDPrefix); ok {
				n, err := strconv.ParseUint(id, 10, 32)
				page, is := t.World.Number(uint32(n))
				add(page, is && err == nil)
			}
			page, code := t.World.Resolve(v)
			add(page, code == "")
		}
	}
	visit(v)
}
