package lab

import (
	"testing"

	"cloister/wasm/wire"
	"cloister/wasm/wire/wiretest"
)

func TestMain(m *testing.M) {
	wiretest.Main(m, map[string]string{
		"RunOnSets.files": "they are published data, which are not here",
	}, wire.Experiments)
}
