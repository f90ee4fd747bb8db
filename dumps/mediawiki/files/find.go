package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Part is one file of a dump.
type Part struct {
	Path  string
	Index string // the index beside it; "" when there is none
	First uint32 // id of its first page; 0 when it has none
}

// Dumps lists the files of a folder that are dumps by their content, in order of their first page ids, each with its index.
// Indexes, sums, SQL tables, siteinfo and whatever else lies there are set aside; folders in it are not entered. A
// file that cannot be unpacked, and one in a packing that is not read, is an error: it might be a dump.
func Dumps(dir string) ([]Part, error) {
	found, err := surveyFolder(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	parts := make([]Part, len(found))
	for i, f := range found {
		parts[i] = f.Part
	}
	return parts, inOrder(parts)
}

// surveyFolder surveys the files of a folder that are dumps, in order of their names.
func surveyFolder(ctx context.Context, dir string) (found []surveyed, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, Place(err, dir, "")
	}
	for _, file := range files {
		path := filepath.Join(dir, file.Name())
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		is, err := isDump(path)
		if err != nil {
			return nil, Place(err, path, "")
		}
		if !is {
			continue
		}
		one, err := survey(ctx, path)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	if len(found) == 0 {
		return nil, fault.New(fault.Malformed, "no file in the folder is a dump, by content").At(dir, "").
			Hint("want XML, plain or packed with bzip2, gzip or zstd")
	}
	return found, nil
}

// isDump tells by the start of a file's content. UTF-16 may be a dump; reading it says why it is not read.
func isDump(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if kind, err := sniff(f); err != nil || kind == KindUnknown {
		return false, err
	}
	c, err := unpackFile(f)
	if err != nil {
		return false, err
	}
	head, err := io.ReadAll(io.LimitReader(c, int64(guard.DefaultLimits.Tag)))
	if err != nil {
		return false, err
	}
	_, err = guard.NewScanner(bytes.NewReader(head), guard.Whole, guard.DefaultLimits).Next()
	var syntax *guard.SyntaxError
	return err == nil || errors.As(err, &syntax) && syntax.Code == guard.CodeUTF16, nil
}

// surveyed is a part and what its document says of the wiki; nil when it says nothing.
type surveyed struct {
	Part
	size int64
	info *titles.SiteInfo
}

// survey reads a dump up to its first page that has an id.
func survey(ctx context.Context, path string) (s surveyed, err error) {
	f, kind, err := Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return s, Place(err, path, "")
	}
	s.Path, s.size = path, stat.Size()
	s.Index, _ = FindIndex(path)
	c, err := Unpack(ctx, f, kind, 0)
	if err == nil {
		defer c.Close()
		err = s.read(Bound(ctx, c, 0))
	}
	if err != nil && err != io.EOF {
		return s, Place(err, path, "stream at 0: page 1")
	}
	return s, nil
}

func (s *surveyed) read(content io.Reader) error {
	pages := guard.NewPages(content, guard.Whole, guard.DefaultLimits)
	intro, err := pages.Intro(false)
	if err != nil {
		return err
	}
	if intro.SiteInfo != nil {
		info, err := parseSiteInfo(intro)
		if err != nil {
			return err
		}
		s.info = &info
	}
	for s.First == 0 {
		rec, err := pages.Next()
		if err != nil {
			return err
		}
		s.First = rec.ID
	}
	return nil
}

// List surveys files, and the dumps of folders, and puts them in order; size is that of all. One file needs no order. Files of
// different wikis are Malformed unless mixed.
func List(ctx context.Context, paths []string, mixed bool) (parts []Part, size int64, err error) {
	var found []surveyed
	for _, path := range paths {
		stat, err := os.Stat(path)
		switch {
		case err == nil && stat.IsDir():
			inside, err := surveyFolder(ctx, path)
			if err != nil {
				return nil, 0, err
			}
			found = append(found, inside...)
			continue
		case err == nil && len(paths) == 1:
			return []Part{{Path: path}}, stat.Size(), nil
		}
		one, err := survey(ctx, path)
		if err != nil {
			return nil, 0, err
		}
		found = append(found, one)
	}
	if len(found) == 0 {
		return nil, 0, fault.New(fault.Usage, "no dump file is named")
	}
	for _, f := range found {
		if !mixed {
			if err := sameWiki(found[0], f); err != nil {
				return nil, 0, err
			}
		}
		parts = append(parts, f.Part)
		size += f.size
	}
	return parts, size, inOrder(parts)
}

// sameWiki compares the siteinfo of two files, but for what names the program that wrote them.
func sameWiki(a, b surveyed) error {
	if a.info == nil || b.info == nil {
		return nil
	}
	x, y := *a.info, *b.info
	x.Generator, y.Generator, x.Version, y.Version = "", "", "", ""
	if reflect.DeepEqual(x, y) {
		return nil
	}
	return fault.New(fault.Malformed, "its siteinfo differs from that of %s: %s and %s", filepath.Base(a.Path), fault.Quote(y.DBName), fault.Quote(x.DBName)).
		At(b.Path, "").Hint("files of different wikis or runs do not make one dump")
}

var partName = regexp.MustCompile(`multistream(\d+)\.xml`)

// FindIndex gives the index file beside a dump: of the dump's name with ".xml" replaced by "-index.txt"
// (multistream3.xml-p… by multistream-index3.txt-p…), packed or not.
func FindIndex(dump string) (path string, ok bool) {
	folder, name := filepath.Split(dump)
	indexed := partName.ReplaceAllString(name, "multistream-index$1.txt")
	if indexed == name {
		indexed = strings.Replace(name, ".xml", "-index.txt", 1)
	}
	if indexed == name {
		return "", false
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(indexed, ".bz2"), ".gz")
	return firstOf(folder, indexed, bare, bare+".bz2", bare+".gz")
}

// firstOf gives the first of these names that is a file of the folder.
func firstOf(folder string, names ...string) (path string, ok bool) {
	for _, name := range names {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, true
		}
	}
	return "", false
}
