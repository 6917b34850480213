//go:build !js

package ops

import (
	"testing"

	"cloister/core/learn/audittest"
)

var sabotages = []audittest.Sabotage{
	{File: rule, Text: "math.Max(0, low-square)", Instead: "low"},
	{File: rule, Text: "math.Exp(-2*high)", Instead: "math.Exp(-high)"},
	{File: sample, Text: "c.Moves*(1+slack), p.RadiusRatio", Instead: "c.Moves/4, p.RadiusRatio"},
	{File: sample, Text: "first.Lower(eigenvalue)", Instead: "first.Upper(eigenvalue)"},
	{File: rule, Text: "second.Upper(noisy)", Instead: "second.Lower(noisy)"},
	{File: "sample.go", Text: "labels, scale)", Instead: "labels, scale/2)", By: "TestSamplesHaveTheLawOfThePosterior"},
	{File: "sample.go", Text: "linear, scale*math.Sqrt(lambda))", Instead: "linear, scale/10)"},
	{File: fixed, Text: "if f.Adjacency == privacy.ReplaceOne {\n\t\tmoves *= 2", Instead: "if false {\n\t\tmoves *= 2"},
	{File: fixed, Text: "f.Lambda)/2) * (1", Instead: "f.Lambda)/200 - 0.9) * (1"},
	{File: sample, Text: "Failure: p.Failure,", Instead: "Failure: p.Failure / 2,"},
}

// Where the public arithmetic stands.
const (
	rule   = "../../adaptive/sample_rule.go"
	sample = "../../adaptive/sample.go"
	fixed  = "../../adaptive/fixed.go"
)

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Exact|Golden|Samples|Fixed|Calibrated|Statistics", sabotages)
}
