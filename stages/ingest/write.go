package ingest

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// table opens a row-wise table writer, lets fill use it, and closes it.
func table(env stages.Env, name string, t schemas.Table, fill func(*arrowio.Writer) error) error {
	return env.Write(name, func(w io.Writer) (arrowio.Summary, error) {
		tw, err := arrowio.NewWriter(w, t, stages.Options(env))
		if err != nil {
			return arrowio.Summary{}, err
		}
		if err := fill(tw); err != nil {
			return arrowio.Summary{}, err
		}
		return tw.Close()
	})
}

// writeRedirects writes the redirects in order of their titles, and refuses a title that two pages of a namespace have.
func writeRedirects(env stages.Env, byTitle *sorter) error {
	return table(env, "redirects.arrow", schemas.RedirectsTable, func(w *arrowio.Writer) error {
		var last []byte
		var lastID uint32
		return byTitle.each(func(key, payload []byte) error {
			id, isRedirect, r := decodeRedirect(payload)
			if bytes.Equal(key, last) {
				return fault.New(fault.Malformed, "pages %d and %d have the same title %s", lastID, id, fault.Quote(titleOf(key)))
			}
			last, lastID = append(last[:0], key...), id
			if !isRedirect {
				return nil
			}
			return writeRedirect(w, titleOf(key), id, r)
		})
	})
}

func writeRedirect(w *arrowio.Writer, title []byte, id uint32, r wikitext.Redirect) error {
	w.String(0, string(title))
	w.Uint32(1, id)
	w.String(2, r.Target)
	w.String(3, r.Fragment)
	w.Uint8(4, uint8(r.Kind))
	return w.EndRow()
}

// writePages writes pages and links together, because one merge of the sorter yields both.
func writePages(env stages.Env, byID *sorter, skipped []mediawiki.Skipped) error {
	err := table(env, "pages.arrow", schemas.PagesTable, func(pages *arrowio.Writer) error {
		return table(env, "links.arrow", schemas.LinksTable, func(links *arrowio.Writer) error {
			return table(env, "link-titles.arrow", schemas.LinkTitlesTable, func(titles *arrowio.Writer) error {
				return byID.each(func(key, payload []byte) error {
					f := decodeFact(binary.BigEndian.Uint32(key), payload)
					if err := writeLinks(links, titles, &f); err != nil {
						return err
					}
					return writePage(pages, &f)
				})
			})
		})
	})
	if err != nil {
		return err
	}
	return env.Write("skipped.jsonl", writeLines(skippedLines(skipped)))
}

func writePage(w *arrowio.Writer, f *fact) error {
	w.Uint32(0, f.id)
	w.Int16(1, f.ns)
	w.String(2, f.title)
	w.Bool(3, f.isRedirect)
	w.String(4, f.model)
	w.Uint64(5, f.revID)
	w.String(6, f.revTime)
	w.Uint32(7, f.textBytes)
	w.Binary(8, f.textSHA256[:])
	w.Uint16(9, f.flags)
	return w.EndRow()
}

func writeLinks(links, titles *arrowio.Writer, f *fact) error {
	for _, l := range f.links {
		links.Uint32(0, f.id)
		links.Uint64(1, xxhash.Sum64String(l.Target))
		links.Uint8(2, l.Provenance)
		if err := links.EndRow(); err != nil {
			return err
		}
		titles.String(0, l.Target)
		if err := titles.EndRow(); err != nil {
			return err
		}
	}
	return nil
}

func skippedLines(skipped []mediawiki.Skipped) []byte {
	var out []byte
	for _, s := range skipped {
		out = append(append(out, canon.MustMarshal(s)...), '\n')
	}
	return out
}
