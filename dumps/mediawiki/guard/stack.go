package guard

import "bytes"

// stack holds the names of the open elements. Names beyond the limit of depth are counted, not kept: such a page is
// malformed whatever follows, and memory must not grow with it.
type stack struct {
	names []byte
	ends  []int // end of each kept name in names
	depth int
}

func (s *stack) push(name []byte, limit int) {
	if s.depth < limit {
		s.names = append(s.names, name...)
		s.ends = append(s.ends, len(s.names))
	}
	s.depth++
}

// closes says whether an end tag of this name fits, and which element is open.
func (s *stack) closes(name []byte) (open []byte, ok bool) {
	if s.depth == 0 {
		return nil, false
	}
	if s.depth > len(s.ends) {
		return nil, true
	}
	open = s.top()
	return open, bytes.Equal(open, name)
}

func (s *stack) top() []byte {
	return s.names[s.start(len(s.ends)-1):]
}

func (s *stack) start(i int) int {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

func (s *stack) pop() {
	if s.depth == len(s.ends) {
		last := len(s.ends) - 1
		s.names = s.names[:s.start(last)]
		s.ends = s.ends[:last]
	}
	s.depth--
}
