package ingest

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// writeRedirects writes the redirects in order of their titles.
func writeRedirects(env stages.Env, byTitle *sorter) error {
	return stages.WriteRows(env, "redirects.arrow", schemas.RedirectsTable, func(w *arrowio.Writer) error {
		return eachTitle(byTitle, func(title []byte, id uint32, isRedirect bool, r titles.Redirect) error {
			if !isRedirect {
				return nil
			}
			return w.Row(title, id, r.Target, r.Fragment, uint8(r.Kind))
		})
	})
}

// eachTitle visits the pages in order of their titles, and refuses a title that two pages of a
// namespace have.
func eachTitle(byTitle *sorter, visit func(title []byte, id uint32, isRedirect bool, r titles.Redirect) error) error {
	var last []byte
	var lastID uint32
	return byTitle.each(func(key, payload []byte) error {
		id, isRedirect, r := decodeRedirect(payload)
		if bytes.Equal(key, last) {
			return fault.New(fault.Malformed, "pages %d and %d have the same title %s", lastID, id, fault.Quote(titleOf(key)))
		}
		last, lastID = append(last[:0], key...), id
		return visit(titleOf(key), id, isRedirect, r)
	})
}

// outputs are the files that one merge of the sorter fills together.
type outputs struct {
	pages, links, titles, anchors, leads, facts, boxes, texts *arrowio.Writer

	withAnchors, withTexts bool
	written                int64 // rows of links
	anchorRows             int64
	textRows, cutTexts     int64
}

// fillTogether opens the tables one inside the other, lets fill write to all, and commits them.
func (o *outputs) fillTogether(env stages.Env, fill func() error) error {
	files := []struct {
		name  string
		table schemas.Table
		to    **arrowio.Writer
	}{
		{"pages.arrow", schemas.PagesTable, &o.pages},
		{"links.arrow", schemas.LinksTable, &o.links},
		{"link-titles.arrow", schemas.LinkTitlesTable, &o.titles},
		{anchorsFile, schemas.LinkAnchorsTable, &o.anchors},
		{"leads.arrow", schemas.LeadsTable, &o.leads},
		{"facts.arrow", schemas.FactsTable, &o.facts},
		{"infoboxes.arrow", schemas.InfoboxesTable, &o.boxes},
		{textsFile, schemas.TextsTable, &o.texts},
	}
	open := fill
	for _, f := range slices.Backward(files) {
		inner := open
		open = func() error {
			opts := stages.Options(env)
			switch f.name {
			case anchorsFile:
				opts = stages.AnchorOptions(env, o.withAnchors)
			case textsFile:
				opts = stages.TextOptions(env, o.withTexts)
			}
			return env.Write(f.name, stages.Rows(f.table, opts, func(w *arrowio.Writer) error {
				*f.to = w
				return inner()
			}))
		}
	}
	return open()
}

// writePages writes everything that is ordered by page id. Only now is it known which templates
// mark disambiguation pages; props, where there are any, name such pages besides them; and whether
// the wiki is small enough for anchors and texts.
func writePages(env stages.Env, byID *sorter, dabTemplates map[uint64]bool, props map[uint32]bool, what needs) error {
	out := outputs{withAnchors: what.anchors.on(), withTexts: what.texts.on()}
	var dabs, dabsByProps, dabsInBoth, emptyLeads, leads int64
	err := out.fillTogether(env, func() error {
		return byID.each(func(key, payload []byte) error {
			r := decodeRecord(binary.BigEndian.Uint32(key), payload)
			if slices.ContainsFunc(r.templates, func(h uint64) bool { return dabTemplates[h] }) {
				r.flags |= schemas.FlagDisambiguation
			}
			if props[r.id] {
				dabsByProps += one(r.flags&schemas.FlagDisambiguation == 0)
				dabsInBoth += one(r.flags&schemas.FlagDisambiguation != 0)
				r.flags |= schemas.FlagDisambiguation
			}
			dabs += one(r.flags&schemas.FlagDisambiguation != 0)
			leads += one(r.isArticle())
			emptyLeads += one(r.isArticle() && r.lead == "")
			return out.write(&r)
		})
	})
	stages.Counts(env, map[string]int64{
		"pages_disambiguation": dabs, "pages_disambiguation_by_props_only": dabsByProps,
		"link_anchors": out.anchorRows, "leads": leads, "leads_empty": emptyLeads,
	})
	if out.withTexts {
		stages.Counts(env, map[string]int64{"page_texts": out.textRows, "page_texts_truncated": out.cutTexts})
	}
	if props != nil { // the share of both in pages by text is its precision, in pages by props its recall
		stages.Counts(env, map[string]int64{
			"pages_disambiguation_by_text": dabs - dabsByProps, "pages_disambiguation_by_props": dabsByProps + dabsInBoth,
			"pages_disambiguation_in_both": dabsInBoth,
		})
	}
	return err
}

func (o *outputs) write(r *record) error {
	if err := o.writeAnchors(r); err != nil {
		return err
	}
	if err := writeLinks(o.links, o.titles, r); err != nil {
		return err
	}
	o.written += int64(len(r.links))
	if r.isArticle() {
		sum := digest.Text(r.lead)
		if err := o.leads.Row(r.id, r.lead, r.truncated, sum[:]); err != nil {
			return err
		}
	}
	if err := o.writeText(r); err != nil {
		return err
	}
	for _, f := range r.facts {
		if err := o.facts.Row(r.id, f.Key, f.Kind, f.Value, f.Unit, f.Raw, uint32(f.Offset), f.Source); err != nil {
			return err
		}
	}
	if r.infobox != "" {
		if err := o.boxes.Row(r.id, r.infobox); err != nil {
			return err
		}
	}
	return o.pages.Row(
		r.id, r.ns, r.title, r.isRedirect, r.model, r.revID, r.revTime, r.textBytes, r.textSHA256[:], r.flags, r.selfLinks,
	)
}

const textsFile = "texts.arrow"

// writeText writes the text of r, an article.
func (o *outputs) writeText(r *record) error {
	if !o.withTexts || !r.isArticle() {
		return nil
	}
	o.textRows++
	o.cutTexts += one(r.text.Truncated)
	return o.texts.Row(r.id, r.title, r.text.ShortDescription, r.text.Text, r.text.Chars, r.text.Truncated)
}

func writeLinks(links, titles *arrowio.Writer, f *record) error {
	for _, l := range f.links {
		if err := links.Row(f.id, xxhash.Sum64String(l.Target), l.Provenance); err != nil {
			return err
		}
		if err := titles.Row(l.Target); err != nil {
			return err
		}
	}
	return nil
}
