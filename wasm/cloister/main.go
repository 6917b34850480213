//go:build js && wasm

// Command cloister is the whole core as a WebAssembly binary.
package main

import (
	"cloister/core/random"
	"cloister/wasm/api"
	"cloister/wasm/api/accounting"
	"cloister/wasm/api/fitting"
	"cloister/wasm/api/lab"
	"cloister/wasm/bridge"
)

func main() {
	session := fitting.NewSession(random.Secure())
	bridge.Serve(api.Merge(accounting.Service(), accounting.Odometers(), session.Service(), lab.Service(session.Dataset)))
}
