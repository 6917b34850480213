//go:build !js

package outptr

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are constants and directions of the proof, left out or turned round.
var sabotages = []audittest.Sabotage{
	{File: rule, Text: "margin.Lower(noisy)-slack*p.RowNorm*p.RowNorm", Instead: "noisy"},
	{File: rule, Text: "moves := p.Radius(low) + 2*p.Tau()/p.Lambda", Instead: "moves := p.Radius(low) / 2"},
	{File: rule, Text: "moves / p.OutputRatio", Instead: "moves / (2 * p.OutputRatio)"},
	{File: rule, Text: "p.Moves()+2*slack*p.RowNorm*p.RowNorm, p.Curv", Instead: "p.Moves()/10, p.Curv"},
	{File: rule, Text: "return 2 * p.RowNorm\n", Instead: "return p.RowNorm\n"},
	{File: rule, Text: "p.RowNorm*p.slope() + p.RowNorm*p.RowNorm/4", Instead: "p.RowNorm * p.RowNorm / 4", By: "TestTheExactDeltaIsWithinTheClaim"},
	{File: rule, Text: "-math.Log1p(-q)/p.RowNorm", Instead: "q/p.RowNorm/2"},
	{File: rule, Text: "p.slope() / p.Lambda\n", Instead: "p.slope() / (p.Lambda + low)\n"},
	{File: rule, Text: "Failure: p.Failure,", Instead: "Failure: p.Failure / 2,"},
	{File: "plan.go", Text: "(g.Delta-p.Failure)*(1-0x1p-40)", Instead: "g.Delta"},
}

// rule is where the public arithmetic stands.
const rule = "../../adaptive/curvature.go"

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Exact|Golden|Calibrated|Moves|Checked", sabotages)
}
