//go:build !(js && wasm)

package kernel

// Use reports that there is no kernel: natively, Go's loops run.
func Use() bool { return false }
