package difficulty

import "github.com/wikinav/wikinav/artifacts/graph"

// walk gives, for each node, the probability that a uniform random walk along lists is at target after at most so
// many steps. The walk ends at the target, and where a node has no link.
//
// Result:    float64 of the recurrence p_0(u) = [u = target], p_k(target) = 1, p_k(u) = the mean of p_k-1 over the
// links of u, each sum in the order of the links: the same bits on every machine.
// Encoding:  lists is CSR, its rows the links to choose from; p and q have a number per node, and the result is one
// of them.
// Time:      O(steps * edges). Space: 16 bytes per node, p and q.
func walk(lists graph.CSR, target uint32, steps int, p, q []float64) []float64 {
	clear(p)
	p[target] = 1
	for range steps {
		for u := range q {
			links := lists.Row(uint32(u))
			sum := 0.0
			for _, v := range links {
				sum += p[v]
			}
			q[u] = mean(sum, len(links))
		}
		q[target] = 1
		p, q = q, p
	}
	return p
}

func mean(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// lanes is the number of targets that one pass over the edges serves: a row is a cache line.
const lanes = 8

// row is a number of each lane.
type row [lanes]float64

// walks is walk for up to 8 targets on the same lists: lane i of the result is, bit for bit, walk to targets[i].
func walks(lists graph.CSR, targets []uint32, steps int, p, q []row) []row {
	clear(p)
	for lane, t := range targets {
		p[t][lane] = 1
	}
	for range steps {
		for u := range q {
			links := lists.Row(uint32(u))
			var sum row
			for _, v := range links {
				sum.add(&p[v])
			}
			for lane := range sum {
				q[u][lane] = mean(sum[lane], len(links))
			}
		}
		for lane, t := range targets {
			q[t][lane] = 1
		}
		p, q = q, p
	}
	return p
}

// add is written out because the compiler does not unroll loops.
func (r *row) add(x *row) {
	r[0] += x[0]
	r[1] += x[1]
	r[2] += x[2]
	r[3] += x[3]
	r[4] += x[4]
	r[5] += x[5]
	r[6] += x[6]
	r[7] += x[7]
}
