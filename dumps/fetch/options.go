package fetch

import (
	"cmp"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/wikinav/wikinav/schemas/fault"
)

// latest stands for the newest run of the classic tree.
const latest = "latest"

// maxConnections is what the site's operators ask for.
const maxConnections = 3

type silence struct{}

func (silence) Add(int64) {}
func (silence) Done()     {}

// complete fills in defaults and refuses what means nothing, before the first request.
func (o *Options) complete() error {
	o.Base, o.Source, o.Connections = cmp.Or(o.Base, Site), cmp.Or(o.Source, Classic), cmp.Or(o.Connections, 1)
	if o.Meter == nil {
		o.Meter = func(int64) Meter { return silence{} }
	}
	if o.Note == nil {
		o.Note = func(string, ...any) {}
	}
	if o.Clock == nil {
		o.Clock = wall{}
	}
	if o.FreeSpace == nil {
		o.FreeSpace = freeSpace
	}
	for _, check := range []func() error{o.checkContact, o.checkWhat, o.checkDate, o.checkBases} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (o *Options) checkContact() error {
	o.Contact = strings.TrimSpace(o.Contact)
	if o.Contact == "" {
		return fault.New(fault.Usage, "dump sites refuse programs that do not say whom to write to").
			Hint("give a mail address or a page with --contact, or in WIKINAV_CONTACT")
	}
	if strings.ContainsFunc(o.Contact, func(r rune) bool { return r < ' ' || r > '~' || r == '(' || r == ')' }) {
		return fault.New(fault.Usage, "contact %s: want printable ASCII without parentheses", fault.Quote(o.Contact))
	}
	return nil
}

func (o *Options) checkWhat() error {
	switch {
	case o.Wiki == "" || strings.Trim(o.Wiki, "abcdefghijklmnopqrstuvwxyz0123456789_") != "":
		return fault.New(fault.Usage, "wiki %s: want a name like enwiki", fault.Quote(o.Wiki))
	case o.Source != Classic && o.Source != Content:
		return fault.New(fault.Usage, "there is no source %s", fault.Quote(o.Source)).
			Choose(o.Source, []string{Classic, Content})
	case o.Source == Content && len(o.Tables) > 0:
		return fault.New(fault.Usage, "the content exports have no tables").Hint("take them from the classic tree")
	case o.Source == Content && (o.Mirror != "" || o.Plain):
		return fault.New(fault.Usage, "the content exports have no replicas and one form")
	case o.Connections < 1 || o.Connections > maxConnections:
		return fault.New(fault.Usage, "%d connections: want 1 to %d", o.Connections, maxConnections)
	}
	for _, t := range o.Tables {
		if tableJobs[t] == "" {
			return fault.New(fault.Usage, "there is no table %s to fetch", fault.Quote(t)).Choose(t, Tables())
		}
	}
	return nil
}

// checkDate brings the date to the form YYYYMMDD.
func (o *Options) checkDate() error {
	if o.Date == latest {
		switch {
		case o.Source == Content:
			return fault.New(fault.Usage, "the content exports have no latest").Hint("name a date: the first of a month")
		case !o.Latest:
			return fault.New(fault.Usage, "latest is another dump next week, so nothing can be frozen on it").
				Hint("name a date, or say --allow-latest and the date will be recorded")
		}
		return nil
	}
	digits := o.Date
	if len(digits) == len(time.DateOnly) {
		digits = strings.ReplaceAll(digits, "-", "")
	}
	if _, err := time.Parse(digitDate, digits); err != nil {
		return fault.New(fault.Usage, "date %s: want YYYYMMDD or %s", fault.Quote(o.Date), latest).
			Hint("the wiki comes first, as in ltgwiki 20170901")
	}
	o.Date = digits
	return nil
}

const digitDate = "20060102"

// checkBases normalises the roots, and lets redirects lead to their hosts.
func (o *Options) checkBases() error {
	o.Hosts = slices.Clone(o.Hosts)
	for _, base := range []*string{&o.Base, &o.Mirror} {
		if *base == "" {
			continue
		}
		u, err := url.Parse(strings.TrimRight(*base, "/"))
		if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return fault.New(fault.Usage, "site %s: want an address like %s", fault.Quote(*base), Site)
		}
		if !encrypted(u) {
			return fault.New(fault.Usage, "site %s: want https", fault.Quote(*base)).Hint("plain http reaches this machine only, for tests")
		}
		*base = u.String()
		o.Hosts = append(o.Hosts, u.Host)
	}
	return nil
}

// encrypted tells whether nobody on the way can change what u gives. Nobody is on the way to the machine itself.
func encrypted(u *url.URL) bool {
	if u.Scheme == "https" {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
