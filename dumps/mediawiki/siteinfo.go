package mediawiki

import (
	"cmp"
	"encoding/xml"
	"io"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas/fault"
)

// siteInfoXML is the siteinfo element; go-wikiparse has no dbname.
type siteInfoXML struct {
	SiteName   string `xml:"sitename"`
	DBName     string `xml:"dbname"`
	Base       string `xml:"base"`
	Generator  string `xml:"generator"`
	Case       string `xml:"case"`
	Namespaces []struct {
		Key  int    `xml:"key,attr"`
		Case string `xml:"case,attr"`
		Name string `xml:",chardata"`
	} `xml:"namespaces>namespace"`
}

func (x *siteInfoXML) info(version, lang string) wikitext.SiteInfo {
	info := wikitext.SiteInfo{
		SiteName: x.SiteName, DBName: x.DBName, Base: x.Base, Generator: x.Generator, Case: x.Case,
		Lang: lang, Version: version,
	}
	for _, ns := range x.Namespaces {
		info.Namespaces = append(info.Namespaces, wikitext.Namespace{Key: ns.Key, Name: ns.Name, Case: ns.Case})
	}
	return info
}

// readIntro reads what stands before the first page. A siteinfo from elsewhere takes the place of the dump's, one from JSON only where
// the dump has none; the language and the version of the dump's root count before theirs.
func readIntro(pages *guard.Pages, extra extra) (wikitext.SiteInfo, error) {
	given := extra.given
	intro, err := pages.Intro(given == nil && extra.names == nil)
	if err != nil {
		return wikitext.SiteInfo{}, err
	}
	if given == nil && intro.SiteInfo == nil {
		given = extra.names.info()
	}
	if given != nil {
		info := *given
		info.Lang = cmp.Or(intro.Lang, info.Lang)
		info.Version = cmp.Or(intro.Version, info.Version)
		return info, nil
	}
	return parseSiteInfo(intro)
}

func parseSiteInfo(intro guard.Intro) (wikitext.SiteInfo, error) {
	var x siteInfoXML
	if err := xml.Unmarshal(intro.SiteInfo, &x); err != nil {
		return wikitext.SiteInfo{}, fault.New(fault.Malformed, "siteinfo: %w", err)
	}
	return x.info(intro.Version, intro.Lang), nil
}

// seekSiteInfo finds the siteinfo element in a dump, or bare.
func seekSiteInfo(r io.Reader) (*wikitext.SiteInfo, error) {
	var version, lang string
	for d := xml.NewDecoder(r); ; {
		tok, err := d.Token()
		if err != nil {
			return nil, fault.New(fault.Malformed, "no siteinfo element in its first %d bytes: %w", guard.DefaultLimits.SiteInfo, err)
		}
		start, ok := tok.(xml.StartElement)
		switch {
		case ok && start.Name.Local == "mediawiki":
			version, lang = rootAttrs(start)
		case ok && start.Name.Local == "siteinfo":
			var x siteInfoXML
			if err := d.DecodeElement(&x, &start); err != nil {
				return nil, fault.New(fault.Malformed, "siteinfo: %w", err)
			}
			info := x.info(version, lang)
			return &info, nil
		}
	}
}

func rootAttrs(root xml.StartElement) (version, lang string) {
	for _, a := range root.Attr {
		switch a.Name.Local {
		case "version":
			version = a.Value
		case "lang":
			lang = a.Value
		}
	}
	return version, lang
}
