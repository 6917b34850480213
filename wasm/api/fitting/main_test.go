package fitting

import (
	"testing"

	"cloister/wasm/wire"
	"cloister/wasm/wire/wiretest"
)

func TestMain(m *testing.M) {
	wiretest.Main(m, map[string]string{
		"ExpectationRequest.positiveWeight": "no trial is made of weights: it is refused",
	}, wire.Files, wire.Purchases, wire.Fitting)
}
