package linkgraph

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// resolve follows the redirect of record i, at most hops redirects in a row. It ends on any redirects, in O(hops^2)
// steps, and looks at nothing but the chain itself, so that no order of pages matters.
func (r *redirects) resolve(i, hops int) alias {
	var room [9]int // enough for the greatest redirect_hops, 8
	chain := append(room[:0], i)
	for step := uint8(1); int(step) <= hops; step++ {
		last := chain[len(chain)-1]
		if s := outside(r.kind(last)); s != aliasOK {
			return alias{status: s, hops: step}
		}
		row, ok := r.pages.titles.find(r.text(last, redTarget))
		if !ok {
			return alias{status: aliasMissing, hops: step}
		}
		if r.pages.kinds[row] != kindRedirect {
			return ending(r.pages.kinds[row], row, step)
		}
		next := int(r.pages.number[row])
		if slices.Contains(chain, next) {
			return alias{status: circle(len(chain)), hops: step}
		}
		chain = append(chain, next)
	}
	return alias{status: aliasTooLong, hops: uint8(hops)}
}

// circle is the status of a chain of n redirects that comes back to one of its own.
func circle(n int) status {
	if n == 1 {
		return aliasSelf
	}
	return aliasLoop
}

// outside gives the status of a target that is no title of namespace 0.
func outside(k schemas.TargetKind) status {
	switch k {
	case schemas.TargetMain:
		return aliasOK
	case schemas.TargetOther:
		return aliasNonMain
	case schemas.TargetInterwiki:
		return aliasInterwiki
	}
	return aliasBadTarget
}

// ending is a chain that reached a page. One of another content model can be no target.
func ending(k kind, row uint32, step uint8) alias {
	if k == kindNonNode {
		return alias{status: aliasBadTarget, hops: step}
	}
	return alias{status: aliasOK, row: row, hops: step}
}
