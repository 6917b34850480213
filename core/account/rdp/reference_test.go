package rdp

import (
	"math"
	"testing"

	"cloister/core/account/golden"
)

func TestSubsampledGaussianReference(t *testing.T) {
	type params struct {
		Q, Sigma, Alpha float64
	}
	type one struct {
		ID       string
		Kind     string
		Params   params
		Expected struct{ RDP float64 }
	}
	worst := 0.0
	for _, c := range golden.OfKind[one](t, "H", "rdp") {
		got := newSubsampledGaussian(c.Params.Q, c.Params.Sigma).at(c.Params.Alpha)
		rel := got/c.Expected.RDP - 1
		worst = math.Max(worst, math.Abs(rel))
		if math.Abs(rel) > 1e-10 || rel < -1e-13 {
			t.Errorf(
				"%s %+v: got %.17g, want %.17g (relative %.2g)", c.ID, c.Params, got,
				c.Expected.RDP, rel,
			)
		}
	}
	t.Logf("worst relative difference %.2g", worst)
}
