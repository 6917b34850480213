//go:build !js

package account

import "testing"

// softmaxes spoil the terms of the softmax's theorems, the roundings of its ratios, and the steps
// of a replace-one sample. Not here is what cannot be spoilt so that it shows: the allowances of
// softmaxFaces (2^-48 of h, 2^-40 of a cell, 2^-38 and 2^-40 of a node), for its chords, its
// tangents and its squares, each rounded up, are above the truth by more than that; and κ's 2^-50
// left out, for where κ > 0 the allowance of ρ is more than r, rounded up, takes off.
var softmaxes = []sabotage{
	{file: "objective/softmax.go", text: "count := math.Log(float64(e.Classes - 1))", instead: "count := 0.0"},
	{file: "objective/softmax.go", text: "math.Log1p(s.rho/float64(e.Classes))", instead: "math.Log1p(s.rho/float64(e.Classes)) / 2"},
	{file: "objective/softmax.go", text: "const up = 1 + 0x1p-50", instead: "const up = 1"},
	{file: "objective/softmax.go", text: "const up = 1 + 0x1p-50", instead: "const up = 1 - 0x1p-50"},
	{file: "objective/softmax.go", text: "(1-0x1p-50), 0x1p-60*s.rho", instead: "1, 0x1p-60*s.rho"},
	{file: "objective/softmax.go", text: "(1-0x1p-50), 0x1p-60*s.rho", instead: "(1+0x1p-50), 0x1p-60*s.rho"},
	{file: "objective/softmax.go", text: "(1-0x1p-50), 0x1p-60*s.rho", instead: "(1-0x1p-50), 0x1p-40*s.rho"},
	{file: "objective/softmax.go", text: "s.kappa += 0x1p-50 *", instead: "s.kappa -= 0x1p-50 *"},
	{file: "objective/softmax.go", text: "math.Sqrt2*s.r*up", instead: "s.r*up"},
	{file: "objective/softmax.go", text: "return s * (2*p.rho - p.bend*s)", instead: "return -p.bend * s * s"},
	{file: "objective/softmax.go", text: "return s * (2*p.rho - p.bend*s)", instead: "return s * (p.rho - p.bend*s)", by: "TestSoftmaxEnvelopeIsTheLargestBracket"},
	{file: "objective/softmax_faces.go", text: "logGaussianDelta(epsilon-2*f.kappa, muOut),", instead: "math.Inf(-1),"},
	{file: "objective/softmax_faces.go", text: "logGaussianDelta(epsilon-2*f.kappa, muOut),", instead: "logGaussianDelta(epsilon, muOut),"},
	{file: "objective/softmax_faces.go", text: "f.r*f.r/2 - f.rho - muOut*muOut/2", instead: "f.r*f.r/2 - muOut*muOut/2"},
	{file: "objective/softmax_faces.go", text: "n := (*face)(nil), int(f.classes)-1", instead: "n := (*face)(nil), 1"},
	{file: "objective/softmax_faces.go", text: "f.beyond = special.NormalSurvival(low + 2*k)", instead: "f.beyond = 0 * k"},
	{file: "objective/softmax_faces.go", text: "sum.beyond += p * tails[faceSteps+1-i]", instead: "sum.beyond += 0 * tails[faceSteps+1-i]"},

	{file: "objective/replace_sample.go", text: "float64(first)*s[0].step+s[1].at(i-first)", instead: "s[1].at(i-first)"},
	{file: "objective/replace_sample.go", text: "s[1].at(i-first)", instead: "s[1].at(i)"},
}

// TestSabotagedSoftmaxIsCaught spoils each in turn and asks that a test of package objective
// fails.
func TestSabotagedSoftmaxIsCaught(t *testing.T) {
	spoilEach(t, softmaxes, "Softmax|Samples")
}
