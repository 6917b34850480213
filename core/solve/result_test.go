package solve

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNotConvergedSaysHowFarItGot(t *testing.T) {
	err := &NotConvergedError{
		Reason:      ReasonNotFinite,
		Iterations:  12,
		Certificate: Certificate{GradientNorm: 0.123456, RoundingBound: 1e-9},
		Tolerance:   1e-300,
	}
	want := "solve: not converged after 12 iterations: the objective overflows " +
		"(gradient norm 0.123, its rounding error at most 1e-09, wanted 1e-300)"
	assert.EqualError(t, err, want)
}

// What is between the point that the gradient was computed at and the one that is
// released counts: λ‖θ − θ*‖ ≤ Offset + ‖∇F‖ + rounding.
func TestAnUpperEndCountsTheOffset(t *testing.T) {
	c := Certificate{GradientNorm: 1, RoundingBound: 0.25, Offset: 0.5}
	assert.Greater(t, c.Upper(), 1.75)
	assert.Less(t, c.Upper(), 1.75+1e-15)
	c.Offset = 0
	assert.Greater(t, c.Upper(), 1.25)
	assert.Less(t, c.Upper(), 1.25+1e-15)
}
