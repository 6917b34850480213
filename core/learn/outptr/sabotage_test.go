//go:build !js

package outptr

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are constants and directions of the proof, left out or turned round.
var sabotages = []audittest.Sabotage{
	{File: "fit.go", Text: "margin.Lower(noisy)-slack*p.RowNorm*p.RowNorm", Instead: "noisy"},
	{File: "fit.go", Text: "moves := p.Radius(low) + 2*p.tau()/p.Lambda", Instead: "moves := p.Radius(low) / 2"},
	{File: "fit.go", Text: "moves / p.OutputRatio", Instead: "moves / (2 * p.OutputRatio)"},
	{File: "fit.go", Text: "p.Curvature()+2*slack*p.RowNorm*p.RowNorm, p.Curv", Instead: "p.Curvature()/10, p.Curv"},
	{File: "plan.go", Text: "return 2 * p.RowNorm\n", Instead: "return p.RowNorm\n"},
	{File: "plan.go", Text: "p.RowNorm*p.slope() + p.RowNorm*p.RowNorm/4", Instead: "p.RowNorm * p.RowNorm / 4"},
	{File: "plan.go", Text: "-math.Log1p(-q)/p.RowNorm", Instead: "q/p.RowNorm/2"},
	{File: "plan.go", Text: "p.slope() / p.Lambda\n", Instead: "p.slope() / (p.Lambda + low)\n"},
	{File: "plan.go", Text: "Failure: p.Failure,", Instead: "Failure: p.Failure / 2,"},
	{File: "plan.go", Text: "(g.Delta-p.Failure)*(1-0x1p-40)", Instead: "g.Delta"},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Exact|Golden|Calibrated|Moves|Checked", sabotages)
}
