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
	},
	{File: "request.go", Text: "(1 + 1e-10 + float64(len(sigmas))*0x1p-48)", Instead: "1"},
	{
		File:    "request.go",
		Text:    "(1 + 1e-10 + float64(len(sigmas))*0x1p-48)",
		Instead: "(1 - 1e-10)",
	},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Plan|Request|Allowance", sabotages)
}
