//go:build !js

package report

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are allowances and constants of proofs, left out or with the wrong sign. What
// holds with a probability is spoilt in TestBrokenReportsAreCaught.
var sabotages = []audittest.Sabotage{
	{
		File:    "mechanism.go",
		Text:    "(e.Tau/o.Lambda + e.Grid*math.Sqrt(float64(o.Dimension))/2) * (1 + 0x1p-50)",
		Instead: "(e.Tau/o.Lambda) * (1 + 0x1p-50)",
	},
	{
		File:    "mechanism.go",
		Text:    "(e.Tau/o.Lambda + e.Grid*math.Sqrt(float64(o.Dimension))/2) * (1 + 0x1p-50)",
		Instead: "(e.Tau/o.Lambda + e.Grid*math.Sqrt(float64(o.Dimension))/2)",
	},
	{
		File:    "mechanism.go",
		Text:    "m.RowNorm * m.RowNorm * (1 + 0x1p-50)",
		Instead: "m.RowNorm * m.RowNorm * (1 - 0x1p-50)",
	},
	{File: "plan.go", Text: "norm*norm*(1+0x1p-50)", Instead: "norm*norm*(1-0x1p-50)"},
	{
		File:    "plan.go",
		Text:    "learn.LatticeSensitivity(sensitivity*(1+0x1p-40), p.Gradient, grid)",
		Instead: "learn.LatticeSensitivity(sensitivity*(1-0x1p-40), p.Gradient, grid)",
		By:      "TestAllowanceOfReports",
	},
	{
		File:    "plan.go",
		Text:    "learn.LatticeSensitivity(sensitivity*(1+0x1p-40), p.Least, grid)",
		Instead: "learn.LatticeSensitivity(sensitivity*(1-0x1p-40), p.Least, grid)",
	},
	{
		File:    "plan.go",
		Text:    "(2*e.Sensitivity - m.hessianNorm()/math.Sqrt2) * (1 + 0x1p-40)",
		Instead: "(2*e.Sensitivity - m.hessianNorm()/math.Sqrt2) * (1 - 0x1p-40)",
	},
	{File: "possible.go", Text: "farthest = 40", Instead: "farthest = 1"},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "TestAllowance|Possible", sabotages)
}
