//go:build js && wasm

package bridge

// spareBuffer is the array of bytes of an answered request, for the next. A
// large file comes in as hundreds of arrays of one size. Were each left to the
// garbage collector, they would be let grow to as much memory as the file's
// matrix takes before they are collected, and the memory of WebAssembly never
// shrinks.
type spareBuffer []byte

var spare spareBuffer

// worthKeeping is the size from which on an array is used again.
const worthKeeping = 1 << 16

// take returns an array of n bytes, whatever they are.
func (s *spareBuffer) take(n int) []byte {
	if n < worthKeeping || cap(*s) < n {
		return make([]byte, n)
	}
	out := (*s)[:n]
	*s = nil
	return out
}

// put takes back the arrays among the members of a request that was answered:
// no handler may keep them.
func (s *spareBuffer) put(request any) {
	members, _ := request.(map[string]any)
	for _, member := range members {
		if array, ok := member.([]byte); ok && cap(array) >= worthKeeping && cap(array) > cap(*s) {
			*s = array
		}
	}
}
