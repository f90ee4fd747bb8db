package aar

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sort"
	"strconv"
	"sync"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// World is the pages that legs lead through, their other names, their places and their search
// index. Pages are numbered in the order of their ids. It is safe for concurrent use.
//
// A world that was opened is mapped; it keeps 4 bytes a page and its places in memory.
type World struct {
	Site
	*Index
	texts   chunks[texts]
	aliases chunks[aliases]
	byTitle []uint32 // pages in the order of their titles
	places  map[int]Place
	files   []*arrowio.File

	named  sync.Once
	byPage []uint32 // aliases in the order of their pages
}

// texts and aliases are some rows of their tables.
type texts struct {
	ids    []uint32
	titles arrowio.Strings
	row    func(i int) schemas.Text
}

type aliases struct {
	names arrowio.Strings
	ids   []uint32
}

// Alias is another name of a page.
type Alias struct {
	Name   string
	PageID uint32
}

// NewWorld makes a world of texts in the order of their page ids and of the aliases of their pages.
func NewWorld(site Site, pages []schemas.Text, names []Alias) *World {
	w := &World{Site: site, texts: textsOf(pages), aliases: aliasesOf(names)}
	w.Index = memoryIndex(IndexOf(w))
	survey, _ := SurveyOf(context.Background(), w, 1) // an error is that of the context
	w.places = survey.Places
	w.sort()
	return w
}

func textsOf(pages []schemas.Text) chunks[texts] {
	t, titles := texts{row: func(i int) schemas.Text { return pages[i] }}, []string{}
	for _, p := range pages {
		t.ids, titles = append(t.ids, p.PageID), append(titles, p.Title)
	}
	t.titles = arrowio.MakeStrings(titles)
	return chunked(t, len(pages))
}

func aliasesOf(names []Alias) chunks[aliases] {
	names = slices.Clone(names)
	order.Sort(names, func(a, b Alias) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.PageID, b.PageID))
	})
	var list []string
	var out aliases
	for _, a := range names {
		list, out.ids = append(list, a.Name), append(out.ids, a.PageID)
	}
	out.names = arrowio.MakeStrings(list)
	return chunked(out, len(names))
}

// Files of a world.
const (
	TextsFile   = "texts.arrow"
	PlacesFile  = "places.arrow"
	IndexFile   = "index.arrow"
	AliasesFile = "aliases.arrow"
)

// inRelease is the path of a file of the world in a release.
func inRelease(name string) string { return schemas.AAR.Name + "/" + name }

// Keys of the metadata of texts.arrow, which hold the site.
const (
	keyBase     = "wikinav.base"
	keyLanguage = "wikinav.language"
	keyYear     = "wikinav.year"
)

// Metadata returns what texts.arrow says of the site.
func (s Site) Metadata() map[string]string {
	return map[string]string{keyBase: s.Base, keyLanguage: s.Language, keyYear: strconv.Itoa(s.Year)}
}

// OpenTexts opens the texts and aliases of a world, without places and index: what those are
// made from.
func OpenTexts(f release.Files) (*World, error) {
	w := &World{}
	return w.opened(w.openTexts(f))
}

// OpenWorld opens the published files of a world. They are mapped until Close.
func OpenWorld(f release.Files) (*World, error) {
	w := &World{}
	err := w.openTexts(f)
	if err == nil {
		err = w.openPlaces(f)
	}
	if err == nil {
		err = w.openIndex(f)
	}
	return w.opened(err)
}

func (w *World) opened(err error) (*World, error) {
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Close ends the life of what was mapped.
func (w *World) Close() error {
	var errs []error
	for _, f := range w.files {
		errs = append(errs, f.Close())
	}
	w.files = nil
	return errors.Join(errs...)
}

// open maps a file that is closed with the world.
func (w *World) open(f release.Files, name string, t schemas.Table) (*arrowio.File, error) {
	file, err := f.Arrow(name, t)
	if err == nil {
		w.files = append(w.files, file)
	}
	return file, err
}

func (w *World) openTexts(f release.Files) error {
	file, err := w.open(f, TextsFile, schemas.TextsTable)
	if err != nil {
		return err
	}
	w.Site = Site{Base: file.Metadata(keyBase), Language: file.Metadata(keyLanguage)}
	if w.Year, err = strconv.Atoi(file.Metadata(keyYear)); err != nil || w.Base == "" {
		return fault.New(fault.Mismatch, "its metadata lack base or year of the wiki").At(inRelease(TextsFile), "")
	}
	w.texts = mapped(file, func(b int) texts { return readTexts(file, b) })
	return arrowio.Guard(func() error {
		w.sort()
		names, err := w.open(f, AliasesFile, schemas.AARAliasesTable)
		if err != nil {
			return err
		}
		w.aliases = mapped(names, func(b int) aliases {
			return aliases{names.Strings(b, 0), names.Uint32s(b, 1)}
		})
		return w.ordered()
	})
}

// readTexts returns a batch of texts.arrow.
func readTexts(f *arrowio.File, b int) texts {
	column := schemas.TextsTable.Index
	return texts{
		ids: f.Uint32s(b, column("page_id")), titles: f.Strings(b, column("title")),
		row: func(i int) schemas.Text { return TextAt(f, b, i) },
	}
}

// TextAt reads row i of batch b of a table of texts.
func TextAt(f *arrowio.File, b, i int) schemas.Text {
	column := schemas.TextsTable.Index
	text := func(name string) string { return f.Strings(b, column(name)).At(i) }
	return schemas.Text{
		PageID: f.Uint32s(b, column("page_id"))[i], Title: text("title"),
		ShortDescription: text("short_description"), Text: text("text"),
		Chars: f.Uint32s(b, column("chars"))[i], Truncated: f.Bools(b, column("truncated")).At(i),
	}
}

// ordered refuses tables whose rows searches would not find.
func (w *World) ordered() error {
	for i := 1; i < w.Len(); i++ {
		if w.ID(i-1) >= w.ID(i) {
			return fault.New(fault.Mismatch, "page ids do not ascend").At(inRelease(TextsFile), release.Row(i))
		}
	}
	for i := 1; i < w.Aliases(); i++ {
		if bytes.Compare(w.alias(i-1), w.alias(i)) > 0 {
			return fault.New(fault.Mismatch, "aliases do not ascend").At(inRelease(AliasesFile), release.Row(i))
		}
	}
	return nil
}

func (w *World) sort() {
	w.byTitle = make([]uint32, w.Len())
	for i := range w.byTitle {
		w.byTitle[i] = uint32(i)
	}
	order.Sort(w.byTitle, func(a, b uint32) int { return bytes.Compare(w.title(a), w.title(b)) })
}

// openPlaces reads the places, of which there are few.
func (w *World) openPlaces(f release.Files) error {
	file, err := w.open(f, PlacesFile, schemas.AARPlacesTable)
	if err != nil {
		return err
	}
	w.places = map[int]Place{}
	return arrowio.Guard(func() error {
		for b := range file.Batches() {
			for i, id := range file.Uint32s(b, 0) {
				page, ok := w.Number(id)
				if !ok {
					return fault.New(fault.Mismatch, "page %d is not among the texts", id).
						At(inRelease(PlacesFile), release.Row(b*schemas.BatchRows+i))
				}
				w.places[page] = placeAt(file, b, i)
			}
		}
		return nil
	})
}

// Write writes the place of a page as a row of places.arrow.
func (p Place) Write(t *arrowio.Writer, id uint32) error {
	return t.Row(id, p.Located, p.Lat, p.Lng, p.Elevation, p.Kind, p.Country, p.Settlement,
		p.Population, p.Area)
}

// placeAt reads a row of places.arrow.
func placeAt(f *arrowio.File, b, i int) Place {
	column := schemas.AARPlacesTable.Index
	text := func(name string) string { return f.Strings(b, column(name)).At(i) }
	yes := func(name string) bool { return f.Bools(b, column(name)).At(i) }
	return Place{
		Located: yes("located"),
		Lat:     f.Int64s(b, column("lat_e6"))[i], Lng: f.Int64s(b, column("lng_e6"))[i],
		Elevation: text("elevation"), Kind: text("kind"),
		Country: yes("country"), Settlement: yes("settlement"),
		Population: text("population"), Area: text("area"),
	}
}

func (w *World) openIndex(f release.Files) error {
	file, err := w.open(f, IndexFile, schemas.AARIndexTable)
	if err != nil {
		return err
	}
	return arrowio.Guard(func() error {
		w.Index = newIndex(mapped(file, func(b int) postings {
			return postings{file.Strings(b, 0), file.Lists(b, 1), file.Lists(b, 2)}
		}))
		return w.checkIndex()
	})
}

// checkIndex refuses postings that a search would stumble over.
func (w *World) checkIndex() error {
	if len(w.lengths) != w.Len() {
		return fault.New(fault.Mismatch, "%d documents, there are %d texts", len(w.lengths), w.Len()).
			At(inRelease(IndexFile), "")
	}
	before := ""
	for i := range w.Index.rows.len() {
		p, k := w.Index.rows.at(i)
		docs, token := p.docs.At(k), p.tokens.At(k)
		if len(docs) != len(p.counts.At(k)) || i > 0 && token <= before {
			return fault.New(fault.Mismatch, "token %s does not follow, or its lists differ in length",
				fault.Quote(token)).At(inRelease(IndexFile), release.Row(i))
		}
		for _, doc := range docs {
			if int(doc) >= w.Len() {
				return fault.New(fault.Mismatch, "document %d of %d", doc, w.Len()).
					At(inRelease(IndexFile), release.Row(i))
			}
		}
		before = token
	}
	return nil
}

// Len is the number of pages.
func (w *World) Len() int { return w.texts.len() }

// Text returns page i.
func (w *World) Text(i int) schemas.Text {
	t, k := w.texts.at(i)
	return t.row(k)
}

// ID returns the page id of page i.
func (w *World) ID(i int) uint32 {
	t, k := w.texts.at(i)
	return t.ids[k]
}

// Title returns the title of page i.
func (w *World) Title(i int) string { return string(w.title(uint32(i))) }

func (w *World) title(i uint32) []byte {
	t, k := w.texts.at(int(i))
	return t.titles.Bytes(k)
}

// Number returns the number of the page with an id.
func (w *World) Number(id uint32) (i int, ok bool) {
	i = sort.Search(w.Len(), func(i int) bool { return w.ID(i) >= id })
	return i, i < w.Len() && w.ID(i) == id
}

// Titled returns the page with exactly that title.
func (w *World) Titled(title string) (i int, ok bool) {
	k := sort.Search(len(w.byTitle), func(k int) bool {
		return string(w.title(w.byTitle[k])) >= title
	})
	if k == len(w.byTitle) || string(w.title(w.byTitle[k])) != title {
		return 0, false
	}
	return int(w.byTitle[k]), true
}

// Aliases is the number of aliases.
func (w *World) Aliases() int { return w.aliases.len() }

// Alias returns alias i in the order of their names.
func (w *World) Alias(i int) Alias {
	a, k := w.aliases.at(i)
	return Alias{a.names.At(k), a.ids[k]}
}

func (w *World) alias(i int) []byte {
	a, k := w.aliases.at(i)
	return a.names.Bytes(k)
}

// aliased lists the pages that have exactly that alias.
func (w *World) aliased(name string) (pages []int) {
	k := sort.Search(w.Aliases(), func(k int) bool { return string(w.alias(k)) >= name })
	for ; k < w.Aliases() && string(w.alias(k)) == name; k++ {
		if i, ok := w.Number(w.Alias(k).PageID); ok && !slices.Contains(pages, i) {
			pages = append(pages, i)
		}
	}
	return pages
}

// Codes of what Resolve cannot do, as tools name them.
const (
	NotFound  = "not_found"
	Ambiguous = "ambiguous"
)

// Resolve finds the page that a name means: the one with that title, else with that alias, each
// as given and then with a capital letter. code is "" or says why there is none.
func (w *World) Resolve(name string) (i int, code string) {
	spellings := w.spellings(name)
	for _, s := range spellings {
		if i, ok := w.Titled(s); ok {
			return i, ""
		}
	}
	for _, s := range spellings {
		switch pages := w.aliased(s); len(pages) {
		case 0:
		case 1:
			return pages[0], ""
		default:
			return 0, Ambiguous
		}
	}
	return 0, NotFound
}

// URL returns the address of page i.
func (w *World) URL(i int) string { return w.URLOf(w.Title(i)) }

// Page returns the page at an address; redirects are followed.
func (w *World) Page(url string) (i int, ok bool) {
	tail, ok := w.tail(url)
	if !ok {
		return 0, false
	}
	for _, title := range w.titles(tail) {
		if i, code := w.Resolve(title); code == "" {
			return i, true
		}
	}
	return 0, false
}

// Facts lists the facts of page i.
func (w *World) Facts(i int) []Fact { return Facts(w.Text(i).Text, w.Year) }

// Place returns the place of page i; ok is false for one that is neither located nor a country.
func (w *World) Place(i int) (p Place, ok bool) {
	p, ok = w.places[i]
	return p, ok
}

// Places visits the places in the order of their pages.
func (w *World) Places() iter.Seq2[int, Place] {
	return func(yield func(int, Place) bool) {
		for _, i := range slices.Sorted(maps.Keys(w.places)) {
			if !yield(i, w.places[i]) {
				return
			}
		}
	}
}

// Survey is what all texts of a world say: its places, and how many pages have what the
// generator looks for.
type Survey struct {
	Places    map[int]Place
	Pages     int64
	Typed     int64 // pages with a number or date fact
	Located   int64
	Countries int64 // with population and area

	Kinds map[string]int // pages with a fact of a kind
}

// SurveyOf reads the facts of every page of a world.
func SurveyOf(ctx context.Context, w *World, workers int) (s Survey, err error) {
	s.Places, s.Pages, s.Kinds = map[int]Place{}, int64(w.Len()), map[string]int{}
	var mu sync.Mutex
	err = graph.Each(ctx, workers, w.Len(), func(_, i int) error {
		text := w.Text(i).Text
		facts := Facts(text, w.Year)
		p, ok := PlaceOf(text, facts)
		mu.Lock()
		defer mu.Unlock()
		if ok {
			s.Places[i] = p
		}
		for _, f := range facts {
			s.Kinds[f.Kind]++
		}
		s.Typed += oneIf(slices.ContainsFunc(facts, Fact.Typed))
		s.Located += oneIf(p.Located)
		s.Countries += oneIf(p.Country && p.Population != "" && p.Area != "")
		return nil
	})
	return s, err
}

func oneIf(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// IndexOf computes the rows of the search index of a world from its texts and aliases.
func IndexOf(w *World) []Posting {
	names := make([][]uint32, w.Len())
	for k := range w.Aliases() {
		if i, ok := w.Number(w.Alias(k).PageID); ok {
			names[i] = append(names[i], uint32(k))
		}
	}
	x := &Indexer{}
	for i := range w.Len() {
		var list []string
		for _, k := range names[i] {
			list = append(list, w.Alias(int(k)).Name)
		}
		t := w.Text(i)
		x.Add(t.Title, list, t.ShortDescription)
	}
	return x.Rows()
}

// chunks is a table in one or more pieces; first has the row with which each begins, and the
// number of all rows.
type chunks[T any] struct {
	pieces []T
	first  []int
}

func chunked[T any](piece T, rows int) chunks[T] { return chunks[T]{[]T{piece}, []int{0, rows}} }

// mapped is the table of a file whose batches read reads.
func mapped[T any](f *arrowio.File, read func(b int) T) chunks[T] {
	c := chunks[T]{first: []int{0}}
	for b := range f.Batches() {
		c.pieces, c.first = append(c.pieces, read(b)), append(c.first, c.first[b]+f.BatchRows(b))
	}
	return c
}

func (c chunks[T]) len() int { return c.first[len(c.first)-1] }

// at returns the piece with a row and its place there; nil where there is no such row.
func (c chunks[T]) at(row int) (*T, int) {
	b := sort.SearchInts(c.first, row+1) - 1
	if b < 0 || b >= len(c.pieces) {
		return nil, 0
	}
	return &c.pieces[b], row - c.first[b]
}
