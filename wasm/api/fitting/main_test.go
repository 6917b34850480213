package fitting

import (
	"testing"

	"cloister/wasm/wire"
	"cloister/wasm/wire/wiretest"
)

func TestMain(m *testing.M) { wiretest.Main(m, nil, wire.Files, wire.Purchases, wire.Fitting) }
