package data

import (
	"encoding/binary"
	"math/bits"
)

// stop returns where the next byte from b[at] on is that is one of these two or ends a line, or the
// end of b. It looks at eight bytes at once: x−1 has the high bit of its lowest byte that is 0, and
// perhaps of some above it, where x has not.
func stop(b []byte, at int, delimiter, other byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	first, second := each*uint64(delimiter), each*uint64(other)
	for ; at+8 <= len(b); at += 8 {
		eight := binary.LittleEndian.Uint64(b[at:])
		x, y, n, r := eight^first, eight^second, eight^each*'\n', eight^each*'\r'
		found := (x-each)&^x | (y-each)&^y | (n-each)&^n | (r-each)&^r
		if found &= high; found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for ; at < len(b); at++ {
		if c := b[at]; c == delimiter || c == other || c == '\n' || c == '\r' {
			break
		}
	}
	return at
}
