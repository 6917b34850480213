package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/nativetest"
	"cloister/core/random/randomtest"
)

// What failures leave of a δ is rounded down, where they take next to all of it too.
func TestAllowanceOfWhatFailuresLeave(t *testing.T) {
	nativetest.Only(t)
	source := randomtest.New(8)
	uniform := func(low, high float64) float64 {
		word, _ := source.Uint64() // the seeded source does not fail
		return low + (high-low)*float64(word>>11)*0x1p-53
	}
	answers := 0
	for range 3000 {
		delta := math.Exp(uniform(-690, -1e-3))
		d := &Distribution{failure: delta * (1 - math.Exp(uniform(-30, 0)))}
		if !(d.failure > 0) {
			continue
		}
		got, some := d.withoutFailure(math.Log(delta))
		if !some {
			continue
		}
		answers++
		left := golden.Minus(golden.Big(delta), golden.Big(d.failure))
		room := golden.Float(golden.Minus(golden.Log(left), golden.Big(got)))
		require.GreaterOrEqual(t, room, 0.0, "%v of %v", d.failure, delta)
	}
	assert.Greater(t, answers, 2000)
}
