//go:build !js

package random_test

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are margins within which samplers do not decide by floats, and roundings of
// their brackets, left out or with the wrong sign.
var sabotages = []audittest.Sabotage{
	{
		File:    "gumbel.go",
		Text:    "(a.lower + lower/float64(n)) * (1 - 0x1p-48)",
		Instead: "(a.lower + lower/float64(n))",
	},
	{
		File:    "gumbel.go",
		Text:    "(a.lower + lower/float64(n)) * (1 - 0x1p-48)",
		Instead: "(a.lower + lower/float64(n)) * (1 + 0x1p-48)",
	},
	{
		File:    "gumbel.go",
		Text:    "(a.upper + upper/float64(n)) * (1 + 0x1p-48)",
		Instead: "(a.upper + upper/float64(n))",
	},
	{
		File:    "gumbel.go",
		Text:    "(a.upper + upper/float64(n)) * (1 + 0x1p-48)",
		Instead: "(a.upper + upper/float64(n)) * (1 - 0x1p-48)",
	},
	{File: "gumbel.go", Text: "x + sign*0x1p-46*(1+math.Abs(x))", Instead: "x"},
	{
		File:    "gumbel.go",
		Text:    "x + sign*0x1p-46*(1+math.Abs(x))",
		Instead: "x - sign*0x1p-46*(1+math.Abs(x))",
	},
	{
		File:    "gumbel.go",
		Text:    "scale*(1+0x1p-41)*a.upper < b.lower",
		Instead: "scale*(1-0x1p-9)*a.upper < b.lower",
	},
	{
		File:    "gumbel.go",
		Text:    "scale*(1-0x1p-41)*a.lower > b.upper",
		Instead: "scale*(1+0x1p-9)*a.lower > b.upper",
		By:      "TestAllowanceOfBefore",
	},
	{File: "cells.go", Text: "<= 1-high-0x1p-40", Instead: "<= 1-high+0x1p-4"},
	{File: "cells.go", Text: "math.Exp(-high)*(1-0x1p-40)", Instead: "math.Exp(-high)*(1+0x1p-9)"},
	{
		File:    "cells.go",
		Text:    "float64(r)*0x1p-31))*(1+0x1p-40)",
		Instead: "float64(r)*0x1p-31))*(1-0x1p-9)",
	},
	{
		File:    "bracket.go",
		Text:    "up(p).Add(a.upper, b.upper)",
		Instead: "down(p).Add(a.upper, b.upper)",
	},
	{
		File:    "bracket.go",
		Text:    "down(p).Quo(a.lower, b.upper)",
		Instead: "up(p).Quo(a.lower, b.upper)",
	},
	{
		File:    "bracket.go",
		Text:    "up(p).Mul(a.upper, b.upper)",
		Instead: "down(p).Mul(a.upper, b.upper)",
	},
	{File: "deferred.go", Text: "var margin = 0x1p-33", Instead: "var margin = 0.0"},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(
		t,
		"TestAllowance|Cell",
		sabotages,
	)
}
