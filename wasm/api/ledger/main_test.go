package ledger

import (
	"testing"

	"cloister/wasm/wire"
	"cloister/wasm/wire/wiretest"
)

func TestMain(m *testing.M) {
	const elsewhere = "of an evaluation, which is made elsewhere"
	wiretest.Main(m, map[string]string{
		"LedgerBought.figures": elsewhere, "LedgerBought.exact": elsewhere,
	}, wire.Ledger)
}
