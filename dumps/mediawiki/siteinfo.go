package mediawiki

import (
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

// readIntro reads what stands before the first page. fromFile, if not nil, takes the place of the dump's siteinfo; its language
// and version count where the dump's root names none.
func readIntro(pages *guard.Pages, fromFile *wikitext.SiteInfo) (wikitext.SiteInfo, error) {
	intro, err := pages.Intro(fromFile == nil)
	if err != nil {
		return wikitext.SiteInfo{}, err
	}
	if fromFile != nil {
		info := *fromFile
		if intro.Lang != "" {
			info.Lang = intro.Lang
		}
		if intro.Version != "" {
			info.Version = intro.Version
		}
		return info, nil
	}
	var x siteInfoXML
	if err := xml.Unmarshal(intro.SiteInfo, &x); err != nil {
		return wikitext.SiteInfo{}, fault.New(fault.Malformed, "siteinfo: %w", err)
	}
	return x.info(intro.Version, intro.Lang), nil
}

// siteInfoFile reads the siteinfo of another file: a dump, packed or not, or the bare element.
func siteInfoFile(path string) (*wikitext.SiteInfo, error) {
	f, kind, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := unpack(f, kind)
	if err != nil {
		return nil, place(err, path, "")
	}
	info, err := seekSiteInfo(io.LimitReader(c, int64(guard.DefaultLimits.SiteInfo)))
	if err != nil {
		return nil, place(err, path, "")
	}
	return info, nil
}

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
