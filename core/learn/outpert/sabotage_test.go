//go:build !js

package outpert

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are allowances and constants of the proof, left out or with the wrong sign.
var sabotages = []audittest.Sabotage{
	{File: "plan.go", Text: "clip *= 2\n", Instead: "clip *= 1\n"},
	{
		File:    "plan.go",
		Text:    "(clip + 2*tau) / lambda * (1 + 0x1p-50)",
		Instead: "(clip + 2*tau) / lambda",
	},
	{
		File:    "plan.go",
		Text:    "(clip + 2*tau) / lambda * (1 + 0x1p-50)",
		Instead: "(clip + 2*tau) / lambda * (1 - 0x1p-50)",
	},
	{File: "plan.go", Text: "(clip + 2*tau)", Instead: "(clip + tau)"},
	{
		File:    "plan.go",
		Text:    "p.Grid*math.Sqrt(float64(p.Dimension))*(1+0x1p-50)",
		Instead: "0*p.Grid",
	},
	{
		File:    "plan.go",
		Text:    "p.Grid*math.Sqrt(float64(p.Dimension))*(1+0x1p-50)",
		Instead: "p.Grid/2*math.Sqrt(float64(p.Dimension))",
		By:      "TestAllowanceOfTheSensitivity",
	},
	{File: "plan.go", Text: ") * (1 + 0x1p-50),", Instead: ") * (1 - 0x1p-50),"},
	{File: "request.go", Text: "plan.Sigma *= 1 + 0x1p-40", Instead: "plan.Sigma *= 1 - 0x1p-40"},
	{
		File:    "request.go",
		Text:    "return sigma * (1 + 0x1p-48), nil",
		Instead: "return sigma * (1 - 0x1p-48), nil",
	},
	{
		File:    "../certified.go",
		Text:    "solved.Certificate.Upper() <= options.Tolerance",
		Instead: "true",
	},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "TestAllowance|Plan|Request|Fit|Refus|Certif", sabotages)
}
