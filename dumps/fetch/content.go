package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// contentRoot is where the content exports lie below the site.
const contentRoot = "/other/mediawiki_content_current/"

// sumsName is the file that marks a complete run of the content exports, and has its sums.
const sumsName = "SHA256SUMS"

func (c *client) listContent(ctx context.Context) (Listing, error) {
	l := Listing{Wiki: c.opts.Wiki, Date: c.opts.Date, Source: Content}
	dashed := l.Date[:4] + "-" + l.Date[4:6] + "-" + l.Date[6:]
	root := c.opts.Base + contentRoot + l.Wiki + "/" + dashed + "/xml/bzip2/"
	text, err := c.document(ctx, root+sumsName, hexDigits)
	if absent := (*absence)(nil); errors.As(err, &absent) {
		return l, fault.New(fault.Checksum, "no %s: the run is not complete, or not kept any more", sumsName).At(root, "").
			Hint("take another date: the first of one of the last three months")
	}
	if err != nil {
		return l, err
	}
	sum := sha256.Sum256(text)
	l.SumsSHA256 = hex.EncodeToString(sum[:])
	names, sums, err := sumLines(root+sumsName, text, hex.EncodedLen(len(sum)))
	if err != nil {
		return l, err
	}
	for i, name := range names {
		if !l.own(name, dashed) || !strings.HasSuffix(name, ".xml.bz2") {
			return l, fault.New(fault.Checksum, "file %s is no shard of this run", fault.Quote(name)).At(root+sumsName, "")
		}
		size, err := c.size(ctx, root+name)
		if err != nil {
			return l, err
		}
		l.Files = append(l.Files, File{Name: name, Bytes: size, URL: root + name, Sums: map[string]string{"sha256": sums[i]}})
	}
	l.Files = append(l.Files, File{
		Name: sumsName, Bytes: int64(len(text)), URL: root + sumsName, Sums: map[string]string{"sha256": l.SumsSHA256},
	})
	return l, nil
}
