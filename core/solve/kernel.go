package solve

// Kernel computes passes over rows in place of the loops of this package: the same operations
// in the same order, so that every result is the same to the last bit, in less time. wasm/kernel
// has one for js/wasm, where Go uses no SIMD. The loops here are what it is tested against, and
// take every batch that it leaves.
//
// Derivatives and Certify take the records that a pass names, and return how many they took:
// all, or whole batches up to one that they leave.
type Kernel struct {
	// Placed reports whether all entries of sparse rows are where Start and the number of columns
	// allow. It is asked once; the others check no bounds.
	Placed func(*Pass) bool

	Derivatives func(*Pass) int // adds to gradient and hessian
	Certify     func(*Pass) int // adds to the sum and to the bound

	// Norms returns how many rows come before one that is not within the bound.
	Norms func(*Pass) int
}

var kernel *Kernel

// UseKernel has all passes from now on taken by k, or, if it is nil, by Go. Call it between fits; a
// program does so once, before the first.
func UseKernel(k *Kernel) { kernel = k }
