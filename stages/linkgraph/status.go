package linkgraph

import "github.com/wikinav/wikinav/schemas"

// status is what became of a redirect.
type status uint8

const (
	aliasOK status = iota
	aliasMissing
	aliasLoop
	aliasTooLong
	aliasNonMain
	aliasInterwiki
	aliasSelf
	aliasBadTarget
	statuses
)

// statusNames stand in aliases.arrow and end the names of counters.
var statusNames = [statuses]string{
	schemas.AliasOK, schemas.AliasMissing, schemas.AliasLoop, schemas.AliasTooLong,
	schemas.AliasNonMain, schemas.AliasInterwiki, schemas.AliasSelf, schemas.AliasBadTarget,
}

func (s status) String() string { return statusNames[s] }

// outcome is what became of a link.
type outcome uint8

const (
	resolved outcome = iota
	red
	nonNode
	dropped
	selfLoop
	fromElsewhere
	toRedirect  // under a recipe that drops redirects
	viaRedirect // the first of one outcome for each status but aliasOK
	outcomes    = viaRedirect + outcome(statuses) - 1
)

// outcome of the links to a redirect that leads nowhere.
func (s status) outcome() outcome { return viaRedirect + outcome(s-aliasMissing) }

func (o outcome) String() string {
	if o >= viaRedirect {
		return "redirect_" + (aliasMissing + status(o-viaRedirect)).String()
	}
	return [...]string{"resolved", "red", "non_node", "to_dropped_page", "self_after_redirect", "from_non_nodes", "to_redirect"}[o]
}
