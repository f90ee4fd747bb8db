package wikitext

// trailPatterns are the link trails of languages that have another one than the usual, for dumps without a
// siteinfo-namespaces.json. Only what is certain is here.
var trailPatterns = map[string]string{
	"da": lettersTrail("a-zæøå"),
	"de": lettersTrail("äöüßa-z"),
	"es": lettersTrail("a-záéíóúñ"),
	"fr": lettersTrail("a-zàâçéèêîôûäëïöüùÇÉÂÊÎÔÛÄËÏÖÜÀÈÙ"),
	"hu": lettersTrail("a-záéíóúöüőűÁÉÍÓÚÖÜŐŰ"),
	"is": lettersTrail("áðéíóúýþæöa-z-–"),
	"it": lettersTrail("a-zàéèíîìóòúù"),
	"nl": lettersTrail("a-zäöüïëéèà"),
	"pl": lettersTrail("a-zęóąśłżźćńĘÓĄŚŁŻŹĆŃ"),
	"pt": lettersTrail("áâãàéêẽçíòóôõq\u0303úüűũa-z"),
	"ru": lettersTrail("a-zабвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
	"sv": lettersTrail("a-zåäöéÅÄÖÉ"),
	"zh": lettersTrail(""),
}

// lettersTrail writes the pattern of a class, of none at all where it is empty.
func lettersTrail(class string) string {
	if class == "" {
		return "/^()(.*)$/sD"
	}
	return "/^([" + class + "]+)(.*)$/sDu"
}
