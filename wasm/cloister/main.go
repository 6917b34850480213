//go:build js && wasm

// Command cloister is the whole core as a WebAssembly binary.
package main

import (
	"cloister/core/ledger"
	"cloister/core/random"
	"cloister/wasm/api"
	"cloister/wasm/api/accounting"
	"cloister/wasm/api/fitting"
	books "cloister/wasm/api/ledger"
	"cloister/wasm/bridge"
	"cloister/wasm/idbstore"
	"cloister/wasm/kernel"
)

func main() {
	kernel.Use()
	session := fitting.NewSession(random.Secure())
	session.SetOthers(bridge.Others{})
	accounts := ledger.New(idbstore.New("cloister-ledger"), nil)
	bridge.Serve(
		api.Merge(
			accounting.Service(), accounting.Odometers(), session.Service(),
			books.Service(accounts, session),
		),
	)
}
