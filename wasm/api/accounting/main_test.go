package accounting

import (
	"testing"

	"cloister/wasm/wire"
	"cloister/wasm/wire/wiretest"
)

func TestMain(m *testing.M) { wiretest.Main(m, nil, wire.Accounting, wire.Odometers) }
