package mediawiki

import "github.com/wikinav/wikinav/dumps/mediawiki/guard"

// decoded is what a decoder adds to the guard's record: the fields that hold text of the page's author.
type decoded struct {
	title, redirect, text string
}

// decoder decodes the pages that a guard let through, in order. An error is damage and final.
type decoder interface {
	decode(rec *guard.Record) (decoded, error)
}

// nativeDecoder takes pages as the guard's byte scanner reads them; what is left to do is to resolve the text's references.
type nativeDecoder struct{}

func (nativeDecoder) decode(rec *guard.Record) (decoded, error) {
	return decoded{rec.Title, rec.RedirectTitle, guard.Unescape(rec.Text)}, nil
}

// newDecoder makes the decoder of a reader, one of the values of Options.Reader.
func newDecoder(reader string) decoder {
	if reader == ReaderWikiparse {
		return newWikiparseDecoder()
	}
	return nativeDecoder{}
}
