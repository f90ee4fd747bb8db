package mediawiki

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas/fault"
)

// extra is what other files say of the wiki.
type extra struct {
	path  string             // of the file; "" without one
	given *wikitext.SiteInfo // takes the place of the dump's siteinfo
	names *siteNames         // adds to it
}

// siteNames is the file siteinfo-namespaces.json, an answer of the wiki's API. Of all files of a dump only this one lists the
// aliases of namespaces. Strings stand under "*" in format version 1, and under names in version 2.
type siteNames struct {
	Query struct {
		General struct {
			Case, Lang, LinkTrail, SiteName, Base, Generator, WikiID string
		}
		Namespaces map[string]struct {
			ID   int
			Case string
			Star string `json:"*"`
			Name string
		}
		NamespaceAliases []struct {
			ID    int
			Star  string `json:"*"`
			Alias string
		}
	}
}

// info is the siteinfo that a dump without one could have.
func (n *siteNames) info() *wikitext.SiteInfo {
	g := n.Query.General
	info := &wikitext.SiteInfo{SiteName: g.SiteName, DBName: g.WikiID, Base: g.Base, Generator: g.Generator, Case: g.Case, Lang: g.Lang}
	for _, key := range slices.Sorted(maps.Keys(n.Query.Namespaces)) {
		ns := n.Query.Namespaces[key]
		info.Namespaces = append(info.Namespaces, wikitext.Namespace{Key: ns.ID, Name: ns.Star + ns.Name, Case: ns.Case})
	}
	slices.SortFunc(info.Namespaces, func(a, b wikitext.Namespace) int { return a.Key - b.Key })
	return info
}

func (n *siteNames) aliases() map[string]int {
	all := map[string]int{}
	for _, a := range n.Query.NamespaceAliases {
		all[a.Star+a.Alias] = a.ID
	}
	return all
}

// apply adds to the siteinfo of a dump. Files of different wikis do not belong together.
func (x extra) apply(info wikitext.SiteInfo, mixed bool) (wikitext.SiteInfo, error) {
	if x.names == nil {
		return info, nil
	}
	wiki := x.names.Query.General.WikiID
	if wiki != "" && info.DBName != "" && wiki != info.DBName && !mixed {
		return info, fault.New(fault.Malformed, "it is of the wiki %s, the dump is of %s", fault.Quote(wiki), fault.Quote(info.DBName)).
			At(x.path, "").Hint("name the right file with --siteinfo")
	}
	info.Aliases = x.names.aliases()
	general := x.names.Query.General
	info.Case, info.Lang = cmp.Or(info.Case, general.Case), cmp.Or(info.Lang, general.Lang)
	info.LinkTrail = general.LinkTrail
	return info, nil
}

var dumpPrefix = regexp.MustCompile(`^.+-\d{8}-`)

// FindSiteInfo gives the siteinfo-namespaces.json of a dump's run beside it, packed or not.
func FindSiteInfo(dump string) (path string, ok bool) {
	folder, name := filepath.Split(dump)
	prefix := dumpPrefix.FindString(name)
	if prefix == "" {
		return "", false
	}
	for _, packing := range []string{".gz", ""} {
		path := filepath.Join(folder, prefix+"siteinfo-namespaces.json"+packing)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, true
		}
	}
	return "", false
}

// findExtra reads Options.SiteInfoFile, or the file beside a dump; dump is "" for standard input.
func findExtra(dump string, opts Options) (extra, error) {
	path := opts.SiteInfoFile
	if path == "" {
		path, _ = FindSiteInfo(dump)
	}
	if path == "" {
		return extra{}, nil
	}
	x, err := readExtra(path)
	if err != nil {
		return extra{}, place(err, path, "")
	}
	return x, nil
}

// readExtra reads a dump, a bare siteinfo element, or JSON, packed or not. At most the first MiB of it counts.
func readExtra(path string) (extra, error) {
	f, err := os.Open(path)
	if err != nil {
		return extra{}, err
	}
	defer f.Close()
	head, err := readHead(f, guard.DefaultLimits.SiteInfo)
	if err != nil {
		return extra{}, err
	}
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) {
		given, err := seekSiteInfo(bytes.NewReader(head))
		return extra{path: path, given: given}, err
	}
	names := &siteNames{}
	if err := json.Unmarshal(head, names); err != nil {
		return extra{}, fault.New(fault.Malformed, "siteinfo: %w", err)
	}
	for key, ns := range names.Query.Namespaces {
		if key != strconv.Itoa(ns.ID) {
			return extra{}, fault.New(fault.Malformed, "siteinfo: namespace %s has the id %d", fault.Quote(key), ns.ID)
		}
	}
	if len(names.Query.Namespaces) == 0 {
		return extra{}, fault.New(fault.Malformed, "siteinfo: no namespaces under \"query\"")
	}
	return extra{path: path, names: names}, nil
}

// readHead gives up to n bytes from the start of a file's content. What no packing begins with is taken as it is.
func readHead(f *os.File, n int) ([]byte, error) {
	kind, err := sniffFile(f)
	if err != nil {
		return nil, err
	}
	if kind == KindUnknown {
		kind = KindXML
	}
	if err := kind.refuse(); err != nil {
		return nil, err
	}
	c, err := unpack(context.Background(), f, kind, 0)
	if err != nil {
		return nil, err
	}
	defer c.close()
	return io.ReadAll(io.LimitReader(c, int64(n)))
}
