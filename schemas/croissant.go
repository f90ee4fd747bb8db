package schemas

import _ "embed"

// CroissantContext is the JSON-LD context of Croissant 1.1 (its appendix 1, in the spelling of the
// reference program mlcroissant 1.1.0), and the prefix of PROV-O.
//
//go:embed croissant.json
var CroissantContext []byte
