package fitting

import "runtime/debug"

// mostGarbage is about how many bytes of garbage may stand beside the matrices of open datasets.
const mostGarbage = 8 << 20

// pace has Go collect garbage by what the open datasets hold: it usually lets as much of it stand
// as there is in use, which beside a large matrix is another matrix, and a browser never takes
// memory back. A matrix has no pointers to follow, so a collection is cheap.
func (s *Session) pace() {
	debug.SetGCPercent(s.percent())
}

// percent is the garbage that may stand, in hundredths of what is in use: Go's usual 100 where
// that is little.
func (s *Session) percent() int {
	held := 0
	for _, dataset := range s.datasets {
		held += dataset.X.Bytes() + 8*len(dataset.Y)
	}
	for _, c := range s.parted {
		if c.here != nil {
			held += c.here.X.Bytes() + 8*len(c.here.Y)
		}
	}
	if k := s.shard.kept; k != nil {
		held += k.bytes
	}
	if held <= mostGarbage {
		return 100
	}
	return max(10, 100*mostGarbage/held)
}
