package files

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas/fault"
)

// ReadIntro reads what stands before the first page. A siteinfo from elsewhere takes the place of the dump's, one from JSON only where
// the dump has none; the language and the version of the dump's root count before theirs.
func ReadIntro(pages *guard.Pages, extra Extra) (titles.SiteInfo, error) {
	given := extra.given
	intro, err := pages.Intro(given == nil && extra.names == nil)
	if err != nil {
		return titles.SiteInfo{}, err
	}
	if given == nil && intro.SiteInfo == nil {
		given = extra.names
	}
	if given != nil {
		info := *given
		info.Lang = cmp.Or(intro.Lang, info.Lang)
		info.Version = cmp.Or(intro.Version, info.Version)
		return info, nil
	}
	return parseSiteInfo(intro)
}

func parseSiteInfo(intro guard.Intro) (titles.SiteInfo, error) {
	info := titles.SiteInfo{Version: intro.Version, Lang: intro.Lang}
	if err := xml.Unmarshal(intro.SiteInfo, &info); err != nil {
		return info, fault.New(fault.Malformed, "siteinfo: %w", err)
	}
	return info, nil
}

// seekSiteInfo finds the siteinfo element in a dump, or bare.
func seekSiteInfo(r io.Reader) (*titles.SiteInfo, error) {
	var info titles.SiteInfo
	for d := xml.NewDecoder(r); ; {
		tok, err := d.Token()
		if err != nil {
			return nil, fault.New(fault.Malformed, "no siteinfo element in its first %d bytes: %w", guard.DefaultLimits.SiteInfo, err)
		}
		start, ok := tok.(xml.StartElement)
		switch {
		case ok && start.Name.Local == "mediawiki":
			for _, a := range start.Attr {
				switch a.Name.Local {
				case "version":
					info.Version = a.Value
				case "lang":
					info.Lang = a.Value
				}
			}
		case ok && start.Name.Local == "siteinfo":
			if err := d.DecodeElement(&info, &start); err != nil {
				return nil, fault.New(fault.Malformed, "siteinfo: %w", err)
			}
			return &info, nil
		}
	}
}

// Extra is what another file says of the wiki; the zero value says nothing.
type Extra struct {
	path  string           // of the file; "" without one
	given *titles.SiteInfo // takes the place of the dump's siteinfo
	names *titles.SiteInfo // adds to it
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

// info is the siteinfo that a dump without one could have, and what no dump has.
func (n *siteNames) info() (*titles.SiteInfo, error) {
	g := n.Query.General
	info := &titles.SiteInfo{
		SiteName: g.SiteName, DBName: g.WikiID, Base: g.Base, Generator: g.Generator, Case: g.Case, Lang: g.Lang,
		Aliases: map[string]int{}, LinkTrail: g.LinkTrail,
	}
	for _, key := range slices.Sorted(maps.Keys(n.Query.Namespaces)) {
		ns := n.Query.Namespaces[key]
		if key != strconv.Itoa(ns.ID) {
			return nil, fault.New(fault.Malformed, "siteinfo: namespace %s has the id %d", fault.Quote(key), ns.ID)
		}
		info.Namespaces = append(info.Namespaces, titles.Namespace{Key: ns.ID, Name: ns.Star + ns.Name, Case: ns.Case})
	}
	if len(info.Namespaces) == 0 {
		return nil, fault.New(fault.Malformed, "siteinfo: no namespaces under \"query\"")
	}
	slices.SortFunc(info.Namespaces, func(a, b titles.Namespace) int { return a.Key - b.Key })
	for _, a := range n.Query.NamespaceAliases {
		info.Aliases[a.Star+a.Alias] = a.ID
	}
	return info, nil
}

// Apply adds to the siteinfo of a dump. Files of different wikis do not belong together.
func (x Extra) Apply(info titles.SiteInfo, mixed bool) (titles.SiteInfo, error) {
	if x.names == nil {
		return info, nil
	}
	wiki := x.names.DBName
	if wiki != "" && info.DBName != "" && wiki != info.DBName && !mixed {
		return info, fault.New(fault.Malformed, "it is of the wiki %s, the dump is of %s", fault.Quote(wiki), fault.Quote(info.DBName)).
			At(x.path, "").Hint("name the right file with --siteinfo")
	}
	info.Case, info.Lang = cmp.Or(info.Case, x.names.Case), cmp.Or(info.Lang, x.names.Lang)
	info.Aliases, info.LinkTrail = x.names.Aliases, x.names.LinkTrail
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
	name = prefix + "siteinfo-namespaces.json"
	return firstOf(folder, name+".gz", name)
}

// FindExtra reads the file at path or, if that is "", the one beside a dump; dump is "" for standard input.
func FindExtra(dump, path string) (Extra, error) {
	if path == "" {
		path, _ = FindSiteInfo(dump)
	}
	if path == "" {
		return Extra{}, nil
	}
	x := Extra{path: path}
	if err := x.read(); err != nil {
		return Extra{}, Place(err, path, "")
	}
	return x, nil
}

// read reads a dump, a bare siteinfo element, or JSON, packed or not. At most the first MiB of it counts.
func (x *Extra) read() error {
	f, err := OpenBeside(x.path)
	if err != nil {
		return err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, int64(guard.DefaultLimits.SiteInfo)))
	switch {
	case err != nil:
		return err
	case !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")):
		x.given, err = seekSiteInfo(bytes.NewReader(head))
		return err
	}
	var names siteNames
	if err := json.Unmarshal(head, &names); err != nil {
		return fault.New(fault.Malformed, "siteinfo: %w", err)
	}
	x.names, err = names.info()
	return err
}
