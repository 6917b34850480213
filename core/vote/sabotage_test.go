//go:build !js

package vote

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are roundings of the table, left out or turned round.
var sabotages = []audittest.Sabotage{
	{File: "rule.go", Text: "math.Exp(-epsilon) * (1 + 0x1p-50)", Instead: "math.Exp(-epsilon)"},
	{
		File: "rule.go", Text: "math.Exp(-epsilon) * (1 + 0x1p-50)",
		Instead: "math.Exp(-epsilon) * (1 - 0x1p-50)",
	},
	{File: "rule.go", Text: "math.Floor(math.Ldexp(delta, 64))", Instead: "math.Ldexp(delta*2, 64)"},
	{File: "rule.go", Text: "*(1+0x1p-48)", Instead: "*(1-0x1p-48)", By: "TestAllowanceDefinition"},
	{File: "rule.go", Text: "if low > 0 {", Instead: "if low > 1<<63 {"},
	{File: "rule.go", Text: "return max(1, uint64(", Instead: "return max(0, uint64("},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Allowance", sabotages)
}
