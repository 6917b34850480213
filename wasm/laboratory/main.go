//go:build js && wasm

// Command laboratory is the laboratory as a WebAssembly binary of its own: all learners and the
// reading of files, for experiments. It makes no releases. Pages that only make releases do not
// download it.
package main

import (
	"cloister/core/random"
	"cloister/wasm/api"
	"cloister/wasm/api/fitting"
	"cloister/wasm/api/lab"
	"cloister/wasm/bridge"
	"cloister/wasm/kernel"
)

func main() {
	kernel.Use()
	session := fitting.NewSession(random.Secure())
	bridge.Serve(api.Merge(session.Reading(), lab.Service(session.Dataset)))
}
