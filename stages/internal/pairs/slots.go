package pairs

import "slices"

// quota is the slots of one split at one distance: first, first+1, .. first+size-1 of the split.
type quota struct {
	split    string
	distance int
	first    int
	size     int
}

// quotas shares the slots of s out over its distances, ascending: the k'th of K distances gets the slots from
// floor(k size / K) on, which for two distances is half each and the odd slot for the larger.
func (s Split) quotas() []quota {
	out := make([]quota, len(s.Distances))
	for k, d := range s.Distances {
		first, end := k*s.Size/len(s.Distances), (k+1)*s.Size/len(s.Distances)
		out[k] = quota{split: s.Name, distance: d, first: first, size: end - first}
	}
	return out
}

// drawingOrder gives the quotas of all splits in the order in which they are drawn: splits by falling largest
// distance, equal ones as configured, and in a split the larger distance first. The scarce come first: otherwise the
// nearer distance uses up the few remote targets that the farther one needs.
func drawingOrder(splits []Split) []quota {
	sorted := slices.Clone(splits)
	slices.SortStableFunc(sorted, func(a, b Split) int {
		return b.Distances[len(b.Distances)-1] - a.Distances[len(a.Distances)-1]
	})
	var out []quota
	for _, s := range sorted {
		quotas := s.quotas()
		slices.Reverse(quotas)
		out = append(out, quotas...)
	}
	return out
}
