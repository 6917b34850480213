//go:build !js

package account

import "testing"

// rooms spoil what packages special, posterior, logscale and tested add for rounding, for what lies
// beyond their searches, and the terms of their theorems. Not here is what cannot be spoilt so
// that it shows: the gate for NaN of a pair, which nothing reaches; its floor for ε < 0 and the
// ends of a test's search, which are 2^-46 and e^-60 of what is beside them; where a search of
// logscale may stop, which makes its bound no lower; and a test's direction in which passing
// is likelier for the neighbour, which was nowhere the worse.
var rooms = []sabotage{
	// What a quadrature adds for its integrand's noise.
	{file: "../special/adaptive.go", text: "byChance * bound", instead: "4 * bound", by: "TestAllowanceOfNoise"},
	{file: "../special/adaptive.go", text: "byChance * bound", instead: "bound", by: "TestAllowanceOfNoise"},
	// Terms of the pair, and its gates.
	{file: "posterior/pair.go", text: "if r < c { // e^ε may be +∞, and Φ 0", instead: "if false {", by: "TestLargeEpsilonAndShift"},
	{file: "posterior/pair.go", text: "case a > mostShift:", instead: "case false:"},
	{file: "posterior/pair.go", text: "far.value = -far.value", instead: "far.value = 0"},
	{file: "posterior/pair.go", text: "far = above(r2, c, s, kappa)", instead: "far.value = 0"},
	{file: "posterior/pair.go", text: "t := 2*epsilon + log1p", instead: "t := 2*epsilon - log1p"},
	{file: "posterior/pair.go", text: "rest := next * grows / s", instead: "rest := 0 * next * grows / s"},
	{file: "posterior/pair.go", text: "drop = -special.MillsDrop(z+h, -h)", instead: "drop = 0"},
	// Its allowances for rounding.
	{file: "posterior/pair.go", text: "u*near.value + v*far.value + u*near.slack + v*far.slack", instead: "u*near.value + v*far.value - u*near.slack - v*far.slack"},
	{file: "posterior/pair.go", text: "(1 + z*z + (1+math.Abs(z))*math.Abs(c)/8)", instead: "(-1 - z*z - (1+math.Abs(z))*math.Abs(c)/8)"},
	{file: "posterior/pair.go", text: "(1 + z*z + (1+math.Abs(z))*math.Abs(c)/8)", instead: "0"},
	{file: "posterior/pair.go", text: "moved-own-other) + allowance", instead: "moved-own-other) - allowance"},
	{file: "posterior/pair.go", text: "moved-own-other) + allowance", instead: "moved-own-other-own) + allowance"},
	// What is made of it.
	{file: "posterior/bound.go", text: "Pair{-b.Leverage, b.Shift}.LogDeltaUpper(epsilon),", instead: "Pair{b.Leverage, b.Shift}.LogDeltaUpper(epsilon),", by: "TestBoundIsTheWorsePair"},
	{file: "posterior/bound.go", text: "Pair{b.Leverage, b.Shift}.LogDeltaUpper(epsilon),", instead: "Pair{-b.Leverage, b.Shift}.LogDeltaUpper(epsilon),"},
	{file: "posterior/bound.go", text: "Pair{b.Leverage, b.Shift * (1 + b.Leverage)}", instead: "Pair{b.Leverage, b.Shift}"},
	{file: "posterior/bound.go", text: "first+Pair{", instead: "0*first+Pair{"},
	{file: "posterior/bound.go", text: "[]float64{x, -x}", instead: "[]float64{-x}"},
	{file: "posterior/bound.go", text: "- 0x1p-46*(r+math.Abs(own)", instead: "+ 0x1p-30*(r+math.Abs(own)"},
	{file: "posterior/bound.go", text: "math.Sqrt(square) * (1 - 0x1p-46)", instead: "math.Sqrt(square) * (1 + 0x1p-40)"},

	{file: "logscale/logscale.go", text: "left := math.Min(low*v, high*v) / r.Sigma", instead: "left := math.Max(low*v, high*v) / r.Sigma", by: "TestAllowanceOfWhatAScaleLeaves"},
	{file: "logscale/logscale.go", text: "at = epsilon + left - square", instead: "at = epsilon + left"},
	{file: "logscale/logscale.go", text: "at = epsilon + left - square", instead: "at = epsilon - square"},
	{file: "logscale/logscale.go", text: "return at, math.Exp(-r.Sigma*v) / r.Factor", instead: "return at, 1 / r.Factor"},
	{file: "logscale/logscale.go", text: "(2 * r.Sigma * r.Sigma) * (1 + 0x1p-50)", instead: "(2 * r.Sigma * r.Sigma)"},
	{file: "logscale/logscale.go", text: "at -= 0x1p-50 *", instead: "at -= 0 *"},
	{file: "logscale/logscale.go", text: "at -= 0x1p-50 *", instead: "at += 0x1p-50 *"},
	{file: "logscale/logscale.go", text: "(1 + 0x1p-46 + 0x1p-52*math.Abs(r.Sigma*v))", instead: "(1 + 0x1p-46)"},
	{file: "logscale/logscale.go", text: "(1 + 0x1p-46 + 0x1p-52*math.Abs(r.Sigma*v))", instead: "(1 + 0x1p-52*math.Abs(r.Sigma*v))"},
	{file: "logscale/logscale.go", text: "if mu > 1e6 {\n\t\t\treturn special.LogNormalDensity(v)", instead: "if mu > 1e6 {\n\t\t\treturn math.Inf(-1)"},
	{file: "logscale/logscale.go", text: "cells := []cell{bounded(-d, -d/2), bounded(-d/2, 0), bounded(0, d/2), bounded(d/2, d)}", instead: "cells := []cell{bounded(0, d/2), bounded(d/2, d)}"},
	{file: "logscale/logscale.go", text: "cells := []cell{bounded(-d, -d/2), bounded(-d/2, 0), bounded(0, d/2), bounded(d/2, d)}", instead: "cells := []cell{bounded(-d, -d/2), bounded(-d/2, 0)}"},
	{file: "logscale/logscale.go", text: "math.Log(value+bound), tails)", instead: "math.Log(value+bound), math.Inf(-1)) + 0*tails"},

	{file: "tested/tested.go", text: "[]float64{g.Ratio, -g.Ratio}", instead: "[]float64{g.Ratio}", by: "TestGolden"},
	{file: "tested/tested.go", text: "most = math.Max(most, pair.most(s*sound, math.Inf(1)))", instead: "_ = sound"},
	{file: "tested/tested.go", text: "most = math.Max(most, pair.most(s*unsound, limit))", instead: "_ = limit"},
	{file: "tested/tested.go", text: "value + math.Abs(slope)*h/2 + h*h/8*", instead: "value + 0*slope*h/2 + h*h/8*"},
	{file: "tested/tested.go", text: "value + math.Abs(slope)*h/2 + h*h/8*", instead: "value + math.Abs(slope)*h/2 - h*h/8*"},
	{file: "tested/tested.go", text: "h*h/8*(s+apart*apart/4)", instead: "0*h*h/8*(s+apart*apart/4)"},
	{file: "tested/tested.go", text: "allowance := 0x1p-49 *", instead: "allowance := 0 *"},
	{file: "tested/tested.go", text: "allowance := 0x1p-49 *", instead: "allowance := -0x1p-49 *"},
	{file: "tested/tested.go", text: "NormalQuantile(failure) + 0x1p-40", instead: "NormalQuantile(failure)"},
	{file: "tested/tested.go", text: "NormalQuantile(failure) + 0x1p-40", instead: "NormalQuantile(failure) - 0x1p-40"},
	{file: "tested/tested.go", text: "bound = math.Max(bound, at)", instead: "bound = math.Max(bound, attained-1e-3)"},
	{file: "tested/tested.go", text: "special.LogAddExp(s*test, v+special.LogExpm1(s*unsound))", instead: "v + special.LogExpm1(s*unsound)"},
	{file: "tested/tested.go", text: "math.Log(failure) + s*testBeta", instead: "math.Log(failure)"},
}

// TestSabotagedRoomsAreCaught spoils each in turn and asks that a test of its package fails.
func TestSabotagedRoomsAreCaught(t *testing.T) {
	spoilEach(t, rooms, ".")
}
