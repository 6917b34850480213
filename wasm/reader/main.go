//go:build js && wasm

// Command reader is the WebAssembly binary for the reader of a privacy report. It bounds what a
// release cost one person, from the published files and a typed row.
package main

import (
	"cloister/wasm/api/reading"
	"cloister/wasm/bridge"
)

func main() { bridge.Serve(reading.NewDesk().Service()) }
