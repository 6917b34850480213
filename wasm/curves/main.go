//go:build js && wasm

// Command curves is the small WebAssembly binary: only the accounting, for pages that draw curves
// and never see data.
package main

import (
	"cloister/wasm/api/accounting"
	"cloister/wasm/bridge"
)

func main() { bridge.Serve(accounting.Service()) }
