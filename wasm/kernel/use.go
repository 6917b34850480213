//go:build js && wasm

package kernel

import (
	"unsafe"

	"cloister/core/data"
	"cloister/core/solve"
)

// The host binds these names once both modules run (site/src/client/kernel.ts). Until then, and
// where there is no kernel, ready is 0 and the others are not called.

//go:wasmimport kernel ready
func ready() int32

//go:wasmimport kernel placed
func placed(pass unsafe.Pointer) int32

//go:wasmimport kernel derivatives
func derivatives(pass unsafe.Pointer) int32

//go:wasmimport kernel certify
func certify(pass unsafe.Pointer) int32

//go:wasmimport kernel norms
func norms(pass unsafe.Pointer) int32

//go:wasmimport kernel records
func records(plain unsafe.Pointer) int32

//go:wasmimport kernel rows
func rows(plain unsafe.Pointer) int32

var reading = data.Kernel{
	Records: func(p *data.Plain) int { return int(records(unsafe.Pointer(p))) },
	Rows:    func(p *data.Plain) { rows(unsafe.Pointer(p)) },
}

var passes = solve.Kernel{
	Placed:      func(p *solve.Pass) bool { return placed(unsafe.Pointer(p)) != 0 },
	Derivatives: func(p *solve.Pass) int { return int(derivatives(unsafe.Pointer(p))) },
	Certify:     func(p *solve.Pass) int { return int(certify(unsafe.Pointer(p))) },
	Norms:       func(p *solve.Pass) int { return int(norms(unsafe.Pointer(p))) },
}

// Use has the program's passes over rows taken by the kernel, and reports whether there is one.
func Use() bool {
	if ready() == 0 {
		return false
	}
	solve.UseKernel(&passes)
	data.UseKernel(&reading)
	return true
}
