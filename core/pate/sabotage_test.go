//go:build !js

package pate

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are allowances, constants and directions of the proofs, left out or turned round.
var sabotages = []audittest.Sabotage{
	{File: "union.go", Text: "float64(gap) - 1/float64(noise.spacing)", Instead: "float64(gap) + 1"},
	{File: "union.go", Text: "*(1+0x1p-36)", Instead: "*(1-0x1p-20)"},
	{File: "union.go", Text: "next += difference", Instead: "next = max(next, least)"},
	{File: "union.go", Text: "max(1, chance(", Instead: "max(0, chance("},
	{File: "union.go", Text: "table[q[0]-2*k]", Instead: "table[q[0]-k]"},
	{File: "union.go", Text: "sum += table[gap-k]", Instead: "sum += table[gap]"},
	{File: "envelope.go", Text: "twoTails(last.float(),", Instead: "twoTails(c.float(),", By: "TestGoldenDistances"},
	{File: "two_tails.go", Text: "special.NormalCDF(p.z1-t.m) +", Instead: "0*special.NormalCDF(p.z1-t.m) +"},
	{File: "two_tails.go", Text: "special.NormalCDF(p.z2+t.m)", Instead: "special.NormalCDF(p.z2-t.m)"},
	{File: "plan.go", Text: "Sensitivity: math.Nextafter(math.Sqrt2, 2)", Instead: "Sensitivity: 1"},
	{File: "plan.go", Text: "math.Sqrt(float64(queries)*order/budget)", Instead: "math.Sqrt(order/budget)"},
	{File: "plan.go", Text: "if !answer.Passed {", Instead: "if false {"},
	{File: "noise.go", Text: "for math.FMA(float64(spacing), sigma, -0x1p34) > 0 {", Instead: "for spacing++; false; {"},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Golden|Allowance|Distance|Worst|Fallback|Without|Agreement|Price|Bounds|Sound", sabotages)
}
