//go:build !js

package solve

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are the terms of a certificate, left out or with the wrong sign.
var sabotages = []audittest.Sabotage{
	{
		File:    "rows_certify.go",
		Text:    "marginErrors[i] = beta * (k * unitRoundoff * magnitude)",
		Instead: "marginErrors[i] = 0 * beta * (k * unitRoundoff * magnitude)",
	},
	{
		File:    "rows_certify.go",
		Text:    "marginErrors[i] = beta * (k * unitRoundoff * magnitude)",
		Instead: "marginErrors[i] = -beta * (k * unitRoundoff * magnitude)",
	},
	{
		File:    "rows_certify.go",
		Text:    "marginErrors[i] = beta * (k * unitRoundoff * magnitude)",
		Instead: "marginErrors[i] = beta * (0*k + unitRoundoff*magnitude)",
	},
	{
		File:    "rows_certify.go",
		Text:    "marginErrors[i] = eta *",
		Instead: "marginErrors[i] = 0 * eta *",
	},
	{File: "rows_certify.go", Text: "slopeError     = 0x1p-49 ", Instead: "slopeError     = 0 "},
	{
		File:    "rows_certify.go",
		Text:    "slopeError     = 0x1p-49 ",
		Instead: "slopeError     = -0x1p-49 ",
	},
	{File: "rows_certify.go", Text: "huberError     = 0x1p-50 ", Instead: "huberError     = 0 "},
	{
		File:    "rows_certify.go",
		Text:    "huberError     = 0x1p-50 ",
		Instead: "huberError     = -0x1p-50 ",
	},
	{
		File:    "rows_certify.go",
		Text:    "gammaBatch     = batch * unitRoundoff",
		Instead: "gammaBatch     = 0 * batch * unitRoundoff",
	},
	{
		File:    "rows_certify.go",
		Text:    "gammaBatch     = batch * unitRoundoff",
		Instead: "gammaBatch     = -batch * unitRoundoff",
	},
	{
		File:    "rows_certify.go",
		Text:    "lengths[i]*wrong",
		Instead: "0*lengths[i]*wrong",
	},
	{File: "rows_certify.go", Text: ")*0x1p-900\n", Instead: ")*0\n"},
	{
		File:    "rows_certify.go",
		Text:    "lengths[i] = sumOfMagnitudes(entry)",
		Instead: "lengths[i] = math.Sqrt(squares)",
	},
	{File: "rows_certify.go", Text: "return bound * (1 + 0x1p-20)\n}", Instead: "return bound\n}"},
	{
		File:    "rows_certify.go",
		Text:    "return r.certify(0, r.Records(), theta, sum) * (1 + 0x1p-20)",
		Instead: "return r.certify(0, r.Records(), theta, sum)",
	},
	{
		File:    "fine_margin.go",
		Text:    "eta + unitRoundoff*math.Abs(margin)",
		Instead: "eta + 0*math.Abs(margin)",
	},
	{
		File:    "fine_margin.go",
		Text:    "lost, nu*nu*magnitude*",
		Instead: "lost, 0*nu*magnitude*",
	},
	{File: "fine_margin.go", Text: "margin = sum + lost", Instead: "margin = sum"},
	{File: "fine_margin.go", Text: "(1+0x1p-20) + float64(n)*0x1p-900", Instead: "(1+0x1p-20)"},
	{File: "norms.go", Text: "* (1 + float64(entries+1)*0x1p-52)", Instead: ""},
	{
		File:    "norms.go",
		Text:    "math.Sqrt(squares) * (1 + float64(entries+8)*0x1p-53)",
		Instead: "math.Sqrt(squares)",
	},
	{
		File:    "norms.go",
		Text:    "math.Sqrt(squares) * (1 + float64(entries+8)*0x1p-53)",
		Instead: "math.Sqrt(squares) * (1 - float64(entries+8)*0x1p-53)",
		By:      "TestAllowanceOfNorms",
	},
	{
		File:    "norms.go",
		Text:    "squares*(1+float64(entries+4)*0x1p-53) <= bound*bound",
		Instead: "squares*(1+0*float64(entries)) <= bound*bound",
	},
	{
		File:    "scores_certify.go",
		Text:    "unitRoundoff * magnitudes2 / 2",
		Instead: "unitRoundoff * 0 * magnitudes2 / 2",
	},
	{File: "scores_certify.go", Text: "slopeFloor := 2 *", Instead: "slopeFloor := 0 *"},
	{
		File:    "scores_certify.go",
		Text:    "gammaBatch*math.Sqrt(square)",
		Instead: "0*math.Sqrt(square)",
	},
	{File: "scores_certify.go", Text: "bound += length*(", Instead: "bound += 0*length*("},
	{File: "rows_certify.go", Text: "bound += bounds[k]", Instead: "bound = bounds[k]"},
	{File: "scores_certify.go", Text: "return wrong / 2 *", Instead: "return 0 * wrong / 2 *"},
	{
		File:    "scores_certify.go",
		Text:    "(err + (lost[k] - rest))",
		Instead: "(err + 0*(lost[k]-rest))",
	},
	{File: "sum.go", Text: "total*0x1p-103 +", Instead: "0*total +"},
	{File: "sum.go", Text: "total*0x1p-103 +", Instead: "-total*0x1p-103 +"},
	{File: "sum.go", Text: "+ 0x1p-1000 +", Instead: "+"},
	{File: "sum.go", Text: "s.other*(1+0x1p-40)", Instead: "0*s.other"},
	{File: "sum.go", Text: "s.lo[j] = low - (s.hi[j] - total)", Instead: "s.lo[j] = 0"},
	{
		File:    "objective.go",
		Text:    "inexact := 1 + float64(o.dim+8)*0x1p-52",
		Instead: "inexact := 1.0",
	},
	{
		File:    "objective.go",
		Text:    "inexact := 1 + float64(o.dim+8)*0x1p-52",
		Instead: "inexact := 1 - float64(o.dim+8)*0x1p-52",
	},
	{File: "objective.go", Text: "upper = up(upper + c.Offset)", Instead: "upper = up(upper)"},
	{
		File:    "objective.go",
		Text:    "RoundingBound: up(bound + sum.ErrorBound())",
		Instead: "RoundingBound: up(bound)",
	},
	{
		File:    "objective.go",
		Text:    "RoundingBound: up(bound + sum.ErrorBound())",
		Instead: "RoundingBound: up(sum.ErrorBound())",
	},
	{
		File:    "objective.go",
		Text:    "bound = up(bound + p.Certify(theta, sum))",
		Instead: "bound = up(p.Certify(theta, sum))",
	},
	{
		File:    "certified.go",
		Text:    "certificate.Upper() <= tolerance",
		Instead: "certificate.GradientNorm <= tolerance",
	},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Allowance|Norms|Certif|Sum|Refine|Rounding|Precise|FineMargin|Point", sabotages)
}
