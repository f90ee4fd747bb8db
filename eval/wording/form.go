package wording

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
)

// Form says what a template of a family may hold under some rules.
type Form struct {
	Fields []Field
	// Dialogue says that later turns follow what was said, so that section Turn is read.
	Dialogue bool
	// Whole says that a game is one text: there is neither section System nor Turn.
	Whole bool
}

// Field is a name that a family fills in.
type Field struct {
	Name, Says string
	Need       Need
}

// Need says where a field must stand. {{prompt}} stands for all fields of its section.
type Need int

const (
	Free  Need = iota
	Once       // where a game begins
	Each       // in every turn
	Later      // in every turn but the first
)

// common are the fields of every family.
var common = []Field{
	{Name: Prompt, Says: "the whole turn in the family's own words"},
	{Name: System, Says: "the system message in the family's own words"},
	{Name: Notes, Says: "what some turns add: notices, and the words of oracles"},
}

// All lists the fields of the family, then those that every family has.
func (f Form) All() []Field { return append(slices.Clone(f.Fields), common...) }

// Check refuses a template with a section or field that there is not, or without a field that is
// needed, with its line: fault.Usage.
func (t *Template) Check(f Form) error {
	for _, name := range sections {
		s, ok := t.sections[name]
		if !ok {
			continue
		}
		if err := t.checkSection(f, name, s); err != nil {
			return err
		}
		if err := t.checkFields(f, s); err != nil {
			return err
		}
	}
	return t.checkNeeds(f)
}

func (t *Template) checkSection(f Form, name string, s section) error {
	switch {
	case f.Whole && name != User:
		return t.wrong(s.line, "section %s: a game is put as one text at this interface", name).
			Hint("leave the section out")
	case name == Turn && !f.Dialogue:
		return t.wrong(s.line, "section %s: under these rules no later turn has words of its own", name).
			Hint("leave the section out")
	}
	return nil
}

func (t *Template) checkFields(f Form, s section) error {
	var names []string
	for _, x := range f.All() {
		names = append(names, x.Name)
	}
	for _, x := range s.fields {
		if !slices.Contains(names, x.name) {
			return t.wrong(x.line, "no field is called {{%s}}", x.name).Choose(x.name, names)
		}
	}
	return nil
}

// checkNeeds looks for the fields without which a game cannot be played. What a template has no
// words for is in the family's, and lacks none.
func (t *Template) checkNeeds(f Form) error {
	user, asks := t.sections[User]
	turn, later := t.sections[Turn]
	for _, x := range f.Fields {
		begins := user.has(x.Name) || t.sections[System].has(x.Name) && x.Need == Once
		switch {
		case asks && x.Need.in(User) && !begins:
			return t.missing(user, User, f, x)
		case later && x.Need.in(Turn) && !turn.has(x.Name):
			return t.missing(turn, Turn, f, x)
		}
	}
	return nil
}

func (t *Template) missing(s section, name string, f Form, x Field) error {
	var needed []string
	for _, n := range f.Fields {
		if n.Need.in(name) {
			needed = append(needed, "{{"+n.Name+"}}")
		}
	}
	return t.wrong(s.line, "section %s has no {{%s}}, %s", name, x.Name, x.Says).
		Hint("it needs %s, or {{%s}} for all", strings.Join(needed, ", "), Prompt)
}

// in reports whether what is needed so must stand in a section.
func (n Need) in(name string) bool {
	return n == Each || n == Once && name == User || n == Later && name == Turn
}

// has reports whether a section has a field, or stands for it by {{prompt}}.
func (s section) has(name string) bool {
	return slices.ContainsFunc(s.fields, func(x named) bool { return x.name == name || x.name == Prompt })
}

// Values are what fields are filled with, escaped by the family as in its own prompts.
type Values map[string]string

// Begin returns the messages that a game begins with: those of the family, system first where it is
// not "", or the template's. A nil template asks for no values.
func (t *Template) Begin(system, user string, values func() Values) (list []schemas.Message) {
	if t != nil {
		v := values().with(system, user)
		if s, ok := t.sections[System]; ok {
			system = s.fill(v, false)
		}
		user = t.say(User, user, v)
	}
	if system != "" {
		list = append(list, schemas.Message{Role: schemas.RoleSystem, Content: system})
	}
	return append(list, schemas.Message{Role: schemas.RoleUser, Content: user})
}

// Next returns the words of a later turn of a dialogue.
func (t *Template) Next(user string, values func() Values) string {
	if t == nil {
		return user
	}
	return t.say(Turn, user, values().with("", user))
}

func (v Values) with(system, user string) Values {
	v[System], v[Prompt] = system, user
	return v
}

func (t *Template) say(name, builtin string, v Values) string {
	if s, ok := t.sections[name]; ok {
		return s.fill(v, true)
	}
	return builtin
}

// fill puts the values into the fields, in one pass.
func (s section) fill(v Values, noted bool) string {
	text := field.ReplaceAllStringFunc(s.text, func(found string) string {
		if strings.HasPrefix(found, `\`) {
			return strings.TrimPrefix(found, `\`)
		}
		return v[strings.Trim(found, "{} \t")]
	})
	if notes := v[Notes]; noted && notes != "" && !s.has(Notes) {
		text += "\n\n" + notes
	}
	return text
}
