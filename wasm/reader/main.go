//go:build js && wasm

// Command reader is the WebAssembly binary of who reads a privacy report: it
// bounds what a release cost one person, from the published files and a typed row.
package main

import (
	"cloister/wasm/api/reading"
	"cloister/wasm/bridge"
)

func main() { bridge.Serve(reading.NewDesk().Service()) }
