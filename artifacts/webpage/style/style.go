// Package style holds the style sheet of all pages that both programs make: their colours in light
// and dark, and boxes in which what is wide scrolls. It is plain text and links nothing.
package style

import _ "embed"

// CSS is the sheet. Every colour is one of its variables, so that drawings follow it too: --ink on
// --paper has a contrast of 7 at least, and all other pairs that text is set in have 4.5.
//
//go:embed style.css
var CSS string
