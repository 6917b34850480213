package accounting

import (
	"testing"

	"cloister/wasm/wire"
	"cloister/wasm/wire/wiretest"
)

func TestMain(m *testing.M) {
	wiretest.Main(m, map[string]string{
		"Calibration.each": "it is of a private choice, which package fitting plans",
	}, wire.Accounting, wire.Odometers)
}
