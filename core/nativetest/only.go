// Package nativetest leaves out tests that take long where they have been run before: `make test`
// runs those of the core natively, and once more under js/wasm with -short.
package nativetest

import "testing"

// Only leaves out a test with -short. It is for sweeps over many cases, and large files. Functions
// of math differ under js/wasm by an ulp or two: where a test asks whether something holds to the
// last digits, at a floor or within an allowance, a case of it or a shorter test runs there too.
func Only(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes long, and runs natively: -short, as under js/wasm, leaves it out")
	}
}
