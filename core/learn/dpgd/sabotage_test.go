//go:build !js

package dpgd

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are allowances and constants of the proof, left out or with the wrong sign.
var sabotages = []audittest.Sabotage{
	{
		File:    "plan.go",
		Text:    "one := clip*(1+0x1p-51) + grid/2",
		Instead: "one := clip*(1-0x1p-51) + grid/2",
	},
	{
		File:    "plan.go",
		Text:    "one := clip*(1+0x1p-51) + grid/2*math.Sqrt(float64(dimension))*(1+0x1p-51)",
		Instead: "one := clip * (1 + 0x1p-51)",
	},
	{
		File:    "plan.go",
		Text:    "math.Sqrt(float64(dimension))*(1+0x1p-51)",
		Instead: "math.Sqrt(float64(dimension))*(1-0x1p-51)",
	},
	{
		File:    "plan.go",
		Text:    "learn.LatticeSensitivity(one, sigma, grid) * (1 + 0x1p-51)",
		Instead: "learn.LatticeSensitivity(one, sigma, grid) * (1 - 0x1p-51)",
		By:      "TestAllowanceOfTheSensitivity",
	},
	{
		File: "sum.go", Text: "*(1-0x1p-48) - half", Instead: "*(1-0x1p-48)",
		By: "TestARecordAddsItsRowAWholeNumberOfTimes",
	},
	{File: "sum.go", Text: "half *= math.Sqrt(float64(s.classes))", Instead: "half *= 1"},
	{
		File: "whole.go", Text: "own += k*k - zero*zero", Instead: "own += k*k - 2*zero*zero",
		By: "TestARecordAddsItsRowAWholeNumberOfTimes",
	},
	{
		File: "whole.go", Text: "w.length[i] = math.Max(math.Sqrt(float64(own))",
		Instead: "w.length[i] = math.Max(math.Sqrt(float64(own-w.base[columns]*w.base[columns]))",
	},
	{File: "whole.go", Text: "x = math.RoundToEven(x * w.perUnit)", Instead: "x *= w.perUnit"},
	{File: "whole.go", Text: "sum[last] = 0", Instead: "sum[last] = times"},
	{File: "request.go", Text: "(1 + 1e-10 + float64(len(sigmas))*0x1p-48)", Instead: "1"},
	{
		File:    "request.go",
		Text:    "(1 + 1e-10 + float64(len(sigmas))*0x1p-48)",
		Instead: "(1 - 1e-10)",
	},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Plan|Request|Allowance|Whole", sabotages)
}
