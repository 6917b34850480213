//go:build !js

package account

import "testing"

// hinges spoil the bounds for the rounded hinge: a term left out, or the logistic loss's in its
// place.
var hinges = []sabotage{
	{file: "objective/hinge.go", text: "base: math.Log1p(k.rho), mu: mu", instead: "base: 0 * k.rho, mu: mu", by: "TestRenyiIsTheMomentOfTheLoss"},
	{file: "objective/hinge.go", text: "base: math.Log1p(k.rho), mu: mu", instead: "base: math.Log1p(k.rho / 4), mu: mu"},
	{file: "objective/hinge.go", text: "/(1+k.rho*(1-s)))\n}", instead: "/(1+0*s))\n}"},
	{file: "objective/hinge.go", text: "return (k.m - rate) * (k.m + rate)", instead: "return k.m * (k.m + rate)"},
	{file: "objective/hinge.go", text: "return 1 + 1/k.rho - 1/k.m", instead: "return 1 - 1/k.m"},
	{file: "objective/hinge.go", text: "jump = jumpBetween(b.best, b.vLow, b.vHigh)", instead: "jump = b.vHigh"},
	{file: "objective/hinge.go", text: "e.flatEnd = -e.c/mu - mu/2", instead: "e.flatEnd = -mu / 2"},
	{file: "objective/hinge.go", text: "return float64(r) * (1 - a), -float64(r)", instead: "return float64(r) * a * (1 - a), -float64(r)"},
	{file: "objective/hinge.go", text: "return float64(r) * (1 - low)", instead: "return float64(r) * (1 - low) / 2"},
	{file: "objective/hinge.go", text: "return 1 / ((1 - high) * (1 - high))", instead: "return 0 * high"},
	{file: "objective/control.go", text: "e.Loss == privacy.LossHinge {\n\t\t\td.path.rate", instead: "false {\n\t\t\td.path.rate"},
}

// TestSabotagedHingeIsCaught spoils each in turn and asks that a test of package objective fails.
func TestSabotagedHingeIsCaught(t *testing.T) {
	watch := "Hinge|OtherLosses|ReferenceControl|IntegralOf|MeanOver|MomentOf"
	spoilEach(t, hinges, watch)
}
