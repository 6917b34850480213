//go:build !js

package learn

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are constants of the proofs of this package, left out or with the wrong sign.
var sabotages = []audittest.Sabotage{
	{File: "lattice.go", Text: "smoothing = 5", Instead: "smoothing = 0"},
	{File: "lattice.go", Text: "(ratio*ratio)) * (1 + 0x1p-50)", Instead: "(ratio*ratio))"},
	{
		File:    "lattice.go",
		Text:    "(ratio*ratio)) * (1 + 0x1p-50)",
		Instead: "(ratio*ratio)) * (1 - 0x1p-50)",
	},
	{File: "lattice.go", Text: "MinLatticeRatio = 1 << 10", Instead: "MinLatticeRatio = 1 << 3"},
	{
		File:    "assessment.go",
		Text:    "epsilon*(1-0x1p-51) <= a.Epsilon",
		Instead: "epsilon*(1-0x1p-10) <= a.Epsilon",
	},
	{
		File:    "verify.go",
		Text:    "const earlierRounding = 0x1p-40",
		Instead: "const earlierRounding = 0x1p-10",
	},
	{File: "noise.go", Text: "out := (2*r + e.Grid) / e.SigmaOut", Instead: "out := math.Inf(1) * r", By: "TestNoNoiseMakesShortCoefficientsCheap"},
	{
		File:    "noise.go",
		Text:    "in := 2 * (r + moved) * (o.Lambda + records) / o.Sigma",
		Instead: "in := math.Inf(1) * (1 + r + moved + records)",
	},
	{File: "noise.go", Text: "(2*r + e.Grid) / e.SigmaOut", Instead: "2 * r / e.SigmaOut"},
	{File: "noise.go", Text: "const leastChance = 0x1p-100", Instead: "const leastChance = 0.01"},
	{File: "silent.go", Text: "math.Max(leastChance, r.Guarantee.Delta)", Instead: "leastChance"},
	{File: "assessment.go", Text: "return logs < -50*math.Ln2", Instead: "return false"},
	{File: "reach.go", Text: "most *= 1 + 0x1p-40", Instead: "most *= 1e9"},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(
		t,
		"Allowance|Lattice|RowNorm|Norm|Impossible|NoNoise|NoRegul|NoCoeff|EveryKind|Findings|Evaluation|AnEvaluation|Earlier|Assess|Verify|Forged|NoModel|CountsWithout",
		sabotages,
	)
}
