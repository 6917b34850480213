//go:build !js

package distance

import (
	"testing"

	"cloister/core/learn/audittest"
)

var sabotages = []audittest.Sabotage{
	{File: "test.go", Text: "* (1 - 0x1p-32)", Instead: "* (1 + 0x1p-32)"},
	{File: "test.go", Text: "if next > most {", Instead: "if sum > most {"},
	{File: "test.go", Text: "return 1 + 2*sum", Instead: "return 2 + 2*sum"},
	{File: "margin.go", Text: "int64(math.Ceil(m*sigma)) + 1", Instead: "int64(math.Ceil(m*sigma/2)) + 1"},
	{File: "margin.go", Text: "math.Ceil(sensitivity/grid) + 1", Instead: "math.Ceil(sensitivity/grid) / 2"},
	{File: "margin.go", Text: "failure*(1-0x1p-40)", Instead: "failure*1.1", By: "TestGoldenMargins"},
	{File: "margin.go", Text: "beyond = 40", Instead: "beyond = 4"},
	{File: "margin.go", Text: "beyond = 40", Instead: "beyond = 400"},
	{File: "margin.go", Text: "math.Max(-last*m.grid, math.Min(last*m.grid, s))", Instead: "s"},
	{File: "test.go", Text: "return t.threshold - 1", Instead: "return t.threshold - 2"},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Golden|Allowance|Event|Passes|Bounds|Margin|Impossible", sabotages)
}
